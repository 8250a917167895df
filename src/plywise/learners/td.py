"""`td`: temporal differences in games against a frozen clone (NeuroDraughts, VisionDraughts).

A step of the run is a set of games against the clone, colours alternating. Test games without
learning then decide whether the learner replaces the clone. After the last set a round robin
of all clones chooses the champion. Everything random in a set comes from the seed and the
set's number, so that a resumed run is the same to the bit.
"""

import functools
import json
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Array, Model
from plywise.game import Game, Row, Rows
from plywise.game.record import Record
from plywise.game.results import ONGOING
from plywise.games import load_game
from plywise.kernel.random import random_word
from plywise.learners.configs import TdConfig
from plywise.learners.fitness import random_opening, random_openings
from plywise.learners.genome import Layout, Vector
from plywise.learners.temporal import (
    AFTERSTATE,
    CHANCES,
    LEAF,
    ROOT,
    Rule,
    for_opponent_moves,
    make_learner,
    play_and_learn,
)
from plywise.runs import Run, carry_on
from plywise.search.alphabeta import PLAIN, Options
from plywise.search.duel import make_task, play_duel
from plywise.settings import build
from plywise.system.parallel import Workers, run_all

PUBLISHED: dict[str, Any] = {
    "learn_from": "own",
    "final_rate": 1.0,
    "discount": 0.98,
    "opening_plies": 0,
    "clone_test": "paper",
}
SYSTEMS = {  # what their authors do not say is left as it is
    "neuro": TdConfig(features="neuro", search="minimax", **PUBLISHED),
    "vision": TdConfig(features="vision", **PUBLISHED),
}
TARGETS = {"afterstate": AFTERSTATE, "root": ROOT, "leaf": LEAF}
TEST_OPENINGS = {"paper": 1, "sound": 20}  # each is played with both colours
PASS_SHARE = {"paper": 0.75, "sound": 0.55}  # of the points
TEST_PLIES = 4  # random ones, of tests that are sound and of the final round robin
SALT = {"birth": 0, "teach": 1, "test": 2, "final": 3}  # separate random numbers for each use


