"""Near-identical pairs of positions, by what chess players know: one is better for White.

After section 5.1 of DeepChess. Every concept changes a position of a real game a little; where it
does not apply it gives nothing. A board is a list of 64 codes, a1 first: White's pawn is 1, knight
2, bishop 3, rook 4, queen 5, king 6, Black's are negative.
"""

from collections.abc import Callable, Iterator

import numpy as np

from plywise.errors import BadPosition
from plywise.game import Row, Rows
from plywise.games.chess.game import chess

Board = list[int]
Pair = tuple[Board, Board]  # the better one for White first
Random = np.random.Generator
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
CENTRE = [18, 19, 20, 21, 26, 27, 28, 29, 34, 35, 36, 37]  # c3 to f5
RIM = [0, 7, 8, 15, 16, 23, 24, 31, 32, 39, 40, 47, 48, 55, 56, 63]
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def squares_of(board: Board, code: int) -> list[int]:
    """Return where pieces of a code stand."""
    return [square for square in range(64) if board[square] == code]


def changed(board: Board, changes: dict[int, int]) -> Board:
    """Return a board with other codes on some squares."""
    return [changes.get(square, code) for square, code in enumerate(board)]


def pick(squares: list[int], random: Random) -> int | None:
    """Return one of some squares, none if there is none."""
    return int(random.choice(squares)) if squares else None


def moved(board: Board, start: int, end: int) -> Board:
    return changed(board, {start: 0, end: board[start]})


# ---------------------------------------------------------------- material


def missing(code: int) -> Callable[[Board, Random], Pair | None]:
    """Return the concept that a piece is worth having."""

    def concept(board: Board, random: Random) -> Pair | None:
        square = pick(squares_of(board, code), random)
        return None if square is None else (board, changed(board, {square: 0}))

    return concept


