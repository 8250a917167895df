"""A heap of stones: take one, two or three; who takes two moves again.

Who is to move when nothing is left has lost, also after taking the last two.

A position is (stones, turn). Its exact value is easy to find by hand, see `exact`.
"""

import functools
from typing import Any

import numpy as np

from plywise import LOSS, ONGOING, WIN, Game
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word

STONES = 21


def initial() -> Position:
    return np.uint64(STONES), ZERO


def moves(position: Position, out: Any) -> Whole:
    count: Whole = 0
    for taken in range(1, 4):
        if position[0] >= np.uint64(taken):
            out[count] = taken
            count += 1
    return count


def apply(position: Position, move: Word) -> Position:
    stones, turn = position
    return stones - move, turn if move == np.uint64(2) else turn ^ ONE


def result(position: Position) -> Whole:
    """Who took the last stones has won; with two of them it is still his turn."""
    if position[0] != ZERO:
        return ONGOING
    return LOSS


def side(position: Position) -> Whole:
    return np.int64(position[1])


def parse_position(text: str) -> tuple[int, int]:
    stones, turn = text.split()
    return int(stones), int(turn)


again = Game(
    "again",
    words=2,
    initial=initial,
    moves=moves,
    apply=apply,
    result=result,
    side=side,
    alternates=False,
    max_moves=3,
    format_position=lambda position: f"{position[0]} {position[1]}",
    parse_position=parse_position,
)


@functools.cache
def exact(stones: int) -> int:
    """Return WIN or LOSS for who is to move, by trying everything."""
    if stones == 0:
        return LOSS
    values = [exact(stones - n) if n == 2 else -exact(stones - n) for n in (1, 2, 3) if n <= stones]
    return WIN if WIN in values else LOSS
