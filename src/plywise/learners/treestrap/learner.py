"""`treestrap`: learning from the whole tree of a search (Veness et al. 2009, paper 004).

A round is some games against itself. A batch of games is played and learned from move by move;
`at_once` batches begin with the same numbers, on as many workers as there are. Where they differ
afterwards the mean goes on; plain steps, whose rate says how far each goes, add up. So what is
learned does not depend on the workers.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import load_model, make_evaluator, settings_source
from plywise.evaluators.model import Array, Evaluator, Model
from plywise.learners.patterns.games import Setup
from plywise.learners.patterns.learning import WEIGHT
from plywise.learners.patterns.steps import RATE, GradientSteps
from plywise.learners.shared.layout import Layout, Vector
from plywise.learners.td.temporal import CHANCES
from plywise.learners.treestrap import games, pupil
from plywise.learners.treestrap.games import (
    ALPHABETA,
    MINIMAX,
    Batch,
    Changes,
    Rule,
    Taught,
    teach_batch,
)
from plywise.learners.treestrap.pupil import Steps
from plywise.learners.treestrap.settings import TreestrapSettings
from plywise.runs import Learner, Step
from plywise.settings import require_least
from plywise.settings.options import COLON, parse_options, read_arguments
from plywise.system.parallel import run_all

LEAST = {1: "depth rounds games batch at_once max_plies", 0: "clip reach"}
METHODS = {
    "treestrap": games.TREE,
    "minimax": games.TREE,
    "rootstrap": games.ROOT,
    "tdleaf": games.TD_LEAF,
    "tdroot": games.TD_ROOT,
}
STEPS = {"plain": pupil.PLAIN, "coherent": pupil.COHERENT, "even": pupil.EVEN}
SUMS = ("linear", "patterns")  # evaluators whose numbers each serve few positions
OF_START = "start"  # in place of an evaluator's name
MOST_PIECES = 512
SALT = {"birth": 0, "play": 1}  # separate random numbers for each use


class BadTraining(PlywiseError):
    """Settings that do not fit together."""


class Treestrap(Learner[TreestrapSettings, Array]):
    """Learning from searches; a step is a round of games, the state all numbers, [3, N]."""

    settings_type = TreestrapSettings
    minutes = 5.0
    has_closing_match = True

    def prepare(self) -> None:
        settings = self.settings
        _refuse_nonsense(settings)
        evaluator = self._read_evaluator()
        name = evaluator.name
        if not evaluator.is_differentiable:
            raise BadTraining(
                f"The evaluator {name!r} cannot learn from a search: it has no gradient. Those for "
                "any game that can are linear, patterns, nnue and mlp."
            )
        self.setup = Setup.of(self.game_name, evaluator, settings.max_plies)
        self.gradient = GradientSteps(self.setup)
        self.layout = Layout(self.gradient.evaluator)
        self.stages = self._read_stages()
        self.depths = self._read_depths()
        self.started = self._read_start() if settings.start else None
        self.kind = settings.steps
        if self.kind == "auto":
            self.kind = "coherent" if name in SUMS else "even"

    @property
    def steps(self) -> int:
        return self.settings.rounds

    @property
    def options(self) -> dict[str, Any]:
        return {"quiescence": self._search_options().quiescence}

    # ------------------------------------------------------------ settings as text

    def _read_evaluator(self) -> Evaluator:
        """Return what learns: an evaluator by its text, or that of the model begun with."""
        name, texts = parse_options(self.settings.evaluator, COLON)
        if name == OF_START:
            if not self.settings.start:
                raise BadTraining(f"evaluator={OF_START} is that of a model: say start=MODEL too.")
            return load_model(Path(self.settings.start), self.game).evaluator
        given = read_arguments(texts, settings_source(name, self.game), name)
        return make_evaluator(name, self.game, **given)

    def _read_stages(self) -> list[tuple[str, int]]:
        """Return the groups in the order in which they join, and the rounds when they do."""
        groups, stages, begin = self.gradient.evaluator.groups, [], 0
        for text in self.settings.stages.split():
            name, _, rounds = text.partition(":")
            if name not in groups:
                raise UnknownName("group of features", name, groups or ["(there are none)"])
            if rounds and not rounds.isdecimal():
                raise BadTraining(f"A stage is written group:rounds, not {text!r}.")
            stages.append((name, begin))
            begin += int(rounds or 0)
        return stages

    def _read_depths(self) -> tuple[int, ...]:
        """Return the plies of a search by the number of pieces."""
        depths = np.full(MOST_PIECES, self.settings.depth)
        for text in self.settings.deeper.split():
            pieces, _, plies = text.partition(":")
            if not (pieces.isdecimal() and plies.isdecimal() and int(plies) > 0):
                raise BadTraining(
                    f"deeper is written pieces:plies, as in '20:7 8:9', not {text!r}."
                )
            depths[: int(pieces)] = np.maximum(depths[: int(pieces)], int(plies))
        if self.settings.deeper and not (self.game.rules.has_pieces or self.game.picture):
            raise BadTraining(f"{self.game.name} does not say how many pieces are on its board.")
        return tuple(depths.tolist()) if self.settings.deeper else (self.settings.depth,)

    # ------------------------------------------------------------ how a run begins

    def begin(self) -> Array:
        settings = self.settings
        generator = np.random.default_rng([settings.seed, SALT["birth"]])
        numbers = self.gradient.begin(generator)
        numbers[WEIGHT, : self.layout.size] *= settings.reach
        for name, begin in self.stages:
            if begin > 0:
                numbers[WEIGHT, self._places(name)] = 0.0
        if self.started is not None:
            numbers[WEIGHT] = self.started
        return numbers

    def _places(self, group: str) -> Array:
        """Return where the numbers of a group stand."""
        return places_of(self.gradient.evaluator.groups[group])

    def _read_start(self) -> Vector:
        """Return the numbers of the model that is begun with; what it does not have begins at 0."""
        model, evaluator = load_model(Path(self.settings.start), self.game), self.layout.evaluator
        old = Layout(model.evaluator)
        known = old.vector(model.weights)
        if model.evaluator.settings == evaluator.settings:
            return known
        out = np.zeros(self.layout.length)
        groups = model.evaluator.groups
        shared = [name for name in evaluator.groups if name in groups]
        for name in shared:
            places = places_of(groups[name])
            if len(places) != len(self._places(name)):
                raise BadTraining(f"{self.settings.start} has other features {name!r}.")
            out[self._places(name)] = known[places]
        if not shared:
            raise BadTraining(f"{self.settings.start} has no features that could be begun with.")
        if "bias" in old.names and "bias" in self.layout.names:
            out[self.layout.places("bias")] = known[old.places("bias")]
        return out

    # ------------------------------------------------------------ a round

    def rates(self, number: int) -> Vector:
        """Return the factors of all steps: 0 for what has not joined yet."""
        rates = np.ones(self.layout.length)
        for name, begin in self.stages:
            if number < begin:
                rates[self._places(name)] = 0.0
        if self.kind == "even":
            rates *= RATE * self._rate(number) * self.gradient.shares
        return rates

    def _rate(self, number: int) -> float:
        """Return the rate of a round."""
        settings = self.settings
        return float(settings.rate * settings.final_rate ** (number / max(1, settings.rounds - 1)))

    def advance(self, state: Array, number: int) -> Step[Array]:
        settings, taught = self.settings, []
        batches = -(-settings.games // settings.batch)
        for first in range(0, batches, settings.at_once):
            tasks = [
                self._batch(state, number, batch)
                for batch in range(first, min(first + settings.at_once, batches))
            ]
            done = run_all(teach_batch, tasks, self.workers)
            state = joined_numbers(state, [one.changes for one in done], self.kind == "plain")
            taught += done
        champion = {"vector": state[WEIGHT].astype(np.float32)}
        return Step(state, self._metrics(taught, state), champion)

    def _batch(self, numbers: Array, number: int, batch: int) -> Batch:
        settings = self.settings
        return Batch(
            self.setup,
            self._rule(),
            self._search_options(),
            Steps(STEPS[self.kind], self._rate(number), settings.clip, settings.loss == "entropy"),
            self.depths,
            numbers,
            self.rates(number),
            settings.batch,
            (settings.seed, SALT["play"], number, batch),
        )

    def _search_options(self) -> Any:
        if self.settings.method == "minimax":
            return MINIMAX
        return ALPHABETA._replace(quiescence=self.settings.quiescence)

    def _rule(self) -> Rule:
        settings = self.settings
        return Rule(
            METHODS[settings.method],
            settings.fading,
            settings.trace,
            settings.returns,
            settings.random_plies,
            round(settings.exploration * CHANCES),
        )

    def _metrics(self, taught: list[Taught], state: Array) -> dict[str, Any]:
        results = [result for one in taught for result in one.results]
        squares = sum(one.squares for one in taught)
        nodes = sum(one.taught for one in taught)
        return {
            "games": len(results),
            "first": results.count(1),
            "draws": results.count(0),
            "second": results.count(-1),
            "plies": sum(one.plies for one in taught) / len(results),
            "nodes": sum(one.nodes for one in taught),
            "seen": sum(one.seen for one in taught),
            "taught": nodes,
            "error": float(np.sqrt(squares / max(1, nodes))),
            "weights": float(np.sqrt(np.mean(state[WEIGHT] ** 2))),
        }

    # ------------------------------------------------------------ arrays and models

    def to_arrays(self, state: Array) -> dict[str, Array]:
        return {"numbers": state}

    def from_arrays(self, arrays: Mapping[str, Array]) -> Array:
        return arrays["numbers"]

    def model(self, champion: Mapping[str, Array]) -> Model:
        return self.layout.model(champion["vector"])

    def describe(self, metrics: Mapping[str, Any]) -> str:
        score = f"{metrics['first']}-{metrics['draws']}-{metrics['second']}"
        speed = metrics["games"] / metrics["seconds"]
        return f"{speed:.1f} games/s, {score}, error {metrics['error']:.3f}"


def places_of(spans: tuple[tuple[int, int], ...]) -> Array:
    """Return all places of some spans."""
    return np.concatenate([np.arange(begin, end) for begin, end in spans])


def joined_numbers(before: Array, found: list[Changes], adds: bool) -> Array:
    """Return numbers changed by the mean change of those who changed them, or by all changes."""
    joined = before.copy()
    places = np.unique(np.concatenate([one.places for one in found]))
    total, times = np.zeros((len(before), len(places))), np.zeros(len(places))
    for one in found:
        old, own = before[:, one.places], np.searchsorted(places, one.places)
        total[:, own] += one.numbers - old
        times[own] += one.numbers[WEIGHT] != old[WEIGHT]
    joined[:, places] += total / (1.0 if adds else np.maximum(times, 1.0))
    return joined


def _refuse_nonsense(settings: TreestrapSettings) -> None:
    for name in ("fading", "trace", "returns", "exploration"):
        if not 0 <= getattr(settings, name) <= 1:
            raise BadTraining(f"{name} is between 0 and 1, not {getattr(settings, name)}.")
    require_least(settings, LEAST)
    for name in ("rate", "final_rate"):
        if getattr(settings, name) <= 0:
            raise BadTraining(f"{name} is above 0, not {getattr(settings, name)}.")
    if settings.returns > 0 and settings.method in ("tdleaf", "tdroot"):
        raise BadTraining(f"{settings.method} learns from returns alone: leave out returns.")
