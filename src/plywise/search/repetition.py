"""Repetition along a line of positions, given by their keys: of the game, then of the search."""

from typing import Any

from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Whole


@compiled
def is_repeated(game: Bundle, keys: Any, past: Whole, ply: Whole, clock: Whole) -> bool:
    """Return whether the position keys[past + ply] is a draw by repetition.

    One earlier occurrence from the root keys[past] on is enough: what was possible once is
    again. Occurrences before the root count as the rules say. `clock` is how far back a
    repetition can lie.
    """
    here = past + ply
    occurrences = 1
    for back in range(2, min(clock, here) + 1):
        if keys[here - back] == keys[here]:
            occurrences += 1
            if back <= ply or occurrences >= game.repetitions:
                return True
    return False
