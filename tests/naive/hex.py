"""Hex on 7 x 7: cells a1 to g7, a1 at the upper left; x is red, side 0, and begins.

Red wants a chain from the first row to the last, blue one from the first column to the last.
"""

from typing import NamedTuple

from . import EMPTY, PIECES, Board, format_grid, parse_grid, place

SIZE = 7
NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


class State(NamedTuple):
    """A position."""

    board: Board
    side: int


def initial() -> State:
    """Return the first position."""
    return State(("." * SIZE,) * SIZE, 0)


def moves(state: State) -> list[str]:
    """Return the empty cells, none when the game is over."""
    if result(state) is not None:
        return []
    return [
        "abcdefg"[column] + str(row + 1)
        for row in range(SIZE)
        for column in range(SIZE)
        if state.board[row][column] == EMPTY
    ]


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    row, column = int(text[1]) - 1, "abcdefg".index(text[0])
    return State(place(state.board, row, column, PIECES[state.side]), 1 - state.side)


def has_chain(board: Board, side: int) -> bool:
    """Tell whether a side's stones join its two edges: walk from one edge as far as they lead."""
    edge = [(0, place) if side == 0 else (place, 0) for place in range(SIZE)]
    waiting = [(row, column) for row, column in edge if board[row][column] == PIECES[side]]
    visited = set(waiting)
    while waiting:
        row, column = waiting.pop()
        if (row if side == 0 else column) == SIZE - 1:
            return True
        for down, right in NEIGHBOURS:
            r, c = row + down, column + right
            if 0 <= r < SIZE and 0 <= c < SIZE and (r, c) not in visited:
                if board[r][c] == PIECES[side]:
                    visited.add((r, c))
                    waiting.append((r, c))
    return False


def result(state: State) -> int | None:
    """Return -1 when the other side has its chain, else None."""
    return -1 if has_chain(state.board, 1 - state.side) else None


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return the position as text: seven rows from the top, then the side to move."""
    return format_grid(state.board, state.side)


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    return State(*parse_grid(text, SIZE, SIZE))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
