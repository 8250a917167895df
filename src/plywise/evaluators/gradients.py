"""Gradients of the networks on a game's inputs, for learners: see `Evaluator`.

The learned numbers stand in this order, each array row by row:

    first layer, its bias | second layer, its bias, if any | output, its bias | bypass, king, if any

A first layer is written [inputs, units], or [units, inputs] where `by_unit` says so.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.activation import tanh
from plywise.evaluators.model import Evaluator
from plywise.evaluators.network import Shape
from plywise.game import Game, Rows
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole


class Places(NamedTuple):
    """Where in the vector of learned numbers the parts of a network begin."""

    inputs: int  # how many there are
    wide: int  # units of the first layer
    narrow: int  # of the second, 0 if there is none
    by_input: int  # how far in the first layer from an input to the next
    by_wide: int  # and from a unit to the next
    first_bias: int
    second: int
    second_bias: int
    output: int
    output_bias: int
    bypass: int
    king: int

    @classmethod
    def of(cls, inputs: int, shape: Shape, by_unit: bool) -> "Places":
        """Return the places of a network with one or two hidden layers."""
        wide, narrow = (*shape.hidden, 0)[:2]
        by_input, by_wide = (1, inputs) if by_unit else (wide, 1)
        first_bias = inputs * wide
        second = first_bias + wide
        second_bias = second + narrow * wide
        output = second_bias + narrow
        output_bias = output + (narrow or wide)
        bypass = output_bias + 1
        king = bypass + shape.has_bypass
        sizes = (inputs, wide, narrow, by_input, by_wide)
        return cls(*sizes, first_bias, second, second_bias, output, output_bias, bypass, king)


def learning_members(game: Game, shape: Shape, *, by_unit: bool = False) -> dict[str, Any]:
    """Return `gradient` and `unpack` of a network with one or two hidden layers and two views."""
    count = game.rules.input_count
    at = Places.of(count, shape, by_unit)
    mirror = np.array(game.mirror if game.mirror else range(count))
    look, by_king = _look_of(game, shape, at, mirror), _by_king_of(game, at, mirror)
    gradient = _gradient_of(shape, at, look, by_king)
    return {"gradient": gradient, "unpack": _unpack_of(shape, at, mirror)}


def _look_of(game: Game, shape: Shape, at: Places, mirror: NDArray[np.int64]) -> Any:
    """Return a function that writes the inputs as the side to move sees them."""
    inputs, side = game.rules.inputs, game.rules.side
    has_king = shape.has_king

    def look(weights: Any, acc: Any, ply: Whole, position: Position, seen: Any) -> None:
        inputs(position, borrow(acc, ply))
        mover = side(position)
        for index in range(at.inputs):
            raw = np.float64(acc[ply, index])
            if has_king and abs(raw) > 1:
                raw = weights[at.king] if raw > 0 else -weights[at.king]
            if mover == 0:
                seen[index] = raw
            else:
                seen[mirror[index]] = -raw

    return look


def _gradient_of(shape: Shape, at: Places, look: Any, by_king: Any) -> Any:
    """Return a function that finds the value and its derivatives, by a pass up and one down."""
    has_second, has_bypass, has_king = at.narrow > 0, shape.has_bypass, shape.has_king
    last = at.narrow or at.wide

    def rise(weights: Any, seen: Any, low: Any, high: Any) -> Any:
        """Fill the hidden layers; return the sum that the output unit is fed with."""
        for unit in range(at.wide):
            fed = weights[at.first_bias + unit]
            for index in range(at.inputs):
                fed += seen[index] * weights[index * at.by_input + unit * at.by_wide]
            low[unit] = tanh(fed)
        for unit in range(last):
            if has_second:
                fed = weights[at.second_bias + unit]
                for other in range(at.wide):
                    fed += weights[at.second + unit * at.wide + other] * low[other]
                high[unit] = tanh(fed)
            else:
                high[unit] = low[unit]
        total = weights[at.output_bias]
        for unit in range(last):
            total += weights[at.output + unit] * high[unit]
        return total

    def fall(weights: Any, slope: float, layers: Any, at_low: Any, out: Any) -> None:
        """Write the derivatives of all layers, and of the sums that the first one is fed with."""
        seen, low, high = layers
        out[at.output_bias] = slope
        for unit in range(last):
            out[at.output + unit] = slope * high[unit]
            back = slope * weights[at.output + unit] * (1.0 - high[unit] * high[unit])
            if has_second:
                out[at.second_bias + unit] = back
                for other in range(at.wide):
                    out[at.second + unit * at.wide + other] = back * low[other]
                    at_low[other] += back * weights[at.second + unit * at.wide + other]
            else:
                at_low[unit] = back
        for unit in range(at.wide):
            if has_second:
                at_low[unit] *= 1.0 - low[unit] * low[unit]
            out[at.first_bias + unit] = at_low[unit]
            for index in range(at.inputs):
                out[index * at.by_input + unit * at.by_wide] = at_low[unit] * seen[index]

    def gradient(weights: Any, acc: Any, ply: Whole, position: Position, out: Any) -> float:
        seen, low, high = np.empty(at.inputs), np.empty(at.wide), np.empty(last)
        at_low = np.zeros(at.wide)
        look(weights, acc, ply, position, seen)
        total, lead = rise(weights, seen, low, high), 0.0
        for index in range(at.inputs):
            lead += seen[index]
        if has_bypass:
            total += weights[at.bypass] * lead
        result = tanh(total)
        slope = 1.0 - result * result
        fall(weights, slope, (seen, low, high), at_low, out)
        if has_bypass:
            out[at.bypass] = slope * lead
        if has_king:
            straight = slope * weights[at.bypass] if has_bypass else 0.0
            out[at.king] = by_king(weights, acc, ply, position, straight, at_low)
        return float(result)

    return gradient


def _by_king_of(game: Game, at: Places, mirror: NDArray[np.int64]) -> Any:
    """Return a function that finds the derivative by the value of a king."""
    side = game.rules.side

    def by_king(
        weights: Any, acc: Any, ply: Whole, position: Position, straight: float, at_low: Any
    ) -> float:
        mover = side(position)
        total = 0.0
        for index in range(at.inputs):
            raw = acc[ply, index]
            if abs(raw) > 1:
                place = index if mover == 0 else mirror[index]
                back = straight
                for unit in range(at.wide):
                    back += at_low[unit] * weights[place * at.by_input + unit * at.by_wide]
                total += back if (raw > 0) == (mover == 0) else -back
        return total

    return by_king


def _unpack_of(shape: Shape, at: Places, mirror: NDArray[np.int64]) -> Any:
    """Return a function that makes learned numbers the parameters."""
    has_second, has_bypass, has_king = at.narrow > 0, shape.has_bypass, shape.has_king

    def unpack(weights: Any, params: Any) -> None:
        for index in range(at.inputs):
            for unit in range(at.wide):
                weight = weights[index * at.by_input + unit * at.by_wide]
                params.columns[index, unit] = weight
                weight = weights[mirror[index] * at.by_input + unit * at.by_wide]
                params.columns[index, at.wide + unit] = -weight
        for unit in range(at.wide):
            params.bias[unit] = weights[at.first_bias + unit]
            params.bias[at.wide + unit] = weights[at.first_bias + unit]
        if has_second:
            for unit in range(at.narrow):
                params.second_bias[unit] = weights[at.second_bias + unit]
                for other in range(at.wide):
                    params.second[unit, other] = weights[at.second + unit * at.wide + other]
        for unit in range(at.narrow or at.wide):
            params.output[unit] = weights[at.output + unit]
        params.output_bias[0] = weights[at.output_bias]
        if has_bypass:
            params.bypass[0] = weights[at.bypass]
        if has_king:
            params.king[0] = weights[at.king]

    return unpack


@compiled
def _gradients(
    game: Bundle, evaluator: Bundle, vector: Any, acc: Any, rows: Any, found: tuple[Any, Any]
) -> None:
    values, slopes = found
    for index in range(len(rows)):
        position = game.load_at(rows, index)
        values[index] = evaluator.gradient(vector, acc, 0, position, slopes[index])


def gradients_of(
    evaluator: Evaluator, vector: NDArray[np.float64], positions: Rows
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of positions, and their derivatives: [positions], [positions, numbers]."""
    if not evaluator.is_differentiable:
        raise PlywiseError(f"The evaluator {evaluator.name!r} has no gradient.")
    found = np.zeros(len(positions)), np.zeros((len(positions), len(vector)))
    accumulator = np.zeros((1, max(1, evaluator.bundle.width)), np.float32)
    rows = np.ascontiguousarray(positions)
    _gradients(evaluator.game.rules, evaluator.bundle, vector, accumulator, rows, found)
    return found
