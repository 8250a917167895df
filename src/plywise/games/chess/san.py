"""Moves of chess as text: written in SAN, and read as files and programs write them.

    Nf3  Nbd7  R1xa3+  exd5  e8=Q#  O-O  0-0-0       SAN, with or without its signs
    Ng1-f3  e2-e4  e8Q  e8(Q)  Nf3!?  exd6e.p.       with more than it needs, or in other ways
    g1f3  e7e8q  e1g1                                UCI

A piece is looked for backwards: whoever of its kind reaches the end square, and leaves no king in
check, may have come from there. A pawn whose file is not told stays on its file.
"""

from typing import Any

import numpy as np

from plywise.game.reading import AMBIGUOUS, ILLEGAL, PASS, UNREADABLE
from plywise.games.chess.attacks import (
    EVERY,
    FILE_A,
    KING_REACH,
    KNIGHT_REACH,
    SEVEN,
    THREE,
    first,
    forward,
    pawn_reach,
    slant_reach,
    straight_reach,
)
from plywise.games.chess.rules import (
    BEHIND,
    BISHOP,
    CASTLING,
    DOUBLE,
    KIND,
    KING,
    KNIGHT,
    OUTER_RANKS,
    PASSING,
    PAWN,
    PLAIN,
    ROOK,
    SIX,
    SIX_BITS,
    THIRD_RANKS,
    TO_BISHOP,
    TO_KNIGHT,
    TO_QUEEN,
    TO_ROOK,
    TWO,
    apply,
    castling_targets,
    checkers,
    count_to,
    filled,
    first_half,
    in_check,
    kind_at,
    kings,
    knights,
    own_king,
    passing_takers,
    pawns,
    side,
    slants,
    straights,
)
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word

RANK_1 = np.uint64(0xFF)
UNKNOWN = -1  # a piece that the text does not name so that it could be read
KING_SIDE, QUEEN_SIDE = np.uint64(6), np.uint64(2)  # the files where the king ends


def _by_letter(letters: dict[str, int | np.uint64], kind: type) -> Any:
    """Return a table by the codes of letters, 0 for all others."""
    table: Any = np.zeros(256, kind)
    for letter, value in letters.items():
        table[ord(letter)] = value
    return table


PIECES = _by_letter({letter: kind for kind, letter in enumerate("PNBRQK", 1)}, np.int64)
PROMOTIONS = _by_letter(
    dict(zip("NnBbRrQq", np.repeat((TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN), 2), strict=True)),
    np.uint64,
)
FILES = _by_letter({letter: place for place, letter in enumerate("abcdefgh", 1)}, np.int64)
RANKS = _by_letter({letter: place for place, letter in enumerate("12345678", 1)}, np.int64)
MARKS = _by_letter(dict.fromkeys("+#!?", 1), np.int64)
SEPARATORS = _by_letter(dict.fromkeys("x:-", 1), np.int64)
BEFORE_PROMOTION = _by_letter(dict.fromkeys("=(/", 1), np.int64)
O, ZERO_DIGIT, HYPHEN, CLOSING, Z, DOT, P = (ord(letter) for letter in "O0-)Z.p")  # noqa: E741
LETTERS = np.frombuffer(b".PNBRQK", np.uint8).copy()  # by kind
A, ONE_DIGIT = np.uint64(ord("a")), np.uint64(ord("1"))
TAKES, EQUALS, CHECK, MATE = (ord(letter) for letter in "x=+#")

Wanted = tuple[Whole, Word, Word, Word]  # piece, where it may come from, end, promotion


def read_move(position: Position, text: Any, begin: Whole, stop: Whole) -> Word:
    """Return the legal move that a text names, see plywise.game.reading."""
    stop = without_marks(text, begin, stop)
    if stop - begin < 2:
        return UNREADABLE
    if text[begin] == O or text[begin] == ZERO_DIGIT:
        return read_castling(position, text, begin, stop)
    if is_pass(text, begin, stop):
        return PASS
    piece, origin, end, promotion = read_wanted(text, begin, stop)
    if piece == UNKNOWN:
        return UNREADABLE
    if piece == 0 and origin & (origin - ONE) == ZERO:  # a whole square: UCI, or a pawn
        piece = kind_at(position, first(origin))
        if piece == KING and (end == first(origin) + TWO or end + TWO == first(origin)):
            return castling(position, end & SEVEN)
    if piece == PAWN or piece == 0:
        return find_pawn(position, origin, end, promotion)
    if promotion != ZERO:
        return ILLEGAL
    return find_piece(position, piece, origin, end)


# ---------------------------------------------------------------- writing


