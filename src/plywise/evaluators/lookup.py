"""How names of evaluators and classifiers are looked up: in the game first, then in general."""

import inspect
from collections.abc import Mapping
from typing import Literal, NamedTuple

from plywise.errors import PlywiseError, UnknownName
from plywise.game import Game
from plywise.game.about import Function, Reference, resolve

# All games, which are above this layer: asked only for the sentence about a name of another game.
OTHER_GAMES = "plywise.games:built_in_games"


class Found(NamedTuple):
    """What a name stands for."""

    function: Function
    is_builder: bool  # it takes the game and builds something; else it judges a position


class OtherGame(PlywiseError):
    """What belongs to another game."""


def find_builder(
    what: str,
    table: Literal["evaluators", "classifiers"],
    name: str,
    game: Game,
    general: Mapping[str, Reference],
) -> Found:
    """Return the function that a name stands for in a game's own table, or in the general one."""
    known = {**general, **getattr(game.about, table)}
    if name in known:
        function = resolve(known[name])
        return Found(function, next(iter(inspect.signature(function).parameters), "") == "game")
    others = [other.name for other in resolve(OTHER_GAMES)() if name in getattr(other.about, table)]
    if others:
        raise OtherGame(f"The {what} {name!r} is for {' and '.join(others)}, not for {game.name}.")
    raise UnknownName(what, name, known)
