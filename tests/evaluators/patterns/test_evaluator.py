"""The evaluator `patterns`: what a move changes, what both sides see, what symmetry keeps."""

from typing import Any

import numpy as np
import pytest

from brought_along import values_along
from conftest import EXAMPLES, INTERPRETED, seeded
from naive.minimax import random_record
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.specification import specification_of
from plywise.evaluators.patterns.survey import survey_of
from plywise.evaluators.patterns.symmetry import symmetries_of
from plywise.game import Game
from plywise.games import load_game
from plywise.kernel import Bundle, compiled
from toys.again import again

pytestmark = pytest.mark.kernels

BREAKTHROUGH = str(EXAMPLES / "breakthrough.py")
ISOLA = str(EXAMPLES / "isola.py")
GAMES = ["tictactoe", "connect4", "reversi", "draughts", "kalah"]


def model_of(game: Game, seed: int = 1, phases: int = 1) -> Model:
    spec = specification_of(survey_of(board_of(game)), phases=phases).as_values()
    return random_model(make_evaluator("patterns", game, spec=spec), seeded(seed), reach=0.1)


@pytest.mark.parametrize(
    ("name", "phases"),
    [*((name, 1) for name in GAMES), ("again", 1), (BREAKTHROUGH, 1), ("connect4", 3)],
)
def test_updated_is_refreshed(name: str, phases: int) -> None:
    game = again if name == "again" else load_game(name)
    model = model_of(game, phases=phases)
    for seed in range(1 if INTERPRETED else 5):
        record = random_record(game, seeded(seed), 12 if INTERPRETED else 60)
        brought, fresh = values_along(model, record)
        assert np.allclose(brought, fresh, atol=1e-5)
        assert len(set(fresh)) > 1


@compiled
def entries_of(game: Bundle, evaluator: Bundle, params: Any, acc: Any, row: Any, out: Any) -> Any:
    return evaluator.entries(params, acc, 0, game.load(row), out)


@pytest.mark.parametrize(("name", "phases"), [*((name, 1) for name in GAMES), ("connect4", 3)])
def test_the_value_is_the_tanh_of_the_sum_of_the_entries(name: str, phases: int) -> None:
    game = load_game(name)
    model = model_of(game, phases=phases)
    bundle = model.evaluator.bundle
    out, acc = np.zeros(bundle.most_entries, np.int64), np.zeros((2, bundle.width), np.float32)
    for seed in range(2 if INTERPRETED else 10):
        row = random_record(game, seeded(seed), 2 * seed).position
        count, further = entries_of(game.rules, bundle, model.params, acc, row, out)
        table = model.weights["table"]
        total = table[out[:count]].sum()
        if phases > 1:
            total += further * (table[out[:count] + 1].sum() - total)
            filled = np.count_nonzero(game.cells(row))
            assert out[0] % phases + further == pytest.approx(
                (42 - filled) / 42 * (phases - 1), abs=0.1
            )
        else:
            assert further == 0
        assert model.value(row) == pytest.approx(np.tanh(total), abs=1e-4)


@pytest.mark.parametrize("name", ["tictactoe", "reversi", BREAKTHROUGH, ISOLA])
def test_a_position_with_the_sides_exchanged_has_the_same_value(name: str) -> None:
    game = load_game(name)
    model = model_of(game)
    found = symmetries_of(survey_of(board_of(game)))
    assert found.exchanging is not None
    row = random_record(game, seeded(3), 6).position
    codes, side = game.cells(row).astype(int), game.side(row)
    turned = np.zeros_like(codes)
    turned[list(found.exchanging)] = np.where(codes == 2, 2, -codes)  # nobody's stay as they are
    image = game.from_cells(turned.tolist(), 1 - side)
    assert model.value(image) == pytest.approx(model.value(row), abs=1e-5)


def test_a_game_without_a_picture_is_seen_by_its_bits() -> None:
    model = model_of(again)
    values = {model.value(again.parse_position(f"{n} 0")) for n in range(1, 12)}
    assert len(values) > 5


def test_a_model_is_read_without_looking_at_the_game_again(tmp_path: Any) -> None:
    from plywise.evaluators import load_model
    from plywise.evaluators.model import save_model

    game = load_game("tictactoe")
    model = model_of(game)
    save_model(model, tmp_path / "mine.safetensors")
    again_read = load_model(tmp_path / "mine.safetensors", game)
    assert again_read.evaluator.settings == model.evaluator.settings
    assert again_read.value(game.initial()) == model.value(game.initial())
