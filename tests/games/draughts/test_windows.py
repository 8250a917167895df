"""The evolved networks equal their formulas written out, and their sizes are the published ones."""

import numpy as np
import pytest

import naive.minimax
from conftest import INTERPRETED, seeded
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.games import load_game
from plywise.games.draughts.squares import MEMBERS, WINDOWS
from plywise.search.limits import Limit
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta

pytestmark = pytest.mark.kernels

DRAUGHTS = load_game("draughts")
NAMES = ("subsquares", "blondie", "anaconda")


def model_of(name: str, seed: int = 1) -> Model:
    model = random_model(make_evaluator(name, DRAUGHTS), seeded(seed), reach=0.5)
    if "king" in model.weights:
        model.weights["king"][:] = 1.7
        model = Model(model.evaluator, model.weights)
    return model


def board_of(position: np.ndarray, king: float) -> list[list[float]]:
    """Return the 8 x 8 board as the side to move sees it, turned round for White."""
    codes = DRAUGHTS.cells(position).reshape(8, 8)
    if DRAUGHTS.side(position) == 1:
        codes = -codes[::-1, ::-1]
    worth = {0: 0.0, 1: 1.0, 2: king, -1: -1.0, -2: -king}
    return [[worth[int(code)] for code in row] for row in codes]


def written_out(model: Model, position: np.ndarray) -> float:
    """Return the network's value by plain loops over windows of the 8 x 8 board."""
    w = {name: array.astype(float) for name, array in model.weights.items()}
    name = model.evaluator.name
    board = board_of(position, 1.5 if name == "subsquares" else float(w["king"][0]))
    squares = [
        board[row][column] for row in range(8) for column in range(8) if (row + column) % 2 == 1
    ]
    below = squares
    if name != "blondie":
        below = []
        weight = iter(w.get("windows", ()))
        for size in range(3, 9):
            for top in range(9 - size):
                for left in range(9 - size):
                    total = 0.0
                    for row in range(top, top + size):
                        for column in range(left, left + size):
                            if (row + column) % 2 == 1:
                                factor = next(weight) if name == "anaconda" else 1.0
                                total += factor * board[row][column]
                    below.append(total)
        if name == "anaconda":
            below = [np.tanh(t + b) for t, b in zip(below, w["windows_bias"], strict=True)]
    wide = np.tanh(w["wide"] @ np.array(below) + w["wide_bias"])
    narrow = np.tanh(w["narrow"] @ wide + w["narrow_bias"])
    total = w["output"] @ narrow + w["output_bias"][0]
    if name == "blondie":
        total += w["bypass"][0] * sum(squares)
    elif name == "anaconda":
        total += sum(squares)
    return float(np.tanh(total))


@pytest.mark.parametrize("name", NAMES)
def test_the_folded_network_equals_the_one_written_out(name: str) -> None:
    model = model_of(name)
    for seed in range(3 if INTERPRETED else 25):
        record = naive.minimax.random_record(DRAUGHTS, seeded(seed), 4 * seed)
        assert model.value(record.position) == pytest.approx(
            written_out(model, record.position), abs=3e-5
        )


@pytest.mark.parametrize("name", NAMES)
def test_values_along_a_search_equal_values_from_scratch(name: str) -> None:
    model = model_of(name)
    record = naive.minimax.random_record(DRAUGHTS, seeded(4), 40)
    depth = 2 if INTERPRETED else 5
    search = AlphaBeta(model, Options(repetition=False), table_bits=10)
    found = search.search(record, Limit(depth=depth))
    for move in found.line:
        record.play(move)
    sign = 1 if len(found.line) % 2 == 0 else -1
    if found.end is None:
        assert sign * model.value(record.position) == pytest.approx(found.value, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "numbers"), [("subsquares", 4101), ("blondie", 1742), ("anaconda", 5046)]
)
def test_the_number_of_weights_is_the_published_one(name: str, numbers: int) -> None:
    shapes = make_evaluator(name, DRAUGHTS).weights
    assert sum(int(np.prod(shape)) for key, shape in shapes.items() if key != "king") == numbers


def test_there_are_91_windows_with_854_connections() -> None:
    assert WINDOWS.shape == (91, 32)
    assert len(MEMBERS) == 854


def test_a_king_is_worth_its_own_parameter() -> None:
    model = model_of("blondie")
    position = DRAUGHTS.parse_position("B:W32:BK1")
    before = model.value(position)
    model.weights["king"][:] = 2.9
    assert Model(model.evaluator, model.weights).value(position) != before


def test_they_are_for_draughts() -> None:
    with pytest.raises(PlywiseError, match="is for draughts"):
        make_evaluator("anaconda", load_game("connect4"))
