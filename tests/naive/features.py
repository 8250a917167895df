"""The 28 features of draughts from their definitions, with sets and loops over squares.

Everything is told of Black, who has just moved, and Red, who is to move; a position in which
White has just moved is turned round first.
"""

from naive.draughts import CELL_OF, EMPTY, State, _beside, _captures, _moved, _steps

DIAGONALS = ((1, 1), (1, -1))
DIRECTIONS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
CENTRE = {10, 11, 14, 15, 18, 19, 22, 23}
DOUBLE_CORNER = {1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32}
MOMENTS = {3: DOUBLE_CORNER, 2: {2, 7, 11, 16, 20, 13, 17, 22, 26, 31}, 1: {3, 8, 12, 21, 25, 30}}
SWAPPED = str.maketrans("bBwW", "wWbB")


def turned(state: State) -> State:
    """Return the position with White to move: turned round, colours exchanged, if need be."""
    if state.side == 1:
        return state
    return State(state.board[::-1].translate(SWAPPED), 1, state.quiet)


def neighbours(square: int) -> list[int | None]:
    return [_beside(square, rows, columns) for rows, columns in DIRECTIONS]


def jump_directions(board: str, square: int, piece: str) -> int:
    """Return in how many directions a piece on a square has a single jump."""
    rows_ahead = (-1, 1) if piece in "BW" else ((1,) if piece == "b" else (-1,))
    enemies = "wW" if piece in "bB" else "bB"
    found = 0
    for rows in rows_ahead:
        for columns in (-1, 1):
            over, to = _beside(square, rows, columns), _beside(square, 2 * rows, 2 * columns)
            if over and to and board[over - 1] in enemies and board[to - 1] == EMPTY:
                found += 1
    return found


def threatened(state: State) -> int:
    """Return the squares that the side to move can step to and then jump from."""
    squares = set()
    for text, after in _steps(state).items():
        end = int(text.split("-")[1])
        if jump_directions(after.board, end, after.board[end - 1]):
            squares.add(end)
    return len(squares)


def exchanges(state: State) -> tuple[int, int]:
    """Return the squares that are denied to Red, and those on which it can force an exchange."""
    denied, exchanged = set(), set()
    for text, after in _steps(state).items():
        end = int(text.split("-")[1])
        taken_back = []
        for capture in _captures(after):
            then = _moved(after, capture.path[0], capture.path[-1], capture.taken)
            taken_back.append(bool(_captures(then)))
            if end in capture.taken and not taken_back[-1]:
                denied.add(end)
        if taken_back and all(taken_back):
            exchanged.add(end)
    return len(denied), len(exchanged)


def features(state: State) -> dict[str, int]:
    """Return all counts by name."""
    state = turned(state)
    board = state.board
    on = {square: board[square - 1] for square in CELL_OF}
    black = {square for square in on if on[square] in "bB"}
    red = {square for square in on if on[square] in "wW"}
    empty = {square for square in on if on[square] == EMPTY}
    men = {square for square in black if on[square] == "b"}
    kings = {square for square in on if on[square] in "BW"}
    inside = {square for square in on if None not in neighbours(square)}
    worth = {"b": 2, "B": 3, "w": -2, "W": -3, EMPTY: 0}
    lead = sum(worth[piece] for piece in on.values())
    reach = {int(text.split("-")[1]) for text in _steps(state)}
    denied, exchanged = exchanges(state)
    has_bridge = not red & kings and {1, 3} <= black
    has_oreo = not black & kings and {2, 3, 7} <= black
    lines = [
        [_beside(square, step * rows, step * columns) for step in range(3)]
        for square in on
        for rows, columns in DIAGONALS
    ]

    def between(square: int) -> bool:
        for rows, columns in DIAGONALS:
            ends = [_beside(square, rows, columns), _beside(square, -rows, -columns)]
            if all(end is None or end in black for end in ends) and set(ends) & black:
                return True
        return False

    def exposed(square: int) -> bool:
        ends = neighbours(square)
        return {ends[0], ends[3]} <= empty or {ends[1], ends[2]} <= empty

    def forks(square: int, ahead: int) -> bool:
        """Whether Red, moving by rows `ahead`, can step here and then jump either of two pieces."""
        places = {_beside(square, ahead, -1), _beside(square, ahead, 1)}
        landings = {_beside(square, 2 * ahead, -2), _beside(square, 2 * ahead, 2)}
        steppers = {_beside(square, -ahead, -1), _beside(square, -ahead, 1)}
        able = red if ahead == -1 else red & kings  # men go one way only
        return places <= black and landings <= empty and bool(steppers & able)

    return {
        "piece_advantage": max(0, lead),
        "piece_disadvantage": max(0, -lead),
        "piece_threat": sum(min(2, jump_directions(board, s, on[s])) for s in red),
        "piece_take": sum(min(2, jump_directions(board, s, on[s])) for s in black),
        "advancement": sum(17 <= s <= 24 for s in men) - sum(9 <= s <= 16 for s in men),
        "double_diagonal": len(black & DOUBLE_CORNER),
        "back_row_bridge": int(has_bridge),
        "centre_control": len(men & CENTRE),
        "xcentre_control": len(CENTRE & (red | reach)),
        "total_mobility": len(reach),
        "exposure": sum(exposed(s) for s in black & inside),
        "king_centre_control": len(black & kings & CENTRE),
        "diagonal_moment": sum(worth * len(black & at) for worth, at in MOMENTS.items()),
        "apex": int(not kings and bool({7, 26} & red) and not {7, 26} & men),
        "cramp": 2 * (13 in black and bool({9, 14} & black) and {17, 21, 22, 25} <= red),
        "denial_of_occupancy": denied,
        "dyke": sum(set(line) <= black for line in lines),
        "exchange": exchanged,
        "fork": sum(forks(s, ahead) for s in empty for ahead in (-1, 1)),
        "gap": sum(between(s) for s in empty),
        "back_row_control": int(not red & kings and ({1, 3} <= black or {2, 3, 7} <= black)),
        "hole": sum(len(black & set(neighbours(s))) >= 3 for s in empty),
        "undenied_mobility": len(reach) - denied,
        "node": sum(len(empty & set(neighbours(s))) >= 3 for s in black),
        "triangle_of_oreo": int(has_oreo),
        "pole": sum(set(neighbours(s)) <= empty for s in men & inside),
        "threat": threatened(state),
        "taken": threatened(state._replace(side=0)),
    }
