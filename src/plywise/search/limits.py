"""What a search may spend, and what it finds."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plywise.errors import PlywiseError

UNLIMITED_NODES = 1 << 60


@dataclass(frozen=True)
class Limit:
    """A budget: whichever part is used up first ends the search."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "seconds"):
            amount = getattr(self, name)
            if amount is not None and not (amount > 0 and math.isfinite(amount)):
                raise PlywiseError(f"A limit of {name} is a number above 0, not {amount}.")

    @property
    def is_open(self) -> bool:
        """Return whether nothing is limited."""
        return self.depth is None and self.nodes is None and self.seconds is None

    def within(self, seconds: float) -> "Limit":
        """Return the budget with so many seconds at most."""
        shorter = seconds if self.seconds is None else min(seconds, self.seconds)
        return Limit(self.depth, self.nodes, shorter)


@dataclass(frozen=True)
class Clock:
    """A playing clock as a player sees it: what is left, and what each move adds."""

    remaining: float
    increment: float = 0.0

    def seconds_for_move(self) -> float:
        """Return a share of what is left that never runs out."""
        share = self.remaining / 25 + 0.75 * self.increment
        return max(0.001, min(share, 0.8 * self.remaining - 0.02))


@dataclass(frozen=True)
class Found:
    """What a search found: all values are for the side to move at the root."""

    move: int
    value: float  # in [-1, 1]
    line: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    end: int | None = None  # plies to the proven end of the game
    extras: dict[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class RootMove:
    """What a tree came to think of a move: how often it was tried, and its value."""

    move: int
    visits: int
    value: float


@dataclass(frozen=True)
class Analysis:
    """The best lines of a position, best first; a tree also tells of all moves."""

    lines: tuple[Found, ...]
    moves: tuple[RootMove, ...] = ()  # most visited first


Tell = Callable[[Found], None]
TellAnalysis = Callable[[Analysis], None]
