"""Isola on 6 x 6: cells a1 to f6, a1 at the lower left; x is red and begins, X is a taken cell."""

from typing import NamedTuple

from . import EMPTY, PIECES, Board, format_grid, parse_grid, place

SIZE = 6
TAKEN = "X"


class State(NamedTuple):
    """A position."""

    board: Board
    side: int


def _name(row: int, column: int) -> str:
    return "abcdef"[column] + str(SIZE - row)


def _cell(name: str) -> tuple[int, int]:
    return SIZE - int(name[1]), "abcdef".index(name[0])


def _find(board: Board, piece: str) -> tuple[int, int]:
    return next((row, line.index(piece)) for row, line in enumerate(board) if piece in line)


def initial() -> State:
    """Return the first position."""
    return State(("...o..", "......", "......", "......", "......", "..x..."), 0)


def _steps(state: State) -> list[tuple[int, int]]:
    """Return where the piece of the side to move can step."""
    row, column = _find(state.board, PIECES[state.side])
    near = [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
    inside = [(r, c) for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE]
    return [(r, c) for r, c in inside if state.board[r][c] == EMPTY]


def _stepped(state: State, end: tuple[int, int]) -> Board:
    board = place(state.board, *_find(state.board, PIECES[state.side]), EMPTY)
    return place(board, *end, PIECES[state.side])


def moves(state: State) -> list[str]:
    """Return the moves: a step, and an empty cell that is taken."""
    found = []
    for end in _steps(state):
        board = _stepped(state, end)
        for row in range(SIZE):
            for column in range(SIZE):
                if board[row][column] == EMPTY:
                    found.append(f"{_name(*end)}-{_name(row, column)}")
    return found


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    if text not in moves(state):
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    end, taken = text.split("-")
    return State(place(_stepped(state, _cell(end)), *_cell(taken), TAKEN), 1 - state.side)


def result(state: State) -> int | None:
    """Return -1 when there is no step, else None."""
    return None if _steps(state) else -1


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def format_position(state: State) -> str:
    """Return the position as text: six rows from the top, then the side to move."""
    return format_grid(state.board, state.side)


def parse_position(text: str) -> State:
    """Return the position that the text describes."""
    return State(*parse_grid(text, SIZE, SIZE, more=TAKEN))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, text), depth - 1) for text in moves(state))
