"""Connect Four: 7 columns of 6; a move is its column, '1' to '7'; x is side 0 and begins."""

from typing import NamedTuple

from . import EMPTY, PIECES, Board, format_grid, has_line, parse_grid, place


class State(NamedTuple):
    """A position."""

    board: Board
    side: int


def initial() -> State:
    """Return the first position."""
    return State(("." * 7,) * 6, 0)


def moves(state: State) -> list[str]:
    """Return the columns that are not full, none when the game is over."""
    if result(state) is not None:
        return []
    return [str(column + 1) for column in range(7) if state.board[0][column] == EMPTY]


def apply(state: State, text: str) -> State:
    """Return the position after a stone has dropped into the column."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    column = int(text) - 1
    row = max(row for row in range(6) if state.board[row][column] == EMPTY)
    return State(place(state.board, row, column, PIECES[state.side]), 1 - state.side)


def result(state: State) -> int | None:
    """Return -1 after the opponent's four in a row, 0 for a full board, else None."""
    if has_line(state.board, PIECES[1 - state.side], 4):
        return -1
    if EMPTY not in state.board[0]:
        return 0
    return None


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return the position as text: six rows from the top, then the side to move."""
    return format_grid(state.board, state.side)


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    return State(*parse_grid(text, 6, 7))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
