"""`nnue`: a network whose first layer is summed from rows of active features.

    features -> hidden units -> a second hidden layer, if any -> tanh

After the efficiently updatable networks of Nasu (2018), with one view of the board for the side
to move. Units are clipped, min(max(x, 0), 1), or tanh.

A row of the accumulator, the first three parts padded to whole vectors:

    first layer as side 0 sees it, then as side 1 | its units | the second layer's | removed | added

The units of the first layer as the side to move sees them are the *code* of a position. `code`
writes it, so that other heads can be put on top.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators.activation import ACTIVATIONS
from plywise.evaluators.features import Features, Given, make_features
from plywise.evaluators.gradients import Places, Seeing, network_gradient, network_unpacking
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import RowParts, Shape, pack_upper_layers, value_of
from plywise.evaluators.summed import (
    Sums,
    pack_sums,
    put_row_of,
    seen_rows_of,
    summed_members,
)
from plywise.game import Game
from plywise.kernel import Bundle
from plywise.kernel.bits import Position, Whole


def nnue(
    game: Game,
    features: Given = None,
    hidden: Sequence[int] = (32,),
    units: str = "clipped",
) -> Evaluator:
    """Return the network; `features` are by default `cells` or `bits`, what the game has."""
    return nnue_on(make_features(features, game), hidden, units)


def nnue_on(features: Features, hidden: Sequence[int], units: str) -> Evaluator:
    """Return the network on any features."""
    if len(hidden) not in (1, 2) or min(hidden) < 1:
        raise PlywiseError(f"The evaluator 'nnue' has one or two hidden layers, not {hidden}.")
    if units not in ACTIVATIONS:
        raise UnknownName("kind of units", units, ACTIVATIONS)
    if features.seen is not None:
        raise PlywiseError(f"The features {features.name!r} are for the evaluator 'linear' only.")
    sizes = tuple(int(size) for size in hidden)
    shape = Shape(sizes, views=features.views, units=units)
    parts = RowParts.of(0, shape)
    wide = sizes[0]
    shapes: dict[str, tuple[int, ...]] = {
        "first": (features.tables * features.rows, wide),
        "first_bias": (wide,),
    }
    if len(sizes) == 2:
        shapes |= {"second": (sizes[1], wide), "second_bias": (sizes[1],)}
    shapes |= {"output": (sizes[-1],), "output_bias": (1,)}
    below = (features.most, *sizes)
    fans = dict(zip(shapes, [fan for fan in below for _ in ("weights", "bias")], strict=True))

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        packed = pack_sums(features, weights["first"], weights["first_bias"], parts.sums)
        second = [(weights["second"], weights["second_bias"])] if len(sizes) == 2 else []
        packed |= pack_upper_layers(second, (weights["output"], weights["output_bias"]))
        return {name: np.ascontiguousarray(array, np.float32) for name, array in packed.items()}

    members = {
        **summed_members(features, Sums(parts.first, parts.sums, parts.width, wide)),
        **_code_members(features, shape, parts),
        **_learning(features, shape),
        "value": value_of(features.game, shape, parts),
        "width": parts.width + 2 * features.most,
    }
    code = f"nnue_{'_'.join(map(str, sizes))}_{units}_{features.name}_of_{features.game.name}"
    bundle = Bundle(code, members, fastmath=True, exact=("gradient",))
    settings = {"features": features.given, "hidden": list(sizes), "units": units}
    return Evaluator("nnue", features.game, bundle, shapes, prepare, settings, fans)


def _code_members(features: Features, shape: Shape, parts: RowParts) -> dict[str, Any]:
    """Return `code`, which writes the units of the first layer, and how many they are."""
    side, has_one_view = features.game.rules.side, features.views == 1
    activate = ACTIVATIONS[shape.units].function
    wide, first = shape.hidden[0], parts.first

    def code(params: Any, acc: Any, ply: Whole, position: Position, out: Any) -> None:
        begin = first if has_one_view or side(position) == 0 else first + wide
        for unit in range(wide):
            out[unit] = activate(acc[ply, begin + unit])

    return {"code": code, "code_size": wide}


def _learning(features: Features, shape: Shape) -> dict[str, Any]:
    """Return the functions of a learner, see `Evaluator`."""
    rows = seen_rows_of(features, features.game.rules.side)
    at = Places.of(features.tables * features.rows, shape)

    def look(
        weights: Any, acc: Any, ply: Whole, position: Position, seen: Any, values: Any
    ) -> Whole:
        count = rows(position, seen)
        for index in range(count):
            values[index] = 1.0
        return count

    seeing = Seeing(look, features.most)
    put_row = put_row_of(features, shape.hidden[0])
    return {
        **network_gradient(features.game, shape, at, seeing),
        **network_unpacking(shape, at, put_row),
    }
