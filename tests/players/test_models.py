"""Models: each that ships loads by its name, has a card, and plays; trained ones are found."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import EXAMPLES, seeded
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import BadModel, Model, read_card, save_model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import (
    default_opponent,
    find_model,
    has_budget,
    judge_of,
    make_player,
    newest_model,
    shipped_models,
    with_level,
    with_seconds,
)
from plywise.players import models as models_module
from plywise.players.models import MODELS
from plywise.players.naming import has_option

EXPECTED = {
    ("draughts", "anaconda"): "evolve",
    ("draughts", "blondie"): "evolve",
    ("draughts", "nguyen"): "evolve",
    ("connect4", "nhb"): "nhb",
    ("reversi", "nhb"): "nhb",
    ("draughts", "patterns"): "patterns",
    ("reversi", "patterns"): "patterns",
    ("connect4", "patterns"): "patterns",
    ("kalah", "patterns"): "patterns",
    ("chess", "patterns"): "patterns",
    ("duchess", "duchess-1"): "treestrap",
    ("duchess", "duchess-2"): "treestrap",
    ("duchess", "duchess-3"): "treestrap",
}


def test_all_models_are_there() -> None:
    assert {(path.parent.name, path.stem) for path in shipped_models()} >= set(EXPECTED)


@pytest.mark.parametrize(("game", "name"), sorted(EXPECTED))
def test_a_shipped_model_has_a_card_and_judges(game: str, name: str) -> None:
    card = read_card(MODELS / game / f"{name}.safetensors")
    assert (card["game"], card["name"]) == (game, name)
    assert card["config"]["learner"] == EXPECTED[game, name]
    assert card["tests"]["random"]["games"] >= 100
    loaded = load_game(game)
    rows = np.array([random_record(loaded, seeded(one), 8 + one).position for one in range(12)])
    values = find_model(name, loaded).values(rows)
    assert np.all(np.abs(values) <= 1)
    assert len(np.unique(values)) > 6


def test_a_shipped_model_plays() -> None:
    game = load_game("connect4")
    record = Record(game)
    assert make_player("patterns,depth=2", game).choose(record).move in record.legal_moves()


@pytest.mark.parametrize(
    ("name", "evaluator"), [("deepchess", "comparator"), ("deepchess-scalar", "nnue")]
)
def test_models_learned_from_games_tell_from_which(name: str, evaluator: str) -> None:
    chess = load_game("chess")
    model = find_model(name, chess)
    assert model.evaluator.name == evaluator
    masters, *played_on = model.card["data"]["sets"]
    assert masters["positions"] > 3_000_000
    assert [one["sources"][0]["name"] for one in played_on] == ["played-on.jsonl", "erred.jsonl"]
    assert masters["teachers"][-1]["name"] == "deepchess-scalar"
    assert model.card["judged"]["unseen"] > 0.75
    assert make_player(f"{name},depth=2", chess).name == f"{name},depth=2"


def test_a_model_for_other_games_is_refused() -> None:
    with pytest.raises(PlywiseError, match="'nhb' is for connect4 and reversi, not for draughts"):
        find_model("nhb", load_game("draughts"))


# ---------------------------------------------------------------- how a model searches


@pytest.fixture
def connect4() -> Game:
    return load_game("connect4")


def saved(path: Path, game: Game, **card: Any) -> Path:
    """Write a model that counts men, with a card of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_model(Model(make_evaluator("material", game), {}, card), path)
    return path


def played(text: str, game: Game) -> tuple[int, float, int]:
    found = make_player(text, game).choose(Record(game))
    return found.move, found.value, found.nodes


def test_a_model_searches_as_its_card_says(tmp_path: Path, connect4: Game) -> None:
    path = saved(tmp_path / "tree.safetensors", connect4, search="mcts,cap=3,exploration=0.2")
    by_hand = f"mcts,model={path},nodes=200"
    assert played(f"{path},nodes=200", connect4) == played(
        f"{by_hand},cap=3,exploration=0.2", connect4
    )
    assert played(f"{path},nodes=200,cap=1", connect4) == played(
        f"{by_hand},cap=1,exploration=0.2", connect4
    )
    assert played(f"{path},nodes=200,search=mcts", connect4) == played(
        f"{path},nodes=200", connect4
    )


def test_guesses_of_a_card_serve_nodes_but_no_depth(tmp_path: Path, connect4: Game) -> None:
    path = saved(tmp_path / "guessing.safetensors", connect4, search="alphabeta,selective=on")
    full, guessing = "alphabeta,eval=material", "alphabeta,eval=material,selective=on"
    assert played(f"{path},depth=6", connect4) == played(f"{full},depth=6", connect4)
    assert played(f"{path},nodes=900", connect4) == played(f"{guessing},nodes=900", connect4)
    assert played(f"{path},depth=6,selective=on", connect4) == played(
        f"{guessing},depth=6", connect4
    )
    assert played(f"{full},depth=6", connect4) != played(f"{guessing},depth=6", connect4)


