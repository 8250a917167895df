"""Differentiable evaluators: what learns is what plays, and the gradient is the true one."""

from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.gradients import gradients_of
from plywise.evaluators.model import Model
from plywise.game import Game, Rows
from plywise.games import load_game
from plywise.games.draughts.features import FEATURES, NAMES, feature_counts
from plywise.kernel import Bundle, compiled
from plywise.learners.shared.layout import Layout

pytestmark = pytest.mark.kernels

CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("draughts", "featuremap", {"features": "neuro"}),
    ("draughts", "featuremap", {"features": "all", "hidden": 7, "direct": True}),
    ("tictactoe", "mlp", {"hidden": [9]}),
    ("connect4", "mlp", {"hidden": [12, 5]}),
    ("draughts", "blondie", {}),
]


@compiled
def unpacked(evaluator: Bundle, vector: Any, params: Any) -> None:
    evaluator.unpack(vector, params)


def layout_of(case: tuple[str, str, dict[str, Any]]) -> Layout:
    game, name, settings = case
    return Layout(make_evaluator(name, load_game(game), **settings))


def positions_of(game: Game, records: int) -> Rows:
    rows: list[Any] = []
    for seed in range(records):
        rows += random_record(game, seeded(seed), 70).positions
    return np.array(rows)


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[:2]))
def test_the_value_that_learns_is_the_value_that_plays(case: Any) -> None:
    layout = layout_of(case)
    vector = layout.random(seeded(3), 0.4)
    rows = positions_of(layout.evaluator.game, 1 if INTERPRETED else 40)[
        : 5 if INTERPRETED else None
    ]
    values, _ = gradients_of(layout.evaluator, vector, rows)
    model = layout.model(vector)
    assert np.abs(model.values(rows) - values).max() < 2e-5
    assert np.abs(values).max() > 0.01

    blank = layout.model(np.zeros(layout.length))
    unpacked(layout.evaluator.bundle, vector, blank.params)
    assert np.array_equal(blank.values(rows), model.values(rows))


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[:2]))
def test_the_gradient_is_that_of_finite_differences(case: Any) -> None:
    layout = layout_of(case)
    vector = layout.random(seeded(4), 0.4)
    rows = positions_of(layout.evaluator.game, 4)[:: 97 if INTERPRETED else 9]
    _, slopes = gradients_of(layout.evaluator, vector, rows)
    places = seeded(5).choice(layout.length, 8 if INTERPRETED else 150)
    step = 1e-4
    for place in {*map(int, places), layout.length - 1}:
        above, below = vector.copy(), vector.copy()
        above[place] += step
        below[place] -= step
        ends = [gradients_of(layout.evaluator, ends, rows)[0] for ends in (above, below)]
        assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(slopes[:, place], abs=2e-4)


def test_the_map_of_features_equals_its_formula() -> None:
    game = load_game("draughts")
    chosen = ("piece_advantage", "advancement", "diagonal_moment", "gap")
    evaluator = make_evaluator("featuremap", game, features=chosen, hidden=6, direct=True)
    assert evaluator.settings["features"] == list(chosen)
    generator = seeded(1)
    shapes = evaluator.weights.items()
    weights: dict[str, Any] = {name: generator.normal(size=shape) for name, shape in shapes}
    model = Model(evaluator, weights)
    rows = positions_of(game, 1 if INTERPRETED else 10)
    for row, counts in zip(rows, feature_counts(rows), strict=True):
        inputs: list[int] = []
        for name in chosen:
            count = int(counts[NAMES.index(name)])
            count = (count + 8) // 2 if name == "advancement" else count
            count = max(0, min(count, 2 ** FEATURES[name] - 1))
            inputs += [count >> bit & 1 for bit in range(FEATURES[name])]
        units = np.tanh(np.array(inputs) @ weights["hidden"] + weights["hidden_bias"])
        total = units @ weights["output"] + weights["output_bias"][0]
        expected = -np.tanh(total + np.array(inputs) @ weights["direct"])
        assert model.value(row) == pytest.approx(expected, abs=3e-5)


def test_an_evaluator_without_gradient_says_so() -> None:
    game = load_game("draughts")
    evaluator = make_evaluator("material", game)
    with pytest.raises(PlywiseError, match="has no gradient"):
        gradients_of(evaluator, np.zeros(1), game.initial().reshape(1, -1))
    with pytest.raises(PlywiseError, match="is for draughts"):
        make_evaluator("featuremap", load_game("connect4"))
    with pytest.raises(PlywiseError, match="one or two hidden layers"):
        make_evaluator("mlp", game, hidden=[3, 3, 3])
