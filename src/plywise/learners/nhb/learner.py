"""`nhb`: the general game player of paper 003, for any game, from nothing but its rules.

First games between players with random values give the first examples, from which the size of
the network's hidden layer is found by cross-validation. Then cycles: games against freshly
random networks (and one against itself) give examples, from which the network learns. All
that is random in a cycle comes from the seed and the cycle's number.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.elm import hidden_values, inputs_of, phases_of
from plywise.evaluators.model import Array, Model
from plywise.game.record import Record
from plywise.learners.nhb.examples import Examples, join, without_duplicates
from plywise.learners.nhb.games import (
    TrainingGame,
    make_model,
    models_of,
    play_training_game,
    view_of,
)
from plywise.learners.nhb.oselm import OnlineRegression, choose_hidden_layer
from plywise.learners.nhb.settings import NhbSettings
from plywise.runs import Learner, Step
from plywise.search.backward import PROVEN, Backward
from plywise.search.limits import Limit
from plywise.settings import require_least
from plywise.system.parallel import run_all

LEAST = {1: "largest phases max_plies", 0: "fading consistency reach ridge"}
VALIDATED = 10_000  # examples that the size of the hidden layer is chosen by
SALT = {"first": 0, "cycle": 1, "hidden": 2}  # separate random numbers for each use
NhbState = dict[str, Array]  # the weights of the network, and `inverse` of the regressions


class BadTraining(PlywiseError):
    """Settings that do not fit together."""


class Nhb(Learner[NhbSettings, NhbState]):
    """The general game player: the first step is its first games, every other one a cycle."""

    settings_type = NhbSettings

    def prepare(self) -> None:
        self.view = view_of(self.game, self.settings)
        _refuse_nonsense(self.settings)

    @property
    def steps(self) -> int:
        return self.settings.cycles + 1

    @property
    def options(self) -> dict[str, Any]:
        return {"value_ordering": self.settings.value_ordering}

    def begin(self) -> NhbState:
        """Return nothing: there is no network before the first games."""
        return {}

    def advance(self, state: NhbState, number: int) -> Step[NhbState]:
        """Play and learn; the champion is the network as it has become."""
        state, metrics = self.first_games() if number == 0 else self.cycle(state, number)
        return Step(state, metrics, weights_of(state))

    def to_arrays(self, state: NhbState) -> NhbState:
        return state

    def from_arrays(self, arrays: Mapping[str, Array]) -> NhbState:
        return dict(arrays)

    def model(self, champion: Mapping[str, Array]) -> Model:
        return make_model(self.game, champion, self.view)

    def describe(self, metrics: Mapping[str, Any]) -> str:
        score = f"{metrics['wins']}-{metrics['draws']}-{metrics['losses']}"
        rate = metrics["games"] / metrics["seconds"]
        met = "" if score == "0-0-0" else f"{score} against untrained, "
        return f"{rate:.1f} games/s, {met}error {metrics['error']:.3f}"

    def play(
        self, weights: dict[str, Array] | None, cycle: int, count: int
    ) -> tuple[Examples, dict[str, Any]]:
        """Play the games of a cycle; return their examples and metrics."""
        settings = self.settings
        use = SALT["first"] if weights is None else SALT["cycle"]
        generator = np.random.default_rng([settings.seed, use, cycle])
        is_trusted = weights is not None and cycle > settings.consistent_after
        margin = settings.consistency if settings.consistency > 0 and is_trusted else None
        tasks = [
            TrainingGame(
                self.game_name,
                settings,
                weights,
                weights is not None and self._is_self_play(index, count),
                index % 2,
                int(generator.integers(1 << 31)),
                margin,
            )
            for index in range(count)
        ]
        self._warm_up(tasks[0])
        played = run_all(play_training_game, tasks, self.workers)
        matches = [p.score for p, t in zip(played, tasks, strict=True) if not t.is_self_play]
        learned = without_duplicates(join([one.examples for one in played]))
        metrics = {
            "games": count,
            "wins": matches.count(1),
            "draws": matches.count(0),
            "losses": matches.count(-1),
            "plies": float(np.mean([one.plies for one in played])),
            "nodes": sum(one.nodes for one in played),
            "examples": len(learned),
            "proven": int((learned.kinds == PROVEN).sum()),
        }
        return learned, metrics

    def _is_self_play(self, index: int, count: int) -> bool:
        """Return whether a game of a cycle is against itself."""
        is_last = index == count - 1
        return self.settings.opponent == "itself" or (self.settings.self_play and is_last)

    def _warm_up(self, task: TrainingGame) -> None:
        """Compile what the games need, before many threads want it at once."""
        short = dataclasses.replace(self.settings, nodes=1, seconds=0.0, max_plies=1)
        play_training_game(dataclasses.replace(task, settings=short))
        for model in models_of(task, self.game):
            Backward(model).search(Record(self.game), Limit(nodes=1))
            model.value(self.game.initial())

    def regression_data(self, learned: Examples) -> tuple[Any, Any]:
        """Return what the network sees of examples, and what it should answer."""
        inputs, signs = inputs_of(self.game, learned.positions, self.view)
        return inputs, signs * learned.values

    def first_games(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """Play the first games and build the network on them."""
        settings = self.settings
        learned, metrics = self.play(None, 0, settings.first_matches)
        inputs, targets = self.regression_data(learned)
        generator = np.random.default_rng([settings.seed, SALT["hidden"]])
        if settings.hidden > 0:
            weights = generator.uniform(
                -settings.reach, settings.reach, (inputs.shape[1], settings.hidden)
            )
            bias = generator.uniform(-settings.reach, settings.reach, settings.hidden)
        else:
            some = generator.permutation(len(inputs))[:VALIDATED]
            layer = choose_hidden_layer(
                inputs[some],
                targets[some],
                generator,
                reach=settings.reach,
                ridge=settings.ridge,
                largest=settings.largest,
            )
            weights, bias = layer.weights, layer.bias
            metrics["validation_error"] = layer.error
        metrics["hidden"] = len(bias)
        state = {"hidden": weights, "hidden_bias": bias}
        if settings.phases > 1:
            filled = np.count_nonzero(inputs, axis=1)
            shares = np.arange(1, settings.phases) / settings.phases
            state["bounds"] = np.ceil(np.quantile(filled, shares))
        hidden = hidden_values(inputs, weights, bias)
        parts = [
            OnlineRegression.begin(hidden[chosen], targets[chosen], settings.ridge)
            for chosen in self._by_phase(state, inputs)
        ]
        state |= self._stacked(parts)
        metrics["error"] = self._error(state, inputs, hidden, targets)
        return state, metrics

    def cycle(
        self, state: dict[str, Array], number: int
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Play the games of a cycle and learn from them."""
        learned, metrics = self.play(weights_of(state), number, self.settings.matches)
        inputs, targets = self.regression_data(learned)
        hidden = hidden_values(inputs, state["hidden"], state["hidden_bias"])
        metrics["error"] = self._error(state, inputs, hidden, targets)
        parts = [
            OnlineRegression(inverse, output).learn(
                hidden[chosen], targets[chosen], self.settings.forgetting
            )
            for inverse, output, chosen in zip(
                self._each_phase(state["inverse"]),
                self._each_phase(state["output"]),
                self._by_phase(state, inputs),
                strict=True,
            )
        ]
        return {**state, **self._stacked(parts)}, metrics

    def _by_phase(self, state: Mapping[str, Array], inputs: Any) -> list[Array]:
        """Return which examples belong to each phase."""
        phase = phases_of(inputs, state.get("bounds", np.zeros(0)))
        return [np.flatnonzero(phase == number) for number in range(self.settings.phases)]

    def _each_phase(self, array: Array) -> list[Array]:
        """Return an array of the state for each phase; a single one is kept as it is."""
        return [array] if self.settings.phases == 1 else list(array)

    def _stacked(self, parts: list[OnlineRegression]) -> dict[str, Array]:
        """Return the regressions of all phases as arrays of the state."""
        if len(parts) == 1:
            return {"inverse": parts[0].inverse, "output": parts[0].weights}
        return {
            "inverse": np.stack([part.inverse for part in parts]),
            "output": np.stack([part.weights for part in parts]),
        }

    def _error(self, state: Mapping[str, Array], inputs: Any, hidden: Any, targets: Any) -> float:
        """Return the mean squared error of the network on examples."""
        outputs = self._each_phase(state["output"])
        squares = sum(
            float(np.sum((hidden[chosen] @ output - targets[chosen]) ** 2))
            for output, chosen in zip(outputs, self._by_phase(state, inputs), strict=True)
        )
        return squares / len(targets)


def weights_of(state: Mapping[str, Array]) -> dict[str, Array]:
    """Return the network's weights out of a learner's state."""
    names = ("hidden", "hidden_bias", "output", "bounds")
    return {name: state[name] for name in names if name in state}


def _refuse_nonsense(settings: NhbSettings) -> None:
    require_least(settings, LEAST)
    if settings.seconds < 0 or settings.nodes < 1:
        raise BadTraining("A move needs a budget: seconds above 0, or nodes from 1 on.")
    if not 0 < settings.forgetting <= 1:
        raise BadTraining(f"The forgetting factor is in (0, 1], not {settings.forgetting}.")
    if settings.matches < 1 or settings.first_matches < 1:
        raise BadTraining("A cycle needs a match, and so does the beginning.")
    if settings.opponent == "itself" and settings.random_plies < 1:
        raise BadTraining("Games against itself are all alike without random_plies.")
    if not 0 <= settings.bootstrap <= 1:
        raise BadTraining(f"The share of bootstrap is in [0, 1], not {settings.bootstrap}.")
