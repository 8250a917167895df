"""`plywise solve` and `plywise perfect`."""

import json
from pathlib import Path

import pytest

from cli.conftest import Plywise

WON = "54124427275135237171461754536"  # by the next stone, in column 6
LATE = "2252576253462244111563365343671351441"


def test_a_position_is_solved(plywise: Plywise) -> None:
    done = plywise("solve", LATE)
    assert done.code == 0
    assert done.out.startswith("red loses in 4 plies: score -1\n")


def test_every_column_is_scored(plywise: Plywise) -> None:
    lines = plywise("solve", WON, "--each").out.splitlines()
    assert lines[0] == "red wins in 1 ply: score +7"
    assert [line.split() for line in lines[1:8] if "best" in line] == [["6", "+7", "best"]]


def test_a_solution_is_told_to_programs(plywise: Plywise) -> None:
    report = json.loads(plywise("solve", WON, "--json", "--each").out)
    assert (report["score"], report["value"], report["plies"], report["side"]) == (7, 1, 1, "red")
    assert report["moves"] == {**dict.fromkeys("123457", -6), "6": 7}


def test_a_position_can_be_given_as_its_picture(plywise: Plywise) -> None:
    report = json.loads(plywise("solve", WON, "--json").out)
    again = json.loads(plywise("solve", report["position"], "--json").out)
    assert again["score"] == report["score"]


def test_a_file_is_solved_and_compared(plywise: Plywise, tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text(f"# two right, one wrong, one unknown\n{LATE} -1\n{WON} 7\n{WON} 2\n{WON}\n")
    done = plywise("solve", "--file", str(file))
    assert "4 positions: " in done.out
    assert "2 of 3 scores agree with the file" in done.out
    assert f"  {WON}: +7, in the file +2" in done.out
    rows = json.loads(plywise("solve", "--file", str(file), "--json").out)
    assert [row.get("expected") for row in rows] == [-1, 7, 2, None]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["solve"], "Say what to solve"),
        (["solve", "4444444"], "After 444444: '4' is not a legal move here"),
        (["solve", "8"], "'8' is not a legal move here"),
        (["solve", "44x"], "After 44: 'x' is not a legal move here"),
        (["solve", "1212121"], "the game is over"),
        (["solve", "x./o. x"], "is not 6 rows of 7 cells"),
        (["solve", WON, "--table", "99"], "8 to 30 bits"),
        (["solve", "--file", "no_such_file"], "cannot be read"),
        (["perfect", "reversi", "random"], "Only connect4 can be solved"),
        (["perfect", "connect4", "randon"], "did you mean random"),
        (["perfect", "connect4", "random", "--plies", "a-b"], "12 or 12-24"),
        (["perfect", "connect4", "random", "--plies", "9-99"], "within 0 to 41"),
    ],
)
def test_wrong_input_is_answered_in_one_sentence(
    arguments: list[str], sentence: str, plywise: Plywise
) -> None:
    done = plywise(*arguments)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert sentence in done.err


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (f"{WON} many", "line 1: 'many' is not a score"),
        ("99", "line 1: '9' is not a legal"),
        ("", "no position"),
    ],
)
def test_a_faulty_line_is_named(line: str, sentence: str, plywise: Plywise, tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text(line)
    done = plywise("solve", "--file", str(file))
    assert done.code == 2
    assert sentence in done.err


def test_players_are_measured(plywise: Plywise) -> None:
    options = ("--positions", "5", "--plies", "30-34")
    done = plywise("perfect", "connect4", "random", "alphabeta,depth=12", *options)
    assert "alphabeta,depth=12" in done.out
    report = json.loads(
        plywise("perfect", "connect4", "alphabeta,depth=12", *options, "--json").out
    )
    assert report["players"][0]["outcome"]["share"] == 1
