"""Playing at the terminal."""

import os
from pathlib import Path
from typing import Any

import pexpect
import pytest

from cli.conftest import PROGRAM, Plywise
from conftest import SMALLEST_GAME
from plywise.cli.console import err, out
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model, save_model
from plywise.games import load_game

BOTH = ("play", "tictactoe", "--side", "both")
WIN = "a1 a2 b1 b2 c1"  # x wins
FAST = ("--opponent", "alphabeta,depth=2")


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# ---------------------------------------------------------------- moves and endings


def test_the_end_of_the_input_ends_the_game_cleanly(plywise: Plywise) -> None:
    done = plywise(*BOTH)
    assert (done.code, done.err) == (0, "")
    assert "x to move" in done.out


def test_a_win_is_announced(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed(*WIN.split())).out
    assert "Game over after 5 moves: x won." in printed
    assert printed.count("Game over") == 1


def test_a_draw_is_announced_with_its_reason(plywise: Plywise) -> None:
    moves = ["a1", "b1", "c1", "b2", "a2", "a3", "b3", "c2", "c3"]
    printed = plywise(*BOTH, typed=typed(*moves)).out
    assert "Game over after 9 moves: a draw, by the rules." in printed


def test_a_draw_by_repetition_says_so(plywise: Plywise) -> None:
    moves = ["1-6", "32-27", "6-1", "27-32"] * 2
    start = ("--position", "B:WK32:BK1")
    printed = plywise("play", "draughts", "--side", "both", *start, typed=typed(*moves)).out
    assert "a draw, the position has occurred 3 times." in printed


def test_a_draw_by_the_clock_says_so(plywise: Plywise) -> None:
    start = ("--position", "B:WK32:BK1:H79")
    printed = plywise("play", "draughts", "--side", "both", *start, typed=typed("1-6")).out
    assert "a draw, nothing irreversible has happened for 80 plies." in printed


def test_the_opponent_answers(plywise: Plywise) -> None:
    printed = plywise("play", "tictactoe", *FAST, typed=typed("b2")).out
    assert "o played " in printed
    assert "depth 2" in printed
    assert "last move" in printed


def test_programs_play_each_other(plywise: Plywise) -> None:
    done = plywise("play", "tictactoe", "--side", "none", *FAST)
    assert done.code == 0
    assert "Game over after" in done.out


