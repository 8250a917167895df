"""Networks on a game's inputs: tanh, one to three hidden layers, one output, compiled.

`nnue` has the same upper layers on features instead of inputs.

A network with two views looks from the side to move. A game's `inputs` show the board in fixed
colours (side 0 positive); for side 1 every input changes its sign and takes the place that
the game's `mirror` gives it. A network with one view judges the board in fixed colours, for
side 0. The first layer is kept for all views in the accumulator, and a move changes it only
by the inputs that the move changes.

A row of the accumulator, each part padded to whole vectors:

    inputs | first layer as side 0 sees it | as side 1 sees it | scratch for the other layers
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plywise.evaluators.activation import ACTIVATIONS, tanh
from plywise.evaluators.model import Array, Evaluator, Model
from plywise.game import Game
from plywise.kernel import Bundle, borrow
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest

LANES = 32  # rows are padded with zeros to whole vectors: a loop's remainder would be scalar


def whole_vectors(count: int) -> int:
    """Return a count rounded up to whole vectors."""
    return -(-count // LANES) * LANES


@dataclass(frozen=True)
class Shape:
    """What a compiled network looks like: units of its hidden layers, and what it has besides."""

    hidden: tuple[int, ...]  # one to three layers
    has_worth: bool = False  # inputs larger than 1 are worth the learned number `worth` instead
    has_bypass: bool = False  # the sum of all inputs goes straight to the output
    is_linear: bool = False  # the output is cut off at -1 and 1 instead of squashed
    views: int = 2  # 2: as each side sees the board; 1: in fixed colours
    units: str = "tanh"  # what hidden units do, see ACTIVATIONS

    def parts(self) -> tuple[int, ...]:
        """Return the padded sizes of the layers."""
        return tuple(whole_vectors(units) for units in self.hidden)


class RowParts(NamedTuple):
    """Where in a row of the accumulator the parts of a network begin."""

    first: int  # sums of the first layer, all views
    sums: int  # how many of them, padded
    scratch: int  # units of the first layer
    second: int
    third: int
    last: int  # the layer that feeds the output
    width: int

    @classmethod
    def of(cls, inputs: int, shape: Shape) -> "RowParts":
        """Return the parts of a row that begins with some inputs."""
        parts = shape.parts()
        sums = whole_vectors(shape.views * shape.hidden[0])
        scratch = inputs + sums
        second = scratch + parts[0]
        third = second + (*parts, 0)[1]
        last = (scratch, second, third)[len(parts) - 1]
        return cls(inputs, sums, scratch, second, third, last, last + parts[-1])


def network(
    name: str,
    game: Game,
    shape: Shape,
    weights: dict[str, tuple[int, ...]],
    prepare: Callable[[Mapping[str, Array]], Mapping[str, Array]],
    settings: dict[str, Any],
    learning: dict[str, Any] | None = None,
    **declared: Any,
) -> Evaluator:
    """Return a network whose learned weights `prepare` turns into layers, see `pack_layers`.

    `learning` has the functions of a differentiable one, see `gradients`; `declared` are further
    fields of the `Evaluator`.
    """
    sizes = "_".join(str(units) for units in shape.hidden)
    extras = "_worth" * shape.has_worth + "_bypass" * shape.has_bypass
    extras += "_linear" * shape.is_linear + "_fixed" * (shape.views == 1)
    members = {**_members(game, shape), **(learning or {})}
    code = f"network_{sizes}{extras}_of_{game.name}"
    bundle = Bundle(code, members, fastmath=True, exact=("gradient",))
    fans = _fans(game, shape, weights)
    return Evaluator(name, game, bundle, weights, prepare, settings, fans, **declared)


def _fans(game: Game, shape: Shape, weights: Mapping[str, Any]) -> dict[str, int]:
    """Return what feeds the units of each weight array; they stand in the order of the layers."""
    below = [game.rules.input_count, *shape.hidden]
    found = [fan for fan in below for _ in ("weights", "bias")]
    return dict(zip(weights, [*found, below[0], below[0]], strict=False))  # bypass and worth


def _members(game: Game, shape: Shape) -> dict[str, Any]:
    """Return the compiled functions for one game and shape; all sizes are constants in them."""
    parts = RowParts.of(game.rules.input_count, shape)
    value = value_of(game, shape, parts)
    return {**_first_layer(game, shape, parts), "value": value, "width": parts.width}


def _first_layer(game: Game, shape: Shape, parts: RowParts) -> dict[str, Any]:
    """Return the functions that keep inputs and first layer in the accumulator."""
    inputs, count, has_worth = game.rules.inputs, game.rules.input_count, shape.has_worth
    first, both = parts.first, parts.sums

    def look(params: Any, acc: Any, ply: Whole, position: Position) -> None:
        inputs(position, borrow(acc, ply))
        if has_worth:
            for index in range(count):
                raw = acc[ply, index]
                if raw > 1:
                    acc[ply, index] = params.worth[0]
                elif raw < -1:
                    acc[ply, index] = -params.worth[0]

    def refresh(params: Any, acc: Any, ply: Whole, position: Position) -> None:
        look(params, acc, ply, position)
        for unit in range(both):
            acc[ply, first + unit] = params.bias[unit]
        for index in range(count):
            change = acc[ply, index]
            if change != 0:
                for unit in range(both):
                    acc[ply, first + unit] += change * params.columns[index, unit]

    def update(
        params: Any, acc: Any, ply: Whole, before: Position, move: Word, after: Position
    ) -> None:
        look(params, acc, ply + 1, after)
        for unit in range(both):
            acc[ply + 1, first + unit] = acc[ply, first + unit]
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
                    acc[ply + 1, first + unit] += change * params.columns[index, unit]

    return {"refresh": refresh, "update": update, "has_update": True}


def value_of(game: Game, shape: Shape, parts: RowParts) -> Callable[..., float]:
    """Return the function that judges by the first layer's sums; with a bypass, by inputs too."""
    side, count = game.rules.side, game.rules.input_count
    has_bypass, is_linear, has_one_view = shape.has_bypass, shape.is_linear, shape.views == 1
    has_second, has_third = len(shape.hidden) > 1, len(shape.hidden) > 2
    wide, second_units, third_units = (*shape.hidden, 0, 0)[:3]
    part, second_part = (*shape.parts(), 0)[:2]
    first, _, scratch, second, third, last, _ = parts
    last_part = shape.parts()[-1]
    activate, one = ACTIVATIONS[shape.units].function, np.float32(1)

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        mover = side(position)
        if has_one_view or mover == 0:  # loops with fixed bounds: these become vector code
            for unit in range(wide):
                acc[ply, scratch + unit] = activate(acc[ply, first + unit])
        else:
            for unit in range(wide):
                acc[ply, scratch + unit] = activate(acc[ply, first + wide + unit])
        if has_second:
            for unit in range(second_units):
                total = params.second_bias[unit]
                for other in range(part):
                    total += params.second[unit, other] * acc[ply, scratch + other]
                acc[ply, second + unit] = total
            for unit in range(second_units):
                acc[ply, second + unit] = activate(acc[ply, second + unit])
        if has_third:
            for unit in range(third_units):
                total = params.third_bias[unit]
                for other in range(second_part):
                    total += params.third[unit, other] * acc[ply, second + other]
                acc[ply, third + unit] = total
            for unit in range(third_units):
                acc[ply, third + unit] = activate(acc[ply, third + unit])
        result = params.output_bias[0]
        for unit in range(last_part):
            result += params.output[unit] * acc[ply, last + unit]
        if has_bypass:
            lead = np.float32(0)
            for index in range(count):
                lead += acc[ply, index]
            result += params.bypass[0] * (lead if mover == 0 else -lead)
        result = min(max(result, -one), one) if is_linear else tanh(result)
        return float(-result if has_one_view and mover == 1 else result)

    return value


