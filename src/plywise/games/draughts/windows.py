"""The evolved networks of draughts: paper 000's, Blondie24's and Anaconda's.

`subsquares`  91-40-10-1: the sums of all 3x3 to 8x8 sub-squares, men 1, kings 1.5 (paper 000).
              A sum is linear in the board, so the first layer folds exactly into 32 inputs.
`blondie`     32-40-10-1 with the piece-difference bypass and an evolving value of a king
              (Chellapilla & Fogel 1999): 1742 numbers, and the king.
`anaconda`    32-91-40-10-1: every window weighs its own squares, 854 weights (2001):
              5046 numbers; the bypass counts pieces with weight 1.
"""

import functools
from collections.abc import Mapping

import numpy as np

from plywise.evaluators.gradients import learning_members
from plywise.evaluators.model import Array, Evaluator, Range
from plywise.evaluators.network import Shape, network, pack_layers
from plywise.game import Game
from plywise.games.draughts.activity import slopes_of
from plywise.games.draughts.squares import MEMBERS, WINDOWS

WIDE, NARROW = 40, 10
RANGES = {"king": Range(start=2.0, low=1.0, high=3.0, step=0.2)}  # of a learned value


def _upper_shapes(below: int) -> dict[str, tuple[int, ...]]:
    return {
        "wide": (WIDE, below),
        "wide_bias": (WIDE,),
        "narrow": (NARROW, WIDE),
        "narrow_bias": (NARROW,),
        "output": (NARROW,),
        "output_bias": (1,),
    }


def _output(weights: Mapping[str, Array]) -> tuple[Array, Array]:
    return weights["output"], weights["output_bias"]


def subsquares(game: Game) -> Evaluator:
    """Return paper 000's network, folded."""

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        folded = WINDOWS.T.astype(np.float64) @ weights["wide"].T.astype(np.float64)
        layers = [
            (folded, weights["wide_bias"]),
            (weights["narrow"], weights["narrow_bias"]),
        ]
        return pack_layers(game, layers, _output(weights))

    shapes = _upper_shapes(len(WINDOWS))
    slopes = functools.partial(slopes_of, "subsquares")
    return network("subsquares", game, Shape((WIDE, NARROW)), shapes, prepare, {}, slopes=slopes)


def blondie(game: Game) -> Evaluator:
    """Return the network of 1999."""

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        layers = [
            (weights["wide"].T, weights["wide_bias"]),
            (weights["narrow"], weights["narrow_bias"]),
        ]
        packed = pack_layers(game, layers, _output(weights))
        return {**packed, "worth": weights["king"], "bypass": weights["bypass"]}

    shapes = {**_upper_shapes(32), "bypass": (1,), "king": (1,)}
    shape = Shape((WIDE, NARROW), has_worth=True, has_bypass=True)
    learning = learning_members(game, shape, by_unit=True)
    slopes = functools.partial(slopes_of, "blondie")
    return network(
        "blondie", game, shape, shapes, prepare, {}, learning, slopes=slopes, ranges=RANGES
    )


def anaconda(game: Game) -> Evaluator:
    """Return the network of 2001."""

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        first = np.zeros((32, len(WINDOWS)))
        first[MEMBERS[:, 1], MEMBERS[:, 0]] = weights["windows"]
        layers = [
            (first, weights["windows_bias"]),
            (weights["wide"], weights["wide_bias"]),
            (weights["narrow"], weights["narrow_bias"]),
        ]
        packed = pack_layers(game, layers, _output(weights))
        return {**packed, "worth": weights["king"], "bypass": np.ones(1, np.float32)}

    own = {"windows": (len(MEMBERS),), "windows_bias": (len(WINDOWS),)}
    shapes = {**own, **_upper_shapes(len(WINDOWS)), "king": (1,)}
    shape = Shape((len(WINDOWS), WIDE, NARROW), has_worth=True, has_bypass=True)
    slopes = functools.partial(slopes_of, "anaconda")
    return network("anaconda", game, shape, shapes, prepare, {}, slopes=slopes, ranges=RANGES)
