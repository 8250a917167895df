"""Tic-tac-toe, the smallest complete game: bit i of a word is cell i, row by row from the top."""

from plywise import DRAW, LOSS, ONGOING, About, Bench, Game, Grid
from plywise.game.bitboards import cells, from_cells

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


def initial():
    return 0, 0, 0  # the stones of the side to move, those of the other side, whose turn it is


def moves(position, out):
    count = 0
    for cell in range(9):
        out[count] = cell
        count += (position[0] | position[1]) >> cell & 1 == 0
    return count


def apply(position, move):
    return position[1], position[0] | (1 << move), 1 - position[2]


def result(position):
    for line in LINES:
        if position[1] & line == line:
            return LOSS
    return DRAW if position[0] | position[1] == 0o777 else ONGOING


def side(position):
    return position[2]


rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
board = dict(cells=cells, from_cells=from_cells, picture=Grid(3, 3, glyphs={1: "x", -1: "o"}))
more = dict(sides=("x", "o"), about=About(bench=Bench(9, ("start", "..x/.o./... x"))))
tictactoe = Game("tictactoe", words=3, max_moves=10, **rules, **board, **more)
