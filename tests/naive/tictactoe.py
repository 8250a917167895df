"""Tic-tac-toe: squares a1 to c3, rank 1 at the bottom; x is side 0 and begins."""

from typing import NamedTuple

from . import EMPTY, PIECES, Board, format_grid, has_line, parse_grid, place


class State(NamedTuple):
    """A position."""

    board: Board
    side: int


def initial() -> State:
    """Return the first position."""
    return State(("...", "...", "..."), 0)


def moves(state: State) -> list[str]:
    """Return the empty squares, none when the game is over."""
    if result(state) is not None:
        return []
    return sorted(
        "abc"[column] + str(3 - row)
        for row in range(3)
        for column in range(3)
        if state.board[row][column] == EMPTY
    )


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    row, column = 3 - int(text[1]), "abc".index(text[0])
    return State(place(state.board, row, column, PIECES[state.side]), 1 - state.side)


def result(state: State) -> int | None:
    """Return -1 after the opponent's three in a row, 0 for a full board, else None."""
    if has_line(state.board, PIECES[1 - state.side], 3):
        return -1
    if not any(EMPTY in row for row in state.board):
        return 0
    return None


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return the position as text: `.../.x./..o x`."""
    return format_grid(state.board, state.side)


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    return State(*parse_grid(text, 3, 3))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