class BadTraining(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class School:
    """What a run hands on from set to set."""

    vector: Vector  # the learner
    clone: Vector  # its opponent
    clones: NDArray[np.float64]  # [clones, numbers]: all that passed the test


# ---------------------------------------------------------------- games without learning


@dataclass(frozen=True)
class Conditions:
    """Who plays, and how; plain values, so that a meeting can be sent anywhere."""

    game: str
    evaluator: str
    settings: str  # of the evaluator, as JSON
    options: Options
    depth: int
    max_plies: int

    def layout(self) -> Layout:
        """Return where the numbers of a network stand."""
        return layout_of(self.game, self.evaluator, self.settings)


@dataclass(frozen=True)
class Meeting:
    """Two games from one opening with colours reversed."""

    conditions: Conditions
    players: tuple[Vector, Vector]
    opening: Row
    start: Row | None = None  # where it begins, if not at the game's first position


@functools.cache
def layout_of(game: str, evaluator: str, settings: str) -> Layout:
    return Layout(make_evaluator(evaluator, load_game(game), **json.loads(settings)))


def play_meeting(meeting: Meeting) -> float:
    """Return the first player's points of two."""
    how = meeting.conditions
    layout = how.layout()
    first, second = (layout.model(vector) for vector in meeting.players)
    points = 1.0
    for models, sign in (((first, second), 0.5), ((second, first), -0.5)):
        played = play_duel(
            models, how.options, how.depth, how.max_plies, meeting.opening, meeting.start
        )
        points += sign * played.result
    return points


# ---------------------------------------------------------------- training


class Training:
    """A run of temporal differences: the sets one after the other.

    Without `workers`, test games are played one after the other. `plasticity` is a factor of
    the learning rate of every number; a number with the factor 0 is always 0. Games begin at
    random ones of the positions `starts`, or at the game's first position.
    """

    def __init__(
        self,
        game: str,
        config: TdConfig,
        workers: Workers | None = None,
        plasticity: Vector | None = None,
        starts: Rows | None = None,
    ) -> None:
        self.config = config
        self.workers = workers
        settings = json.dumps(evaluator_settings(config))
        self.layout = layout_of(game, config.evaluator, settings)
        self.game = self.layout.evaluator.game
        self.plasticity = np.ones(self.layout.length) if plasticity is None else plasticity
        self.starts = _read_starts(self.game, config.starts) if starts is None else starts
        self.options = search_options(config)
        self.conditions = Conditions(
            game, config.evaluator, settings, self.options, config.depth, config.max_plies
        )
        _refuse_nonsense(config)

    def birth(self) -> School:
        """Return a random network and its first clone."""
        vector = self.layout.random(self._random("birth", 0), self.config.reach)
        vector[self.plasticity == 0] = 0.0
        return School(vector, vector, np.zeros((0, len(vector))))

    def rates(self, number: int) -> Vector:
        """Return the learning rate of every number in a set."""
        progress = number / max(1, self.config.sets - 1)
        rate = self.config.rate * self.config.final_rate**progress
        shapes, fans = self.layout.evaluator.weights, self.layout.evaluator.fans
        parts = {name: np.full(shape, rate / fans[name]) for name, shape in shapes.items()}
        return self.layout.genome(parts) * self.plasticity

    def advance(self, school: School, number: int) -> tuple[School, dict[str, Any]]:
        """Play a set and its test; a learner that passes becomes the clone."""
        started = time.perf_counter()
        vector, metrics = self.teach(school, number)
        metrics["teaching"] = time.perf_counter() - started
        share = self.test(school, vector, number)
        if share >= PASS_SHARE[self.config.clone_test]:
            school = School(vector, vector, np.concatenate([school.clones, vector[None]]))
        else:
            is_setback = share < self.config.setback
            school = School(school.clone if is_setback else vector, school.clone, school.clones)
        return school, {**metrics, "test": share, "clones": len(school.clones)}

    def teach(self, school: School, number: int) -> tuple[Vector, dict[str, Any]]:
        """Play the games of a set; return what the learner has become, and metrics."""
        config, generator = self.config, self._random("teach", number)
        vector = school.vector.copy()
        task = make_task(self.game, self.layout.model(vector), self.options)
        opponent = make_task(self.game, self.layout.model(school.clone), self.options)
        learner = make_learner(task, vector, self.rates(number), random_word(generator))
        learners = (learner, for_opponent_moves(learner))
        rule = self._rule()
        results, plies = [], []
        for game in range(config.games):
            start = self._start(generator)
            record = random_opening(self.game, config.opening_plies, generator, start)
            opening = np.array(record.moves, np.uint64)
            side = np.int64((number * config.games + game) % 2)
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

    def test(self, school: School, vector: Vector, number: int) -> float:
        """Return the learner's share of the points against its clone."""
        kind = self.config.clone_test
        plies = TEST_PLIES if kind == "sound" else 0
        records = self._openings(TEST_OPENINGS[kind], plies, self._random("test", number))
        meetings = [self._meeting((vector, school.clone), record) for record in records]
        return sum(self._play(meetings)) / (2 * len(meetings))

    def choose_champion(self, school: School) -> int:
        """Return which clone wins a round robin, the latest of equals."""
        count = max(1, self.config.final_games // 2)
        openings = self._openings(count, TEST_PLIES, self._random("final", 0))
        pairs = list(combinations(range(len(school.clones)), 2))
        meetings = [
            self._meeting((school.clones[first], school.clones[second]), opening)
            for first, second in pairs
            for opening in openings
        ]
        points = np.zeros(len(school.clones))
        for meeting, won in enumerate(self._play(meetings)):
            first, second = pairs[meeting // len(openings)]
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
            random_opening(self.game, min(plies, self.config.opening_plies), generator, start)
            for start in (self._start(generator) for _ in range(count))
        ]

    def _meeting(self, players: tuple[Vector, Vector], record: Record) -> Meeting:
        moves = np.array(record.moves, np.uint64)
        return Meeting(self.conditions, players, moves, record.start)

    def _play(self, meetings: list[Meeting]) -> list[float]:
        if self.workers is None:
            return [play_meeting(meeting) for meeting in meetings]
        return run_all(play_meeting, meetings, self.workers.jobs, self.workers.backend)

    def _rule(self) -> Rule:
        config = self.config
        return Rule(
            TARGETS[config.target],
            config.trace,
            config.discount,
            config.momentum,
            config.draw,
            round(config.exploration * CHANCES),
            config.depth,
            config.max_plies,
            config.learn_from == "both",
        )

    def _random(self, use: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self.config.seed, SALT[use], number])


def evaluator_settings(config: TdConfig) -> dict[str, Any]:
    """Return what the evaluator is built with."""
    if config.evaluator in ("blondie", "linear"):
        return {}
    try:
        hidden = [int(units) for units in config.hidden.split()]
    except ValueError:
        raise BadTraining(f"hidden is written '20' or '40 10', not {config.hidden!r}.") from None
    if config.evaluator in ("mlp", "nnue"):
        return {"hidden": hidden}
    if len(hidden) != 1:
        raise BadTraining(f"featuremap has one hidden layer, not {config.hidden!r}.")
    return {"features": config.features, "hidden": hidden[0], "direct": config.direct}


def search_options(config: TdConfig) -> Options:
    """Return the options of the search."""
    if config.search == "minimax":
        return PLAIN._replace(repetition=True)
    return Options(quiescence=config.quiescence)


def _read_starts(game: Game, path: str) -> Rows:
    """Return the positions of a file, one a line."""
    if not path:
        return np.zeros((0, game.words), np.uint64)
    try:
        lines = Path(path).read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadTraining(f"The start positions in {path} cannot be read: {error}.") from None
    rows = [game.parse_position(line) for line in lines if line.strip()]
    if not rows:
        raise BadTraining(f"{path} has no start position.")
    for row in rows:
        if game.result(row) != ONGOING:
            raise BadTraining(f"A game cannot begin at {game.format_position(row)}: it is over.")
    return np.array(rows)


def _refuse_nonsense(config: TdConfig) -> None:
    for name in ("trace", "discount", "exploration", "momentum"):
        if not 0 <= getattr(config, name) <= 1:
            raise BadTraining(f"{name} is between 0 and 1, not {getattr(config, name)}.")
    for name in ("depth", "sets", "games", "max_plies"):
        if getattr(config, name) < 1:
            raise BadTraining(f"{name} is 1 or more, not {getattr(config, name)}.")
    if config.learn_from == "both" and config.target != "afterstate":
        raise BadTraining(
            f"With target={config.target} only own moves can be learned from: say learn_from=own."
        )
    if config.search == "minimax" and config.quiescence:
        raise BadTraining("Plain minimax has no quiescence; search=alphabeta has.")


# ---------------------------------------------------------------- the run


def learn(run: Run, workers: Workers | None = None) -> Generator[dict[str, Any]]:
    """Carry a run on from its last checkpoint to its end; yield the metrics of each set."""
    config = build(TdConfig, run.settings())
    training = Training(run.config()["game"], config, workers or Workers())

    def begin(arrays: Mapping[str, Array] | None) -> School:
        return training.birth() if arrays is None else School(**arrays)

    def advance(school: School, number: int) -> tuple[School, dict[str, Any], dict[str, Array]]:
        school, metrics = training.advance(school, number)
        champion = school.clone if len(school.clones) else school.vector
        if number == config.sets - 1 and len(school.clones):
            metrics["chosen"] = training.choose_champion(school)
            champion = school.clones[metrics["chosen"]]
        return school, metrics, {"vector": champion}

    return carry_on(run, config.sets, begin, advance)


def count_steps(settings: Mapping[str, Any]) -> int:
    """Return how many sets a run has in all."""
    return int(settings["sets"])


def describe_step(metrics: Mapping[str, Any]) -> str:
    """Return a set's metrics in a few words."""
    speed = metrics["games"] / metrics["teaching"]
    score = f"{metrics['wins']}-{metrics['draws']}-{metrics['losses']}"
    return f"{speed:.0f} games/s, {score}, test {metrics['test']:.2f}, clones {metrics['clones']}"


def champion_model(run: Run, step: int | None = None) -> Model:
    """Return the champion of a step, or of the last one, as a model.

    It is the latest clone, after the last set the winner of the round robin.
    """
    settings = run.config()
    training = Training(settings["game"], build(TdConfig, run.settings()))
    chosen = run.chosen(step)
    card = {
        "learner": "td",
        "step": chosen,
        "config": settings,
        "options": {"quiescence": training.options.quiescence},
    }
    return training.layout.model(run.champion(chosen)["vector"], card)


def start(folder: Path, game: str, config: TdConfig) -> Run:
    """Create the folder of a new run."""
    Training(game, config)  # refuses what does not fit before anything is written
    return Run.create(folder, "td", game, config)
