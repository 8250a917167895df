"""Duchess: chess for two teams of players on a board with a hexagon in its middle."""

from plywise.games.duchess.game import duchess, duchess_game
from plywise.games.duchess.variant import Variant

__all__ = ["Variant", "duchess", "duchess_game"]
