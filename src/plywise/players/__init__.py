"""Players: the text that names a player, and the player."""

from plywise.players.players import (
    BUDGET,
    KINDS,
    Player,
    PlayerSpec,
    default_opponent,
    find_model,
    make_player,
    parse_player,
    shipped_models,
)

__all__ = [
    "BUDGET",
    "KINDS",
    "Player",
    "PlayerSpec",
    "default_opponent",
    "find_model",
    "make_player",
    "parse_player",
    "shipped_models",
]