def write_move(position: Position, move: Word, out: Any) -> Whole:
    """Write a legal move in SAN; return how many letters that are."""
    count = write_unchecked(position, move, out)
    after = apply(position, move)
    if in_check(after):
        out[count] = MATE if count_to(after, EVERY) == 0 else CHECK
        count += 1
    return count


def write_unchecked(position: Position, move: Word, out: Any) -> Whole:
    """Write a move without the sign of check."""
    start, end, kind = move & SIX_BITS, (move >> SIX) & SIX_BITS, move >> KIND
    if kind == CASTLING:
        return write_castling(end, out)
    piece = kind_at(position, start)
    takes = kind == PASSING or (filled(position) >> end) & ONE != ZERO
    count: Whole = 0
    if piece != PAWN:
        out[0] = LETTERS[piece]
        count = write_origin(position, start, end, out)
    elif takes:
        out[0] = A + (start & SEVEN)
        count = 1
    if takes:
        out[count] = TAKES
        count += 1
    count = write_square(end, out, count)
    if kind >= TO_KNIGHT:
        out[count], out[count + 1] = EQUALS, LETTERS[kind - TO_KNIGHT + TWO]
        count += 2
    return count


def write_castling(end: Word, out: Any) -> Whole:
    count = 3 if end & SEVEN == KING_SIDE else 5
    for place in range(count):
        out[place] = O if place % 2 == 0 else HYPHEN
    return count


def write_square(square: Word, out: Any, count: Whole) -> Whole:
    out[count], out[count + 1] = A + (square & SEVEN), ONE_DIGIT + (square >> THREE)
    return count + 2


def write_origin(position: Position, start: Word, end: Word, out: Any) -> Whole:
    """Write behind a piece's letter its file, its rank or both, if others of its kind get there."""
    rivals = safe_starts(position, rivals_of(position, start, end), end)
    if rivals == ZERO:
        return 1
    file, rank = FILE_A << (start & SEVEN), RANK_1 << (start & ~SEVEN)
    count = 1
    if rivals & file == ZERO or rivals & rank != ZERO:
        out[count] = A + (start & SEVEN)
        count += 1
    if rivals & file != ZERO:
        out[count] = ONE_DIGIT + (start >> THREE)
        count += 1
    return count


def rivals_of(position: Position, start: Word, end: Word) -> Word:
    """Return the other pieces of the same kind and side that reach a square."""
    piece = kind_at(position, start)
    return sources(position, piece, end) & position[0] & ~(ONE << start)


# ---------------------------------------------------------------- what the text says


def without_marks(text: Any, begin: Whole, stop: Whole) -> Whole:
    """Return where the text ends without signs of check and strength, and without `e.p.`."""
    while stop > begin and MARKS[text[stop - 1]] != 0:
        stop -= 1
    if stop - begin > 6 and text[stop - 1] == DOT and text[stop - 2] == P:
        stop -= 4
    return stop


def is_pass(text: Any, begin: Whole, stop: Whole) -> bool:
    """Return whether a text is `--` or `Z0`."""
    if stop - begin != 2:
        return False
    if text[begin] == HYPHEN:
        return bool(text[begin + 1] == HYPHEN)
    return bool(text[begin] == Z and text[begin + 1] == ZERO_DIGIT)


def read_castling(position: Position, text: Any, begin: Whole, stop: Whole) -> Word:
    """Return the castling that a text of letters O or of zeros names."""
    length = stop - begin
    if length != 3 and length != 5:
        return UNREADABLE
    for place in range(begin + 1, stop):
        expected = text[begin] if (place - begin) % 2 == 0 else HYPHEN
        if text[place] != expected:
            return UNREADABLE
    return castling(position, KING_SIDE if length == 3 else QUEEN_SIDE)


def read_wanted(text: Any, begin: Whole, stop: Whole) -> Wanted:
    """Return what a text says of a move: piece 0 and all squares where it says nothing."""
    unknown = (UNKNOWN, EVERY, ZERO, ZERO)
    piece: Whole = PIECES[text[begin]]
    place = begin + 1 if piece != 0 else begin
    if text[stop - 1] == CLOSING:
        stop -= 1
    promotion: Word = PROMOTIONS[text[stop - 1]]
    if promotion != ZERO:
        stop -= 1
        if stop > place and BEFORE_PROMOTION[text[stop - 1]] != 0:
            stop -= 1
    stop -= 2
    if stop < place or FILES[text[stop]] == 0 or RANKS[text[stop + 1]] == 0:
        return unknown
    end = np.uint64(FILES[text[stop]] + 8 * RANKS[text[stop + 1]] - 9)
    origin = EVERY
    if place < stop and FILES[text[place]] != 0:
        origin &= FILE_A << np.uint64(FILES[text[place]] - 1)
        place += 1
    if place < stop and RANKS[text[place]] != 0:
        origin &= RANK_1 << np.uint64(8 * RANKS[text[place]] - 8)
        place += 1
    if place < stop and SEPARATORS[text[place]] != 0:
        place += 1
    return (piece, origin, end, promotion) if place == stop else unknown