def pack_layers(
    game: Game, layers: list[tuple[Array, Array]], output: tuple[Array, Array], views: int = 2
) -> dict[str, Array]:
    """Return the parameters of a network from its layers as (weights, bias).

    `layers[0]` has weights [inputs, units]; the others [units, units below].
    """
    mirror = np.array(game.mirror if game.mirror else range(game.rules.input_count))
    first, first_bias = layers[0]
    units = views * first.shape[1]
    spare = whole_vectors(units) - units
    seen = [first, -first[mirror]][:views]
    packed = {
        "columns": np.pad(np.concatenate(seen, axis=1), ((0, 0), (0, spare))),
        "bias": np.pad(np.tile(first_bias, views), (0, spare)),
    }
    packed |= pack_upper_layers(layers[1:], output)
    return {name: np.ascontiguousarray(array, np.float32) for name, array in packed.items()}


def pack_upper_layers(
    layers: list[tuple[Array, Array]], output: tuple[Array, Array]
) -> dict[str, Array]:
    """Return the parameters of all that is above the first layer, see `pack_layers`."""
    packed: dict[str, Array] = {}
    for name, (weights, bias) in zip(("second", "third"), layers, strict=False):
        below = weights.shape[1]
        packed[name] = np.pad(weights, ((0, 0), (0, whole_vectors(below) - below)))
        packed[f"{name}_bias"] = bias
    for name in ("second", "third")[len(layers) :]:  # kernels name what they never reach
        packed[name], packed[f"{name}_bias"] = np.zeros((1, 1)), np.zeros(1)
    spare = whole_vectors(len(output[0])) - len(output[0])
    packed["output"], packed["output_bias"] = np.pad(output[0], (0, spare)), output[1]
    return packed | {"worth": np.ones(1), "bypass": np.zeros(1)}


def random_model(evaluator: Evaluator, generator: np.random.Generator, reach: float = 0.2) -> Model:
    """Return an evaluator with weights drawn evenly from [-reach, reach]."""
    weights = {
        name: generator.uniform(-reach, reach, shape).astype(np.float32)
        for name, shape in evaluator.weights.items()
    }
    return Model(evaluator, weights, {"trained": "not at all: random weights"})
