"""A game in which every move is noisy, and the noise has no end before ply 60.

The first move is the only one, so that whoever looks at it looks at all that follows.
"""

from typing import Any

from plywise.game import DRAW, ONGOING, Game

MOVES = 12


def initial() -> Any:
    return 0, 1  # plies, and what the moves made of a number


def moves(position: Any, out: Any) -> Any:
    for move in range(MOVES):
        out[move] = move
    return MOVES if position[0] > 0 else 1


def apply(position: Any, move: Any) -> Any:
    return position[0] + 1, (position[1] * 31 + move * 7 + 3) % 65521


def result(position: Any) -> Any:
    return DRAW if position[0] == 60 else ONGOING


def side(position: Any) -> Any:
    return position[0] % 2


def noisy(position: Any, move: Any) -> Any:
    return True


brawl = Game(
    "brawl",
    words=2,
    max_moves=MOVES,
    initial=initial,
    moves=moves,
    apply=apply,
    result=result,
    side=side,
    noisy=noisy,
)