def test_a_depth_is_searched_by_alpha_beta(tmp_path: Path, connect4: Game) -> None:
    path = saved(tmp_path / "tree.safetensors", connect4, search="mcts,cap=3")
    full = played("alphabeta,eval=material,depth=4", connect4)
    assert played(f"{path},depth=4", connect4) == full
    with pytest.raises(PlywiseError, match="no option of mcts called 'depth'"):
        played(f"{path},search=mcts,depth=4", connect4)


def test_a_text_may_choose_another_search_than_the_card(tmp_path: Path, connect4: Game) -> None:
    path = saved(tmp_path / "tree.safetensors", connect4, search="mcts,cap=3")
    assert played(f"{path},search=alphabeta,depth=3", connect4) == played(
        f"alphabeta,model={path},depth=3", connect4
    )


def test_a_model_without_a_search_plays_by_alpha_beta(tmp_path: Path, connect4: Game) -> None:
    path = saved(tmp_path / "plain.safetensors", connect4)
    assert played(f"{path},depth=3", connect4) == played(
        f"alphabeta,model={path},depth=3", connect4
    )


@pytest.mark.parametrize(
    ("search", "sentence"),
    [
        ("mtcs", "has the search 'mtcs', but: There is no search called 'mtcs'; did you mean mcts"),
        ("random", "no search called 'random'"),
        ("mcts,cpa=0", "no option of mcts called 'cpa'; did you mean cap"),
        ("mcts,nodes=5", "no option of mcts called 'nodes'"),
        ("mcts,cap=few", "cap=few is wrong"),
        ("mcts,cap", "written name=value"),
        ({"kind": "mcts"}, "is damaged: it has no right `search`"),
    ],
)
def test_a_wrong_search_in_a_card_is_told(
    tmp_path: Path, connect4: Game, search: Any, sentence: str
) -> None:
    path = saved(tmp_path / "wrong.safetensors", connect4, search=search)
    with pytest.raises(BadModel, match=rf"The card of .*wrong.*{sentence}"):
        make_player(str(path), connect4)


