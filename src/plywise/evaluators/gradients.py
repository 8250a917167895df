"""Gradients of the networks on a game's inputs, for learners: see `Evaluator`.

The learned numbers stand in this order, each array row by row:

    first layer, its bias | second layer, its bias, if any | output, its bias | bypass, king, if any

A first layer is written [inputs, units], or [units, inputs] where `by_unit` says so.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.bits import Position, Whole
from plywise.errors import PlywiseError
from plywise.evaluators.activation import tanh
from plywise.evaluators.network import Shape
from plywise.game import Game, Rows
from plywise.kernel import Bundle, borrow, compiled
from plywise.model import Evaluator


def learning_members(game: Game, shape: Shape, *, by_unit: bool = False) -> dict[str, Any]:
    """Return `gradient` and `unpack` of a network with one or two hidden layers and two views."""
    inputs, side = game.rules.inputs, game.rules.side
    count = game.rules.input_count
    mirror = np.array(game.mirror if game.mirror else range(count))
    has_second = len(shape.hidden) > 1
    has_king, has_bypass = shape.has_king, shape.has_bypass
    wide, narrow = (*shape.hidden, 0)[:2]
    last = narrow if has_second else wide
    by_input, by_wide = (1, count) if by_unit else (wide, 1)  # strides of the first layer
    first_bias = count * wide
    second = first_bias + wide
    second_bias = second + narrow * wide
    output = second_bias + narrow
    output_bias = output + last
    bypass = output_bias + 1
    king = bypass + has_bypass

    def look(weights: Any, acc: Any, ply: Whole, position: Position, seen: Any) -> None:
        """Write the inputs as the side to move sees them."""
        inputs(position, borrow(acc, ply))
        mover = side(position)
        for index in range(count):
            raw = np.float64(acc[ply, index])
            if has_king and abs(raw) > 1:
                raw = weights[king] if raw > 0 else -weights[king]
            if mover == 0:
                seen[index] = raw
            else:
                seen[mirror[index]] = -raw

    def gradient(weights: Any, acc: Any, ply: Whole, position: Position, out: Any) -> float:
        seen = np.empty(count)
        look(weights, acc, ply, position, seen)
        low, high = np.empty(wide), np.empty(last)
        for unit in range(wide):
            fed = weights[first_bias + unit]
            for index in range(count):
                fed += seen[index] * weights[index * by_input + unit * by_wide]
            low[unit] = tanh(fed)
        for unit in range(last):
            if has_second:
                fed = weights[second_bias + unit]
                for other in range(wide):
                    fed += weights[second + unit * wide + other] * low[other]
                high[unit] = tanh(fed)
            else:
                high[unit] = low[unit]
        total, lead = weights[output_bias], 0.0
        for unit in range(last):
            total += weights[output + unit] * high[unit]
        for index in range(count):
            lead += seen[index]
        if has_bypass:
            total += weights[bypass] * lead
        result = tanh(total)

        slope = 1.0 - result * result
        at_low = np.zeros(wide)
        out[output_bias] = slope
        for unit in range(last):
            out[output + unit] = slope * high[unit]
            back = slope * weights[output + unit] * (1.0 - high[unit] * high[unit])
            if has_second:
                out[second_bias + unit] = back
                for other in range(wide):
                    out[second + unit * wide + other] = back * low[other]
                    at_low[other] += back * weights[second + unit * wide + other]
            else:
                at_low[unit] = back
        for unit in range(wide):
            if has_second:
                at_low[unit] *= 1.0 - low[unit] * low[unit]
            out[first_bias + unit] = at_low[unit]
            for index in range(count):
                out[index * by_input + unit * by_wide] = at_low[unit] * seen[index]
        if has_bypass:
            out[bypass] = slope * lead
        if has_king:
            out[king] = by_king(weights, acc, ply, position, slope, at_low)
        return float(result)

    def by_king(
        weights: Any, acc: Any, ply: Whole, position: Position, slope: float, at_low: Any
    ) -> float:
        """Return the derivative by the value of a king."""
        mover = side(position)
        total = 0.0
        for index in range(count):
            raw = acc[ply, index]
            if abs(raw) > 1:
                place = index if mover == 0 else mirror[index]
                back = slope * weights[bypass] if has_bypass else 0.0
                for unit in range(wide):
                    back += at_low[unit] * weights[place * by_input + unit * by_wide]
                total += back if (raw > 0) == (mover == 0) else -back
        return total

    def unpack(weights: Any, params: Any) -> None:
        for index in range(count):
            for unit in range(wide):
                weight = weights[index * by_input + unit * by_wide]
                params.columns[index, unit] = weight
                weight = weights[mirror[index] * by_input + unit * by_wide]
                params.columns[index, wide + unit] = -weight
        for unit in range(wide):
            params.bias[unit] = weights[first_bias + unit]
            params.bias[wide + unit] = weights[first_bias + unit]
        if has_second:
            for unit in range(narrow):
                params.second_bias[unit] = weights[second_bias + unit]
                for other in range(wide):
                    params.second[unit, other] = weights[second + unit * wide + other]
        for unit in range(last):
            params.output[unit] = weights[output + unit]
        params.output_bias[0] = weights[output_bias]
        if has_bypass:
            params.bypass[0] = weights[bypass]
        if has_king:
            params.king[0] = weights[king]

    return {"gradient": gradient, "unpack": unpack}


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
