"""The features of whole boards, and the network that compares two positions."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import INTERPRETED, seeded
from found_features import active_in, changed_by
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.features import Features, make_features
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import Game, Row, Rows
from plywise.games import load_game
from plywise.search.comparators import leads_of, project_all

pytestmark = pytest.mark.kernels

BITS = {"chess": 773, "draughts": 129, "reversi": 129}
PLIES = 12 if INTERPRETED else 80
FIXED = {"name": "board", "fixed": True}


@pytest.mark.parametrize(("name", "count"), BITS.items())
def test_a_board_in_fixed_colours_has_as_many_bits_as_in_the_paper(name: str, count: int) -> None:
    features = make_features(FIXED, load_game(name))
    assert features.count == count
    assert features.given == FIXED


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("name", BITS)
def test_what_a_move_changes_on_a_board_is_the_difference(name: str, fixed: bool) -> None:
    game = load_game(name)
    features = make_features({"name": "board", "fixed": fixed}, game)
    for seed in range(1 if INTERPRETED else 5):
        record = random_record(game, seeded(seed), PLIES)
        for row, move in zip(record.positions, record.moves, strict=False):
            before, after = active_in(features, row), active_in(features, game.apply(row, move))
            assert max(before.values()) == 1
            assert all(0 <= index < features.count for index in before)
            assert changed_by(features, row, move) == (before - after, after - before)


def test_no_two_positions_of_chess_have_the_same_bits() -> None:
    game = load_game("chess")
    features = make_features(FIXED, game)
    seen: dict[frozenset[int], str] = {}
    for seed in range(2 if INTERPRETED else 8):
        for row in random_record(game, seeded(seed), PLIES).positions:
            # the bits know nothing of en passant and of clocks
            text = " ".join(game.format_position(row).split(" ")[:3])
            found = frozenset(active_in(features, row))
            assert seen.setdefault(found, text) == text


def colours_exchanged(features: Features, row: Row) -> Counter[int]:
    """Return what side 1 sees of a board as its own."""
    rows = features.mirrored_rows()
    return Counter({int(rows[index]): 1 for index in active_in(features, row)})


def test_the_mirror_exchanges_colours_and_castling() -> None:
    game = load_game("chess")
    features = make_features("board", game)
    one = "r3k2r/pppq4/8/8/4P3/8/PPP5/R3K2R w KQk - 0 1"
    other = "r3k2r/ppp5/8/4p3/8/8/PPPQ4/R3K2R b Kkq - 0 1"
    seen = active_in(features, game.parse_position(other))
    assert colours_exchanged(features, game.parse_position(one)) == seen


def test_a_game_without_a_mirror_has_no_board() -> None:
    with pytest.raises(PlywiseError, match="cell_mirror"):
        make_features("board", load_game("tictactoe"))


# ---------------------------------------------------------------- the network


def code_of(model: Model, row: Row) -> NDArray[np.float64]:
    """Return the code of a position, from the definition."""
    weights, features = model.weights, make_features(FIXED, model.game)
    units = weights["first_bias"] + sum(weights["first"][i] for i in active_in(features, row))
    units = np.maximum(units, 0)
    number = 0
    while f"feature{number}" in weights:
        units = np.maximum(
            weights[f"feature{number}"] @ units + weights[f"feature{number}_bias"], 0
        )
        number += 1
    return np.asarray(units, np.float64)


def outputs_of(model: Model, first: Row, second: Row) -> NDArray[np.float64]:
    """Return both outputs for a pair of positions, from the definition."""
    units = np.concatenate([code_of(model, first), code_of(model, second)])
    layers = sum(name.startswith("head") for name in model.weights) // 2
    for number in range(layers):
        units = model.weights[f"head{number}"] @ units + model.weights[f"head{number}_bias"]
        if number < layers - 1:
            units = np.maximum(units, 0)
    return units


def lead_of(model: Model, first: Row, second: Row) -> float:
    one, other = outputs_of(model, first, second), outputs_of(model, second, first)
    return float((one[0] - one[1]) - (other[0] - other[1])) / 2


SHAPES: list[dict[str, Any]] = [
    {"features": [16], "head": [8]},
    {"features": [12, 9, 40], "head": [36, 5]},
]


def small_model(game: Game, shape: dict[str, Any]) -> Model:
    return random_model(make_evaluator("comparator", game, **shape), seeded(3), reach=0.5)


def positions_of(game: Game, count: int) -> Rows:
    return np.array([random_record(game, seeded(seed), seed).position for seed in range(count)])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["draughts", "chess"])
def test_leads_are_those_of_the_formula(name: str, shape: dict[str, Any]) -> None:
    game = load_game(name)
    model, rows = small_model(game, shape), positions_of(game, 6)
    pairs = np.array([(a, b) for a in range(6) for b in range(6)])
    leads = leads_of(model, project_all(model, rows), pairs)
    expected = [lead_of(model, rows[a], rows[b]) for a, b in pairs]
    assert leads == pytest.approx(expected, abs=1e-4)
    assert leads.reshape(6, 6) == pytest.approx(-leads.reshape(6, 6).T, abs=1e-6)


def test_a_value_is_the_lead_over_the_first_position_and_its_mirror() -> None:
    game = load_game("reversi")
    model = small_model(game, SHAPES[1])
    start = game.initial()
    turned = game.from_cells([-int(code) for code in game.cells(start)], 1)
    for row in positions_of(game, 5):
        lead = (lead_of(model, row, start) + lead_of(model, row, turned)) / 2
        value = float(np.tanh(lead / 2)) * (1 if game.side(row) == 0 else -1)
        assert model.value(row) == pytest.approx(value, abs=1e-4)


def test_sizes_of_layers_are_checked() -> None:
    with pytest.raises(PlywiseError, match="layers of features and of its head"):
        make_evaluator("comparator", load_game("draughts"), features=[8, 0])
