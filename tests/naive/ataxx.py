"""Ataxx on 6 x 6: cells a1 to f6, a1 at the lower left; x is red, side 0, and begins.

A clone is written as the cell where it grows, a jump as the cells where it starts and ends.
"""

from typing import NamedTuple

from . import EMPTY, PIECES, Board, format_grid, parse_grid, place

SIZE = 6
PASS = "pass"
Cell = tuple[int, int]  # row from the top, column


class State(NamedTuple):
    """A position."""

    board: Board
    side: int


def _name(cell: Cell) -> str:
    return "abcdef"[cell[1]] + str(SIZE - cell[0])


def _cell(name: str) -> Cell:
    return SIZE - int(name[1]), "abcdef".index(name[0])


def _all_with(board: Board, piece: str) -> list[Cell]:
    """Return the cells with that piece."""
    rows = range(SIZE)
    return [(row, column) for row in rows for column in rows if board[row][column] == piece]


def _distance(one: Cell, other: Cell) -> int:
    """Return how many steps of a king lie between two cells."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def initial() -> State:
    """Return the first position."""
    return State(("x....o", "......", "......", "......", "......", "o....x"), 0)


def moves(state: State) -> list[str]:
    """Return clones and jumps, or the pass if there are none, or nothing when the game is over."""
    if result(state) is not None:
        return []
    found = set()
    for start in _all_with(state.board, PIECES[state.side]):
        for end in _all_with(state.board, EMPTY):
            if _distance(start, end) == 1:
                found.add(_name(end))
            if _distance(start, end) == 2:
                found.add(_name(start) + _name(end))
    return sorted(found) or [PASS]


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    board, mine, theirs = state.board, PIECES[state.side], PIECES[1 - state.side]
    if text == PASS:
        return State(board, 1 - state.side)
    if len(text) == 4:
        board = place(board, *_cell(text[:2]), EMPTY)
    end = _cell(text[-2:])
    board = place(board, *end, mine)
    for cell in _all_with(board, theirs):
        if _distance(cell, end) == 1:
            board = place(board, *cell, mine)
    return State(board, 1 - state.side)


def result(state: State) -> int | None:
    """Return who has more pieces when the board is full or a side has none, else None."""
    pieces = "".join(state.board)
    mine, theirs = pieces.count(PIECES[state.side]), pieces.count(PIECES[1 - state.side])
    if EMPTY in pieces and mine and theirs:
        return None
    return (mine > theirs) - (mine < theirs)


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return the position as text: six rows from the top, then the side to move."""
    return format_grid(state.board, state.side)


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    return State(*parse_grid(text, SIZE, SIZE))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length, a pass being a ply."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
