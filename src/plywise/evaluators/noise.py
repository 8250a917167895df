"""`noise`: a random value for every position, always the same one; what knows nothing at all."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plywise.evaluators.model import Array, Evaluator, Model
from plywise.evaluators.stateless import stateless_members
from plywise.game import Game
from plywise.kernel import Bundle
from plywise.kernel.bits import Position, Whole, mix

HALF = np.float64(1 << 63)


def noise(game: Game) -> Evaluator:
    """Return the evaluator; its one weight is a seed."""

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        return float(mix((mix(position), params.seed[0]))) / HALF - 1.0

    bundle = Bundle("noise", stateless_members(value))
    return Evaluator("noise", game, bundle, {"seed": (1,)}, _prepare)


def _prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
    return {"seed": weights["seed"].astype(np.float64).view(np.uint64)}


def noise_model(game: Game, seed: int) -> Model:
    """Return random values of their own for every seed."""
    return Model(noise(game), {"seed": np.array([seed], np.float64)})
