"""Hex on 7 x 7: red builds a chain from top to bottom, blue one from left to right.

Stones are set on empty cells and stay. There is no draw: a full board has one chain or the other,
never both. Bit i is cell i, row by row from the top; each row lies half a cell further right.
"""

from plywise import LOSS, ONGOING, Game, Hexagons
from plywise.game.bitboards import cells, from_cells

SIZE = 7
ALL = (1 << SIZE * SIZE) - 1
TOP = (1 << SIZE) - 1
BOTTOM = TOP << SIZE * (SIZE - 1)
LEFT = sum(1 << SIZE * row for row in range(SIZE))
RIGHT = LEFT << SIZE - 1


def initial():
    return 0, 0, 0  # mine, theirs, turn


def moves(position, out):
    taken = position[0] | position[1]
    count = 0
    for cell in range(SIZE * SIZE):
        if taken >> cell & 1 == 0:
            out[count] = cell
            count += 1
    return count


def apply(position, move):
    mine, theirs, turn = position
    return theirs, mine | 1 << move, 1 - turn


def spread(area):
    """Return an area and all cells next to it; bits beyond the board mean nothing."""
    east, west = area & (ALL ^ RIGHT), area & (ALL ^ LEFT)  # what has a cell on that side
    above, below = area >> SIZE | east >> SIZE - 1, area << SIZE | west << SIZE - 1
    return area | east << 1 | west >> 1 | above | below


def has_chain(stones, start, goal):
    """Return whether stones lead from one edge to another: flood them from the first."""
    before, flooded = 0, stones & start
    while flooded != before:
        before, flooded = flooded, stones & spread(flooded)
    return flooded & goal != 0


def result(position):
    theirs, turn = position[1], position[2]
    has_lost = has_chain(theirs, LEFT, RIGHT) if turn == 0 else has_chain(theirs, TOP, BOTTOM)
    return LOSS if has_lost else ONGOING


def side(position):
    return position[2]


rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
board = dict(cells=cells, from_cells=from_cells, picture=Hexagons(SIZE, SIZE))
hex = Game("hex", words=3, **rules, **board, sides=("red", "blue"))
