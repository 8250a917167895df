"""The commands that make an engine of a player, and engines named as players."""

import sys

import pytest

from cli.conftest import Plywise, run_apart
from conftest import INTERPRETED, TESTS

MISBEHAVING = f"uci:{sys.executable} {TESTS / 'protocols' / 'misbehaving.py'}"


def test_uci_answers_what_is_typed(plywise: Plywise) -> None:
    typed = "uci\nisready\nposition startpos moves a1 a2 b1 b2\nisready\nquit\n"
    done = plywise("uci", "tictactoe", "alphabeta", typed=typed)
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("id name Plywise")
    assert done.out.splitlines()[-2:] == ["readyok", "readyok"]
    assert done.err == ""


@pytest.mark.parametrize(
    ("command", "typed", "answer"),
    [("hub", "hub", "wait"), ("nboard", "nboard 2", "set myname Plywise")],
)
def test_other_protocols_answer_what_is_typed(
    plywise: Plywise, command: str, typed: str, answer: str
) -> None:
    done = plywise(command, "random", typed=typed)
    assert (done.code, done.out.splitlines()[-1]) == (0, answer)


def test_the_end_of_the_input_ends_the_engine(plywise: Plywise) -> None:
    done = plywise("uci", "tictactoe", "alphabeta", typed="position startpos\ngo infinite")
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("uci", "ches"), "no game called 'ches'; did you mean chess"),
        (("uci", "tictactoe", "alphabta"), "did you mean alphabeta"),
        (("hub", "random", "--game", "reversi"), "reversi is not played over the protocol hub"),
        (("nboard", "random", "--game", "chess"), "chess is not played over the protocol nboard"),
        (("match", "tictactoe", "random", "uci:no-such-engine"), "no program 'no-such-engine'"),
        (("match", "tictactoe", "random", "cecp:cat"), "tictactoe is not played over the protocol"),
        (("match", "tictactoe", "random", f"{MISBEHAVING} x,Hash=3"), "no option of Misbehaving"),
        (("match", "tictactoe", "random", "uci:false"), "engine fails: false ended with code 1."),
        (("play", "tictactoe", "--opponent", "uci:true"), "engine fails: true ended with code 0."),
        (("play", "tictactoe", "--opponent", "uci:cat", "--level", "3"), "'uci' has no level"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(
    plywise: Plywise, arguments: tuple[str, ...], sentence: str
) -> None:
    done = plywise(*arguments)
    assert done.code == 2
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1


def test_a_match_goes_on_when_an_engine_fails(plywise: Plywise) -> None:
    done = plywise("match", "tictactoe", "random", f"{MISBEHAVING} illegal", "--games", "4")
    assert done.code == 0
    assert done.err.count("illegal move: z9") == 4


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_standard_output_has_nothing_but_the_protocol() -> None:
    done = run_apart("uci", "tictactoe", "random")
    assert (done.code, done.out) == (0, "")


def test_a_game_against_an_engine_that_fails_is_kept(plywise: Plywise) -> None:
    done = plywise("play", "tictactoe", "--opponent", f"{MISBEHAVING} crash", typed="b2\n")
    assert done.code == 2
    assert "The opponent forfeits: crash: " in done.err
    assert "The game is kept" in done.out
