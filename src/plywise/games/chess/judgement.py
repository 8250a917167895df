"""Chess judged by what a player would name: material, squares, mobility, pawns, kings, threats.

Everything named has a worth for the middle game and one for the ending, in hundredths of a pawn;
how many pieces are left says how much of either counts. Both travel in one whole number,

    middle + 2^32 ending

which is added and multiplied like any other. They are fitted to games, see `fitted`.
"""

from typing import Any

import numpy as np

from plywise.games.chess.attacks import (
    EIGHT,
    FILE_A,
    FILE_H,
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
from plywise.games.chess.numbers import (
    BACKWARD,
    BLOCKED,
    DANGER,
    DOUBLED,
    HALF_OPEN,
    HIT_BY_PAWN,
    ISOLATED,
    MOBILITY,
    MOST_DANGER,
    MOST_SHIELD,
    OPEN,
    OUTPOST,
    PAIR,
    PASSED,
    PASSED_OWN_KING,
    PASSED_THEIR_KING,
    SHIELD,
    SUPPORTED,
    TEMPO,
    WORTH,
)
from plywise.games.chess.rules import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    filled,
    kings,
    knights,
    pawns,
    side,
    slants,
    straights,
)
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, popcount

FULL = 24  # pieces at the beginning: a knight or bishop counts 1, a rook 2, a queen 4
EVEN = 450.0  # a lead of so much is worth 0.7 of a game
POINTS, EVEN_POINTS = (0, 1, 3, 3, 5, 9, 0), 4.5  # of `material`
PRESSURE = (0, 0, 2, 2, 3, 4, 0)  # of a square next to the king that a piece reaches, by its kind

SIXTEEN, HALF = np.uint64(16), np.uint64(32)
CAMPS = (np.uint64(0x0000FFFFFF000000), np.uint64(0x000000FFFFFF0000))  # of outposts, by side


def classic(position: Position) -> float:
    """Judge by material, squares, mobility, pawns, threats and the safety of kings."""
    lead = weighed(worth(WORTH, position), phase_of(position))
    return float(lead / np.sqrt(lead * lead + EVEN * EVEN))


def material(position: Position) -> float:
    """Judge by nothing but the pieces, a pawn as 1, and 3, 3, 5 and 9: the least to be beaten."""
    mine = position[0]
    theirs = filled(position) & ~mine
    lead = 0
    for kind in range(PAWN, KING):
        places = pawns(position) if kind == PAWN else squares_of(position, kind)
        lead += POINTS[kind] * (popcount(places & mine) - popcount(places & theirs))
    return float(lead / np.sqrt(lead * lead + EVEN_POINTS * EVEN_POINTS))


def weighed(both: Whole, phase: Whole) -> float:
    """Return a worth of middle game and ending as one, by what is left of the middle game."""
    ending = (both + (1 << 31)) >> 32
    middle = both - (ending << 32)
    return float((middle * phase + ending * (FULL - phase)) / FULL)


def phase_of(position: Position) -> Whole:
    """Return how much of the middle game is left: FULL at the beginning."""
    bishops, rooks = slants(position), straights(position)
    pieces = popcount(knights(position)) + popcount(bishops)
    return min(FULL, pieces + 2 * popcount(rooks) + popcount(bishops & rooks))


def worth(numbers: Any, position: Position) -> Whole:
    """Return the lead of the side to move, by a table of numbers."""
    mine, mover = position[0], side(position)
    theirs = filled(position) & ~mine
    lead = worth_of_side(numbers, position, mine, mover)
    lead -= worth_of_side(numbers, position, theirs, 1 - mover)
    return lead + numbers[TEMPO]


def worth_of_side(numbers: Any, position: Position, own: Word, mover: Whole) -> Whole:
    """Return what the pieces of a side are worth."""
    king = first(kings(position) & own)
    total = worth_of_pawns(numbers, position, own, mover)
    total += numbers[KING * 64 + np.int64(king ^ np.uint64(56 * mover))]
    shield = popcount(KING_REACH[king] & pawns(position) & own)
    total += numbers[SHIELD + min(MOST_SHIELD, shield)]
    total += worth_of_threats(numbers, position, own, mover)
    return total + worth_of_pieces(numbers, position, own, mover)


