"""Breakthrough on 8 x 8, as a user would write it: rules, and one line for the board.

Pieces step forward, straight or diagonally, and take diagonally. Whoever first reaches the
far row, or takes everything, wins. Bit i is cell i, row by row from the top.
"""

from plywise import LOSS, ONGOING, Game, Grid
from plywise.game.bitboards import cells, from_cells


def initial():
    return 0xFFFF << 48, 0xFFFF, 0  # mine, theirs, turn: side 0 starts at the bottom


def moves(position, out):
    mine, theirs, turn = position
    count = 0
    for start in range(64):
        if mine >> start & 1:
            ahead = start - 8 if turn == 0 else start + 8
            for side_step in (-1, 0, 1):
                end = ahead + side_step
                blocked = mine | theirs if side_step == 0 else mine
                if 0 <= start % 8 + side_step < 8 and blocked >> end & 1 == 0:
                    out[count] = start << 6 | end
                    count += 1
    return count


def apply(position, move):
    mine, theirs, turn = position
    start, end = 1 << (move >> 6), 1 << (move & 63)
    return theirs & ~end, (mine ^ start) | end, 1 - turn


def result(position):
    mine, theirs, turn = position
    far_row = 56 if turn == 0 else 0  # where the side that has just moved wants to be
    return LOSS if theirs >> far_row & 0xFF or mine == 0 else ONGOING


def side(position):
    return position[2]


def noisy(position, move):
    return position[1] >> (move & 63) & 1 == 1


def format_move(position, move):
    return board.cells[move >> 6].name + board.cells[move & 63].name


board = Grid(8, 8)
rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side, noisy=noisy)
text = dict(cells=cells, from_cells=from_cells, picture=board, format_move=format_move)
breakthrough = Game("breakthrough", words=3, **rules, **text, sides=("white", "black"))
