"""The features of Duchess: what is there by the naive game, what moves change, who sees what."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from found_features import active_in, changed_by
from naive import duchess as naive
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.features import Features, make_features
from plywise.evaluators.gradients import gradients_of
from plywise.evaluators.model import Model
from plywise.games import load_game

pytestmark = pytest.mark.kernels

PLIES = 12 if INTERPRETED else 400
KINDS = "PNBRDFQWK"
MANY = "K1c1Q1c4W1d6P1c6/K2c1F2c6N2c5/K4c1W4d6R4c6B4b3P4c5/K5c1D5c5P5d5 2 0"


def check_changes(features: Features, seed: int) -> None:
    """Check that what is there, less what a move removes and with what it adds, is there after."""
    record = random_record(features.game, seeded(seed), PLIES)
    for ply, move in enumerate(record.moves):
        removed, added = changed_by(features, record.positions[ply], move)
        before = active_in(features, record.positions[ply])
        assert not removed - before
        after = before - removed + added
        assert after == active_in(features, record.positions[ply + 1]), ply


@pytest.mark.parametrize("seed", [0, 1])
def test_what_moves_change_is_the_difference_of_what_is_there(seed: int) -> None:
    check_changes(make_features("duchess", load_game("duchess")), seed)


@pytest.mark.skipif(not INTERPRETED, reason="every set is compiled by itself")
@pytest.mark.parametrize("options", [{"modes": True, "phases": True}, {"stage": 1}, {"stage": 2}])
@pytest.mark.parametrize("name", ["duchess", "duchess6"])
def test_what_moves_change_in_other_sets(name: str, options: dict[str, Any]) -> None:
    check_changes(make_features({"name": "duchess", **options}, load_game(name)), 2)


def expected_pairs(state: naive.State) -> Counter[tuple[str, str]]:
    """Return who attacks or defends whom by the naive game: `1Q` and `2P`."""
    found: Counter[tuple[str, str]] = Counter()
    for start, (owner, letter) in state.pieces.items():
        ends = naive.reached(state, start) & set(state.pieces)
        if letter == "P":
            ends = naive.ground(state.players).diagonal[start] & set(state.pieces)
        for end in ends:
            other, there = state.pieces[end]
            found[f"{owner}{letter}", f"{other}{there}"] += 1
    return found


@pytest.mark.parametrize("text", ["start", MANY])
def test_pairs_are_those_of_the_naive_game(text: str) -> None:
    game = load_game("duchess")
    features = make_features("duchess", game)
    position = game.parse_position(text)
    state = naive.parse_position(game.format_position(position))
    pieces = [f"{owner}{letter}" for owner in range(1, 5) for letter in KINDS]
    first = 1 + 4 * 8 + 2 + 4 * 117 + 4 + 4
    found: Counter[tuple[str, str]] = Counter()
    for index, times in active_in(features, position).items():
        if first <= index < first + 36 * 36:
            one, other = divmod(index - first, 36)
            found[pieces[one], pieces[other]] += times
    assert found == expected_pairs(state)


def test_the_rows_are_the_papers_features_and_a_bias_for_two_teams() -> None:
    features = make_features("duchess", load_game("duchess"))
    assert features.rows == 2 * (1 + 8 + 1 + 4 * 117 + 4 + 4 + 36 * 36 + 8 * 4 * 117)
    assert features.views == 4


def test_material_is_shared_and_counts_against_enemies() -> None:
    features = make_features({"name": "duchess", "stage": 1}, load_game("duchess"))
    seen = features.seen_rows()
    queens = [1 + owner * 8 + KINDS.index("Q") for owner in range(4)]
    row = 2 * (1 + KINDS.index("Q"))
    assert seen[queens[0]].tolist() == [row, ~(row + 1), row, ~(row + 1)]
    assert seen[queens[1]].tolist() == [~row, row + 1, ~row, row + 1]


def test_partners_see_the_board_alike_after_half_a_turn() -> None:
    game = load_game("duchess")
    features = make_features({"name": "duchess", "stage": 1}, game)
    names = {square.name: n for n, square in enumerate(game.picture.cells)}  # type: ignore[union-attr]
    first, seen = 1 + 4 * 8 + 2, features.seen_rows()
    mine = seen[first + names["1b4"], 0]
    assert seen[first + 2 * 117 + names["4b4"], 2] == mine
    assert seen[first + names["1b4"], 2] != mine


def model_of(stage: int, weights: np.ndarray[Any, Any] | None = None) -> Model:
    game = load_game("duchess")
    evaluator = make_evaluator("linear", game, features={"name": "duchess", "stage": stage})
    count = evaluator.weights["weights"][0]
    numbers = np.zeros(count, np.float32)
    drawn = seeded(3).normal(0, 0.05, count) if weights is None else weights
    numbers[: len(drawn)] = drawn
    return Model(evaluator, {"weights": numbers, "bias": np.zeros(1, np.float32)})


def test_a_stage_goes_on_from_the_weights_of_the_stage_before() -> None:
    record = random_record(load_game("duchess"), seeded(5), 12)
    small = model_of(1)
    large = model_of(3, small.weights["weights"])
    positions = np.array(record.positions)
    assert np.allclose(small.values(positions), large.values(positions), atol=1e-6)


def test_the_gradient_is_that_of_the_value() -> None:
    record = random_record(load_game("duchess"), seeded(6), 4)
    model, positions = model_of(1), np.array(record.positions)
    vector = np.concatenate([model.weights["weights"], model.weights["bias"]]).astype(np.float64)
    values, slopes = gradients_of(model.evaluator, vector, positions)
    assert np.allclose(values, model.values(positions), atol=1e-5)
    places = np.flatnonzero(np.abs(slopes).sum(0))[:: 8 if INTERPRETED else 2]
    for place in places:
        shifted = vector.copy()
        shifted[place] += 1e-6
        there = gradients_of(model.evaluator, shifted, positions)[0]
        assert np.allclose((there - values) / 1e-6, slopes[:, place], atol=1e-4)


def test_a_stage_that_there_is_not_is_refused() -> None:
    with pytest.raises(PlywiseError, match="stages 1, 2 and 3, not 4"):
        make_features({"name": "duchess", "stage": 4}, load_game("duchess"))
    with pytest.raises(PlywiseError, match="for the evaluator 'linear' only"):
        make_evaluator("nnue", load_game("duchess"), features="duchess")
