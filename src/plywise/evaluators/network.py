"""A multi-layer perceptron on a game's inputs: tanh, any hidden sizes, one output.

The network always looks from the side to move. A game's `inputs` show the board in fixed
colours (side 0 positive); for side 1 every input changes its sign and takes the place that
the game's `mirror` gives it. The first layer is kept for both views in the accumulator, and
a move changes it only by the inputs that the move changes.

A row of the accumulator:   inputs | first layer for side 0 | for side 1 | scratch
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from plywise.bits import ONE, ZERO, Position, Word, lowest
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.kernel import Bundle, borrow
from plywise.model import Array, Evaluator, Model


def _lambert(terms: int) -> tuple[list[int], list[int]]:
    """Return numerator and denominator, in powers of x*x, of tanh(x) / x.

    Lambert's continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))), cut after some terms.
    """
    above, below = [1], [2 * terms - 1]  # the innermost 1 / (2 n - 1)
    for odd in range(2 * terms - 3, 0, -2):
        # 1 / (odd + x^2 * above / below) = below / (odd * below + x^2 * above)
        grown = [odd * number for number in below] + [0] * (len(above) + 1 - len(below))
        for power, number in enumerate(above):
            grown[power + 1] += number
        above, below = below, grown
    return above, below


_ABOVE, _BELOW = _lambert(9)
_SCALE = float(_BELOW[0])
A0, A1, A2, A3, A4 = (np.float32(number / _SCALE) for number in _ABOVE)
B0, B1, B2, B3, B4 = (np.float32(number / _SCALE) for number in _BELOW)


def _bend(lower: float, upper: float) -> np.float32:
    """Return where the fraction reaches 1, by bisection: beyond it the function is flat."""
    for _ in range(60):
        middle = (lower + upper) / 2
        above = sum(number * middle ** (2 * power) for power, number in enumerate(_ABOVE))
        below = sum(number * middle ** (2 * power) for power, number in enumerate(_BELOW))
        lower, upper = (middle, upper) if middle * above < below else (lower, middle)
    return np.float32(lower)


EDGE = _bend(3.0, 12.0)


def tanh(x: Any) -> Any:
    """Return tanh(x) within 1e-5, in arithmetic that vectors do; training uses it as well."""
    x = x if x < EDGE else EDGE
    x = x if x > -EDGE else -EDGE
    s = x * x
    above = x * (A0 + s * (A1 + s * (A2 + s * (A3 + s * A4))))
    return above / (B0 + s * (B1 + s * (B2 + s * (B3 + s * B4))))


LANES = 32  # rows are padded with zeros to whole vectors: a loop's remainder would be scalar


def _whole_vectors(count: int) -> int:
    return -(-count // LANES) * LANES


def mlp(game: Game, hidden: Sequence[int] = (40, 10)) -> Evaluator:
    """Return a network with two hidden layers on the game's inputs."""
    inputs, side = game.rules.inputs, game.rules.side
    count = game.rules.input_count
    if count == 0:
        raise PlywiseError(f"The evaluator 'mlp' needs a game with `inputs`; {game.name} has none.")
    if len(hidden) != 2:
        raise PlywiseError(f"The evaluator 'mlp' has two hidden layers, not {len(hidden)}.")
    wide, narrow = int(hidden[0]), int(hidden[1])
    both = _whole_vectors(2 * wide)
    kept = count + both
    padded = _whole_vectors(wide)
    scratch = kept + _whole_vectors(narrow)
    width = scratch + padded

    def refresh(params: Any, acc: Any, ply: int, position: Position) -> None:
        inputs(position, borrow(acc, ply))
        for unit in range(both):
            acc[ply, count + unit] = params.bias[unit]
        for index in range(count):
            change = acc[ply, index]
            if change != 0:
                for unit in range(both):
                    acc[ply, count + unit] += change * params.columns[index, unit]

    def update(
        params: Any, acc: Any, ply: int, before: Position, move: Word, after: Position
    ) -> None:
        inputs(after, borrow(acc, ply + 1))
        for unit in range(count, kept):
            acc[ply + 1, unit] = acc[ply, unit]
        for begin in range(0, count, 64):
            changed = ZERO  # as bits: testing each input would mispredict at each change
            for index in range(begin, min(begin + 64, count)):
                differs = np.uint64(acc[ply + 1, index] != acc[ply, index])
                changed |= differs << np.uint64(index - begin)
            while changed != ZERO:
                index = begin + lowest(changed)
                changed &= changed - ONE
                change = acc[ply + 1, index] - acc[ply, index]
                for unit in range(both):
                    acc[ply + 1, count + unit] += change * params.columns[index, unit]

    def value(params: Any, acc: Any, ply: int, position: Position) -> float:
        if side(position) == 0:  # two loops with fixed bounds: these become vector code
            for unit in range(wide):
                acc[ply, scratch + unit] = tanh(acc[ply, count + unit])
        else:
            for unit in range(wide):
                acc[ply, scratch + unit] = tanh(acc[ply, count + wide + unit])
        for unit in range(narrow):
            activation = params.second_bias[unit]
            for other in range(padded):
                activation += params.second[unit, other] * acc[ply, scratch + other]
            acc[ply, kept + unit] = activation
        total = np.float32(0)
        for unit in range(width - kept - padded):
            total += params.output[unit] * tanh(acc[ply, kept + unit])
        return float(tanh(total + params.output_bias[0]))

    members: dict[str, Any] = {"value": value, "refresh": refresh, "update": update}
    members |= {"has_update": True, "width": width}
    shapes = {
        "first": (count, wide),
        "first_bias": (wide,),
        "second": (narrow, wide),
        "second_bias": (narrow,),
        "output": (narrow,),
        "output_bias": (1,),
    }
    bundle = Bundle(f"mlp_{wide}_{narrow}_of_{game.name}", members, fastmath=True)
    settings = {"hidden": [wide, narrow]}
    return Evaluator("mlp", game, bundle, shapes, _prepare(game), settings)


def _prepare(game: Game) -> Callable[[Mapping[str, Array]], Mapping[str, Array]]:
    """Return what turns learned weights into parameters: the first layer for both views."""
    mirror = np.array(game.mirror if game.mirror else range(game.rules.input_count))

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        narrow, wide = weights["second"].shape
        spare = _whole_vectors(2 * wide) - 2 * wide
        both = np.concatenate([weights["first"], -weights["first"][mirror]], axis=1)
        return {
            "columns": np.pad(both, ((0, 0), (0, spare))),
            "bias": np.pad(np.tile(weights["first_bias"], 2), (0, spare)),
            "second": np.pad(weights["second"], ((0, 0), (0, _whole_vectors(wide) - wide))),
            "second_bias": weights["second_bias"],
            "output": np.pad(weights["output"], (0, _whole_vectors(narrow) - narrow)),
            "output_bias": weights["output_bias"],
        }

    return prepare


def random_model(evaluator: Evaluator, generator: np.random.Generator, reach: float = 0.2) -> Model:
    """Return a network with weights drawn evenly from [-reach, reach]."""
    weights = {
        name: generator.uniform(-reach, reach, shape).astype(np.float32)
        for name, shape in evaluator.weights.items()
    }
    return Model(evaluator, weights, {"trained": "not at all: random weights"})
