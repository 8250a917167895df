"""The limits of games: how long a game and its moves may take, and playing clocks."""

from dataclasses import dataclass

from plywise.errors import PlywiseError
from plywise.search.limits import Clock, Limit
from plywise.settings.options import LARGEST


@dataclass(frozen=True)
class MoveTime(Clock):
    """A clock for one move only: all that is left may be spent."""

    def limit(self) -> Limit:
        """Return all that is left."""
        return Limit(seconds=self.remaining)


@dataclass(frozen=True)
class GameLimits:
    """How long a game and its moves may take; whoever takes longer loses."""

    max_plies: int = 500
    """Plies, with those of the opening, after which a game is called a draw."""
    move_seconds: float | None = None
    """Seconds for each move; None: no limit but the players' own budgets."""
    clock: Clock | None = None
    """Seconds for all moves of a side, and what is added after each."""
    grace: float = 0.1
    """Seconds beyond a limit that are overlooked."""

    def __post_init__(self) -> None:
        if self.move_seconds is not None and self.clock is not None:
            raise PlywiseError("A game has a limit for each move or a playing clock, not both.")
        if self.move_seconds is not None and not 0 < self.move_seconds <= LARGEST:
            raise PlywiseError(
                f"A move needs more than 0 seconds and at most {LARGEST}, "
                f"not {self.move_seconds:g}."
            )
        if self.max_plies < 1:
            raise PlywiseError(f"A game may last 1 ply or more, not {self.max_plies}.")
        if not 0 <= self.grace <= LARGEST:
            raise PlywiseError(f"The grace is 0 to {LARGEST} seconds, not {self.grace:g}.")

    def clock_with(self, left: float) -> Clock | None:
        """Return what a player is told who has so many seconds left on a playing clock."""
        if self.clock is not None:
            return Clock(left, self.clock.increment)
        return None if self.move_seconds is None else MoveTime(self.move_seconds)


def parse_clock(text: str) -> Clock:
    """Return the clock of a text like 60+0.5: seconds for the game, and more for each move."""
    seconds, plus, increment = text.partition("+")
    try:
        clock = Clock(float(seconds), float(increment) if plus else 0.0)
    except ValueError:
        clock = Clock(0)
    if not (0 < clock.remaining <= LARGEST and 0 <= clock.increment <= LARGEST):
        raise PlywiseError(
            f"A clock is written like 60+0.5 (seconds + increment, each at most {LARGEST}), "
            f"not {text!r}."
        )
    return clock


def format_clock(clock: Clock) -> str:
    """Return a clock as `parse_clock` reads it."""
    return f"{clock.remaining:g}+{clock.increment:g}"
