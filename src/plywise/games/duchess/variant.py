"""The points of the rules on which sources differ or are silent, as options."""

from dataclasses import dataclass

from plywise.errors import PlywiseError
from plywise.games.duchess.board import SEATS

MOST_QUIET = 255  # that a position can count


@dataclass(frozen=True)
class Variant:
    """A way to play Duchess; the defaults are those of the games `duchess` and `duchess6`."""

    players: int = 4  # or 6
    teleport_captures: bool = True  # a piece may capture by teleportation
    pawn_teleport_captures: bool = True  # a pawn too
    mated_attack: bool = True  # pieces of a mated player still attack; else only after a revival
    must_promote: bool = False  # a pawn on the Vortex becomes a piece wherever it can
    passes_are_quiet: bool = True  # a pass counts as a quiet ply
    quiet_limit: int = 200  # so many plies without capture or promotion are a draw
    long_knight: bool = True  # knights go across the Vortex from c5 to c6 two sections further

    def __post_init__(self) -> None:
        if self.players not in SEATS:
            raise PlywiseError(f"Duchess has 4 or 6 players, not {self.players}.")
        if not 1 <= self.quiet_limit <= MOST_QUIET:
            raise PlywiseError(f"quiet_limit is from 1 to {MOST_QUIET}, not {self.quiet_limit}.")
