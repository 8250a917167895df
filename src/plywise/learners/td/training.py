"""Sets of games by temporal differences, tests against a clone, and the choice of a champion.

Everything random in a set comes from the seed and the set's number.
"""

import json
import time
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.game import Game, Row, Rows
from plywise.game.record import Record
from plywise.game.results import ONGOING
from plywise.kernel.random import random_word
from plywise.learners.shared.duels import DuelSetup, Pair, layout_of, play_pair
from plywise.learners.shared.layout import Vector
from plywise.learners.shared.openings import random_opening, random_openings
from plywise.learners.td.settings import TdSettings
from plywise.learners.td.temporal import (
    AFTERSTATE,
    CHANCES,
    LEAF,
    ROOT,
    Rule,
    for_opponent_moves,
    make_learner,
    play_and_learn,
)
from plywise.search.duel import make_task
from plywise.search.options import PLAIN, Options
from plywise.settings import require_least
from plywise.system.parallel import Workers, run_all
from plywise.system.source_files import read_text

LEAST = {1: "depth sets games max_plies", 0: "rate final_rate reach setback"}
TARGETS = {"afterstate": AFTERSTATE, "root": ROOT, "leaf": LEAF}
TEST_OPENINGS = {"paper": 1, "sound": 20}  # each is played with both colours
PASS_SHARE = {"paper": 0.75, "sound": 0.55}  # of the points
TEST_PLIES = 4  # random ones, of tests that are sound and of the final round robin
SALT = {"birth": 0, "teach": 1, "test": 2, "final": 3}  # separate random numbers for each use


