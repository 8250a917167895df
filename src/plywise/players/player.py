"""Players: whoever can be asked for a move, whatever is behind it."""

from typing import Protocol

from plywise.errors import PlywiseError
from plywise.game.record import Record
from plywise.search.limits import Analysis, Clock, Found, Limit, Tell, TellAnalysis
from plywise.system.stopping import StopToken


class JudgesNothing(PlywiseError):
    """An analysis was asked of a player that has no opinion."""


class Player(Protocol):
    """One who plays a game: a search, a model, a person, an engine behind a protocol.

        new_game ─► choose, choose, ... ─► new_game ─► choose, ... ─► close

    A player has memory, so it is asked by one thread at a time; who plays several games at once
    asks a twin for each. `stop` belongs to the request: when it is set, from any thread, the
    player answers at once with what it has, which is a legal move. It never clears a token.
    """

    @property
    def name(self) -> str:
        """The text by which the player is called."""
        ...

    def new_game(self, seed: int) -> None:
        """Forget earlier games; the same seed then gives the same moves for the same budget.

        What takes long before the first move (compiling, starting a program) is done here.
        """
        ...

    def choose(
        self,
        record: Record,
        clock: Clock | None = None,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Found:
        """Return a move for the side to move; `tell` hears of every step on the way."""
        ...

    def analyse(
        self,
        record: Record,
        limit: Limit | None = None,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Return the best lines of a position; `tell` hears what is known after every step.

        Without a limit the player spends what it spends on a move, one that is held to a level
        what it could spend. One that has no opinion raises `JudgesNothing`.
        """
        ...

    def twin(self) -> "Player":
        """Return a player of the same kind and name, with memory of its own."""
        ...

    def close(self) -> None:
        """Give back whatever the player holds; it is asked nothing more."""
        ...
