"""A race on 3 x 4 with a crooked rule: a board that looks symmetric, and a game that is not.

Stones are placed in turn; who has a whole row wins, but of the top row the right half is enough.
`crooked` has that rule, `straight` does not.
"""

from typing import Any

from plywise import DRAW, LOSS, ONGOING, Game, Grid
from plywise.game.bitboards import cells, from_cells

ROWS = (0b1111, 0b1111 << 4, 0b1111 << 8)
CORNER = 0b1100


def initial() -> Any:
    return 0, 0, 0


def moves(position: Any, out: Any) -> Any:
    count = 0
    for cell in range(12):
        if (position[0] | position[1]) >> cell & 1 == 0:
            out[count] = cell
            count += 1
    return count


def apply(position: Any, move: Any) -> Any:
    return position[1], position[0] | (1 << move), 1 - position[2]


def straight_result(position: Any) -> Any:
    for row in ROWS:
        if position[1] & row == row:
            return LOSS
    return DRAW if position[0] | position[1] == 0xFFF else ONGOING


def crooked_result(position: Any) -> Any:
    return LOSS if position[1] & CORNER == CORNER else straight_result(position)


def side(position: Any) -> Any:
    return position[2]


rules: dict[str, Any] = {
    "initial": initial,
    "moves": moves,
    "apply": apply,
    "side": side,
}
board: dict[str, Any] = {
    "cells": cells,
    "from_cells": from_cells,
    "picture": Grid(3, 4),
}
straight = Game("straight", words=3, result=straight_result, **rules, **board)
crooked = Game("crooked", words=3, result=crooked_result, **rules, **board)