def worth_of_pieces(numbers: Any, position: Position, own: Word, mover: Whole) -> Whole:
    """Return what knights, bishops, rooks and queens are worth where they stand.

    Each kind has a loop of its own: one for all would have to ask for every piece how it moves.
    """
    flip, taken = np.uint64(56 * mover), filled(position)
    own_pawns, their_pawns = pawns(position) & own, pawns(position) & ~own
    open_squares = ~(own | pawn_reach(their_pawns, 1 - mover))
    their_king = KING_REACH[first(kings(position) & ~own)]
    total, pressure = np.int64(0), np.int64(0)
    left = squares_of(position, KNIGHT) & own
    while left != ZERO:
        square = first(left)
        reach = np.uint64(KNIGHT_REACH[square])
        total += worth_of_piece(numbers, KNIGHT, square ^ flip, reach & open_squares)
        pressure += PRESSURE[KNIGHT] * np.int64(popcount(reach & their_king))
        left &= left - ONE
    left = squares_of(position, BISHOP) & own
    while left != ZERO:
        square = first(left)
        reach = slant_reach(square, taken)
        total += worth_of_piece(numbers, BISHOP, square ^ flip, reach & open_squares)
        pressure += PRESSURE[BISHOP] * np.int64(popcount(reach & their_king))
        left &= left - ONE
    left = squares_of(position, ROOK) & own
    while left != ZERO:
        square = first(left)
        reach = straight_reach(square, taken)
        total += worth_of_piece(numbers, ROOK, square ^ flip, reach & open_squares)
        total += worth_of_file(numbers, FILE_A << (square & SEVEN), own_pawns, their_pawns)
        pressure += PRESSURE[ROOK] * np.int64(popcount(reach & their_king))
        left &= left - ONE
    left = squares_of(position, QUEEN) & own
    while left != ZERO:
        square = first(left)
        reach = slant_reach(square, taken) | straight_reach(square, taken)
        total += worth_of_piece(numbers, QUEEN, square ^ flip, reach & open_squares)
        pressure += PRESSURE[QUEEN] * np.int64(popcount(reach & their_king))
        left &= left - ONE
    bishops = squares_of(position, BISHOP) & own
    if bishops & (bishops - ONE) != ZERO:
        total += numbers[PAIR]
    safe = outposts(own_pawns, their_pawns, mover)
    for kind in (KNIGHT, BISHOP):
        count = popcount(squares_of(position, kind) & own & safe)
        total += numbers[OUTPOST + kind - KNIGHT] * np.int64(count)
    return total + numbers[DANGER + min(MOST_DANGER, pressure)]


def worth_of_piece(numbers: Any, kind: Whole, seen: Word, reach: Word) -> Whole:
    """Return what a piece is worth for its square, as its side sees it, and for its reach."""
    worth_of_square: Whole = numbers[kind * 64 + np.int64(seen)]
    return worth_of_square + numbers[MOBILITY[kind] + np.int64(popcount(reach))]


def worth_of_file(numbers: Any, file: Word, own_pawns: Word, their_pawns: Word) -> Whole:
    """Return what it is worth to a rook that its file has no pawns, or none of its own."""
    if file & own_pawns != ZERO:
        return np.int64(0)
    return numbers[OPEN if file & their_pawns == ZERO else HALF_OPEN]


def worth_of_threats(numbers: Any, position: Position, own: Word, mover: Whole) -> Whole:
    """Return what it is worth to attack pieces by lesser ones."""
    theirs = filled(position) & ~own
    hit = pawn_reach(pawns(position) & own, mover) & theirs
    total = np.int64(0)
    for kind in range(KNIGHT, QUEEN + 1):
        struck = popcount(squares_of(position, kind) & hit)
        total += numbers[HIT_BY_PAWN + kind - KNIGHT] * np.int64(struck)
    return total


