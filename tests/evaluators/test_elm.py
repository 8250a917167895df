"""The extreme learning machine: compiled it equals its formula, for every game and view."""

import numpy as np
import pytest

import naive.minimax
from conftest import INTERPRETED, seeded
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.elm import hidden_values, inputs_of, phases_of
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.games import load_game

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("view", ["mover", "fixed"])
def test_the_compiled_network_equals_its_formula(game: Game, view: str) -> None:
    model = random_model(make_evaluator("elm", game, hidden=33, view=view), seeded(1), reach=0.4)
    record = naive.minimax.random_record(game, seeded(2), 8 if INTERPRETED else 40)
    rows = np.array(record.positions)
    inputs, signs = inputs_of(game, rows, view)
    hidden = hidden_values(inputs, model.weights["hidden"], model.weights["hidden_bias"])
    expected = signs * np.clip(hidden @ model.weights["output"], -1, 1)
    assert np.abs(model.values(rows) - expected).max() < 1e-5


@pytest.mark.parametrize("view", ["mover", "fixed"])
def test_every_phase_has_output_weights_of_its_own(view: str) -> None:
    game = load_game("connect4")
    evaluator = make_evaluator("elm", game, hidden=33, view=view, phases=3)
    weights = random_model(evaluator, seeded(1), reach=0.4).weights
    weights["bounds"] = np.array([9, 14], np.float32)
    record = naive.minimax.random_record(game, seeded(2), 8 if INTERPRETED else 40)
    rows = np.array(record.positions)
    inputs, signs = inputs_of(game, rows, view)
    stones = np.arange(len(rows)) + 1  # and the side to move
    phases = phases_of(inputs, weights["bounds"])
    assert phases.tolist() == [int(n >= 9) + int(n >= 14) for n in stones]
    hidden = hidden_values(inputs, weights["hidden"], weights["hidden_bias"])
    expected = signs * np.clip(np.sum(hidden * weights["output"][phases], axis=1), -1, 1)
    assert np.abs(Model(evaluator, weights).values(rows) - expected).max() < 1e-5


def test_an_elm_without_phases_is_refused() -> None:
    with pytest.raises(PlywiseError, match="one phase or more"):
        make_evaluator("elm", load_game("connect4"), phases=0)


def test_the_mover_sees_its_own_pieces_as_positive() -> None:
    game = load_game("connect4")
    row = game.parse_position("......./......./......./......./......./xx.o... o")
    seen, signs = inputs_of(game, row.reshape(1, -1), "mover")
    assert seen[0, 35:].tolist() == [-1, -1, 0, 1, 0, 0, 0, 1]
    assert signs.tolist() == [1]
    board, signs = inputs_of(game, row.reshape(1, -1), "fixed")
    assert board[0, 35:].tolist() == [1, 1, 0, -1, 0, 0, 0, -1]
    assert signs.tolist() == [-1]


def test_an_unknown_view_is_refused() -> None:
    with pytest.raises(PlywiseError, match="mover or fixed"):
        make_evaluator("elm", load_game("connect4"), view="both")
