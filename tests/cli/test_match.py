"""`plywise match` and `plywise tournament` as people and programs use them."""

import json
import os
import signal
from pathlib import Path

import pytest

from plywise.arena.statistics import Estimate, format_estimate
from plywise.cli import match as commands
from plywise.cli import run
from plywise.formats import read_games, replay
from plywise.games import load_game


def test_a_match_as_json_has_the_numbers_of_the_first_player(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "games.pgn"
    arguments = ["match", "connect4", "alphabeta,depth=3", "random", "--games", "6"]
    assert run([*arguments, "--json", "--seed", "4", "--save", str(path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["wins"] + answer["draws"] + answer["losses"] == answer["games"] == 6
    assert {"elo", "elo_error", "elo_low", "elo_high", "los", "sprt", "reasons"} <= set(answer)
    assert answer["pairs"] == sum(answer["pentanomial"]) == 3
    assert (answer["game"], answer["seed"]) == ("connect4", 4)
    connect4 = load_game("connect4")
    games = read_games(path, connect4)
    assert sum(game.score_of("alphabeta,depth=3") == 1 for game in games) == answer["wins"]
    assert all(replay(game, connect4).ending() is not None for game in games)


def test_the_second_player_may_be_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["match", "tictactoe", "random", "-n", "2", "--clock", "1+0", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["players"] == ["random", "mcts"]
    assert "Opponent: mcts\n" in printed.err


def test_a_match_is_shown_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "connect4", "random", "random", "-n", "12", "--sprt", "0", "5"]
    assert run([*arguments, "--clock", "60+1", "--openings", "random", "--opening-plies", "3"]) == 0
    table = capsys.readouterr().out
    for word in ("random  v  random #2", "Elo", "LOS", "SPRT", "LLR", "ended by", "games/s"):
        assert word in table


def test_a_tournament_has_ratings_and_a_cross_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tournament", "connect4", "random", "alphabeta,depth=2", "mcts,nodes=20"]
    assert run([*arguments, "--games", "2", "--anchor", "random"]) == 0
    shown = capsys.readouterr().out
    assert "Ratings, random = 0" in shown
    assert "Points" in shown
    assert run([*arguments, "--games", "2", "--gauntlet", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["games"] == 4
    assert [len(row) for row in answer["cross_table"]["points"]] == [3, 3, 3]


def test_ctrl_c_shows_what_was_played_and_exits_with_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.cli.standings.score_line", interrupt)
    assert run(["match", "connect4", "random", "random", "--games", "2000", "--json"]) == 130
    captured = capsys.readouterr()
    assert json.loads(captured.out)["is_interrupted"] is True
    assert "Interrupted" in captured.err


def interrupt(board: object) -> str:
    """Press Ctrl-C in place of showing the score, once."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        os.kill(os.getpid(), signal.SIGINT)
    return ""


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--games", "3"], "the number of games is even"),
        (["--clock", "soon"], "A clock is written like 60+0.5"),
        (["--clock", "9", "--move-seconds", "1"], "not both"),
        (["--openings", "book"], "no book for connect4"),
        (["--sprt", "30", "0"], "elo0 must be below elo1"),
        (["--sprt", "nan", "5"], "numbers from -5000 to 5000, not nan"),
        (["--sprt", "0", "1e300"], "numbers from -5000 to 5000, not 1e+300"),
        (["--move-seconds", "inf"], "at most 1000000000, not inf"),
        (["--grace", "1e300"], "0 to 1000000000 seconds"),
        (["--clock", "1e300"], "each at most 1000000000"),
        (["--save", "games.txt"], ".pdn, .pgn, .jsonl"),
        (["--max-plies", "0"], "1 ply or more"),
    ],
)
def test_bad_input_gets_one_sentence(
    capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    assert run(["match", "connect4", "random", "random", *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert complaint in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def test_forfeits_are_told_but_not_without_end(capsys: pytest.CaptureFixture[str]) -> None:
    commands.leave(("a note",), [f"Game {number}" for number in range(14)], False)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "a note"
    assert lines[-2:] == ["Game 9", "... and 4 more forfeits."]


def test_an_estimate_without_bounds_says_what_is_known() -> None:
    infinite = float("inf")
    assert format_estimate(Estimate(12.4, 30.6, -18, 43)) == "+12 (-18 to +43)"
    assert format_estimate(Estimate(infinite, infinite, 140, infinite)) == "above +140"
    assert format_estimate(Estimate(-infinite, infinite, -infinite, -70)) == "below -70"
    assert format_estimate(Estimate(0, infinite, -infinite, infinite)) == "unknown"
    assert format_estimate(Estimate(infinite, infinite, -50, infinite, True)) == "too few games"


def test_a_short_match_says_that_it_proves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "connect4", "random", "random", "-n", "4"]) == 0
    table = capsys.readouterr().out
    assert "too few games: 2 pairs, and 6 can prove something" in table
    assert "LOS" not in table
