"""What captures win: at once, and after all who can have taken back on the square."""

import numpy as np

from plywise.games.chess.attacks import (
    KING_REACH,
    KNIGHT_REACH,
    pawn_reach,
    slant_reach,
    straight_reach,
)
from plywise.games.chess.rules import (
    BISHOP,
    CASTLING,
    EIGHT,
    KIND,
    KING,
    KNIGHT,
    PASSING,
    PAWN,
    QUEEN,
    ROOK,
    SIX,
    SIX_BITS,
    TO_KNIGHT,
    filled,
    kind_at,
    kings,
    knights,
    pawns,
    side,
    slants,
    straights,
)
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word

WORTH = np.array([0, 100, 320, 330, 500, 950, 20_000], np.int64)  # by kind; 100 is a pawn
PROMOTED = np.array([320, 330, 500, 950], np.int64)  # knight, bishop, rook, queen


def gain(position: Position, move: Word) -> Whole:
    """Return the worth of what a move takes, and of what a pawn becomes beyond itself."""
    kind = move >> KIND
    if kind == PASSING:
        return WORTH[PAWN]
    won = WORTH[kind_at(position, (move >> SIX) & SIX_BITS)]
    if kind >= TO_KNIGHT:
        won += PROMOTED[kind - TO_KNIGHT] - WORTH[PAWN]
    return won


def exchange(position: Position, move: Word, least: Whole) -> bool:
    """Return whether a move wins so much, both sides taking on its square as long as it pays.

    The least valuable piece takes first; pins are not looked at.
    """
    start, end, kind = move & SIX_BITS, (move >> SIX) & SIX_BITS, move >> KIND
    if kind == CASTLING:
        return bool(least <= 0)
    balance = gain(position, move) - least
    if balance < 0:
        return False
    at_stake = WORTH[kind_at(position, start)]
    if kind >= TO_KNIGHT:
        at_stake = PROMOTED[kind - TO_KNIGHT]
    if balance >= at_stake:
        return True  # enough even if the piece is lost
    taken = (filled(position) & ~(ONE << start)) | (ONE << end)
    if kind == PASSING:
        taken &= ~(ONE << (end ^ EIGHT))
    return is_enough(position, end, taken, at_stake - balance)


def is_enough(position: Position, end: Word, taken: Word, missing: Whole) -> bool:
    """Return whether who has just moved to a square keeps what it wants there.

    `missing` is by how much that fails if the piece is taken and nothing is taken back.
    """
    mover = side(position)
    own = position[0]
    attackers = all_attackers(position, end, taken)
    is_mover_ahead, turn = True, 1 - mover
    while True:
        attackers &= taken
        sides = own if turn == mover else ~own
        ready = attackers & sides
        if ready == ZERO:
            return is_mover_ahead
        taker, worth = least_of(position, ready)
        if ready & kings(position) == ready and attackers & ~sides != ZERO:
            return is_mover_ahead  # a king cannot take what is defended
        is_mover_ahead = not is_mover_ahead
        missing = worth - missing
        # now who has taken is ahead by what was missing, and its piece is at stake
        if missing <= 0 if is_mover_ahead else missing < 0:
            return is_mover_ahead
        taken &= ~taker
        attackers |= slant_reach(end, taken) & slants(position)
        attackers |= straight_reach(end, taken) & straights(position)
        turn = 1 - turn


def all_attackers(position: Position, square: Word, taken: Word) -> Word:
    """Return the pieces of both sides that attack a square."""
    found: Word = KNIGHT_REACH[square] & knights(position)
    found |= KING_REACH[square] & kings(position)
    white = position[0] if side(position) == 0 else ~position[0]
    found |= pawn_reach(ONE << square, 1) & pawns(position) & white
    found |= pawn_reach(ONE << square, 0) & pawns(position) & ~white
    found |= slant_reach(square, taken) & slants(position)
    found |= straight_reach(square, taken) & straights(position)
    return found


def least_of(position: Position, squares: Word) -> tuple[Word, Whole]:
    """Return the least valuable of some pieces as a bit, and its worth."""
    found = squares & pawns(position)
    if found != ZERO:
        return lowest_of(found), WORTH[PAWN]
    found = squares & knights(position)
    if found != ZERO:
        return lowest_of(found), WORTH[KNIGHT]
    found = squares & slants(position) & ~straights(position)
    if found != ZERO:
        return lowest_of(found), WORTH[BISHOP]
    found = squares & straights(position) & ~slants(position)
    if found != ZERO:
        return lowest_of(found), WORTH[ROOK]
    found = squares & slants(position)
    if found != ZERO:
        return lowest_of(found), WORTH[QUEEN]
    return squares, WORTH[KING]


def lowest_of(squares: Word) -> Word:
    return squares & (~squares + ONE)