class BadTraining(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class TdState:
    """What is handed on from set to set."""

    vector: Vector  # the learner
    clone: Vector  # its opponent
    clones: NDArray[np.float64]  # [clones, numbers]: all that passed the test


class Training:
    """The sets of temporal differences, one after the other.

    Without `workers`, as in a worker's own task, test games are played one after the other.
    `plasticity` is a factor of the learning rate of every number; a number with the factor 0 is
    always 0. Games begin at random ones of the positions `starts`, or at the game's first position.
    """

    def __init__(
        self,
        game: str,
        settings: TdSettings,
        workers: Workers | None = None,
        plasticity: Vector | None = None,
        starts: Rows | None = None,
    ) -> None:
        self.settings = settings
        self.workers = workers
        network = json.dumps(evaluator_settings(settings))
        self.layout = layout_of(game, settings.evaluator, network)
        self.game = self.layout.evaluator.game
        self.plasticity = np.ones(self.layout.length) if plasticity is None else plasticity
        self.starts = _read_starts(self.game, settings.starts) if starts is None else starts
        self.options = search_options(settings)
        self.setup = DuelSetup(
            game, settings.evaluator, self.options, settings.depth, settings.max_plies, network
        )
        _refuse_nonsense(settings)

    def begin(self) -> TdState:
        """Return a random network and its first clone."""
        vector = self.layout.random(self._random("birth", 0), self.settings.reach)
        vector[self.plasticity == 0] = 0.0
        return TdState(vector, vector, np.zeros((0, len(vector))))

    def rates(self, number: int) -> Vector:
        """Return the learning rate of every number in a set."""
        progress = number / max(1, self.settings.sets - 1)
        rate = self.settings.rate * self.settings.final_rate**progress
        shapes, fans = self.layout.evaluator.weights, self.layout.evaluator.fans
        parts = {name: np.full(shape, rate / fans[name]) for name, shape in shapes.items()}
        return self.layout.vector(parts) * self.plasticity

    def advance(self, state: TdState, number: int) -> tuple[TdState, dict[str, Any]]:
        """Play a set and its test; a learner that passes becomes the clone."""
        started = time.perf_counter()
        vector, metrics = self.teach(state, number)
        metrics["teaching"] = time.perf_counter() - started
        share = self.test(state, vector, number)
        if share >= PASS_SHARE[self.settings.clone_test]:
            state = TdState(vector, vector, np.concatenate([state.clones, vector[None]]))
        else:
            is_setback = share < self.settings.setback
            state = TdState(state.clone if is_setback else vector, state.clone, state.clones)
        return state, {**metrics, "test": share, "clones": len(state.clones)}

    def teach(self, state: TdState, number: int) -> tuple[Vector, dict[str, Any]]:
        """Play the games of a set; return what the learner has become, and metrics."""
        settings, generator = self.settings, self._random("teach", number)
        vector = state.vector.copy()
        task = make_task(self.game, self.layout.model(vector), self.options)
        opponent = make_task(self.game, self.layout.model(state.clone), self.options)
        learner = make_learner(task, vector, self.rates(number), random_word(generator))
        learners = (learner, for_opponent_moves(learner))
        rule = self._rule()
        results, plies = [], []
        for game in range(settings.games):
            start = self._start(generator)
            record = random_opening(self.game, settings.opening_plies, generator, start)
            opening = np.array(record.moves, np.uint64)
            side = np.int64((number * settings.games + game) % 2)
            result, length = play_and_learn(learners, opponent, rule, record.start, opening, side)
            results.append(int(result))
            plies.append(int(length))
        metrics = {
            "games": len(results),
            "wins": results.count(1),
            "draws": results.count(0),
            "losses": results.count(-1),
            "plies": float(np.mean(plies)),
            "error": float(learner.state.error / max(1, learner.state.corrections)),
            "weights": float(np.sqrt(np.mean(vector**2))),
        }
        return vector, metrics

    def test(self, state: TdState, vector: Vector, number: int) -> float:
        """Return the learner's share of the points against its clone."""
        kind = self.settings.clone_test
        plies = TEST_PLIES if kind == "sound" else 0
        records = self._openings(TEST_OPENINGS[kind], plies, self._random("test", number))
        pairs = [self._pair((vector, state.clone), record) for record in records]
        return sum(self._play(pairs)) / (2 * len(pairs))

    def choose_champion(self, state: TdState) -> int:
        """Return which clone wins a round robin, the latest of equals."""
        count = max(1, self.settings.final_games // 2)
        openings = self._openings(count, TEST_PLIES, self._random("final", 0))
        meetings = list(combinations(range(len(state.clones)), 2))
        pairs = [
            self._pair((state.clones[first], state.clones[second]), opening)
            for first, second in meetings
            for opening in openings
        ]
        points = np.zeros(len(state.clones))
        for number, won in enumerate(self._play(pairs)):
            first, second = meetings[number // len(openings)]
            points[first] += won
            points[second] += 2 - won
        return int(np.flatnonzero(points == points.max())[-1])

    def _start(self, generator: np.random.Generator) -> Row | None:
        """Return where a game begins; None: at the game's first position."""
        if len(self.starts) == 0:
            return None
        return np.asarray(self.starts[generator.integers(len(self.starts))])

    def _openings(self, count: int, plies: int, generator: np.random.Generator) -> list[Record]:
        """Return distinct openings, or random ones from the start positions."""
        if len(self.starts) == 0:
            openings = random_openings(self.game, count, plies, generator)
            return [Record(self.game, moves=moves) for moves in openings]
        return [
            random_opening(self.game, min(plies, self.settings.opening_plies), generator, start)
            for start in (self._start(generator) for _ in range(count))
        ]

    def _pair(self, players: tuple[Vector, Vector], record: Record) -> Pair:
        moves = np.array(record.moves, np.uint64)
        return Pair(self.setup, players, moves, record.start)

    def _play(self, pairs: list[Pair]) -> list[float]:
        if self.workers is None:
            return [play_pair(pair) for pair in pairs]
        return run_all(play_pair, pairs, self.workers)

    def _rule(self) -> Rule:
        settings = self.settings
        return Rule(
            TARGETS[settings.target],
            settings.trace,
            settings.discount,
            settings.momentum,
            settings.draw,
            round(settings.exploration * CHANCES),
            settings.depth,
            settings.max_plies,
            settings.learn_from == "both",
        )

    def _random(self, use: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self.settings.seed, SALT[use], number])


def evaluator_settings(settings: TdSettings) -> dict[str, Any]:
    """Return what the evaluator is built with."""
    if settings.evaluator in ("blondie", "linear"):
        return {}
    try:
        hidden = [int(units) for units in settings.hidden.split()]
    except ValueError:
        raise BadTraining(f"hidden is written '20' or '40 10', not {settings.hidden!r}.") from None
    if settings.evaluator in ("mlp", "nnue"):
        return {"hidden": hidden}
    if len(hidden) != 1:
        raise BadTraining(f"featuremap has one hidden layer, not {settings.hidden!r}.")
    found = {"features": settings.features, "hidden": hidden[0], "direct": settings.direct}
    return found if settings.faults == "none" else {**found, "faults": settings.faults}


def search_options(settings: TdSettings) -> Options:
    """Return the options of the search."""
    if settings.search == "minimax":
        return PLAIN._replace(repetition=True)
    return Options(quiescence=settings.quiescence)


def _read_starts(game: Game, path: str) -> Rows:
    """Return the positions of a file, one a line."""
    if not path:
        return np.zeros((0, game.words), np.uint64)
    lines = read_text(Path(path)).splitlines()
    rows = [game.parse_position(line) for line in lines if line.strip()]
    if not rows:
        raise BadTraining(f"{path} has no start position.")
    for row in rows:
        if game.result(row) != ONGOING:
            raise BadTraining(f"A game cannot begin at {game.format_position(row)}: it is over.")
    return np.array(rows)


def _refuse_nonsense(settings: TdSettings) -> None:
    require_least(settings, LEAST)
    for name in ("trace", "discount", "exploration", "momentum"):
        if not 0 <= getattr(settings, name) <= 1:
            raise BadTraining(f"{name} is between 0 and 1, not {getattr(settings, name)}.")
    if settings.learn_from == "both" and settings.target != "afterstate":
        raise BadTraining(
            f"With target={settings.target} only own moves can be learned from: say learn_from=own."
        )
    if settings.faults != "none" and settings.evaluator != "featuremap":
        raise BadTraining(f"Only featuremap has faults to choose, not {settings.evaluator}.")
    if settings.search == "minimax" and settings.quiescence:
        raise BadTraining("Plain minimax has no quiescence; search=alphabeta has.")
