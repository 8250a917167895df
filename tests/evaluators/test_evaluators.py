"""Evaluators: updated equals refreshed, and the network equals its formula."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import naive.minimax
from brought_along import values_along
from conftest import GAMES_IN_TURN, INTERPRETED, handmade_model, seeded
from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators import load_model, make_evaluator
from plywise.evaluators.activation import EDGE, tanh
from plywise.evaluators.model import BadModel, Model, read_card, save_model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.games import load_game
from plywise.kernel import compiled

pytestmark = pytest.mark.kernels


@compiled
def updated_row(game: Any, evaluator: Any, params: Any, acc: Any, row: Any, move: Any) -> Any:
    before = game.load(row)
    evaluator.update(params, acc, 0, before, move, game.apply(before, move))


@compiled
def refreshed_row(game: Any, evaluator: Any, params: Any, acc: Any, row: Any) -> Any:
    evaluator.refresh(params, acc, 0, game.load(row))


def test_updated_equals_refreshed_after_random_games() -> None:
    game = load_game("draughts")
    model = random_model(make_evaluator("mlp", game), seeded(1), reach=0.5)
    bundle = model.evaluator.bundle
    for seed in range(2 if INTERPRETED else 10):
        record = naive.minimax.random_record(game, seeded(seed), 80)
        acc = np.zeros((2, bundle.width), np.float32)
        refreshed_row(game.rules, bundle, model.params, acc, record.start)
        for row, move in zip(record.positions, record.moves, strict=False):
            updated_row(game.rules, bundle, model.params, acc, row, np.uint64(move))
            acc[0] = acc[1]
        fresh = np.zeros((2, bundle.width), np.float32)
        refreshed_row(game.rules, bundle, model.params, fresh, record.position)
        kept = 32 + 2 * 40
        assert np.allclose(acc[0, :kept], fresh[0, :kept], atol=1e-4)


EVERYWHERE: list[tuple[str, dict[str, Any]]] = [
    ("mlp", {}),
    ("elm", {"hidden": 8}),
    ("linear", {}),
    ("linear", {"features": "bits"}),
    ("linear", {"features": ["cells", "material", "pairs", "mobility"]}),
    ("linear", {"features": ["cells", "material"], "signed": True}),
    ("nnue", {"hidden": [8]}),
    ("nnue", {"hidden": [40, 5], "units": "tanh", "features": "bits"}),
]
UPDATED = [
    (game, name, settings)
    for game in GAMES_IN_TURN
    for name, settings in EVERYWHERE
    if not (game == "kalah" and "pairs" in settings.get("features", ()))  # too many to cache
]
UPDATED += [("draughts", name, {}) for name in ("blondie", "anaconda", "subsquares")]
UPDATED += [
    (game, "comparator", {"features": [16, 8], "head": [8, 8]}) for game in ("chess", "draughts")
]


@pytest.mark.parametrize(("where", "name", "settings"), UPDATED, ids=str)
def test_a_value_brought_along_is_that_of_the_position(
    where: str, name: str, settings: dict[str, Any]
) -> None:
    game = load_game(where)
    model = random_model(make_evaluator(name, game, **settings), seeded(1), reach=0.4)
    assert model.evaluator.bundle.has_update
    for seed in range(1 if INTERPRETED else 5):
        record = naive.minimax.random_record(game, seeded(seed), 8 if INTERPRETED else 80)
        brought, fresh = values_along(model, record)
        assert np.allclose(brought, fresh, atol=1e-4)


@compiled
def written_code(game: Any, evaluator: Any, params: Any, acc: Any, row: Any, out: Any) -> Any:
    position = game.load(row)
    evaluator.refresh(params, acc, 0, position)
    evaluator.code(params, acc, 0, position, out)


@pytest.mark.parametrize("units", ["clipped", "tanh"])
@pytest.mark.parametrize("name", ["draughts", "tictactoe"])
def test_the_output_of_nnue_follows_from_its_code(name: str, units: str) -> None:
    game = load_game(name)
    model = random_model(make_evaluator("nnue", game, hidden=[9], units=units), seeded(2), 0.6)
    bundle = model.evaluator.bundle
    assert bundle.code_size == 9
    for seed in range(3 if INTERPRETED else 20):
        row = naive.minimax.random_record(game, seeded(seed), seed % 7).position
        code = np.zeros(9)
        acc = np.zeros((1, bundle.width), np.float32)
        written_code(game.rules, bundle, model.params, acc, row, code)
        total = code @ model.weights["output"] + model.weights["output_bias"][0]
        sign = -1 if name == "tictactoe" and game.side(row) == 1 else 1  # fixed colours
        assert model.value(row) == pytest.approx(sign * float(np.tanh(total)), abs=1e-5)
        low, high = (0, 1) if units == "clipped" else (-1, 1)
        assert low <= code.min() < code.max() <= high


def test_the_network_equals_its_formula() -> None:
    game = load_game("draughts")
    model = random_model(make_evaluator("mlp", game), seeded(2), reach=0.5)
    w = model.weights
    for seed in range(20):
        record = naive.minimax.random_record(game, seeded(seed), 5 + 3 * seed)
        inputs = game.inputs(record.position)
        if game.side(record.position) == 1:  # the board turned round, colours exchanged
            inputs = -inputs[::-1]
        hidden = np.tanh(inputs @ w["first"] + w["first_bias"])
        second = np.tanh(w["second"] @ hidden + w["second_bias"])
        expected = np.tanh(w["output"] @ second + w["output_bias"][0])
        assert model.value(record.position) == pytest.approx(float(expected), abs=1e-5)


def test_tanh_is_close_everywhere() -> None:
    xs = np.linspace(-20, 20, 4001).astype(np.float32)
    ours = np.array([tanh(x) for x in xs])
    assert np.abs(ours - np.tanh(xs)).max() < 1e-5
    assert float(tanh(EDGE + np.float32(5))) == pytest.approx(1, abs=1e-6)
    assert [float(tanh(-x)) for x in xs] == [-float(tanh(x)) for x in xs]


def test_values_of_handmade_evaluators_change_sign_with_the_side() -> None:
    game = load_game("reversi")
    model = handmade_model(game)
    rows = "x......./" + "/".join(["........"] * 7)
    assert model.value(game.parse_position(f"{rows} x")) > 0
    assert model.value(game.parse_position(f"{rows} o")) < 0


def test_material_counts_a_king_as_one_and_a_half() -> None:
    game = load_game("draughts")
    model = handmade_model(game)
    man = model.value(game.parse_position("B:W32,31:B1,2,3"))
    king = model.value(game.parse_position("B:W32,31:B1,2,K3"))
    assert king == pytest.approx(1.5 * man)


def test_the_positional_table_is_that_of_the_paper() -> None:
    game = load_game("reversi")
    model = handmade_model(game)

    def worth(cell: int) -> float:
        codes = ["."] * 64
        codes[cell] = "x"
        rows = "/".join("".join(codes[i : i + 8]) for i in range(0, 64, 8))
        return model.value(game.parse_position(f"{rows} x"))

    corner = worth(0)
    row = [99, -8, 8, 6, 6, 8, -8, 99]
    assert [round(99 * worth(c) / corner) for c in range(8)] == row
    assert round(99 * worth(9) / corner) == -24


def test_pieces_are_counted_in_any_game_with_cells(game: Game) -> None:
    model = Model(make_evaluator("pieces", game))
    assert model.value(game.initial()) == 0


def test_a_threat_in_connect_four_counts() -> None:
    game = load_game("connect4")
    model = handmade_model(game)
    with_threat = game.parse_position("......./......./......./......./oo...../xxx...o x")
    without = game.parse_position("......./......./......./......./oo...../xx.x..o x")
    assert model.value(with_threat) > 0
    assert model.value(without) > 0  # a gap is a threat as well
    assert model.value(game.initial()) == 0


def test_an_evaluator_for_another_game_is_refused() -> None:
    with pytest.raises(PlywiseError, match="is for reversi"):
        make_evaluator("positional", load_game("draughts"))
    with pytest.raises(UnknownName, match="did you mean material"):
        make_evaluator("matrial", load_game("draughts"))


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    game = load_game("draughts")
    model = random_model(make_evaluator("mlp", game, hidden=(8, 4)), seeded(3))
    path = tmp_path / "small.safetensors"
    save_model(dataclasses.replace(model, card={"trained": "never"}), path)
    loaded = load_model(path, game)
    assert read_card(path)["trained"] == "never"
    assert loaded.value(game.initial()) == model.value(game.initial())


def test_a_model_without_weights_survives_its_file(tmp_path: Path) -> None:
    game = load_game("draughts")
    path = tmp_path / "material.safetensors"
    save_model(handmade_model(game), path)
    assert load_model(path, game).evaluator.name == "material"


def test_foreign_files_get_one_sentence(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    game = load_game("draughts")
    noise = tmp_path / "noise.safetensors"
    noise.write_bytes(b"not a model at all")
    with pytest.raises(BadModel, match="is not a model file"):
        load_model(noise, game)
    foreign = tmp_path / "foreign.safetensors"
    save_file({"a": np.zeros(3)}, foreign)
    with pytest.raises(BadModel, match="has no card"):
        load_model(foreign, game)
    other = tmp_path / "other.safetensors"
    save_model(handmade_model(load_game("connect4")), other)
    with pytest.raises(BadModel, match="is a model for connect4"):
        load_model(other, game)
