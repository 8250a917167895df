"""Reversi: squares a1 to h8, a1 at the top left; x is black, side 0, and begins."""

from typing import NamedTuple

from . import EMPTY, PIECES, Board, format_grid, parse_grid, place

PASS = "pass"
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


class State(NamedTuple):
    """A position."""

    board: Board
    side: int


def _flipped(state: State, row: int, column: int) -> list[tuple[int, int]]:
    """Return the cells that the side to move would flip by a disc on an empty cell."""
    cells = []
    for down, right in DIRECTIONS:
        line = []
        r, c = row + down, column + right
        while 0 <= r < 8 and 0 <= c < 8 and state.board[r][c] == PIECES[1 - state.side]:
            line.append((r, c))
            r, c = r + down, c + right
        if 0 <= r < 8 and 0 <= c < 8 and state.board[r][c] == PIECES[state.side]:
            cells += line
    return cells


def _placements(state: State) -> list[str]:
    """Return the squares where the side to move flips something."""
    return sorted(
        "abcdefgh"[column] + str(row + 1)
        for row in range(8)
        for column in range(8)
        if state.board[row][column] == EMPTY and _flipped(state, row, column)
    )


def _can_place(state: State, side: int) -> bool:
    """Tell whether that side would have a placement if it were to move."""
    return bool(_placements(State(state.board, side)))


def initial() -> State:
    """Return the first position."""
    empty = "." * 8
    return State((empty,) * 3 + ("...ox...", "...xo...") + (empty,) * 3, 0)


def moves(state: State) -> list[str]:
    """Return the placements, or the pass if only the opponent has some, or none."""
    placements = _placements(state)
    if not placements and _can_place(state, 1 - state.side):
        return [PASS]
    return placements


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    if text == PASS:
        return State(state.board, 1 - state.side)
    row, column = int(text[1]) - 1, "abcdefgh".index(text[0])
    board = place(state.board, row, column, PIECES[state.side])
    for r, c in _flipped(state, row, column):
        board = place(board, r, c, PIECES[state.side])
    return State(board, 1 - state.side)


def result(state: State) -> int | None:
    """Return who has more discs when neither side can place one, else None."""
    if _can_place(state, 0) or _can_place(state, 1):
        return None
    discs = "".join(state.board)
    mine, theirs = discs.count(PIECES[state.side]), discs.count(PIECES[1 - state.side])
    return (mine > theirs) - (mine < theirs)


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return the position as text: eight rows from the top, then the side to move."""
    return format_grid(state.board, state.side)


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    return State(*parse_grid(text, 8, 8))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length, a pass being a ply."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
