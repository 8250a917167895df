"""Clobber on five rows of six: cells a1 to f5, a1 at the lower left; x is white and begins."""

from typing import NamedTuple

from . import EMPTY, PIECES, Board, format_grid, parse_grid, place

ROWS, COLUMNS = 5, 6


class State(NamedTuple):
    """A position."""

    board: Board
    side: int


def _name(row: int, column: int) -> str:
    return "abcdef"[column] + str(ROWS - row)


def _cell(name: str) -> tuple[int, int]:
    return ROWS - int(name[1]), "abcdef".index(name[0])


def initial() -> State:
    """Return the first position: x on a1 and on every second cell, o on the others."""
    return State(("xoxoxo", "oxoxox", "xoxoxo", "oxoxox", "xoxoxo"), 0)


def moves(state: State) -> list[str]:
    """Return the moves: a piece onto one of the other side that is beside, above or below it."""
    found = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            for r, c in (
                (row - 1, column),
                (row + 1, column),
                (row, column - 1),
                (row, column + 1),
            ):
                if 0 <= r < ROWS and 0 <= c < COLUMNS:
                    here, there = state.board[row][column], state.board[r][c]
                    if here == PIECES[state.side] and there == PIECES[1 - state.side]:
                        found.append(_name(row, column) + _name(r, c))
    return found


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    board = place(state.board, *_cell(text[:2]), EMPTY)
    return State(place(board, *_cell(text[2:]), PIECES[state.side]), 1 - state.side)


def result(state: State) -> int | None:
    """Return -1 when there is no move, else None."""
    return None if moves(state) else -1


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return the position as text: five rows from the top, then the side to move."""
    return format_grid(state.board, state.side)


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    return State(*parse_grid(text, ROWS, COLUMNS))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
