"""Plywise: board games learned from nothing.

Names are imported on first use, so that `import plywise` stays quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plywise.errors import PlywiseError
    from plywise.game import DRAW, LOSS, ONGOING, WIN, Game
    from plywise.game.record import Record
    from plywise.games import load_game
    from plywise.picture import Grid
    from plywise.players import make_player
    from plywise.search.limits import Limit

__version__ = "0.1.0"

_HOMES = {
    "DRAW": "game",
    "Game": "game",
    "Grid": "picture",
    "LOSS": "game",
    "Limit": "search.limits",
    "ONGOING": "game",
    "PlywiseError": "errors",
    "Record": "game",
    "WIN": "game",
    "load_game": "games",
    "make_player": "players",
}

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "WIN",
    "Game",
    "Grid",
    "Limit",
    "PlywiseError",
    "Record",
    "load_game",
    "make_player",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"plywise.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'plywise' has no attribute {name!r}")
