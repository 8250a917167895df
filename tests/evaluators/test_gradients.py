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
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.specification import specification_of
from plywise.evaluators.patterns.survey import survey_of
from plywise.game import Game, Rows
from plywise.games import load_game
from plywise.games.draughts.featuremap import faulty_code_of
from plywise.games.draughts.features import FEATURES, NAMES, PLACE, feature_counts
from plywise.games.tictactoe import rules
from plywise.kernel import Bundle, compiled
from plywise.learners.shared.layout import Layout

pytestmark = pytest.mark.kernels

CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("draughts", "featuremap", {"features": "neuro"}),
    ("draughts", "featuremap", {"features": "all", "hidden": 7, "direct": True}),
    ("tictactoe", "mlp", {"hidden": [9]}),
    ("connect4", "mlp", {"hidden": [12, 5]}),
    ("draughts", "blondie", {}),
    ("bare", "mlp", {"hidden": [7, 3]}),  # more inputs than FEW: a run for every input
    ("draughts", "linear", {}),
    ("tictactoe", "linear", {}),
    ("connect4", "linear", {"features": "bits"}),
    ("draughts", "linear", {"features": ["cells", "material", "pairs"], "signed": True}),
    ("connect4", "linear", {"features": ["pairs", "mobility"], "sets": 2}),
    ("tictactoe", "linear", {"features": ["cells", "mobility"]}),  # joined without a mirror
    ("connect4", "patterns", {}),
    ("tictactoe", "patterns", {"phases": 3}),
    ("kalah", "patterns", {}),  # sides cannot be exchanged: tables for each
    ("draughts", "nnue", {"hidden": [6], "units": "tanh"}),
    ("tictactoe", "nnue", {"hidden": [9, 4]}),
    ("bare", "nnue", {"hidden": [5], "units": "tanh"}),
]


@compiled
def unpacked(evaluator: Bundle, vector: Any, params: Any) -> None:
    evaluator.unpack(vector, params)


@compiled
def unpacked_runs(evaluator: Bundle, vector: Any, params: Any, runs: Any, count: Any) -> None:
    evaluator.unpack_runs(vector, params, runs, count)


@compiled
def sparse_gradient(
    game: Bundle, evaluator: Bundle, vector: Any, acc: Any, row: Any, out: Any
) -> Any:
    return evaluator.gradient(vector, acc, 0, game.load(row), out[0], out[1])


def layout_of(case: tuple[str, str, dict[str, Any]]) -> Layout:
    name, evaluator, settings = case
    functions: dict[str, Any] = dict(rules)
    game = Game("bare", words=3, max_moves=10, **functions) if name == "bare" else load_game(name)
    if "phases" in settings:
        survey = survey_of(board_of(game))
        settings = {"spec": specification_of(survey, 6, settings["phases"]).as_values()}
    return Layout(make_evaluator(evaluator, game, **settings))


def runs_in(layout: Layout, vector: Any, row: Any) -> tuple[Any, Any]:
    """Return the runs of a gradient, [runs, 2], and their amounts."""
    bundle = layout.evaluator.bundle
    out = np.zeros((bundle.most_runs, 2), np.int64), np.zeros(bundle.most_amounts)
    acc = np.zeros((1, bundle.width), np.float32)
    _, count = sparse_gradient(layout.evaluator.game.rules, bundle, vector, acc, row, out)
    runs = out[0][:count]
    return runs, out[1][: np.sum(runs[:, 1] - runs[:, 0])]


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


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[:2]))
def test_runs_are_the_same_or_do_not_overlap(case: Any) -> None:
    layout = layout_of(case)
    vector = layout.random(seeded(6), 0.4)
    owner = np.full(layout.length, -1)
    for row in positions_of(layout.evaluator.game, 1 if INTERPRETED else 5)[::5]:
        for begin, end in runs_in(layout, vector, row)[0]:
            assert 0 <= begin < end <= layout.length
            assert set(owner[begin:end]) in ({-1}, {begin})
            owner[begin:end] = begin


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[:2]))
def test_numbers_outside_the_runs_do_not_matter(case: Any) -> None:
    layout = layout_of(case)
    vector = layout.random(seeded(7), 0.4)
    for row in positions_of(layout.evaluator.game, 1)[:: 20 if INTERPRETED else 3]:
        runs, _ = runs_in(layout, vector, row)
        changed = vector + 1.0
        for begin, end in runs:
            changed[begin:end] = vector[begin:end]
        values = [gradients_of(layout.evaluator, some, row[None])[0] for some in (vector, changed)]
        assert values[0] == values[1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[:2]))