# ---------------------------------------------------------------- which move that is


def castling(position: Position, file: Word) -> Word:
    """Return the castling that brings the king to a file, if it is legal."""
    king = own_king(position)
    if checkers(position, king) != ZERO:
        return ILLEGAL
    end = (king & ~SEVEN) | file
    if (castling_targets(position) >> end) & ONE == ZERO:
        return ILLEGAL
    return king | (end << SIX) | (CASTLING << KIND)


def find_piece(position: Position, piece: Whole, origin: Word, end: Word) -> Word:
    """Return the move of a piece other than a pawn to a square."""
    if (position[0] >> end) & ONE != ZERO:
        return ILLEGAL
    starts = sources(position, piece, end) & origin & position[0]
    return the_one(position, starts, end, PLAIN)


def sources(position: Position, piece: Whole, end: Word) -> Word:
    """Return the pieces of a kind, of both sides, that reach a square."""
    taken = filled(position)
    near: Word = KING_REACH[end] if piece == KING else KNIGHT_REACH[end]
    if piece == KNIGHT:
        return near & knights(position)
    if piece == KING:
        return near & kings(position)
    if piece == BISHOP:
        return slant_reach(end, taken) & slants(position) & ~position[3]
    if piece == ROOK:
        return straight_reach(end, taken) & straights(position) & ~position[2]
    queens = slants(position) & straights(position)
    return (slant_reach(end, taken) | straight_reach(end, taken)) & queens


def find_pawn(position: Position, origin: Word, end: Word, promotion: Word) -> Word:
    """Return the move of a pawn to a square."""
    goal = ONE << end
    is_last_rank = goal & OUTER_RANKS != ZERO
    if is_last_rank != (promotion != ZERO) or position[0] & goal != ZERO:
        return ILLEGAL
    if origin == EVERY:
        origin = FILE_A << (end & SEVEN)
    mover, mine = side(position), pawns(position) & position[0]
    if filled(position) & goal != ZERO:
        return the_one(position, pawn_reach(goal, 1 - mover) & mine & origin, end, promotion)
    if end == (position[4] >> BEHIND) & SIX_BITS and end != ZERO:
        takers = passing_takers(position) & origin
        if takers != ZERO:
            return one_of(takers, end, PASSING)
    step = forward(goal, 1 - mover)
    if step & mine & origin != ZERO:
        return the_one(position, step, end, promotion)
    is_leap = step & THIRD_RANKS & first_half(position) & ~filled(position) != ZERO
    leap = forward(step, 1 - mover) & mine & origin
    return the_one(position, leap, end, DOUBLE) if is_leap else ILLEGAL


def the_one(position: Position, starts: Word, end: Word, kind: Word) -> Word:
    """Return the move from one of these squares that leaves the own king safe."""
    return one_of(safe_starts(position, starts, end), end, kind)


def safe_starts(position: Position, starts: Word, end: Word) -> Word:
    """Return those squares from which a move to the end leaves the own king safe."""
    safe, left = ZERO, starts
    while left != ZERO:
        if is_safe_after(position, first(left), end):
            safe |= left & (~left + ONE)
        left &= left - ONE
    return safe


def one_of(starts: Word, end: Word, kind: Word) -> Word:
    """Return the move from the one square that there is."""
    if starts == ZERO:
        return ILLEGAL
    if starts & (starts - ONE) != ZERO:
        return AMBIGUOUS
    return first(starts) | (end << SIX) | (kind << KIND)


def is_safe_after(position: Position, start: Word, end: Word) -> bool:
    """Return whether a move, not en passant, leaves nobody who attacks the own king."""
    taken = (filled(position) & ~(ONE << start)) | (ONE << end)
    theirs = filled(position) & ~position[0] & ~(ONE << end)
    own = own_king(position)
    king = end if own == start else own
    found = KNIGHT_REACH[king] & knights(position)
    found |= KING_REACH[king] & kings(position)
    found |= pawn_reach(ONE << king, side(position)) & pawns(position)
    found |= slant_reach(king, taken) & slants(position)
    found |= straight_reach(king, taken) & straights(position)
    return bool(found & theirs == ZERO)
