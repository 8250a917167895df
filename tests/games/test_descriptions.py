"""What games say of themselves is found by whoever needs it, without knowing their names."""

import re
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from plywise.errors import PlywiseError
from plywise.evaluators import default_evaluator, load_model, make_evaluator
from plywise.evaluators.classifiers import make_classifier
from plywise.evaluators.model import BadModel, Model, save_model
from plywise.game import About, Bench, Game
from plywise.game.record import Record
from plywise.game.solving import make_solver
from plywise.games import BUILT_IN, built_in_games, load_game
from plywise.players import default_opponent, make_player
from plywise.players.bench import bench_games, run_bench

SOURCES = ROOT / "src" / "plywise"

MINE = """
from plywise import LOSS, ONGOING, About, Bench, Game

def initial():
    return 7, 0

def moves(position, out):
    for take in range(3):
        out[take] = take + 1
    return min(3, position[0])

def apply(position, move):
    return position[0] - move, 1 - position[1]

def result(position):
    return LOSS if position[0] == 0 else ONGOING

def side(position):
    return position[1]

def judge(position):
    return -1 if position[0] % 4 == 0 else 0.5

def timid(position):
    return 0.25

rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
nim = Game("nim", words=2, max_moves=3, **rules, {more})
"""


def nim(folder: Path, more: str) -> Game:
    path = folder / "mine.py"
    path.write_text(MINE.format(more=more))
    return load_game(str(path))


def test_a_judge_is_the_default_evaluator_of_its_game(tmp_path: Path) -> None:
    game = nim(tmp_path, "judge=judge")
    assert default_evaluator(game) == "judge"
    assert default_opponent(game).startswith("alphabeta")
    model = Model(make_evaluator("judge", game))
    assert model.value(game.parse_position("4.0")) == -1
    assert model.value(game.parse_position("5.0")) == 0.5
    found = make_player("alphabeta,depth=1", game).choose(Record(game))
    assert game.format_move(game.initial(), found.move) == "3"  # leaves 4, which is bad to have


def test_evaluators_of_a_games_own_have_names(tmp_path: Path) -> None:
    about = 'about=About(evaluators={"timid": timid, "bold": judge}, default_evaluator="bold")'
    game = nim(tmp_path, about)
    assert default_evaluator(game) == "bold"
    assert Model(make_evaluator("timid", game)).value(game.initial()) == 0.25
    with pytest.raises(PlywiseError, match="'timid' has no settings"):
        make_evaluator("timid", game, hidden=3)
    with pytest.raises(PlywiseError, match="did you mean timid"):
        make_evaluator("timod", game)


def test_a_name_that_only_another_game_has_is_answered_with_that_game() -> None:
    reversi = load_game("reversi")
    with pytest.raises(PlywiseError, match="'blondie' is for draughts, not for reversi"):
        make_evaluator("blondie", reversi)
    with pytest.raises(PlywiseError, match="'map' is for draughts, not for reversi"):
        make_classifier(reversi, "map")


def test_a_game_without_evaluators_has_none() -> None:
    assert default_evaluator(load_game("tictactoe")) == "none"


def test_the_bench_searches_every_built_in_game_with_positions() -> None:
    names = [name for name in BUILT_IN if name != "duchess6"]  # it would search as duchess does
    assert [game.name for game in bench_games()] == names


def test_a_users_game_can_be_searched_by_the_bench(tmp_path: Path) -> None:
    game = nim(tmp_path, 'about=About(bench=Bench(depth=3, positions=("start", "5.1")))')
    rows = list(run_bench([game]))
    assert [(row.game, row.position) for row in rows] == 2 * [("nim", "start"), ("nim", "5.1")]
    with pytest.raises(PlywiseError, match="has no bench positions"):
        list(run_bench([Game("bare", words=2, **_rules(game))]))


def test_a_solver_is_found_by_its_game() -> None:
    solvable = [game for game in built_in_games() if game.about.solver]
    assert [make_solver(game, table_bits=10).game for game in solvable] == solvable
    with pytest.raises(PlywiseError, match="no solver for reversi"):
        make_solver(load_game("reversi"))


def test_a_model_is_for_one_version_of_a_game(tmp_path: Path) -> None:
    first = nim(tmp_path, "judge=judge")
    path = tmp_path / "model.safetensors"
    save_model(Model(make_evaluator("judge", first)), path)
    assert load_model(path, first).evaluator.name == "judge"
    second = Game("nim", words=2, **_rules(first), about=About(version=2))
    with pytest.raises(BadModel, match="version 1 of nim; this one is 2"):
        load_model(path, second)


def test_bench_positions_can_be_read(game: Game) -> None:
    assert isinstance(game.about.bench, Bench)
    for text in game.about.bench.positions:
        assert len(game.legal_moves(game.parse_position(text))) > 0


def test_no_code_outside_a_games_folder_knows_its_name() -> None:
    names = "|".join(f'"{name}"' for name in BUILT_IN)
    allowed = {SOURCES / "games" / "__init__.py"}
    found = []
    for path in sorted(SOURCES.rglob("*.py")):
        is_own = path.is_relative_to(SOURCES / "games") and path not in allowed
        if path in allowed or is_own or "learners" in path.parts:
            continue
        code = re.sub(r'""".*?"""', "", path.read_text("utf-8"), flags=re.S)
        found += [(path.name, match) for match in re.findall(names, code)]
    assert found == []


def _rules(game: Game) -> dict[str, Any]:
    return {
        name: getattr(game.rules, name) for name in ("initial", "moves", "apply", "result", "side")
    }