def test_the_opponent_is_named_where_none_was_asked_for(
    tmp_path: Path, plywise: Plywise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = plywise("play", "tictactoe")
    assert done.err == "Opponent: mcts, level 10"
    assert "(x: you, o: mcts,level=10)" in done.out
    assert plywise("play", "tictactoe", *FAST).err == ""


def test_the_model_that_was_trained_last_is_the_opponent(
    tmp_path: Path, plywise: Plywise, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("tictactoe")
    folder = tmp_path / "runs" / "mine"
    folder.mkdir(parents=True)
    save_model(Model(make_evaluator("material", game)), folder / "model.safetensors")
    monkeypatch.chdir(tmp_path)
    done = plywise("play", "tictactoe", "--level", "2", typed=typed("b2"))
    assert done.err == "Opponent: runs/mine/model.safetensors, level 2"
    assert "o played " in done.out


def test_a_level_has_its_own_budget(plywise: Plywise) -> None:
    opponent = ("play", "tictactoe", "--opponent", "alphabeta,depth=9")
    assert "o: alphabeta,level=4" in plywise(*opponent, "--level", "4").out
    assert "not both" in plywise(*opponent, "--level", "4", "--seconds", "1").err
    assert "a whole number from 1 to 10" in plywise(*opponent, "--level", "0").err
    assert "'random' has no level" in plywise(*opponent[:-1], "random", "--level", "4").err


@pytest.mark.parametrize("budget", ["nodes=100", "level=3"])
def test_an_opponent_with_a_budget_gets_no_other_time(budget: str, plywise: Plywise) -> None:
    done = plywise("play", "tictactoe", "--opponent", f"mcts,{budget}", "--seconds", "2")
    assert (done.code, done.out) == (2, "")
    assert f"Say {budget} or --seconds, not both" in done.err


def test_the_same_seed_plays_the_same(plywise: Plywise) -> None:
    arguments = ("play", "tictactoe", "--side", "none", "--opponent", "random", "--seed")
    games = [plywise(*arguments, seed).out for seed in ("4", "4", "5")]
    assert games[0] == games[1] != games[2]


def test_a_person_may_play_a_side_by_its_name(plywise: Plywise) -> None:
    printed = plywise("play", "reversi", "--side", "White", *FAST).out
    assert "(black: alphabeta,depth=2, white: you)" in printed
    assert "black played" in printed


def test_a_wrong_move_is_answered_with_the_legal_ones(plywise: Plywise) -> None:
    printed = plywise("play", "connect4", "--side", "both", typed=typed("9")).out
    assert "'9' is not a legal move here; legal: 1 2 3 4 5 6 7." in printed


# ---------------------------------------------------------------- commands


def test_a_mistyped_command_is_answered_with_the_nearest(plywise: Plywise) -> None:
    assert "did you mean resign?" in plywise(*BOTH, typed=typed("resing")).out


def test_help_names_every_command(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed("help")).out
    commands = ["hint", "undo", "switch", "save", "load", "resign", "moves", "board", "new"]
    for name in [*commands, "level", "seconds", "help", "quit"]:
        assert f"  {name}" in printed


def test_moves_lists_the_legal_ones(plywise: Plywise) -> None:
    assert "9 legal: a3 b3 c3" in plywise(*BOTH, typed=typed("moves")).out


def test_undo_takes_back_the_answer_too(plywise: Plywise) -> None:
    printed = plywise("play", "tictactoe", *FAST, typed=typed("b2", "undo", "moves")).out
    assert "Took back 2 moves." in printed
    assert "9 legal" in printed


def test_undo_between_two_people_takes_back_one_move(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed("b2", "undo", "undo")).out
    assert "Took back 1 move." in printed
    assert "There is no move of yours to take back." in printed


def test_undo_after_the_end_goes_on(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed(*WIN.split(), "undo", "moves")).out
    assert "5 legal" in printed


def test_resigning_ends_the_game_and_undo_reopens_it(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed("b2", "resign", "undo", "moves")).out
    assert "Game over after 1 move: o resigned, x won." in printed
    assert "8 legal" in printed


def test_switch_changes_sides(plywise: Plywise) -> None:
    printed = plywise("play", "tictactoe", *FAST, typed=typed("switch")).out
    assert "You play o now." in printed
    assert "x played" in printed


def test_hint_shows_a_winning_line(plywise: Plywise) -> None:
    start = ("--position", "xx./oo./... x")
    printed = plywise("play", "tictactoe", *FAST, *start, typed=typed("hint")).out
    assert "Hint: c3  (wins in 1 ply;" in printed


def test_level_makes_the_opponent_weaker_or_stronger(plywise: Plywise) -> None:
    printed = plywise("play", "tictactoe", *FAST, typed=typed("level 3", "level 11")).out
    assert "The opponent is alphabeta,level=3 now." in printed
    assert "A level is a whole number from 1 to 10, like level 3, not '11'." in printed


def test_seconds_changes_the_time(plywise: Plywise) -> None:
    typing = typed("seconds 0.25", "seconds x", "seconds 0")
    printed = plywise("play", "tictactoe", "--opponent", "mcts,level=3", typed=typing).out
    assert "The opponent is mcts,seconds=0.25 now." in printed
    assert "A time is a number, like seconds 2, not 'x'." in printed
    assert "A time is a number above 0" in printed


def test_new_begins_again(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed(*WIN.split(), "new", "moves")).out
    assert "9 legal" in printed


def test_after_the_end_a_move_is_refused(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed(*WIN.split(), "c3")).out
    assert "(undo, new, save, load or quit)> " in printed
    assert "The game is over: undo, new, save, load or quit." in printed


def test_board_is_drawn_again_on_request(plywise: Plywise) -> None:
    printed = plywise(*BOTH, typed=typed("board")).out
    assert printed.count("3  ·  ·  ·") == 2


@pytest.mark.parametrize(
    ("names", "line", "is_move"),
    [
        (("Help", "HELP"), "help", False),  # which of the two is not said
        (("Help", "HELP"), "HELP", True),
        (("Help", "other"), "help", True),
    ],
)
def test_a_line_is_a_move_to_the_letter_or_if_its_case_leaves_one(
    tmp_path: Path, plywise: Plywise, names: tuple[str, str], line: str, is_move: bool
) -> None:
    path = tmp_path / "mine.py"
    naming = f"def name(position, move):\n    return ({names!r} + tuple('cdefghi'))[move]\n"
    source = SMALLEST_GAME.read_text().replace("rules = ", f"{naming}\n\nrules = ")
    path.write_text(source.replace("max_moves=10,", "max_moves=10, format_move=name,"))
    printed = plywise("play", str(path), "--side", "both", typed=typed(line, "moves")).out
    assert ("8 legal" in printed) == is_move
    assert ("Or say:" in printed) != is_move


# ---------------------------------------------------------------- saving


def test_a_saved_game_goes_on_where_it_was(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "game.json"
    plywise("play", "tictactoe", *FAST, typed=typed("b2", f"save {path}"))
    printed = plywise("play", "--load", str(path), typed=typed("moves")).out
    assert "(x: you, o: alphabeta,depth=2)" in printed
    assert "7 legal" in printed


def test_a_game_is_loaded_at_the_prompt(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "game.json"
    plywise(*BOTH, typed=typed("b2", f"save {path}"))
    printed = plywise("play", "tictactoe", *FAST, typed=typed(f"load {path}", "moves")).out
    assert "(x: you, o: you)" in printed
    assert "8 legal" in printed


def test_a_game_of_another_kind_is_refused(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "game.json"
    plywise(*BOTH, typed=typed("b2", f"save {path}"))
    done = plywise("play", "connect4", "--load", str(path))
    assert done.code == 2
    assert done.err == "plywise: That is a game of tictactoe, not of connect4."


def test_a_game_of_rules_that_are_not_built_in_asks_for_their_file(
    tmp_path: Path, plywise: Plywise
) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text('{"game": "nim", "players": ["human", "mcts"], "moves": []}')
    done = plywise("play", "--load", str(path))
    assert (done.code, done.out) == (2, "")
    assert f"name the file of its rules, plywise play FILE.py --load {path}" in done.err


def test_leaving_tells_how_to_go_on(plywise: Plywise) -> None:
    done = plywise(*BOTH, typed=typed("b2", "quit"))
    assert done.code == 0
    path = done.out.rpartition("--load ")[2].strip()
    assert "o to move" in plywise("play", "--load", path).out


def test_a_finished_game_is_left_without_a_word(plywise: Plywise) -> None:
    assert "--load" not in plywise(*BOTH, typed=typed(*WIN.split(), "quit")).out


def test_play_goes_on_where_nothing_can_be_kept(
    tmp_path: Path, plywise: Plywise, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    printed = plywise(*BOTH, typed=typed("b2", "a1")).out
    assert printed.count("The game is not kept automatically") == 1
    assert "x to move" in printed


def test_a_game_from_a_file_is_loaded_by_its_path(tmp_path: Path, plywise: Plywise) -> None:
    source = SMALLEST_GAME
    game, saved = tmp_path / "mine.py", tmp_path / "game.json"
    game.write_text(source.read_text())
    plywise("play", f"{game}:tictactoe", "--side", "both", typed=typed("b2", f"save {saved}"))
    assert "8 legal" in plywise("play", "--load", str(saved), typed=typed("moves")).out


# ---------------------------------------------------------------- a real terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Any:
    """Return a function that starts the program on a terminal."""
    started: list[Any] = []

    def start(*arguments: str, **environment: str) -> Any:
        child = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], *arguments],
            env={**os.environ, "TERM": "xterm-256color", **environment},
            encoding="utf-8",
            timeout=120,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def test_ctrl_c_makes_the_opponent_move_at_once(terminal: Any) -> None:
    child = terminal("play", "connect4", "--seconds", "1000")
    child.expect("yellow> ")
    child.sendline("4")
    child.expect("waiting for red")
    child.sendintr()
    child.expect("red played ")
    child.expect("yellow> ")
    child.sendintr()
    child.expect("go on with: plywise play --load ")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_ctrl_d_leaves(terminal: Any) -> None:
    child = terminal(*BOTH)
    child.expect("x> ")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.mark.parametrize(("setting", "has_colour"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals_that_want_them(
    terminal: Any, setting: dict[str, str], has_colour: bool
) -> None:
    child = terminal(*BOTH, **setting)
    child.expect("x> ")
    assert ("\x1b[38;5;" in child.before) == has_colour


def test_a_game_is_saved_as_its_name_says_and_loaded_again(
    tmp_path: Path, plywise: Plywise
) -> None:
    for name in ("game.jsonl", "game.pgn"):
        path = tmp_path / name
        plywise(*BOTH, typed=typed("b2", f"save {path}", "a1", f"save {path}"))
        done = plywise("play", "--load", str(path), "--side", "both", typed=typed("moves"))
        assert "7 legal" in done.out
        path.write_text(2 * path.read_text())
        assert "not this one game" in plywise(*BOTH, typed=typed(f"save {path}")).out


def test_a_game_of_strangers_is_gone_on_with(tmp_path: Path, plywise: Plywise) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[Game "tictactoe"]\n[X "Ann"]\n[O "Bob"]\n\n1. b2 a1 *\n')
    done = plywise("play", "--load", str(path), "-o", "random", typed=typed("moves"))
    assert "x: you, o: random" in done.out
    assert "7 legal" in done.out


def test_lines_are_broken_between_moves(plywise: Plywise, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    for console in (out, err):
        console.cache_clear()
    try:
        printed = plywise(*BOTH, typed=typed("moves")).out
    finally:
        for console in (out, err):
            console.cache_clear()
    words = {cell for line in printed.splitlines() for cell in line.split()}
    assert {f"{column}{row}" for column in "abc" for row in "123"} <= words
