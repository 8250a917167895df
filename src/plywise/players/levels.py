"""Levels of an opponent, from one that a child beats to as strong as it gets.

A level settles what a move may cost and how many moves are played at random; it is the same for
every search and game. `python benchmarks/levels.py GAME` measures how far neighbours are apart.
"""

from dataclasses import dataclass

from plywise.search.limits import Limit

FULL_SECONDS = 1.0  # for a move of whoever plays as well as it can


@dataclass(frozen=True)
class Level:
    """How an opponent is held back."""

    mistakes: float  # share of moves that are random
    limit: Limit


LEVELS = {
    1: Level(0.80, Limit(nodes=30)),
    2: Level(0.60, Limit(nodes=30)),
    3: Level(0.40, Limit(nodes=50)),
    4: Level(0.25, Limit(nodes=100)),
    5: Level(0.15, Limit(nodes=200)),
    6: Level(0.08, Limit(nodes=600)),
    7: Level(0.03, Limit(nodes=2000)),
    8: Level(0.0, Limit(nodes=10_000)),
    9: Level(0.0, Limit(nodes=100_000)),
    10: Level(0.0, Limit(seconds=FULL_SECONDS)),
}
STRONGEST = max(LEVELS)


def read_level(text: str) -> int:
    """Return the level that a text says; raise ValueError with what is right."""
    known = {str(level): level for level in LEVELS}
    if text not in known:
        raise ValueError(f"a whole number from {min(LEVELS)} to {STRONGEST}")
    return known[text]
