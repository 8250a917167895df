"""English draughts: squares 1 to 32, Black (side 0) begins on 1-12 and moves down.

   0   1   2   3   4   5   6   7
0      1       2       3       4
1  5       6       7       8
2      9      10      11      12
3 13      14      15      16
4     17      18      19      20
5 21      22      23      24
6     25      26      27      28
7 29      30      31      32
"""

from typing import NamedTuple

QUIET_LIMIT = 80  # plies without a capture and without a man's move that make a draw

MEN, KINGS = "bw", "BW"  # of side 0 and of side 1
SIDES = "BW"
EMPTY = "."
FORWARD = (1, -1)  # the rows that a man of each side steps
KING_ROW = (7, 0)  # where a man of each side is crowned

CELLS = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2 == 1]
CELL_OF = dict(enumerate(CELLS, start=1))
SQUARE_AT = {cell: square for square, cell in CELL_OF.items()}


class State(NamedTuple):
    """A position: the piece on square s is `board[s - 1]`."""

    board: str  # b and w are men, B and W kings
    side: int
    quiet: int  # plies since the last capture or man's move


class Capture(NamedTuple):
    """A finished jump, or the part of it that is done."""

    path: tuple[int, ...]
    taken: frozenset[int]


def _beside(square: int, rows: int, columns: int) -> int | None:
    """Return the square that many rows down and columns right, None off the board."""
    row, column = CELL_OF[square]
    return SQUARE_AT.get((row + rows, column + columns))


def _row_steps(piece: str) -> tuple[int, ...]:
    """Return the rows that the piece may step: forward, for a king also backward."""
    return (-1, 1) if piece in KINGS else (FORWARD[MEN.index(piece)],)


def _is_crowned(piece: str, square: int) -> bool:
    """Tell whether arriving there makes the piece a king."""
    return piece in MEN and CELL_OF[square][0] == KING_ROW[MEN.index(piece)]


def _own_squares(state: State) -> list[int]:
    """Return the squares of the pieces of the side to move."""
    own = MEN[state.side] + KINGS[state.side]
    return [square for square in CELL_OF if state.board[square - 1] in own]


def _continued(board: str, piece: str, sofar: Capture) -> list[Capture]:
    """Return all ways to jump on to the end; the piece has been lifted from the board."""
    enemies = "wW" if piece in "bB" else "bB"
    found = []
    for rows in _row_steps(piece):
        for columns in (-1, 1):
            over = _beside(sofar.path[-1], rows, columns)
            to = _beside(sofar.path[-1], 2 * rows, 2 * columns)
            if over is None or to is None or over in sofar.taken:
                continue
            if board[over - 1] not in enemies or board[to - 1] != EMPTY:
                continue
            longer = Capture((*sofar.path, to), sofar.taken | {over})
            # A man that reaches the king row stays a man here, so it cannot jump on.
            found += _continued(board, piece, longer) or [longer]
    return found


def _captures(state: State) -> list[Capture]:
    """Return the legal captures, each set of pieces between two squares by its least path."""
    routes = []
    for square in _own_squares(state):
        lifted = state.board[: square - 1] + EMPTY + state.board[square:]
        piece = state.board[square - 1]
        routes += _continued(lifted, piece, Capture((square,), frozenset()))
    merged: dict[tuple[int, int, frozenset[int]], Capture] = {}
    for route in sorted(routes, key=lambda route: route.path):
        merged.setdefault((route.path[0], route.path[-1], route.taken), route)
    return list(merged.values())


def _moved(state: State, start: int, end: int, taken: frozenset[int]) -> State:
    """Return the position after a piece went from start to end and the taken ones left."""
    cells = list(state.board)
    piece = cells[start - 1]
    for square in {start} | taken:
        cells[square - 1] = EMPTY
    cells[end - 1] = piece.upper() if _is_crowned(piece, end) else piece
    is_quiet = piece in KINGS and not taken
    return State("".join(cells), 1 - state.side, state.quiet + 1 if is_quiet else 0)


