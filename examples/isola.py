"""Isola on 6 x 6: a piece steps to a cell next to it, and then a cell is taken off the board.

Who cannot step has lost, so who makes the last move wins. Bit i is cell i, row by row from the top.
A move is end << 6 | taken; the cell that the piece has left may be taken.
"""

from plywise import LOSS, ONGOING, Game, Grid, lowest

SIZE = 6
CELLS = SIZE * SIZE
FULL = (1 << CELLS) - 1
TAKEN = 2  # the code of a cell that is no more


def around(middle):
    """Return the cells next to a cell, those across a corner too."""
    row, column = divmod(middle, SIZE)
    steps = [max(abs(cell // SIZE - row), abs(cell % SIZE - column)) for cell in range(CELLS)]
    return sum(1 << cell for cell in range(CELLS) if steps[cell] == 1)


AROUND = tuple(around(cell) for cell in range(CELLS))


def initial():
    return 1 << 32, 1 << 3, 0, 0  # mine, theirs, taken cells, turn


def moves(position, out):
    mine, theirs, gone, _ = position
    free = FULL & ~(theirs | gone)
    ends = free & AROUND[lowest(mine)]
    count = 0
    while ends != 0:
        end = lowest(ends)
        takes = free ^ 1 << end
        while takes != 0:
            out[count] = end << 6 | lowest(takes)
            count += 1
            takes &= takes - 1  # without its lowest bit
        ends &= ends - 1
    return count


def apply(position, move):
    _, theirs, gone, turn = position
    return theirs, 1 << (move >> 6), gone | 1 << (move & 63), 1 - turn


def result(position):
    mine, theirs, gone, _ = position
    return LOSS if AROUND[lowest(mine)] & FULL & ~(theirs | gone) == 0 else ONGOING


def side(position):
    return position[3]


def cells(position, out):
    mine, theirs, gone, turn = position
    first, second = (mine, theirs) if turn == 0 else (theirs, mine)
    for cell in range(CELLS):
        out[cell] = TAKEN * (gone >> cell & 1)
    out[lowest(first)], out[lowest(second)] = 1, -1


def from_cells(codes, side):
    first, second, gone = (
        sum(1 << cell for cell, code in enumerate(codes) if code == wanted)
        for wanted in (1, -1, TAKEN)
    )
    return (second, first, gone, 1) if side else (first, second, gone, 0)


def format_move(position, move):
    return f"{board.cells[move >> 6].name}-{board.cells[move & 63].name}"


board = Grid(SIZE, SIZE, glyphs={1: "x", -1: "o", TAKEN: "#"})
rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
text = dict(cells=cells, from_cells=from_cells, picture=board, format_move=format_move)
most = 8 * (CELLS - 2)  # steps, and cells that may be taken after each
isola = Game("isola", words=4, max_moves=most, **rules, **text, sides=("red", "blue"))
