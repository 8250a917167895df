"""Players: the protocol that all of them keep, and the text that names one."""

from plywise.players.engine_setup import EngineSetup
from plywise.players.handicapped_player import HandicappedPlayer
from plywise.players.models import find_model, newest_model, shipped_models
from plywise.players.naming import (
    budget_of,
    default_opponent,
    has_budget,
    judge_of,
    make_player,
    model_of,
    names_program,
    outdated_model,
    require_player,
    with_level,
    with_seconds,
)
from plywise.players.player import JudgesNothing, Player
from plywise.players.random_player import RandomPlayer
from plywise.players.search_player import SearchPlayer

__all__ = [
    "EngineSetup",
    "HandicappedPlayer",
    "JudgesNothing",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "budget_of",
    "default_opponent",
    "find_model",
    "has_budget",
    "judge_of",
    "make_player",
    "model_of",
    "names_program",
    "newest_model",
    "outdated_model",
    "require_player",
    "shipped_models",
    "with_level",
    "with_seconds",
]
