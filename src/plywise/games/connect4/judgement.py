"""Connect Four judged by hand: threats, and the centre."""

import numpy as np

from plywise.games.connect4.rules import FULL
from plywise.kernel.bits import ONE, Position, Word, popcount

_SHIFTS = tuple(np.uint64(shift) for shift in (6, 7, 8))
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_CENTRE = np.uint64(0b111111 << 21)
_NEAR_CENTRE = np.uint64(0b111111 << 14 | 0b111111 << 28)


def winning_squares(stones: Word, empty: Word) -> Word:
    """Return the empty squares that would complete four of the given stones."""
    found = (stones << ONE) & (stones << _TWO) & (stones << _THREE)
    for shift in _SHIFTS:
        double = shift + shift
        pair_up = (stones << shift) & (stones << double)
        found |= pair_up & (stones << (double + shift))
        found |= pair_up & (stones >> shift)
        pair_down = (stones >> shift) & (stones >> double)
        found |= pair_down & (stones >> (double + shift))
        found |= pair_down & (stones << shift)
    return found & empty


def threats(position: Position) -> float:
    """Count the squares that would complete four, and stones near the centre."""
    mine, filled = position
    theirs = mine ^ filled
    empty = FULL & ~filled
    lead = popcount(winning_squares(mine, empty)) - popcount(winning_squares(theirs, empty))
    centre = 2 * (popcount(mine & _CENTRE) - popcount(theirs & _CENTRE))
    centre += popcount(mine & _NEAR_CENTRE) - popcount(theirs & _NEAR_CENTRE)
    return max(-1.0, min(1.0, 0.1 * lead + 0.01 * centre))
