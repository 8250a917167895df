"""What `Game` is told and cannot be meant is refused in one sentence, with nothing compiled."""

import functools
from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED
from plywise import LOSS, ONGOING, Game
from plywise.errors import PlywiseError

COUNT = 3


def initial() -> Any:
    return 7, 0


def moves(position: Any, out: Any) -> int:
    for take in range(COUNT):
        out[take] = take + 1
    return COUNT


def apply(position: Any, move: Any) -> Any:
    return position[0] - move, 1 - position[1]


def result(position: Any) -> int:
    return LOSS if position[0] == 0 else ONGOING


def side(position: Any) -> Any:
    return position[1]


def printing(position: Any) -> int:
    print(position[0])
    return 0


def calls_printing(position: Any) -> int:
    return printing(position)


def with_keyword(position: Any, *, least: int = 0) -> int:
    return least


def exchanged(move: Any, position: Any) -> Any:
    return position[0] - move, 1 - position[1]


class Rules:
    def clock(self, position: Any) -> int:
        return 0


FIVE = {"initial": initial, "moves": moves, "apply": apply, "result": result, "side": side}
GOOD: dict[str, Any] = {"name": "small", "words": 2, **FIVE}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {  # name: what is said, words of the answer
    "a name of two words": ({"name": "my game"}, "one plain word, not 'my game'"),
    "a number for a name": ({"name": 5}, "one plain word, not 5"),
    "no words": ({"words": 0}, "words=0; it is a whole number from 1 to 256"),
    "half a word": ({"words": 2.5}, "words=2.5"),
    "words as text": ({"words": "2"}, "words='2'"),
    "yes many words": ({"words": True}, "words=True"),
    "no moves": ({"max_moves": 0}, "max_moves=0; it is a whole number from 1 to 65536"),
    "moves below zero": ({"max_moves": -5}, "max_moves=-5"),
    "too many moves": ({"max_moves": 10**12}, "max_moves=1000000000000"),
    "half a move": ({"max_moves": 3.5}, "max_moves=3.5"),
    "repeated too seldom": ({"repetitions": -1}, "repetitions=-1"),
    "a clock of text": ({"clock_limit": "50"}, "clock_limit='50'"),
    "a word for no": ({"alternates": "no"}, "alternates='no'; it is True or False"),
    "no sides": ({"sides": None}, 'sides=None; give two names, as in sides=("black", "white")'),
    "one side": ({"sides": ("me",)}, "sides=('me',)"),
    "a text for sides": ({"sides": "ab"}, "sides='ab'"),
    "numbers for sides": ({"sides": (1, 2)}, "sides=(1, 2)"),
    "a side that paints": ({"sides": ("a", "\x1b[31mb")}, "give two names"),
    "a text for a picture": ({"picture": "grid"}, "picture='grid'; give a board"),
    "a number for a function": ({"cells": 5}, "given 5 for `cells`; write a plain function"),
    "a built-in function": ({"hash": hash}, "for `hash`; write a plain function"),
    "a method": ({"clock": Rules().clock}, "for `clock`; write a plain function"),
    "a part of a function": ({"clock": functools.partial(side)}, "write a plain function"),
    "a text for a text": ({"format_move": "e4"}, "'e4' for `format_move`; it is a function"),
    "names for a side": ({"side": ("black", "white")}, "The names of the sides are `sides`."),
    "a misspelt number": ({"max_move": 50}, "given 'max_move'; did you mean max_moves?"),
    "a number in the singular": ({"repetition": 3}, "did you mean repetitions?"),
    "a misspelt text": ({"format_moves": str}, "did you mean format_move?"),
    "a misspelt function": ({"quiet": side}, "given 'quiet'; did you mean is_quiet?"),
    "parameters exchanged": (
        {"apply": exchanged},
        "`apply` takes (move, position) (line 51), but it is called with (position, move): write "
        "`def apply(position, move):`.",
    ),
    "a parameter after a star": ({"clock": with_keyword}, "`clock` (line "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_meant_is_refused(name: str) -> None:
    said, words = REFUSED[name]
    with pytest.raises(PlywiseError) as refused:
        Game(**{**GOOD, **said})
    assert words in str(refused.value)


@pytest.mark.skipif(INTERPRETED, reason="plain Python may print")
@pytest.mark.parametrize("function", [printing, calls_printing])
def test_rules_that_print_are_refused_since_they_would_wait_for_ever(function: Any) -> None:
    with pytest.raises(PlywiseError, match="prints, which compiled rules cannot: take it out"):
        Game(**{**GOOD, "clock": function})


def test_numbers_of_numpy_are_numbers() -> None:
    game = Game(**{**GOOD, "max_moves": np.int64(3)})
    assert type(game.rules.max_moves) is int
