"""`elm`: one hidden layer of logistic units with fixed random weights, a linear output.

The extreme learning machine of paper 003. Only the output weights are learned. A logistic
unit is a tanh unit in disguise, 1 / (1 + exp(-z)) = (1 + tanh(z / 2)) / 2, so the network
runs on the same compiled code as the others.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.network import Shape, network, pack_layers, whole_vectors
from plywise.game import Game, Rows
from plywise.kernel import Bundle, compiled
from plywise.model import Array, Evaluator

Matrix = NDArray[np.float64]


def elm(game: Game, hidden: int = 100, view: str = "mover") -> Evaluator:
    """Return the network; `view` is `mover` or `fixed`, see `inputs_of`."""
    if view not in ("mover", "fixed"):
        raise PlywiseError(f"The view of an elm is mover or fixed, not {view!r}.")
    views = 2 if view == "mover" else 1

    compiled_units = whole_vectors(hidden)  # one compiled network for many sizes
    spare = compiled_units - hidden

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        output = np.pad(weights["output"] / 2, (0, spare))
        bias = np.array([output.sum()])
        columns = np.pad(weights["hidden"] / 2, ((0, 0), (0, spare)))
        layer = (columns, np.pad(weights["hidden_bias"] / 2, (0, spare)))
        return pack_layers(game, [layer], (output, bias), views)

    shapes: dict[str, tuple[int, ...]] = {
        "hidden": (game.rules.input_count, hidden),
        "hidden_bias": (hidden,),
        "output": (hidden,),
    }
    shape = Shape((compiled_units,), is_linear=True, views=views)
    return network("elm", game, shape, shapes, prepare, {"hidden": hidden, "view": view})


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
