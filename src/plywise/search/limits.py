"""What a search may spend, and what it finds."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plywise.errors import PlywiseError

UNLIMITED_NODES = 1 << 60
DEEPEST = 1000  # plies; no search gets there but by proving the end of a game
LATENCY = 0.08  # seconds that are kept for whatever is between a player and the clock
MOVES_AHEAD = 25  # for which a clock must last that nobody winds up
LONGEST = 4  # how many times the planned seconds a move may take


@dataclass(frozen=True)
class Limit:
    """A budget: whichever part is used up first ends the search."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    planned: float | None = None  # seconds after which no deeper step is begun without need

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "seconds", "planned"):
            amount = getattr(self, name)
            if amount is not None and not 0 < amount < math.inf:
                raise PlywiseError(f"A limit of {name} is a number above 0, not {amount}.")
        if self.depth is not None and self.depth > DEEPEST:
            raise PlywiseError(f"A limit of depth is at most {DEEPEST} plies, not {self.depth}.")
        if self.nodes is not None and self.nodes > UNLIMITED_NODES:
            raise PlywiseError("A limit of nodes has at most 18 digits.")

    @property
    def is_open(self) -> bool:
        """Return whether nothing is limited."""
        return self.depth is None and self.nodes is None and self.seconds is None

    def within(self, clock: "Clock") -> "Limit":
        """Return the budget with as much time as a clock allows at most."""
        allowed = clock.limit()
        seconds = min(own for own in (self.seconds, allowed.seconds) if own is not None)
        is_short = self.seconds is not None and self.seconds <= (allowed.planned or 0)
        return Limit(self.depth, self.nodes, seconds, None if is_short else allowed.planned)


@dataclass(frozen=True)
class Clock:
    """A playing clock as a player sees it: what is left, and what each move adds."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None  # until more time is added; None: never, or nobody knows

    def limit(self) -> Limit:
        """Return what a move should take, and what it may take at most, so that it never runs out.

        What is kept back is for whatever stands between a player and the clock.
        """
        usable = max(0.002, self.remaining - min(LATENCY, self.remaining / 2))
        moves = min(self.moves_to_go or MOVES_AHEAD, MOVES_AHEAD)
        most = usable * (0.9 if moves == 1 else 0.5)
        planned = min(usable / moves + 0.75 * self.increment, most)
        return Limit(seconds=min(most, LONGEST * planned), planned=planned)


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

    def is_proven_within(self, depth: int) -> bool:
        """Return whether deeper searches than of a depth would say the same."""
        return self.end is not None and self.end <= depth


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
