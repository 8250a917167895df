"""Chess judged by hand: material, squares, mobility, pawns and kings, from middle game to ending.

Every piece has a worth for the middle game and one for the ending, in hundredths of a pawn; how
many pieces are left says how much of either counts.
"""

import numpy as np
from numpy.typing import NDArray

from plywise.games.chess.attacks import (
    EIGHT,
    FILE_A,
    FILE_H,
    KING_REACH,
    KNIGHT_REACH,
    THREE,
    first,
    pawn_reach,
    slant_reach,
    straight_reach,
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

MATERIAL = ((0, 0), (84, 104), (330, 295), (345, 312), (470, 530), (1000, 960), (0, 0))
MOBILITY = ((0, 0), (0, 0), (4, 4), (5, 5), (3, 5), (1, 4), (0, 0))  # for each square reached
MOBILITY_USUAL = (0, 0, 4, 6, 7, 13, 0)
ATTACK = (0, 0, 9, 8, 11, 10, 0)  # for each square next to the other king that is reached
PAIR_OF_BISHOPS = (28, 46)
DOUBLED, ISOLATED = (-8, -18), (-11, -12)
PASSED = ((0, 0), (0, 8), (2, 14), (6, 30), (18, 55), (40, 95), (70, 150), (0, 0))  # by rank
SHIELD = 11  # for each pawn next to the own king, in the middle game
POINTS = (0, 1, 3, 3, 5, 9, 0)
TEMPO = 10
FULL = 24  # pieces at the beginning: a knight or bishop counts 1, a rook 2, a queen 4
EVEN = 450.0  # a lead of so much is worth 0.7 of a game
EVEN_POINTS = 4.5

SIXTEEN, HALF = np.uint64(16), np.uint64(32)

_PAWN_AHEAD = ((0, 0, 2, 8, 17, 34, 60, 0), (0, 0, 4, 12, 28, 55, 95, 0))  # by rank


def _square_worth(kind: int, square: int) -> tuple[int, int]:
    """Return what a square adds to a piece of White in the middle game and in the ending."""
    rank, file = square // 8, square % 8
    inward, upward = min(file, 7 - file), min(rank, 7 - rank)
    centre = inward + upward  # 0 in a corner, 6 in the middle
    if kind == PAWN:
        middle = _PAWN_AHEAD[0][rank] + (6 * inward if 2 <= rank <= 4 else 0)
        return middle - (14 if rank == 1 and inward == 3 else 0), _PAWN_AHEAD[1][rank]
    if kind == KNIGHT:
        return 9 * centre - 30 - (8 if rank == 0 else 0), 7 * centre - 24
    if kind == BISHOP:
        return 4 * centre - 10 - (10 if rank == 0 else 0), 3 * centre - 9
    if kind == ROOK:
        return 4 * inward + (18 if rank == 6 else 0), 12 if rank == 6 else 0
    if kind == QUEEN:
        return 2 * upward - (4 if rank == 0 else 0), 5 * centre - 15
    return 20 - 14 * inward - 16 * min(rank, 3), 10 * centre - 30


def _table(phase: int) -> NDArray[np.int64]:
    """Return the worth of every kind of piece on every square, as White sees the board."""
    worth = [
        [MATERIAL[kind][phase] + _square_worth(kind, square)[phase] for square in range(64)]
        for kind in range(PAWN, KING + 1)
    ]
    return np.array([64 * [0], *worth], np.int64)


MIDDLE, ENDING = _table(0), _table(1)


def classic(position: Position) -> float:
    """Judge by material, squares, mobility, pawns and the safety of kings."""
    mine, mover = position[0], side(position)
    theirs = filled(position) & ~mine
    middle, ending = worth_of(position, mine, mover)
    their_middle, their_ending = worth_of(position, theirs, 1 - mover)
    phase = min(FULL, phase_of(position))
    weighed = (middle - their_middle) * phase + (ending - their_ending) * (FULL - phase)
    lead = weighed / FULL + TEMPO
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


def phase_of(position: Position) -> Whole:
    """Return how much of the middle game is left: FULL at the beginning."""
    bishops, rooks = slants(position), straights(position)
    queens = bishops & rooks
    return popcount(knights(position)) + popcount(bishops) + 2 * popcount(rooks) + popcount(queens)


def squares_of(position: Position, kind: Whole) -> Word:
    """Return where the knights, bishops, rooks or queens stand."""
    if kind == KNIGHT:
        return knights(position)
    if kind == BISHOP:
        return slants(position) & ~straights(position)
    if kind == ROOK:
        return straights(position) & ~slants(position)
    return slants(position) & straights(position)


def reach_of(kind: Whole, square: Word, taken: Word) -> Word:
    """Return where a knight, bishop, rook or queen reaches."""
    if kind == KNIGHT:
        return np.uint64(KNIGHT_REACH[square])
    if kind == BISHOP:
        return slant_reach(square, taken)
    if kind == ROOK:
        return straight_reach(square, taken)
    return slant_reach(square, taken) | straight_reach(square, taken)


def worth_of(position: Position, own: Word, mover: Whole) -> tuple[Whole, Whole]:
    """Return what the pieces of a side are worth in the middle game and in the ending."""
    flip = np.uint64(56 * mover)
    taken, theirs = filled(position), filled(position) & ~own
    open_squares = ~(own | pawn_reach(pawns(position) & theirs, 1 - mover))
    their_king = KING_REACH[first(kings(position) & theirs)]
    own_king = first(kings(position) & own)
    middle, ending = worth_of_pawns(position, own, mover)
    middle += MIDDLE[KING, own_king ^ flip]
    ending += ENDING[KING, own_king ^ flip]
    middle += SHIELD * popcount(KING_REACH[own_king] & pawns(position) & own)
    for kind in range(KNIGHT, QUEEN + 1):
        left = squares_of(position, kind) & own
        if kind == BISHOP and left & (left - ONE) != ZERO:
            middle += PAIR_OF_BISHOPS[0]
            ending += PAIR_OF_BISHOPS[1]
        while left != ZERO:
            square = first(left)
            reach = reach_of(kind, square, taken) & open_squares
            mobility = popcount(reach) - MOBILITY_USUAL[kind]
            middle += MIDDLE[kind, square ^ flip] + MOBILITY[kind][0] * mobility
            middle += ATTACK[kind] * popcount(reach & their_king)
            ending += ENDING[kind, square ^ flip] + MOBILITY[kind][1] * mobility
            left &= left - ONE
    return middle, ending


def worth_of_pawns(position: Position, own: Word, mover: Whole) -> tuple[Whole, Whole]:
    """Return what the pawns of a side are worth: squares, doubled, isolated and passed ones."""
    flip = np.uint64(56 * mover)
    mine, theirs = pawns(position) & own, pawns(position) & ~own
    files = ahead_of(mine, 0) | ahead_of(mine, 1) | mine
    lonely = mine & ~beside(files)
    doubled = mine & ahead_of(mine, mover)
    stopped = ahead_of(theirs, 1 - mover)
    passed = mine & ~(stopped | beside(stopped) | doubled)
    middle: Whole = DOUBLED[0] * popcount(doubled) + ISOLATED[0] * popcount(lonely)
    ending: Whole = DOUBLED[1] * popcount(doubled) + ISOLATED[1] * popcount(lonely)
    while mine != ZERO:
        square = first(mine) ^ flip
        middle += MIDDLE[PAWN, square]
        ending += ENDING[PAWN, square]
        if passed & mine & (~mine + ONE) != ZERO:
            middle += PASSED[square >> THREE][0]
            ending += PASSED[square >> THREE][1]
        mine &= mine - ONE
    return middle, ending


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