def _jumps(state: State) -> dict[str, State]:
    """Return the captures as text with the positions after them."""
    captures = _captures(state)
    ends = [(capture.path[0], capture.path[-1]) for capture in captures]
    after = {}
    for capture, (start, end) in zip(captures, ends, strict=True):
        written = (start, end) if ends.count((start, end)) == 1 else capture.path
        after["x".join(map(str, written))] = _moved(state, start, end, capture.taken)
    return after


def _steps(state: State) -> dict[str, State]:
    """Return the moves that take nothing as text with the positions after them."""
    after = {}
    for square in _own_squares(state):
        for rows in _row_steps(state.board[square - 1]):
            for columns in (-1, 1):
                to = _beside(square, rows, columns)
                if to is not None and state.board[to - 1] == EMPTY:
                    after[f"{square}-{to}"] = _moved(state, square, to, frozenset())
    return after


def _successors(state: State) -> dict[str, State]:
    """Return the legal moves with the positions after them, none when the game is over."""
    if state.quiet >= QUIET_LIMIT:
        return {}
    return _jumps(state) or _steps(state)


def initial() -> State:
    """Return the first position."""
    return State("b" * 12 + EMPTY * 8 + "w" * 12, 0, 0)


def moves(state: State) -> list[str]:
    """Return the legal moves, none when the game is over."""
    return sorted(_successors(state))


def apply(state: State, text: str) -> State:
    """Return the position after the move."""
    successors = _successors(state)
    if text not in successors:
        raise ValueError(f"illegal move {text!r} in {format_position(state)}")
    return successors[text]


def result(state: State) -> int | None:
    """Return -1 without a move, 0 after 80 quiet plies, else None."""
    if not (_jumps(state) or _steps(state)):
        return -1
    if state.quiet >= QUIET_LIMIT:
        return 0
    return None


def side(state: State) -> int:
    """Return the side to move."""
    return state.side


def _format_pieces(state: State, side: int) -> str:
    """Return a side's letter and squares: `W21,22,K30`."""
    squares = []
    for square, piece in enumerate(state.board, start=1):
        if piece == MEN[side]:
            squares.append(str(square))
        elif piece == KINGS[side]:
            squares.append(f"K{square}")
    return SIDES[side] + ",".join(squares)


def format_position(state: State) -> str:
    """Return the FEN, with the quiet plies if there are any: `B:WK30:BK1:H12`."""
    text = f"{SIDES[state.side]}:{_format_pieces(state, 1)}:{_format_pieces(state, 0)}"
    return f"{text}:H{state.quiet}" if state.quiet else text


def _parse_pieces(text: str, side: int) -> dict[int, str]:
    """Return the pieces of a list like `21,22-24,K30` by their squares."""
    pieces: dict[int, str] = {}
    for item in text.split(",") if text else []:
        piece = KINGS[side] if item.startswith("K") else MEN[side]
        first, _, last = item.removeprefix("K").partition("-")
        squares = range(int(first), int(last or first) + 1)
        if not squares:
            raise ValueError(f"a range of squares goes up: {text!r}")
        for square in squares:
            if square not in CELL_OF or square in pieces:
                raise ValueError(f"square {square} is not on the board or named twice: {text!r}")
            pieces[square] = piece
    return pieces


def parse_position(text: str) -> State:
    """Return the position of a FEN: lists in any order, ranges, a final dot, H or not."""
    letter, *parts = text.removesuffix(".").split(":")
    lists = {part[:1]: part[1:] for part in parts}
    is_complete = len(lists) == len(parts) and set("BW") <= set(lists) <= set("BWH")
    if letter not in ("B", "W") or not is_complete:
        raise ValueError(f"not like 'B:W21-32:B1-12': {text!r}")
    black, white = _parse_pieces(lists["B"], 0), _parse_pieces(lists["W"], 1)
    if set(black) & set(white):
        raise ValueError(f"two pieces on one square: {text!r}")
    pieces = black | white
    board = "".join(pieces.get(square, EMPTY) for square in CELL_OF)
    return State(board, SIDES.index(letter), int(lists.get("H", "0")))


def perft(state: State, depth: int) -> int:
    """Return the number of move sequences of exactly that length."""
    if depth == 0:
        return 1
    return sum(perft(after, depth - 1) for after in _successors(state).values())
