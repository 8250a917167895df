"""The evolved networks of draughts: paper 000's, Blondie24's and Anaconda's.

`subsquares`  91-40-10-1: the sums of all 3x3 to 8x8 sub-squares, men 1, kings 1.5 (paper 000).
              A sum is linear in the board, so the first layer folds exactly into 32 inputs.
`blondie`     32-40-10-1 with the piece-difference bypass and an evolving value of a king
              (Chellapilla & Fogel 1999): 1742 numbers, and the king.
`anaconda`    32-91-40-10-1: every window weighs its own squares, 854 weights (2001):
              5046 numbers; the bypass counts pieces with weight 1.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.gradients import learning_members
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import Shape, network, pack_layers
from plywise.game import Game

SIDES = range(3, 9)  # of windows, in squares of the 8 x 8 board
WIDE, NARROW = 40, 10
MAN, KING = 1.0, 1.5


def _cell(square: int) -> tuple[int, int]:
    """Return row and column of a square 0-31 on the 8 x 8 board."""
    row, place = divmod(square, 4)
    return row, 2 * place + (1 - row % 2)


def windows() -> NDArray[np.bool_]:
    """Return which of the 32 squares lie in which of the 91 windows: [windows, squares]."""
    cells = [_cell(square) for square in range(32)]
    return np.array(
        [
            [top <= row < top + size and left <= column < left + size for row, column in cells]
            for size in SIDES
            for top in range(9 - size)
            for left in range(9 - size)
        ]
    )


WINDOWS = windows()
MEMBERS = np.argwhere(WINDOWS)  # [854, 2]: window and square of every connection


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
    return network("subsquares", game, Shape((WIDE, NARROW)), shapes, prepare, {})


def blondie(game: Game) -> Evaluator:
    """Return the network of 1999."""

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        layers = [
            (weights["wide"].T, weights["wide_bias"]),
            (weights["narrow"], weights["narrow_bias"]),
        ]
        packed = pack_layers(game, layers, _output(weights))
        return {**packed, "king": weights["king"], "bypass": weights["bypass"]}

    shapes = {**_upper_shapes(32), "bypass": (1,), "king": (1,)}
    shape = Shape((WIDE, NARROW), has_king=True, has_bypass=True)
    learning = learning_members(game, shape, by_unit=True)
    return network("blondie", game, shape, shapes, prepare, {}, learning)


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
        return {**packed, "king": weights["king"], "bypass": np.ones(1, np.float32)}

    own = {"windows": (len(MEMBERS),), "windows_bias": (len(WINDOWS),)}
    shapes = {**own, **_upper_shapes(len(WINDOWS)), "king": (1,)}
    shape = Shape((len(WINDOWS), WIDE, NARROW), has_king=True, has_bypass=True)
    return network("anaconda", game, shape, shapes, prepare, {})
