"""The numbers of the evaluator `classic`: where each of them stands in one table, and the table.

Squares count for both wings alike, so a piece has 32 numbers for its squares: rank by rank as White
sees them, from the edge to the middle.
"""

import numpy as np
from numpy.typing import NDArray

from plywise.games.chess.fitted import FITTED

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIZES = {  # how many numbers of a name there are in the table
    "nothing": 64,  # so that the squares of kind k begin at 64 k
    **dict.fromkeys(KINDS, 64),
    "knight mobility": 9,
    "bishop mobility": 14,
    "rook mobility": 15,
    "queen mobility": 28,
    "danger": 32,  # by the pressure on the other king
    "shield": 4,  # by own pawns next to the own king
    "passed": 8,  # by rank, like all of the next three
    "blocked": 8,
    "supported": 8,
    "passed, own king": 8,  # by distance
    "passed, their king": 8,
    "doubled": 1,
    "isolated": 1,
    "backward": 1,
    "open file": 1,
    "half-open file": 1,
    "pair of bishops": 1,
    "outpost": 2,  # knight, bishop
    "hit by pawn": 4,  # knight, bishop, rook, queen
    "move": 1,
}
STARTS = dict(zip(SIZES, np.cumsum([0, *SIZES.values()]).tolist(), strict=False))
COUNT = sum(SIZES.values())

MOBILITY = (0, 0, *(STARTS[f"{kind} mobility"] for kind in KINDS[1:5]), 0)  # by kind
DANGER, SHIELD = STARTS["danger"], STARTS["shield"]
MOST_DANGER, MOST_SHIELD = SIZES["danger"] - 1, SIZES["shield"] - 1
PASSED, BLOCKED, SUPPORTED = STARTS["passed"], STARTS["blocked"], STARTS["supported"]
PASSED_OWN_KING, PASSED_THEIR_KING = STARTS["passed, own king"], STARTS["passed, their king"]
DOUBLED, ISOLATED, BACKWARD = STARTS["doubled"], STARTS["isolated"], STARTS["backward"]
OPEN, HALF_OPEN = STARTS["open file"], STARTS["half-open file"]
PAIR, OUTPOST, HIT_BY_PAWN = STARTS["pair of bishops"], STARTS["outpost"], STARTS["hit by pawn"]
TEMPO = STARTS["move"]


def half_square(square: int) -> int:
    """Return which of 32 numbers a square has."""
    file = square % 8
    return square // 8 * 4 + min(file, 7 - file)


def places(name: str) -> list[list[int]]:
    """Return for each number of a name where it stands in the table."""
    start = STARTS[name]
    if name in KINDS:
        return [
            [start + square for square in range(64) if half_square(square) == half]
            for half in range(32)
        ]
    return [[start + index] for index in range(SIZES[name])]


def table(fitted: dict[str, tuple[tuple[int, int], ...]]) -> NDArray[np.int64]:
    """Return the table with middle game and ending in one whole number, see `judgement`."""
    found = np.zeros(COUNT, np.int64)
    for name, pairs in fitted.items():
        for (middle, ending), spots in zip(pairs, places(name), strict=True):
            found[spots] = middle + (ending << 32)
    return found


WORTH = table(FITTED)