def squares_of(position: Position, kind: Whole) -> Word:
    """Return where the knights, bishops, rooks or queens stand."""
    if kind == KNIGHT:
        return knights(position)
    if kind == BISHOP:
        return slants(position) & ~straights(position)
    if kind == ROOK:
        return straights(position) & ~slants(position)
    return slants(position) & straights(position)


def outposts(own_pawns: Word, their_pawns: Word, mover: Whole) -> Word:
    """Return the squares in the other half that a pawn guards and none of theirs can attack."""
    reachable = beside(ahead_of(their_pawns, 1 - mover))
    return pawn_reach(own_pawns, mover) & ~reachable & CAMPS[mover]


def worth_of_pawns(numbers: Any, position: Position, own: Word, mover: Whole) -> Whole:
    """Return what the pawns of a side are worth: squares, doubled, isolated and passed ones."""
    flip = np.uint64(56 * mover)
    mine, theirs = pawns(position) & own, pawns(position) & ~own
    ahead = ahead_of(mine, mover)
    lonely = mine & ~beside(ahead | ahead_of(mine, 1 - mover) | mine)
    doubled = mine & ahead
    stopped = ahead_of(theirs, 1 - mover)
    passed = mine & ~(stopped | beside(stopped) | doubled)
    supported = mine & pawn_reach(mine, mover)
    stops = forward(mine, mover) & pawn_reach(theirs, 1 - mover)
    backward = stops & ~beside(ahead | mine)
    total = numbers[DOUBLED] * np.int64(popcount(doubled))
    total += numbers[ISOLATED] * np.int64(popcount(lonely))
    total += numbers[BACKWARD] * np.int64(popcount(backward))
    while mine != ZERO:
        seen = np.int64(first(mine) ^ flip)
        total += numbers[PAWN * 64 + seen]
        if supported & mine & (~mine + ONE) != ZERO:
            total += numbers[SUPPORTED + (seen >> 3)]
        mine &= mine - ONE
    return total + worth_of_passed(numbers, position, own, mover, passed)


def worth_of_passed(
    numbers: Any, position: Position, own: Word, mover: Whole, passed: Word
) -> Whole:
    """Return what passed pawns are worth: how far they are, and who is near them."""
    flip = np.uint64(56 * mover)
    own_king = first(kings(position) & own)
    their_king = first(kings(position) & ~own)
    total = np.int64(0)
    while passed != ZERO:
        square = first(passed)
        rank = np.int64((square ^ flip) >> THREE)
        total += numbers[PASSED + rank]
        ahead = forward(ONE << square, mover)
        if ahead & filled(position) != ZERO:
            total += numbers[BLOCKED + rank]
        if rank >= 3:
            total += numbers[PASSED_OWN_KING + distance(own_king, square)]
            total += numbers[PASSED_THEIR_KING + distance(their_king, square)]
        passed &= passed - ONE
    return total


def distance(one: Word, other: Word) -> Whole:
    """Return how many moves a king needs from a square to another."""
    files = abs(np.int64(one & SEVEN) - np.int64(other & SEVEN))
    return max(files, abs(np.int64(one >> THREE) - np.int64(other >> THREE)))


def ahead_of(squares: Word, mover: Whole) -> Word:
    """Return all squares ahead of some, as a side sees it."""
    if mover == 0:
        squares <<= EIGHT
        squares |= squares << EIGHT
        squares |= squares << SIXTEEN
        return squares | (squares << HALF)
    squares >>= EIGHT
    squares |= squares >> EIGHT
    squares |= squares >> SIXTEEN
    return squares | (squares >> HALF)


def beside(squares: Word) -> Word:
    """Return the squares next to some on the same rank."""
    return ((squares & ~FILE_A) >> ONE) | ((squares & ~FILE_H) << ONE)