def test_a_shipped_name_is_that_of_the_games_own_model(
    tmp_path: Path, connect4: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    reversi = load_game("reversi")
    monkeypatch.setattr(models_module, "MODELS", tmp_path)
    saved(tmp_path / "connect4" / "both.safetensors", connect4, search="mcts,cap=0")
    saved(tmp_path / "reversi" / "both.safetensors", reversi)
    assert has_budget("both,depth=3", reversi)
    assert has_option("both", "cap", connect4)
    assert not has_option("both", "cap", reversi)
    assert with_seconds("both,cap=2", 2, connect4) == "both,cap=2,seconds=2"
    with pytest.raises(PlywiseError, match="no option of alphabeta called 'cap'"):
        with_level("both,cap=2", 2, reversi)
    assert judge_of("both", connect4) == judge_of("both", reversi) == "both"


# ---------------------------------------------------------------- who plays by default


def aged(path: Path, seconds: int) -> Path:
    os.utime(path, (seconds, seconds))
    return path


def test_the_newest_model_of_a_game_is_found(tmp_path: Path, connect4: Game) -> None:
    assert newest_model(connect4, tmp_path) is None
    aged(saved(tmp_path / "old" / "model.safetensors", connect4), 1000)
    new = aged(saved(tmp_path / "new" / "model.safetensors", connect4), 2000)
    aged(saved(tmp_path / "foreign" / "model.safetensors", load_game("reversi")), 3000)
    saved(tmp_path / "champion" / "other.safetensors", connect4)
    broken = tmp_path / "broken" / "model.safetensors"
    broken.parent.mkdir()
    broken.write_text("no model")
    assert newest_model(connect4, tmp_path) == new


def test_a_model_for_another_version_of_a_game_is_not_found(
    tmp_path: Path, connect4: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "one" / "model.safetensors", connect4)
    assert newest_model(connect4, tmp_path) == path
    monkeypatch.setattr(connect4, "about", replace(connect4.about, version=2))
    assert newest_model(connect4, tmp_path) is None


def test_the_default_opponent_is_trained_or_ships_or_is_by_hand(
    tmp_path: Path, connect4: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(models_module, "MODELS", tmp_path / "models")
    assert default_opponent(load_game("tictactoe")) == "mcts"
    assert default_opponent(connect4) == "alphabeta"
    saved(tmp_path / "models" / "connect4" / "nhb.safetensors", connect4)
    assert default_opponent(connect4) == "alphabeta"
    saved(tmp_path / "models" / "connect4" / "patterns.safetensors", connect4)
    assert default_opponent(connect4) == "patterns"
    monkeypatch.setattr(connect4, "about", replace(connect4.about, opponent="alphabeta"))
    assert default_opponent(connect4) == "alphabeta"
    saved(tmp_path / "runs" / "mine" / "model.safetensors", connect4)
    assert default_opponent(connect4) == "runs/mine/model.safetensors"
    assert default_opponent(load_game("tictactoe")) == "mcts"


def test_a_model_in_a_tree_judges_unless_it_is_told_not_to(tmp_path: Path, connect4: Game) -> None:
    path = saved(tmp_path / "any.safetensors", connect4)
    text = f"{path},search=mcts,nodes=200"
    assert played(text, connect4) == played(f"{text},cap=0", connect4)
    assert played(f"{text},cap=off", connect4) == played("mcts,eval=none,nodes=200", connect4)


def test_a_card_may_say_that_a_tree_is_better_without(tmp_path: Path, connect4: Game) -> None:
    path = saved(tmp_path / "weak.safetensors", connect4, search="mcts,cap=off")
    plain = played("mcts,eval=none,nodes=200", connect4)
    assert played(f"{path},nodes=200", connect4) == plain
    assert played(f"{path},nodes=200,search=mcts", connect4) != plain


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_model_with_numbers_that_are_none_is_refused(
    tmp_path: Path, connect4: Game, number: float
) -> None:
    path = tmp_path / "broken.safetensors"
    model = random_model(make_evaluator("mlp", connect4, hidden=[3]), seeded(1))
    next(iter(model.weights.values())).flat[0] = number
    save_model(model, path)
    with pytest.raises(BadModel, match="not all finite numbers"):
        make_player(f"{path},depth=1", connect4)


def test_the_model_of_a_run_is_found_by_its_name(
    tmp_path: Path, connect4: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    saved(Path("runs/first/model.safetensors"), connect4)
    Path("runs/first/config.toml").write_text("")
    assert make_player("first,depth=1", connect4).name == "first,depth=1"
    assert make_player("runs/first,depth=1", connect4).name == "runs/first,depth=1"


@pytest.mark.parametrize(
    ("name", "settings"), [("mlp", {"hidden": [3]}), ("linear", {}), ("elm", {"hidden": 4})]
)
def test_a_model_of_another_board_with_the_same_name_is_told_from_a_damaged_one(
    tmp_path: Path,
    connect4: Game,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    settings: dict[str, Any],
) -> None:
    path = tmp_path / "other.safetensors"
    save_model(random_model(make_evaluator(name, connect4, **settings), seeded(1)), path)
    smaller = load_game("tictactoe")
    monkeypatch.setattr(smaller, "name", "connect4")
    with pytest.raises(BadModel, match=r"does not fit connect4 .* made for another board"):
        make_player(f"{path},depth=1", smaller)


def test_a_game_of_ones_own_is_not_met_by_the_models_of_its_namesake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    smaller = load_game("tictactoe")
    monkeypatch.setattr(smaller, "name", "connect4")
    assert default_opponent(smaller) == "mcts"


def test_a_game_from_a_file_is_met_by_the_model_that_learned_by_its_very_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where nothing was trained
    text = (EXAMPLES / "breakthrough.py").read_text(encoding="utf-8")
    same, other = tmp_path / "same.py", tmp_path / "other.py"
    same.write_text(text, encoding="utf-8")
    other.write_text(text.replace("(-1, 0, 1)", "(-1, 1, 0)"), encoding="utf-8")
    assert default_opponent(load_game(str(same))) == "patterns"
    assert default_opponent(load_game(str(other))) == "mcts"


@pytest.mark.parametrize("name", ["empty", "runs/empty"])
def test_a_run_without_a_model_is_told_from_a_player_that_nobody_knows(
    name: str, tmp_path: Path, connect4: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs/empty").mkdir(parents=True)
    with pytest.raises(PlywiseError, match="The folder runs/empty is no run"):
        make_player(name, connect4)
    Path("runs/empty/config.toml").write_text("")
    with pytest.raises(PlywiseError, match="The run runs/empty has no model yet"):
        make_player(name, connect4)
    with pytest.raises(PlywiseError, match="There is no run runs/nowhere"):
        make_player("runs/nowhere", connect4)
    with pytest.raises(PlywiseError, match="There is no player called 'nowhere'"):
        make_player("nowhere", connect4)
