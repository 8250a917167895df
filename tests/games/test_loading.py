"""Finding games by name and by file."""

from pathlib import Path

import pytest

from conftest import ROOT
from plywise.errors import PlywiseError
from plywise.game.perft import perft
from plywise.games import load_game


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(PlywiseError, match="did you mean draughts"):
        load_game("drauhgts")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\n", "defines no game"),
        ("import nothing_of_that_name\n", "line 1: ModuleNotFoundError"),
        ("def broken(:\n", "SyntaxError"),
        (
            "from plywise import Game\nx = Game('x', words=1, **{'words': 2})\n",
            "line 2: `words` is given twice",
        ),
        (
            "from plywise.games.tictactoe import tictactoe\n"
            "from plywise.games.connect4.rules import connect4\n",
            "several games",
        ),
    ],
)
def test_a_file_without_a_game_gets_one_sentence(
    tmp_path: Path, source: str, sentence: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(PlywiseError, match=sentence):
        load_game(str(path))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(PlywiseError, match=r"no file nowhere\.py"):
        load_game("nowhere.py")


def test_one_of_several_games_is_chosen_by_name(tmp_path: Path) -> None:
    path = tmp_path / "two.py"
    path.write_text(
        "from plywise.games.tictactoe import tictactoe\n"
        "from plywise.games.connect4.rules import connect4\n"
    )
    assert load_game(f"{path}:connect4").name == "connect4"
    with pytest.raises(PlywiseError, match="did you mean connect4"):
        load_game(f"{path}:conect4")


def test_tictactoe_stays_under_40_lines() -> None:
    lines = (ROOT / "src/plywise/games/tictactoe.py").read_text().splitlines()
    assert len(lines) < 40


def test_the_example_stays_under_60_lines_and_counts_right() -> None:
    path = ROOT / "examples/breakthrough.py"
    assert len(path.read_text().splitlines()) < 60
    game = load_game(str(path))
    counts = [perft(game, game.initial(), depth) for depth in (1, 2, 3, 4)]
    assert counts == [22, 484, 11132, 256036]
