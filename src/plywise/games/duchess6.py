"""Duchess for six players, three on a side."""

from plywise.games.duchess.game import duchess_game
from plywise.games.duchess.variant import Variant

__all__ = ["duchess6"]

duchess6 = duchess_game("duchess6", Variant(players=6))
