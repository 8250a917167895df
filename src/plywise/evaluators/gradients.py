"""Gradients of networks, for learners: see `Evaluator`.

A gradient is sparse: runs of places in the vector of learned numbers, and the amounts there. Of
the first layer it has only what is fed by inputs that are not 0. The learned numbers stand in this
order, each array row by row, bypass and worth only where a network has them:

    first layer, its bias | second layer, its bias, if any | output, its bias | bypass | worth

A first layer is written [inputs, units], and an input's row is one run; or [units, inputs] where
`by_unit` says so. There, and where inputs are few, one run has all numbers and all inputs are
looked at: loops of a known length are worth more than what could be left out.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.activation import ACTIVATIONS, tanh
from plywise.evaluators.model import Evaluator
from plywise.evaluators.network import Shape
from plywise.game import Game, Rows
from plywise.kernel import Bundle, borrow, compiled, part
from plywise.kernel.bits import Position, Whole

Function = Callable[..., Any]

FEW = 128  # with no more inputs than this, a gradient is one run


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
    worth: int
    total: int  # how many learned numbers there are
    is_one_run: bool  # whether a gradient has all of them

    @property
    def shift(self) -> int:
        """Where the first run begins: its amounts are written from 0 on."""
        return 0 if self.is_one_run else self.first_bias

    @classmethod
    def of(
        cls, inputs: int, shape: Shape, *, by_unit: bool = False, is_one_run: bool = False
    ) -> "Places":
        """Return the places of a network with one or two hidden layers."""
        wide, narrow = (*shape.hidden, 0)[:2]
        by_input, by_wide = (1, inputs) if by_unit else (wide, 1)
        first_bias = inputs * wide
        second = first_bias + wide
        second_bias = second + narrow * wide
        output = second_bias + narrow
        output_bias = output + (narrow or wide)
        bypass = output_bias + 1
        worth = bypass + shape.has_bypass
        sizes = (inputs, wide, narrow, by_input, by_wide, first_bias, second, second_bias)
        total = worth + shape.has_worth
        return cls(*sizes, output, output_bias, bypass, worth, total, is_one_run)


def no_worth(
    weights: Any, acc: Any, ply: Whole, position: Position, straight: float, at_low: Any
) -> float:
    """Return the derivative by the worth of large inputs where there is none."""
    return 0.0


class Seeing(NamedTuple):
    """How a network sees a position when it learns.

    look(weights, acc, ply, position, seen, values) writes the inputs that are not 0 as the side to
    move sees them, in ascending order, and their values; it returns how many they are. Where a
    gradient is one run, it writes all inputs.
    """

    look: Function
    most: int  # how many there can be
    by_worth: Function = no_worth  # finds the derivative by the worth of large inputs


def learning_members(game: Game, shape: Shape, *, by_unit: bool = False) -> dict[str, Any]:
    """Return what a network on a game's inputs needs to learn: one or two layers, two views."""
    count = game.rules.input_count
    at = Places.of(count, shape, by_unit=by_unit, is_one_run=by_unit or count <= FEW)
    mirror = np.array(game.mirror if game.mirror else range(count))
    seeing = Seeing(_look_of(game, shape, at, mirror), count, _by_worth_of(game, at, mirror))
    put_row = _put_row_of(at, mirror)
    return {
        **network_gradient(game, shape, at, seeing),
        **network_unpacking(shape, at, put_row),
    }


# ---------------------------------------------------------------- a game's inputs


def _look_of(game: Game, shape: Shape, at: Places, mirror: NDArray[np.int64]) -> Function:
    """Return the function that looks at a game's inputs, see `Seeing`."""
    inputs, side = game.rules.inputs, game.rules.side
    has_worth, is_one_run = shape.has_worth, at.is_one_run
    behind = np.argsort(mirror)  # the input that takes a place when the sides are exchanged

    def look(
        weights: Any, acc: Any, ply: Whole, position: Position, seen: Any, values: Any
    ) -> Whole:
        inputs(position, borrow(acc, ply))
        mover = side(position)
        count = 0
        for index in range(at.inputs):
            raw = np.float64(acc[ply, index if mover == 0 else behind[index]])
            if has_worth and abs(raw) > 1:
                raw = weights[at.worth] if raw > 0 else -weights[at.worth]
            if is_one_run:
                values[index] = raw if mover == 0 else -raw
            elif raw != 0:
                seen[count] = index
                values[count] = raw if mover == 0 else -raw
                count += 1
        return at.inputs if is_one_run else count

    return look


