"""Evaluators by name. A new one is one file and its line here."""

import importlib
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators.model import BadModel, Evaluator, Model, read_card, read_weights
from plywise.game import Game

BUILDERS = {  # name: module and function that builds it for a game
    "none": "plywise.evaluators.handmade:none",
    "material": "plywise.evaluators.handmade:material",
    "pieces": "plywise.evaluators.handmade:pieces",
    "positional": "plywise.evaluators.handmade:positional",
    "threats": "plywise.evaluators.handmade:threats",
    "noise": "plywise.evaluators.noise:noise",
    "mlp": "plywise.evaluators.mlp:mlp",
    "elm": "plywise.evaluators.elm:elm",
    "linear": "plywise.evaluators.linear:linear",
    "nnue": "plywise.evaluators.nnue:nnue",
    "featuremap": "plywise.games.draughts.featuremap:featuremap",
    "experts": "plywise.evaluators.experts:experts",
    "subsquares": "plywise.games.draughts.windows:subsquares",
    "blondie": "plywise.games.draughts.windows:blondie",
    "anaconda": "plywise.games.draughts.windows:anaconda",
}

DEFAULTS = {"draughts": "material", "reversi": "positional", "connect4": "threats"}


def make_evaluator(name: str, game: Game, **settings: Any) -> Evaluator:
    """Return the evaluator of a name for a game."""
    if name not in BUILDERS:
        raise UnknownName("evaluator", name, BUILDERS)
    module, function = BUILDERS[name].split(":")
    build = getattr(importlib.import_module(module), function)
    try:
        evaluator: Evaluator = build(game, **settings)
    except TypeError as error:
        raise PlywiseError(
            f"The evaluator {name!r} cannot be built with {settings}: {error}."
        ) from None
    return evaluator


def default_evaluator(game: Game) -> str:
    """Return the name of the handmade evaluator that fits a game; `none` if there is none."""
    return DEFAULTS.get(game.name, "none")


def load_model(path: Path, game: Game) -> Model:
    """Return the model in a file, which must be for the given game."""
    card = read_card(path)
    if card["game"] != game.name:
        raise BadModel(f"{path} is a model for {card['game']}, not for {game.name}.")
    evaluator = make_evaluator(card["evaluator"], game, **card.get("settings", {}))
    arrays = read_weights(path)
    weights = {name: arrays[name] for name in evaluator.weights if name in arrays}
    return Model(evaluator, weights, card)
