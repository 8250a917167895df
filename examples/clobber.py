"""Clobber on five rows of six: every move takes, and who makes the last move wins.

A stone moves onto a stone of the other side that is beside, above or below it, and takes it. Bit i
is cell i, row by row from the top. A move is start << 6 | end.
"""

from plywise import LOSS, ONGOING, Game, Grid, lowest
from plywise.game.bitboards import cells, from_cells

ROWS, COLUMNS = 5, 6
CELLS = ROWS * COLUMNS
board = Grid(ROWS, COLUMNS)
BESIDE = tuple(sum(1 << cell for cell in near) for near in board.neighbours())
WHITE = sum(1 << cell for cell in range(CELLS) if (cell // COLUMNS + cell % COLUMNS) % 2 == 0)
BLACK = (1 << CELLS) - 1 - WHITE


def initial():
    return WHITE, BLACK, 0  # mine, theirs, turn


def moves(position, out):
    mine, theirs, _ = position
    count = 0
    for start in range(CELLS):
        if mine >> start & 1:
            targets = theirs & BESIDE[start]
            while targets != 0:
                out[count] = start << 6 | lowest(targets)
                count += 1
                targets &= targets - 1  # without its lowest bit
    return count


def apply(position, move):
    mine, theirs, turn = position
    start, end = 1 << (move >> 6), 1 << (move & 63)
    return theirs ^ end, mine ^ start ^ end, 1 - turn


def result(position):
    return ONGOING  # as long as there is a move


def stuck(position):
    return LOSS  # who cannot move has lost


def side(position):
    return position[2]


def format_move(position, move):
    return board.cells[move >> 6].name + board.cells[move & 63].name


rules = dict(initial=initial, moves=moves, apply=apply, result=result, stuck=stuck, side=side)
text = dict(cells=cells, from_cells=from_cells, picture=board, format_move=format_move)
clobber = Game("clobber", words=3, **rules, **text, sides=("white", "black"))