def _by_worth_of(game: Game, at: Places, mirror: NDArray[np.int64]) -> Function:
    """Return a function that finds the derivative by the worth of inputs larger than 1."""
    side = game.rules.side

    def by_worth(
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

    return by_worth


def _put_row_of(at: Places, mirror: NDArray[np.int64]) -> Function:
    """Return a function that makes what an input feeds the parameters, in both views."""
    behind = np.argsort(mirror)
    reach = (at.wide - 1) * at.by_wide + 1  # from the first unit's weight to the last one's

    def put_row(weights: Any, params: Any, index: Whole) -> None:
        opposite = behind[index]
        fed = part(weights, index * at.by_input, reach)
        for unit in range(at.wide):
            params.columns[index, unit] = fed[unit * at.by_wide]
        for unit in range(at.wide):
            params.columns[opposite, at.wide + unit] = -fed[unit * at.by_wide]

    return put_row


# ---------------------------------------------------------------- any network


def network_gradient(game: Game, shape: Shape, at: Places, seeing: Seeing) -> dict[str, Any]:
    """Return `gradient`, which goes up through the layers and down again, see `Evaluator`."""
    look, most, by_worth = seeing
    side, has_one_view = game.rules.side, shape.views == 1
    has_second, has_bypass, has_worth = at.narrow > 0, shape.has_bypass, shape.has_worth
    last, shift = at.narrow or at.wide, at.shift
    rise, fall, spread = _rise_of(shape, at), _fall_of(shape, at), _spread_of(at)

    def gradient(
        weights: Any, acc: Any, ply: Whole, position: Position, runs: Any, amounts: Any
    ) -> tuple[float, Whole]:
        seen, values = np.empty(most, np.int64), np.empty(most)
        low, at_low = np.empty(at.wide), np.zeros(at.wide)
        high = np.empty(last) if has_second else low
        count = look(weights, acc, ply, position, seen, values)
        total, lead = rise(weights, (seen, values, count), low, high), 0.0
        if has_bypass:
            for index in range(count):
                lead += values[index]
            total += weights[at.bypass] * lead
        result = tanh(total)
        slope = 1.0 - result * result
        if has_one_view and side(position) == 1:
            result, slope = -result, -slope
        fall(weights, slope, low, high, at_low, amounts)
        if has_bypass:
            amounts[at.bypass - shift] = slope * lead
        if has_worth:
            straight = slope * weights[at.bypass] if has_bypass else 0.0
            amounts[at.worth - shift] = by_worth(weights, acc, ply, position, straight, at_low)
        return float(result), np.int64(spread((seen, values, count), at_low, runs, amounts))

    rest = at.total - at.first_bias
    first = at.first_bias if at.is_one_run else most * at.wide
    return {"gradient": gradient, "most_runs": most + 1, "most_amounts": first + rest}


def _rise_of(shape: Shape, at: Places) -> Function:
    """Return a function that fills the hidden layers; it returns what the output is fed with."""
    activate = ACTIVATIONS[shape.units].function
    has_second, last = at.narrow > 0, at.narrow or at.wide
    feed = _feed_of(at)

    def rise(weights: Any, inputs: tuple[Any, Any, Whole], low: Any, high: Any) -> Any:
        feed(weights, inputs, low)
        for unit in range(at.wide):
            low[unit] = activate(low[unit])
        if has_second:
            for unit in range(last):
                fed = weights[at.second_bias + unit]
                for other in range(at.wide):
                    fed += weights[at.second + unit * at.wide + other] * low[other]
                high[unit] = activate(fed)
        total = weights[at.output_bias]
        for unit in range(last):
            total += weights[at.output + unit] * high[unit]
        return total

    return rise


def _feed_of(at: Places) -> Function:
    """Return a function that sums what feeds the first layer, in the order of the inputs."""

    def feed_by_rows(weights: Any, inputs: tuple[Any, Any, Whole], low: Any) -> None:
        seen, values, count = inputs
        for unit in range(at.wide):
            low[unit] = weights[at.first_bias + unit]
        for index in range(count):
            amount, row = values[index], part(weights, seen[index] * at.wide, at.wide)
            for unit in range(at.wide):
                low[unit] += amount * row[unit]

    def feed_all(weights: Any, inputs: tuple[Any, Any, Whole], low: Any) -> None:
        values = inputs[1]
        for unit in range(at.wide):
            fed = weights[at.first_bias + unit]
            for index in range(at.inputs):
                fed += values[index] * weights[index * at.by_input + unit * at.by_wide]
            low[unit] = fed

    return feed_all if at.is_one_run else feed_by_rows


def _fall_of(shape: Shape, at: Places) -> Function:
    """Return a function that writes the derivatives by all but the first layer's weights.

    Those of the sums that the first layer is fed with are left in `at_low`.
    """
    slope_at = ACTIVATIONS[shape.units].slope
    has_second, last = at.narrow > 0, at.narrow or at.wide
    first_bias, second, second_bias, output, output_bias = (
        place - at.shift
        for place in (at.first_bias, at.second, at.second_bias, at.output, at.output_bias)
    )

    def fall(weights: Any, slope: float, low: Any, high: Any, at_low: Any, amounts: Any) -> None:
        amounts[output_bias] = slope
        for unit in range(last):
            amounts[output + unit] = slope * high[unit]
            back = slope * weights[at.output + unit] * slope_at(high[unit])
            if has_second:
                amounts[second_bias + unit] = back
                row = unit * at.wide
                for other in range(at.wide):
                    amounts[second + row + other] = back * low[other]
                    at_low[other] += back * weights[at.second + row + other]
            else:
                at_low[unit] = back
        for unit in range(at.wide):
            if has_second:
                at_low[unit] *= slope_at(low[unit])
            amounts[first_bias + unit] = at_low[unit]

    return fall


def _spread_of(at: Places) -> Function:
    """Return a function that writes the derivatives by the first layer's weights, and all runs."""
    rest = at.total - at.first_bias

    def spread_rows(inputs: tuple[Any, Any, Whole], at_low: Any, runs: Any, amounts: Any) -> Whole:
        seen, values, count = inputs
        runs[0, 0], runs[0, 1] = at.first_bias, at.total
        for index in range(count):
            begin, amount = seen[index] * at.wide, values[index]
            runs[index + 1, 0], runs[index + 1, 1] = begin, begin + at.wide
            out = part(amounts, rest + index * at.wide, at.wide)
            for unit in range(at.wide):
                out[unit] = at_low[unit] * amount
        return count + 1

    def spread_all(inputs: tuple[Any, Any, Whole], at_low: Any, runs: Any, amounts: Any) -> Whole:
        values = inputs[1]
        runs[0, 0], runs[0, 1] = 0, at.total
        for unit in range(at.wide):
            for index in range(at.inputs):
                amounts[index * at.by_input + unit * at.by_wide] = at_low[unit] * values[index]
        return 1

    return spread_all if at.is_one_run else spread_rows


def network_unpacking(shape: Shape, at: Places, put_row: Function) -> dict[str, Any]:
    """Return `unpack` and `unpack_runs` of a network.

    put_row(weights, params, input) makes what an input feeds the parameters.
    """
    has_second, has_bypass, has_worth = at.narrow > 0, shape.has_bypass, shape.has_worth
    has_two_views, is_one_run = shape.views == 2, at.is_one_run

    def unpack_rest(weights: Any, params: Any) -> None:
        for unit in range(at.wide):
            params.bias[unit] = weights[at.first_bias + unit]
            if has_two_views:
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
        if has_worth:
            params.worth[0] = weights[at.worth]

    def unpack(weights: Any, params: Any) -> None:
        for index in range(at.inputs):
            put_row(weights, params, index)
        unpack_rest(weights, params)

    def unpack_runs(weights: Any, params: Any, runs: Any, count: Whole) -> None:
        for run in range(count):
            begin = runs[run, 0]
            if is_one_run:
                unpack(weights, params)
            elif begin < at.first_bias:
                put_row(weights, params, begin // at.wide)
            else:
                unpack_rest(weights, params)

    return {"unpack": unpack, "unpack_runs": unpack_runs}


# ---------------------------------------------------------------- many positions


@compiled
def _gradients(
    game: Bundle, evaluator: Bundle, vector: Any, acc: Any, rows: Any, found: tuple[Any, Any]
) -> None:
    values, slopes = found
    runs, amounts = np.empty((evaluator.most_runs, 2), np.int64), np.empty(evaluator.most_amounts)
    for index in range(len(rows)):
        position = game.load_at(rows, index)
        values[index], count = evaluator.gradient(vector, acc, 0, position, runs, amounts)
        done = 0
        for run in range(count):
            for place in range(runs[run, 0], runs[run, 1]):
                slopes[index, place] += amounts[done]
                done += 1


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
