"""A player as the options of an engine protocol set it up: its text, memory and strength."""

from dataclasses import dataclass

from plywise.game import Game
from plywise.players.level_strength import elo_scale, level_of_elo
from plywise.players.naming import has_option, make_player, with_level, with_option
from plywise.players.options import HANDICAP, LARGEST_TABLE
from plywise.players.player import Player
from plywise.search.table import ENTRY
from plywise.settings.options import parse_options


@dataclass(frozen=True)
class EngineSetup:
    """What a program that asks may set, before a player is made of it."""

    game: Game
    text: str
    megabytes: int | None = None  # of the table; None: as the player has it
    threads: int | None = None
    elo: int | None = None  # None: full strength

    def offers(self, option: str) -> bool:
        """Return whether the player has an option."""
        return has_option(self.text, option, self.game)

    @property
    def is_held_back(self) -> bool:
        """Return whether the player plays below its strength, whatever it is given."""
        _, said = parse_options(self.text)
        return self.elo is not None or not said.keys().isdisjoint(HANDICAP)

    @property
    def elo_range(self) -> tuple[int, int]:
        """Return the least and the greatest strength that can be asked for."""
        scale = elo_scale(self.game.name).values()
        return min(scale), max(scale)

    def make(self) -> Player:
        """Return the player."""
        text = self.text
        if self.megabytes is not None and self.offers("hash"):
            text = with_option(text, "hash", str(table_bits(self.megabytes)), self.game)
        if self.threads is not None and self.offers("threads"):
            text = with_option(text, "threads", str(self.threads), self.game)
        if self.elo is not None and self.offers("level"):
            text = with_level(text, level_of_elo(self.game.name, self.elo), self.game)
        return make_player(text, self.game)


def table_bits(megabytes: int) -> int:
    """Return the size of the largest table that fits, as the power of two of its entries."""
    bits = ((megabytes << 20) // ENTRY.itemsize).bit_length() - 1
    return min(max(1, bits), LARGEST_TABLE)
