"""Plywise: board games learned from nothing.

Names are imported on first use, so that `import plywise` stays quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plywise.errors import PlywiseError
    from plywise.game import DRAW, LOSS, ONGOING, WIN, About, Bench, Game
    from plywise.game.record import Record
    from plywise.games import load_game
    from plywise.kernel.bits import lowest, mix, popcount
    from plywise.picture import Grid, Hexagons, Piece, Polygons, counts
    from plywise.players import make_player
    from plywise.search.limits import Limit

__version__ = "0.1.0"

_HOMES = {
    "About": "game",
    "Bench": "game",
    "DRAW": "game",
    "Game": "game",
    "Grid": "picture",
    "Hexagons": "picture",
    "LOSS": "game",
    "Limit": "search.limits",
    "ONGOING": "game",
    "Piece": "picture",
    "PlywiseError": "errors",
    "Polygons": "picture",
    "Record": "game",
    "WIN": "game",
    "counts": "picture",
    "load_game": "games",
    "lowest": "kernel.bits",
    "make_player": "players",
    "mix": "kernel.bits",
    "popcount": "kernel.bits",
}

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "WIN",
    "About",
    "Bench",
    "Game",
    "Grid",
    "Hexagons",
    "Limit",
    "Piece",
    "PlywiseError",
    "Polygons",
    "Record",
    "counts",
    "load_game",
    "lowest",
    "make_player",
    "mix",
    "popcount",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"plywise.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'plywise' has no attribute {name!r}")
