"""Protocols: programs that play, and programs that want to be played with, on a pair of pipes.

One file for each, with both directions: a `Language` drives an engine, which is then a player
like any other; an engine of ours lets a player speak to whatever program asks.
"""

from collections.abc import Mapping

from plywise.game import Game
from plywise.game.notation import Notation, find_notation, own_notation, require_notation
from plywise.protocols.cecp import CecpLanguage
from plywise.protocols.engine_player import Engine, MakeLanguage
from plywise.protocols.hub import HubLanguage
from plywise.protocols.nboard import NboardLanguage
from plywise.protocols.uci import UciLanguage

LANGUAGES: dict[str, MakeLanguage] = {
    "uci": UciLanguage,
    "cecp": CecpLanguage,
    "hub": HubLanguage,
    "nboard": NboardLanguage,
}


def notation_for(protocol: str, game: Game) -> Notation:
    """Return how a protocol writes a game; UCI takes any, as the game itself is written."""
    if protocol == "uci":
        return find_notation(game, protocol) or own_notation(game)
    return require_notation(game, protocol)


def make_engine(protocol: str, command: str, game: Game, options: Mapping[str, str]) -> Engine:
    """Return what it takes to play a game with a program."""
    return Engine(command, notation_for(protocol, game), LANGUAGES[protocol], options)
