"""`patterns`: any game, learned from nothing by playing against itself.

A round is some batches of games, played on all cores with the same numbers, and learned from one
after the other. Moves are the best by a look ahead, some are random. What a position should
be worth is counted back from the result of its game and from the values on the way. The evaluator
`patterns` learns from that, or any other that is differentiable.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator, settings_source
from plywise.evaluators.model import Array, Model
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.specification import (
    Specification,
    enlarged,
    has_grown,
    specification_of,
    widened,
)
from plywise.evaluators.patterns.survey import Survey, survey_of
from plywise.learners.patterns.games import (
    AnchorGames,
    Batch,
    Setup,
    TrialGames,
    play_anchor,
    play_batch,
    play_trial,
)
from plywise.learners.patterns.selfplay import CHANCES, Manner
from plywise.learners.patterns.settings import PatternsSettings
from plywise.learners.patterns.steps import Steps, steps_of
from plywise.learners.shared.layout import Layout
from plywise.players.models import find_model
from plywise.runs import Learner, Step
from plywise.settings import require_least
from plywise.settings.options import COLON, parse_options, read_arguments
from plywise.system.parallel import run_all

LEAST = {1: "taught rounds batch depth max_plies test_every restart phases", 0: "rate"}
TABLES = "patterns"  # the evaluator whose tables are specified by what random games have shown
WORK = 1_200_000  # plies of self-play in a round
LOOKS = 40 * WORK  # positions that are judged in a round, at most
SPARED = 0.7  # what is left of the moves that are looked at, at every further ply
AT_ONCE = 2  # batches that are played with the same numbers, whatever the number of workers
TEST_PARTS = 4
SALT = {"play": 0, "test": 1, "anchor": 2, "birth": 3}  # separate random numbers for each use
SMALL = 1_000_000  # so many numbers are kept after every round, more only after tests
GROWTH = 0.52  # a smaller share of points against the last tables is none
TEST_PLIES = 4  # more random plies begin a game of a test


class BadPatterns(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class PatternsState:
    """What a round hands on."""

    numbers: Array  # what is learned and what its steps need, see `steps`
    older: NDArray[np.float32]  # weights that the next test is against
    tests: NDArray[np.float64]  # [2]: the sum of all gains in Elo, and tests in a row without one


class Patterns(Learner[PatternsSettings, PatternsState]):
    """Self-play with a look ahead; a step is a round of games."""

    settings_type = PatternsSettings
    minutes = 2.0
    has_closing_match = True

    def prepare(self) -> None:
        settings = self.settings
        for name in ("trace", "discount", "exploration"):
            if not 0 <= getattr(settings, name) <= 1:
                raise BadPatterns(f"{name} is between 0 and 1, not {getattr(settings, name)}.")
        require_least(settings, LEAST)
        if settings.test_games < 2 or settings.test_games % 2:
            raise BadPatterns(f"test_games is an even number, not {settings.test_games}.")
        if settings.anchor_games < 0 or settings.anchor_games % 2:
            raise BadPatterns(f"anchor_games is an even number, not {settings.anchor_games}.")
        board = board_of(self.game)
        survey = survey_of(board)
        self.size = board.size
        self.started = find_model(settings.start, self.game) if settings.start else None
        self.teacher = self._read_teacher()
        self.evaluator, self.evaluator_settings = self._read_evaluator()
        self.specs = self._choose_specs(survey)
        self.stages = [steps_of(self._setup(spec)) for spec in self.specs]
        plies = settings.random_plies
        if plies < 0:
            plies = int(min(10, max(2, survey.mean_plies / 4)))
        self.games = settings.games or games_of_round(survey, settings.depth)
        exploration = round(settings.exploration * CHANCES)
        self.manner = Manner(settings.trace, settings.discount, exploration, plies, settings.depth)
        self.test_manner = Manner(0.0, 1.0, 0, plies + TEST_PLIES, settings.depth)

    def _read_evaluator(self) -> tuple[str, dict[str, Any]]:
        """Return what learns, by name and with its settings: that of `start`, if any."""
        name, texts = parse_options(self.settings.evaluator, COLON)
        if self.started is None:
            return name, read_arguments(texts, settings_source(name, self.game), name)
        known = self.started.evaluator
        if known.name != name:
            raise BadPatterns(
                f"{self.settings.start} judges by {known.name}: say evaluator={known.name}, too."
            )
        return name, dict(known.settings)

    def _read_teacher(self) -> tuple[Setup, Array] | None:
        """Return what the games of the first rounds are played with, and its numbers."""
        if not self.settings.teacher:
            return None
        model = find_model(self.settings.teacher, self.game)
        setup = Setup.of(self.game_name, model.evaluator, self.settings.max_plies)
        return setup, Layout(model.evaluator).vector(model.weights)

    def _choose_specs(self, survey: Survey) -> list[Specification]:
        """Return what tables are made of at first, and after they have grown where they do."""
        settings = self.settings
        if self.started is not None and self.evaluator == TABLES:
            first = Specification.of_values(self.evaluator_settings["spec"])
        else:
            first = specification_of(survey)
        if not settings.grow or self.evaluator != TABLES:
            return [first]
        grown = enlarged(first, survey, settings.large, settings.phases)
        return [first, grown] if has_grown(first, grown) else [first]

    def _setup(self, spec: Specification) -> Setup:
        """Return what games are played with: tables as specified, or another evaluator."""
        given = dict(self.evaluator_settings)
        if self.evaluator == TABLES:
            given["spec"] = spec.as_values()
        evaluator = make_evaluator(self.evaluator, self.game, **given)
        return Setup.of(self.game_name, evaluator, self.settings.max_plies)

    def setup(self, vector: Array) -> Setup:
        """Return the setup whose evaluator has as many numbers as a vector."""
        return next(stage.setup for stage in self.stages if stage.length == len(vector))

    @property
    def steps(self) -> int:
        return self.settings.rounds

    def begin(self) -> PatternsState:
        stage = self.stages[0]
        numbers = stage.begin(self._random("birth"))
        if self.started is not None:
            stage.set_weights(numbers, Layout(self.started.evaluator).vector(self.started.weights))
        return PatternsState(numbers, stage.weights(numbers), np.zeros(2))

    def _random(self, use: str) -> np.random.Generator:
        return np.random.default_rng([self.settings.seed, SALT[use]])

    def advance(self, state: PatternsState, number: int) -> Step[PatternsState]:
        settings, numbers, older = self.settings, state.numbers.copy(), state.older
        elo, flat = state.tests
        is_growing = self._is_growing(len(older), number, int(flat))
        if is_growing:
            old, new = self.specs
            numbers, older = (widened(table, old, new, self.size) for table in (numbers, older))
            flat = 0.0
        stage = next(one for one in self.stages if one.length == len(older))
        if is_growing or number % settings.restart == 0:
            stage.restart(numbers)
        metrics = self._play_round(stage, numbers, number)
        weights = stage.weights(numbers)
        metrics["weights"] = float(np.sqrt(np.mean(weights**2)))
        is_tested = (number + 1) % settings.test_every == 0
        is_kept = is_tested or len(weights) <= SMALL or number in (0, settings.rounds - 1)
        if is_tested:
            gain = self._test(weights, older, number)
            elo, flat = elo + elo_of(gain), flat + 1 if gain < GROWTH else 0
            metrics |= {
                "gain": gain,
                "elo": float(elo),
                "anchor": self._meet_anchor(weights, number),
            }
            older = weights
        champion = {"vector": weights} if is_kept else None
        is_last = 0 < settings.patience <= flat
        after = PatternsState(numbers, older, np.array([elo, flat]))
        return Step(after, metrics, champion, bool(is_last))

    def _is_growing(self, length: int, number: int, flat: int) -> bool:
        """Return whether larger windows and phases join before a round."""
        if len(self.stages) == 1 or length != self.stages[0].length:
            return False
        return number == self.settings.grow or (self.settings.grow < 0 and flat > 0)

    def _play_round(self, stage: Steps, numbers: Array, number: int) -> dict[str, Any]:
        """Play the games of a round and learn from them in place; return metrics."""
        squares, positions, plies = 0.0, 0, 0
        results: list[Array] = []
        batches = -(-self.games // self.settings.batch)
        for first in range(0, batches, AT_ONCE):
            setup, vector = stage.setup, stage.weights(numbers)
            if self.teacher is not None and number < self.settings.taught:
                setup, vector = self.teacher
            tasks = [
                Batch(
                    setup,
                    self.manner,
                    vector,
                    self.settings.batch,
                    (self.settings.seed, SALT["play"], number, batch),
                )
                for batch in range(first, min(first + AT_ONCE, batches))
            ]
            for played in run_all(play_batch, tasks, self.workers):
                rate = self.settings.rate
                squares += stage.learn(numbers, played.rows, played.targets, rate)
                positions += len(played.targets)
                plies += played.plies
                results.append(played.results)
        every = np.concatenate(results)
        return {
            "games": len(every),
            "first": int((every > 0).sum()),
            "draws": int((every == 0).sum()),
            "second": int((every < 0).sum()),
            "plies": plies / len(every),
            "error": float(np.sqrt(squares / max(1, positions))),
        }

    def _test(self, vector: Array, older: Array, number: int) -> float:
        """Return the share of points against what the learner was some rounds ago."""
        pairs = np.array_split(np.arange(self.settings.test_games // 2), TEST_PARTS)
        tasks = [
            TrialGames(
                self.setup(vector),
                self.test_manner,
                (vector, older),
                2 * len(own),
                (self.settings.seed, SALT["test"], number, part),
            )
            for part, own in enumerate(pairs)
        ]
        points = [won for part in run_all(play_trial, tasks, self.workers) for won in part]
        return float(np.mean(points)) / 2

    def _meet_anchor(self, vector: Array, number: int) -> float:
        """Return the share of points against what never changes: plain search with few playouts."""
        seed = (self.settings.seed, SALT["anchor"], number)
        tasks = [
            AnchorGames(self.setup(vector), self.test_manner.random_plies, vector, (*seed, pair))
            for pair in range(self.settings.anchor_games // 2)
        ]
        points = run_all(play_anchor, tasks, self.workers)
        return float(np.mean(points)) / 2 if points else 0.0

    def to_arrays(self, state: PatternsState) -> dict[str, Array]:
        return dict(vars(state))

    def from_arrays(self, arrays: Mapping[str, Array]) -> PatternsState:
        state = PatternsState(**arrays)
        if len(state.older) not in [stage.length for stage in self.stages]:
            raise BadPatterns(
                f"The run was made for another board: its tables have {len(state.older):,} entries "
                f"and those of {self.game.name} have {self.stages[0].length:,}."
            )
        return state

    def model(self, champion: Mapping[str, Array]) -> Model:
        return self.setup(champion["vector"]).model(champion["vector"])

    def describe(self, metrics: Mapping[str, Any]) -> str:
        speed = metrics["games"] / metrics["seconds"]
        words = f"{speed:.0f} games/s, error {metrics['error']:.3f}"
        if "gain" in metrics:
            words += (
                f", {100 * metrics['gain']:.0f} % against before, {metrics['elo']:+.0f} Elo in all"
            )
            words += f", {100 * metrics['anchor']:.0f} % against plain search"
        return words


def elo_of(share: float) -> float:
    """Return the difference in Elo that a share of points stands for, within bounds."""
    bounded = min(max(share, 0.01), 0.99)
    return float(400 * np.log10(bounded / (1 - bounded)))


def games_of_round(survey: Survey, depth: int = 1) -> int:
    """Return how many games make some seconds of work: fewer where more positions are judged.

    Every further ply multiplies these by the number of moves, of which bounds spare a part.
    """
    looks = survey.mean_looks * (SPARED * survey.mean_moves) ** (depth - 1)
    plies = min(WORK, LOOKS / max(1.0, looks))
    return int(min(60_000, max(200, plies / survey.mean_plies)))
