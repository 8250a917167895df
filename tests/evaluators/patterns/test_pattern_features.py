"""The features `patterns`: the same entries as the tables have, brought along move by move."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from found_features import write_active, write_changed
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import load_model, make_evaluator
from plywise.evaluators.features import make_features
from plywise.evaluators.gradients import gradients_of
from plywise.evaluators.model import Model, read_card, save_model
from plywise.evaluators.network import random_model
from plywise.evaluators.patterns import features as module
from plywise.game import Game, Row, Rows
from plywise.games import load_game
from plywise.kernel import Bundle, compiled

pytestmark = pytest.mark.kernels

GAMES = ["tictactoe"] if INTERPRETED else ["tictactoe", "draughts"]  # without and with two views


@compiled
def updated_row(
    game: Bundle, evaluator: Bundle, params: Any, acc: Any, row: Any, move: Any
) -> None:
    before = game.load(row)
    evaluator.update(params, acc, 0, before, move, game.apply(before, move))


@compiled
def refreshed_row(game: Bundle, evaluator: Bundle, params: Any, acc: Any, row: Any) -> None:
    evaluator.refresh(params, acc, 0, game.load(row))


def positions_of(game: Game) -> Rows:
    return np.array(
        [row for seed in range(5) for row in random_record(game, seeded(seed), 60).positions]
    )


def specified(game: Game) -> dict[str, Any]:
    """Return the features as a card has them."""
    given = make_features("patterns", game).given
    assert isinstance(given, dict)
    return given


@pytest.mark.parametrize("name", GAMES)
def test_a_number_for_every_entry_is_the_table(name: str) -> None:
    game = load_game(name)
    given = specified(game)
    table = random_model(make_evaluator("patterns", game, spec=given["spec"]), seeded(1), 0.1)
    linear = make_evaluator("linear", game, features=given)
    sides = 1 if given["spec"]["exchanging"] else 2
    rows = table.weights["table"].reshape(sides, -1)
    rows[:, -1] = rows[0, -1]  # the bias, of which there is one
    weights = {"weights": rows[:, :-1].reshape(-1), "bias": rows[0, -1:]}
    again = Model(table.evaluator, {"table": rows.reshape(-1)})
    positions = positions_of(game)
    found, expected = Model(linear, weights).values(positions), again.values(positions)
    assert found == pytest.approx(expected, abs=1e-5)
    assert np.abs(expected).max() > 0.1


@pytest.mark.parametrize("name", GAMES)
def test_what_a_move_removes_and_adds_is_the_difference_of_what_is_there(name: str) -> None:
    game = load_game(name)
    features = make_features(specified(game), game)

    def active_in(row: Row) -> Counter[int]:
        out = np.full(features.most, -1, np.int32)
        return Counter(out[: write_active(game.rules, features.bundle, row, out)].tolist())

    for seed in range(1 if INTERPRETED else 5):
        record = random_record(game, seeded(seed), 60)
        for row, move in zip(record.positions, record.moves, strict=False):
            removed, added = np.full((2, features.most), -1, np.int32)
            gone, come = write_changed(
                game.rules, features.bundle, row, np.uint64(move), removed, added
            )
            assert gone < features.most // 2
            before, after = active_in(row), active_in(game.apply(row, np.uint64(move)))
            before.subtract(removed[:gone].tolist())
            before.update(added[:come].tolist())
            assert +before == after
            assert min(before.values()) >= 0


@pytest.mark.parametrize("name", GAMES)
def test_a_network_on_patterns_is_brought_along_and_learns_as_it_plays(name: str) -> None:
    game = load_game(name)
    evaluator = make_evaluator("nnue", game, features=specified(game), hidden=[3])
    model = random_model(evaluator, seeded(2), reach=0.3)
    bundle = evaluator.bundle
    record = random_record(game, seeded(3), 60)
    acc = np.zeros((2, bundle.width), np.float32)
    refreshed_row(game.rules, bundle, model.params, acc, record.start)
    for row, move in zip(record.positions, record.moves, strict=False):
        updated_row(game.rules, bundle, model.params, acc, row, np.uint64(move))
        acc[0] = acc[1]
    fresh = np.zeros((2, bundle.width), np.float32)
    refreshed_row(game.rules, bundle, model.params, fresh, record.position)
    assert acc[0, :6] == pytest.approx(fresh[0, :6], abs=1e-4)

    rows = np.array(record.positions)[-6:]
    vector = np.concatenate([model.weights[name].reshape(-1) for name in evaluator.weights])
    values, slopes = gradients_of(evaluator, vector.astype(np.float64), rows)
    assert values == pytest.approx(model.values(rows), abs=2e-5)
    blank = np.array(slopes.any(axis=0))
    assert 0 < blank.sum() < len(vector)


def test_both_sides_see_the_board_as_their_own() -> None:
    game = load_game("draughts")
    model = random_model(
        make_evaluator("nnue", game, features=specified(game), hidden=[3]), seeded(1), reach=0.3
    )
    black = game.parse_position("B:W21,22,K30:B1,2,K11")
    white = game.parse_position("W:W32,31,K22:B12,11,K3")  # the board turned round
    assert model.value(black) == pytest.approx(model.value(white), abs=1e-5)
    assert abs(model.value(black)) > 1e-3


def test_a_model_is_read_without_looking_at_the_game_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("tictactoe")
    model = random_model(make_evaluator("linear", game, features="patterns"), seeded(1))
    save_model(model, tmp_path / "model.safetensors")
    assert read_card(tmp_path / "model.safetensors")["settings"]["features"]["name"] == "patterns"
    monkeypatch.setattr(module, "specify", lambda game: pytest.fail("it was looked at again"))
    again = load_model(tmp_path / "model.safetensors", game)
    assert again.value(game.initial()) == model.value(game.initial())


def test_features_without_settings_refuse_some() -> None:
    with pytest.raises(PlywiseError, match="'cells' cannot be built with"):
        make_features({"name": "cells", "spec": {}}, load_game("tictactoe"))
