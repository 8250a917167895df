"""`elm`: one hidden layer of logistic units with fixed random weights, a linear output.

The extreme learning machine of paper 003. Only the output weights are learned. A logistic
unit is a tanh unit in disguise, 1 / (1 + exp(-z)) = (1 + tanh(z / 2)) / 2, so the network
runs on the same compiled code as the others.

A network with phases has output weights of its own for each of them. The phase is told by how
many inputs are not zero, that is by how full the board is.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.activation import tanh
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import Shape, network, pack_layers, whole_vectors
from plywise.game import Game, Rows
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Position, Whole

Matrix = NDArray[np.float64]


def elm(game: Game, hidden: int = 100, view: str = "mover", phases: int = 1) -> Evaluator:
    """Return the network; `view` is `mover` or `fixed`, see `inputs_of`."""
    if view not in ("mover", "fixed"):
        raise PlywiseError(f"The view of an elm is mover or fixed, not {view!r}.")
    if hidden < 1:
        raise PlywiseError(f"An elm has one hidden unit or more, not {hidden}.")
    if phases < 1:
        raise PlywiseError(f"An elm has one phase or more, not {phases}.")
    views = 2 if view == "mover" else 1

    compiled_units = whole_vectors(hidden)  # one compiled network for many sizes
    spare = compiled_units - hidden

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        outputs = np.pad(np.atleast_2d(weights["output"]) / 2, ((0, 0), (0, spare)))
        biases = outputs.sum(axis=1)
        columns = np.pad(weights["hidden"] / 2, ((0, 0), (0, spare)))
        layer = (columns, np.pad(weights["hidden_bias"] / 2, (0, spare)))
        packed = pack_layers(game, [layer], (outputs[0], biases[:1]), views)
        if phases > 1:
            packed |= {"outputs": outputs.astype(np.float32), "biases": biases.astype(np.float32)}
            packed["bounds"] = weights["bounds"].astype(np.float32)
        return packed

    shapes: dict[str, tuple[int, ...]] = {
        "hidden": (game.rules.input_count, hidden),
        "hidden_bias": (hidden,),
        "output": (hidden,) if phases == 1 else (phases, hidden),
    }
    settings: dict[str, Any] = {"hidden": hidden, "view": view}
    members: dict[str, Any] = {}
    if phases > 1:
        shapes["bounds"] = (phases - 1,)
        settings["phases"] = phases
        members["value"] = _phased_value(game, compiled_units, views, phases)
    shape = Shape((compiled_units,), is_linear=True, views=views)
    return network("elm", game, shape, shapes, prepare, settings, members)


def _phased_value(game: Game, units: int, views: int, phases: int) -> Callable[..., float]:
    """Return a network's `value` with the output weights of the phase, see `network`."""
    side, count = game.rules.side, game.rules.input_count
    first, scratch = count, count + whole_vectors(views * units)
    has_one_view, borders, one = views == 1, phases - 1, np.float32(1)

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        filled = 0
        for index in range(count):
            filled += acc[ply, index] != 0
        phase = 0
        for border in range(borders):
            phase += filled >= params.bounds[border]
        mover = side(position)
        if has_one_view or mover == 0:  # loops with fixed bounds: these become vector code
            for unit in range(units):
                acc[ply, scratch + unit] = tanh(acc[ply, first + unit])
        else:
            for unit in range(units):
                acc[ply, scratch + unit] = tanh(acc[ply, first + units + unit])
        result = params.biases[phase]
        for unit in range(units):
            result += params.outputs[phase, unit] * acc[ply, scratch + unit]
        result = min(max(result, -one), one)
        return float(-result if has_one_view and mover == 1 else result)

    return value


def phases_of(inputs: Matrix, bounds: NDArray[Any]) -> NDArray[np.int64]:
    """Return the phase of positions: how many of the bounds their filled inputs reach."""
    filled = np.count_nonzero(inputs, axis=1)
    found: NDArray[np.int64] = np.searchsorted(bounds, filled, side="right")
    return found


@compiled
def write_inputs(game: Bundle, rows: Any, inputs: Any, sides: Any) -> None:
    """Write the inputs and the side to move of many positions."""
    for index in range(len(rows)):
        position = game.load_at(rows, index)
        game.inputs(position, inputs[index])
        sides[index] = game.side(position)


def inputs_of(game: Game, positions: Rows, view: str) -> tuple[Matrix, NDArray[np.int64]]:
    """Return what a network sees of positions, and the sign of its output for the mover.

    `mover`: the board as the side to move sees it, whose value is the output. `fixed`: the
    board as it is, and the output is the value for side 0.
    """
    inputs = np.zeros((len(positions), game.rules.input_count), np.float32)
    sides = np.zeros(len(positions), np.int64)
    write_inputs(game.rules, positions, inputs, sides)
    signs = 1 - 2 * sides
    if view == "fixed":
        return inputs.astype(np.float64), signs
    mirror = list(game.mirror) or list(range(game.rules.input_count))
    turned = np.where(sides[:, None] == 1, -inputs[:, mirror], inputs)
    return turned.astype(np.float64), np.ones_like(signs)


def hidden_values(inputs: Matrix, weights: Matrix, bias: Matrix) -> Matrix:
    """Return the outputs of the hidden units, H of the paper."""
    return 1 / (1 + np.exp(-(inputs @ weights + bias)))
