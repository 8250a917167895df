"""Draughts judged by hand: material."""

from plywise.games.draughts.rules import BOARD
from plywise.kernel.bits import Position, popcount


def material(position: Position) -> float:
    """Count pieces; a king counts one and a half men."""
    mine, theirs, state = position
    kings = state & BOARD
    men = popcount(mine) - popcount(theirs)
    return float((men + 0.5 * (popcount(mine & kings) - popcount(theirs & kings))) / 18.0)
