"""Evaluators by name: a game's own, and those for any game. A new one is one file and its line."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from plywise.errors import PlywiseError
from plywise.evaluators.lookup import find_builder
from plywise.evaluators.model import Array, BadModel, Evaluator, Model, read_card, read_weights
from plywise.evaluators.packing import unpack
from plywise.game import Game

MOST_WEIGHTS = 250_000_000  # a gigabyte

BUILDERS = {  # for any game: where the function stands that builds it for one
    "none": "plywise.evaluators.handmade:none",
    "material": "plywise.evaluators.handmade:material",
    "pieces": "plywise.evaluators.handmade:pieces",
    "noise": "plywise.evaluators.noise:noise",
    "mlp": "plywise.evaluators.mlp:mlp",
    "elm": "plywise.evaluators.elm:elm",
    "linear": "plywise.evaluators.linear:linear",
    "nnue": "plywise.evaluators.nnue:nnue",
    "patterns": "plywise.evaluators.patterns:patterns",
    "comparator": "plywise.evaluators.comparator:comparator",
    "experts": "plywise.evaluators.experts:experts",
}


def make_evaluator(name: str, game: Game, **settings: Any) -> Evaluator:
    """Return the evaluator of a name for a game: one of its own, else one for any game."""
    from plywise.evaluators.handmade import plain_evaluator

    function, is_builder = find_builder("evaluator", "evaluators", name, game, BUILDERS)
    if not is_builder:
        if settings:
            raise PlywiseError(f"The evaluator {name!r} has no settings, so not {settings} either.")
        return plain_evaluator(name, game, function)
    try:
        evaluator: Evaluator = function(game, **settings)
    except TypeError:
        raise PlywiseError(f"The evaluator {name!r} cannot be built with {settings}.") from None
    count = sum(math.prod(shape) for shape in evaluator.weights.values())
    if count > MOST_WEIGHTS:
        raise PlywiseError(
            f"The evaluator {name!r} would have {count:,} numbers; at most {MOST_WEIGHTS:,} can be."
        )
    return evaluator


def settings_source(name: str, game: Game) -> Callable[..., Any]:
    """Return the function whose parameters with a default are an evaluator's settings."""
    function, _ = find_builder("evaluator", "evaluators", name, game, BUILDERS)
    return function


def default_evaluator(game: Game) -> str:
    """Return the name of the evaluator that judges a game unless told otherwise, or `none`."""
    return game.about.default_evaluator or next(iter(game.about.evaluators), "none")


def load_model(path: Path, game: Game) -> Model:
    """Return the model in a file, which must be for the given game."""
    card = read_card(path)
    if card["game"] != game.name:
        raise BadModel(f"{path} is a model for {card['game']}, not for {game.name}.")
    version = card.get("game_version", 1)
    if version != game.about.version:
        raise BadModel(
            f"{path} is for version {version} of {game.name}; this one is {game.about.version}."
        )
    misfit = BadModel(
        f"{path} does not fit {game.name} as it is here: it was made for another board or other "
        "rules of that name, or it is damaged."
    )
    try:
        evaluator = make_evaluator(card["evaluator"], game, **card.get("settings", {}))
        weights = _fitting_weights(read_weights(path), evaluator, card.get("packed", {}))
        if weights is None:
            raise misfit
        return Model(evaluator, weights, card)
    except PlywiseError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise misfit from None


def _fitting_weights(
    arrays: Mapping[str, Array], evaluator: Evaluator, steps: Mapping[str, float]
) -> dict[str, Array] | None:
    """Return the arrays of a file as weights of an evaluator, None if they have other shapes."""
    weights = {}
    for name, shape in evaluator.weights.items():
        try:
            weights[name] = (
                unpack(arrays[name], shape, steps[name]) if name in steps else arrays[name]
            )
        except (LookupError, PlywiseError):  # it is not there, or packs an array of another size
            return None
        if weights[name].shape != shape:
            return None
    return weights