def trade(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Callable[[Board, Random], Pair | None]:
    """Return the concept that White's pieces of some kinds are worth more than Black's of others.

    The better position lacks Black's others and White's own second kinds, and the worse one the
    same with sides exchanged.
    """

    def concept(board: Board, random: Random) -> Pair | None:
        pieces = {}
        for sign in (1, -1):
            for name, kinds in (("kept", mine), ("given", theirs)):
                found = [pick(squares_of(board, sign * kind), random) for kind in kinds]
                if None in found:
                    return None
                pieces[sign, name] = [square for square in found if square is not None]
        better = dict.fromkeys((*pieces[1, "given"], *pieces[-1, "kept"]), 0)
        worse = dict.fromkeys((*pieces[-1, "given"], *pieces[1, "kept"]), 0)
        return changed(board, better), changed(board, worse)

    return concept


# ---------------------------------------------------------------- pawns


def files_of(board: Board, code: int) -> set[int]:
    return {square % 8 for square in squares_of(board, code)}


def is_passed(board: Board, square: int) -> bool:
    """Return whether no pawn of Black can stop a pawn of White."""
    return not any(
        abs(other % 8 - square % 8) <= 1 and other // 8 > square // 8
        for other in squares_of(board, -PAWN)
    )


def passed_pawn(board: Board, random: Random) -> Pair | None:
    """A pawn that no other stops; in the worse position a pawn of Black has come into its way."""
    pawns = [s for s in squares_of(board, PAWN) if 3 <= s // 8 <= 5 and is_passed(board, s)]
    square = pick(pawns, random)
    if square is None:
        return None
    others = [s for s in squares_of(board, -PAWN) if abs(s % 8 - square % 8) > 1]
    places = [s for s in range(square + 8, 56, 8) if board[s] == 0]
    start, end = pick(others, random), pick(places, random)
    return None if start is None or end is None else (board, moved(board, start, end))


def sound_pawn(board: Board, random: Random) -> Pair | None:
    """A pawn on a file of its own; in the worse position it stands on a file with another."""
    pawns = squares_of(board, PAWN)
    files = [square % 8 for square in pawns]
    choices = [
        (square, end)
        for square in pawns
        for end in (square - 1, square + 1)
        if files.count(square % 8) == 1
        and end // 8 == square // 8
        and board[end] == 0
        and end % 8 in files
    ]
    if not choices:
        return None
    start, end = choices[int(random.integers(len(choices)))]
    return board, moved(board, start, end)


def joined_pawn(board: Board, random: Random) -> Pair | None:
    """A pawn with a neighbour; in the worse position the neighbour has gone to a far empty file."""
    pawns, files = squares_of(board, PAWN), files_of(board, PAWN)
    choices = []
    for square in pawns:
        near = [other for other in pawns if abs(other % 8 - square % 8) == 1]
        if len(near) == 1:
            end = [
                near[0] // 8 * 8 + file
                for file in range(8)
                if file not in files and abs(file - square % 8) > 1
            ]
            choices += [(near[0], place) for place in end if board[place] == 0]
    if not choices:
        return None
    start, place = choices[int(random.integers(len(choices)))]
    return board, moved(board, start, place)


# ---------------------------------------------------------------- kings and pieces


def sheltered_king(board: Board, random: Random) -> Pair | None:
    """Pawns before a castled king; in the worse position they have been pushed far away."""
    shield = {6: (13, 14, 15), 2: (9, 10)}.get(squares_of(board, KING)[0])
    if shield is None or QUEEN not in (-code for code in board):
        return None
    pushed = [(s, s + 24) for s in shield if board[s] == PAWN and board[s + 24] == 0]
    if len(pushed) < 2:
        return None
    return board, changed(board, {s: 0 for s, _ in pushed} | {end: PAWN for _, end in pushed})


def hidden_king(board: Board, random: Random) -> Pair | None:
    """A king at the edge while queens are on; in the worse position it stands in the middle."""
    king = squares_of(board, KING)[0]
    if king // 8 > 0 or king % 8 in (3, 4) or not squares_of(board, -QUEEN):
        return None
    end = pick([s for s in (*range(18, 22), *range(26, 30)) if board[s] == 0], random)
    return None if end is None else (board, moved(board, king, end))


def central_knight(board: Board, random: Random) -> Pair | None:
    """A knight in the centre; in the worse position it stands at the rim."""
    knight = pick(squares_of(board, KNIGHT), random)
    inner = pick([s for s in CENTRE if board[s] == 0], random)
    outer = pick([s for s in RIM if board[s] == 0], random)
    if knight is None or inner is None or outer is None:
        return None
    return moved(board, knight, inner), moved(board, knight, outer)


def open_rook(board: Board, random: Random) -> Pair | None:
    """A rook on a file without pawns; in the worse position it stands behind its own."""
    rook = pick([s for s in squares_of(board, ROOK) if s // 8 == 0], random)
    pawns = files_of(board, PAWN)
    free = [f for f in range(8) if f not in pawns | files_of(board, -PAWN)]
    clear = pick([f for f in free if board[f] == 0 or f == rook], random)
    closed = pick([f for f in pawns if board[f] == 0], random)
    if rook is None or clear is None or closed is None:
        return None
    bare = changed(board, {rook: 0})
    return changed(bare, {clear: ROOK}), changed(bare, {closed: ROOK})


def reach(board: Board, square: int) -> int:
    """Return how many squares a bishop reaches."""
    count = 0
    for up, right in DIAGONALS:
        rank, file = square // 8 + up, square % 8 + right
        while 0 <= rank < 8 and 0 <= file < 8:
            count += 1
            if board[8 * rank + file]:
                break
            rank, file = rank + up, file + right
    return count


def mobile_bishop(board: Board, random: Random) -> Pair | None:
    """A bishop that reaches many squares; in the worse position it reaches few, on its colour."""
    bishop = pick(squares_of(board, BISHOP), random)
    if bishop is None:
        return None
    bare = changed(board, {bishop: 0})
    colour = (bishop // 8 + bishop % 8) % 2
    own = [s for s in range(32) if bare[s] == 0 and (s // 8 + s % 8) % 2 == colour]
    own.sort(key=lambda square: reach(bare, square))
    if len(own) < 2 or reach(bare, own[-1]) < reach(bare, own[0]) + 4:
        return None
    return changed(bare, {own[-1]: BISHOP}), changed(bare, {own[0]: BISHOP})


CONCEPTS: dict[str, Callable[[Board, Random], Pair | None]] = {
    "a queen": missing(QUEEN),
    "a rook": missing(ROOK),
    "a bishop": missing(BISHOP),
    "a knight": missing(KNIGHT),
    "a pawn": missing(PAWN),
    "a queen for a rook": trade((QUEEN,), (ROOK,)),
    "a rook for a knight": trade((ROOK,), (KNIGHT,)),
    "two pieces for a rook": trade((BISHOP, KNIGHT), (ROOK,)),
    "a bishop for a knight": trade((BISHOP,), (KNIGHT,)),
    "a passed pawn": passed_pawn,
    "no doubled pawns": sound_pawn,
    "no isolated pawn": joined_pawn,
    "pawns before the king": sheltered_king,
    "the king at the edge": hidden_king,
    "a knight in the centre": central_knight,
    "a rook on an open file": open_rook,
    "a mobile bishop": mobile_bishop,
}
CASTLING = "the right to castle"


def position_of(board: Board, mover: int) -> Row | None:
    """Return the position of a board, None if it is none: a king is missing or can be taken."""
    try:
        row = chess.from_cells([board[cell ^ 56] for cell in range(64)], mover)
        return chess.parse_position(chess.format_position(row))
    except BadPosition:
        return None


def board_of(row: Row) -> Board:
    """Return the codes of a position, a1 first."""
    codes = chess.cells(row)
    return [int(codes[square ^ 56]) for square in range(64)]


def pairs_of(concept: str, rows: Rows, most: int, seed: int = 1) -> Iterator[tuple[Row, Row]]:
    """Yield pairs of positions made of those of real games, the better one for White first."""
    random = np.random.default_rng(seed)
    found = 0
    for row in rows:
        mover = chess.side(row)
        if concept == CASTLING:
            made: tuple[Row | None, Row | None] = (row, _without_castling(row))
        else:
            pair = CONCEPTS[concept](board_of(row), random)
            if pair is None:
                continue
            made = position_of(pair[0], mover), position_of(pair[1], mover)
        if made[0] is not None and made[1] is not None:
            yield made[0], made[1]
            found += 1
            if found == most:
                return


def _without_castling(row: Row) -> Row | None:
    """Return the position without White's castling, None if there is none to lose."""
    fields = chess.format_position(row).split(" ")
    left = fields[2].replace("K", "").replace("Q", "") or "-"
    if left == fields[2]:
        return None
    return chess.parse_position(" ".join([*fields[:2], left, *fields[3:]]))