def test_changed_runs_become_the_same_parameters_as_all_numbers(case: Any) -> None:
    layout = layout_of(case)
    vector = layout.random(seeded(8), 0.4)
    model = layout.model(vector)
    for row in positions_of(layout.evaluator.game, 2)[:: 20 if INTERPRETED else 5]:
        runs, amounts = runs_in(layout, vector, row)
        places = np.concatenate([np.arange(begin, end) for begin, end in runs])
        np.add.at(vector, places, 0.1 * amounts)
        unpacked_runs(layout.evaluator.bundle, vector, model.params, runs, len(runs))
        assert model.params == layout.model(vector).params


def bend(units: str, sums: Any) -> Any:
    return np.tanh(sums) if units == "tanh" else np.clip(sums, 0, 1)


def slope(units: str, values: Any) -> Any:
    return 1 - values**2 if units == "tanh" else (values > 0) & (values < 1)


@pytest.mark.parametrize("units", ["tanh", "clipped"])
def test_the_sparse_gradient_equals_a_dense_one(units: str) -> None:
    layout = layout_of(("reversi", "nnue", {"hidden": [6, 4], "units": units}))
    game, vector = layout.evaluator.game, layout.random(seeded(9), 0.5)
    first, first_bias, second, second_bias, output, output_bias = (
        vector[layout.places(name)] for name in layout.names
    )
    rows = positions_of(game, 1 if INTERPRETED else 3)[::7]
    values, slopes = gradients_of(layout.evaluator, vector, rows)
    for row, value, found in zip(rows, values, slopes, strict=True):
        own = game.cells(row) * (1 if game.side(row) == 0 else -1)
        inputs = np.array([(own == 1), (own == -1)]).T.reshape(-1).astype(float)
        low = bend(units, inputs @ first + first_bias)
        high = bend(units, second @ low + second_bias)
        assert value == pytest.approx(np.tanh(high @ output + output_bias[0]), abs=1e-5)
        at_output = 1 - value**2
        at_high = at_output * output * slope(units, high)
        at_low = (at_high @ second) * slope(units, low)
        parts = [np.outer(inputs, at_low), at_low, np.outer(at_high, low), at_high]
        dense = np.concatenate([part.reshape(-1) for part in [*parts, at_output * high]])
        assert found == pytest.approx(np.append(dense, at_output), abs=1e-4)


@pytest.mark.parametrize(
    ("name", "count", "code"),
    [
        ("piece_advantage", 5, 0b0101),
        ("piece_advantage", 20, 0b0101),  # 4 is left of 20, and bit 0 is set
        ("piece_disadvantage", 1, 0b0001),
        ("piece_disadvantage", 3, 0b0010),
        ("advancement", -4, 0b100),
        ("advancement", -7, 0b001),
        ("advancement", 2, 0b010),
        ("centre_control", 0, 0),
        ("centre_control", 1, 0),
        ("centre_control", 8, 0b111),
        ("total_mobility", 7, 0b0111),
    ],
)
def test_counts_are_written_as_the_published_programs_did(name: str, count: int, code: int) -> None:
    assert faulty_code_of(PLACE[name], count, (1 << FEATURES[name]) - 1) == code


def test_the_faulty_gradient_has_a_weight_itself_for_the_one_behind_it() -> None:
    case = ("draughts", "featuremap", {"features": "vision", "hidden": 5})
    wrong = layout_of((*case[:2], {**case[2], "faults": "gradient"}))
    right = layout_of(case)
    vector, rows = right.random(seeded(2), 0.4), positions_of(right.evaluator.game, 1)[::9]
    (values, true), (same, false) = (
        gradients_of(layout.evaluator, vector, rows) for layout in (right, wrong)
    )
    assert np.array_equal(values, same)
    hidden, output = vector[right.places("hidden")], vector[right.places("output")]
    places = right.places("hidden")
    assert false[:, places] * output == pytest.approx(true[:, places] * hidden, abs=1e-9)
    for name in ("output", "output_bias"):
        assert np.array_equal(true[:, right.places(name)], false[:, right.places(name)])


def test_unknown_faults_are_refused() -> None:
    with pytest.raises(PlywiseError, match="kind of faults"):
        make_evaluator("featuremap", load_game("draughts"), faults="gradients")


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
    with pytest.raises(PlywiseError, match="one or two hidden layers"):
        make_evaluator("nnue", game, hidden=[])
    with pytest.raises(PlywiseError, match="did you mean clipped"):
        make_evaluator("nnue", game, units="cliped")
