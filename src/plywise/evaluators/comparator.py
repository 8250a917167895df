"""`comparator`: a network that says which of two positions is better, after DeepChess.

    features of a position -> code              layers of rectified units, the first one summed
    codes of two positions -> lead              layers of rectified units, one output

The *lead* of a over b is the logarithm of the odds that a is the better one for side 0; it is the
mean over both orders, so that lead(b, a) == -lead(a, b). The first layer above the codes is split:

    units = W [a, b] + bias = (A a + bias) + B b

and a position's two parts, its *projections*, are computed once, however often it is compared.
Beside `refresh` and `update` the bundle has, with rows of `row_width` numbers:

    project(params, acc, ply, position, row)      write a position's projections
    compare(params, first, second, scratch)       the lead of one row over another
    compare_even(params, row, scratch)            the lead over an even position
    lead_unit                                     what a lead of 1 is in millionths of a value
    is_bent                                       whether leads shrink where one side is far ahead

An even position is the mean of the game's first position and of the same with sides exchanged. Its
lead makes a `value` too, so that a comparator can judge in any search.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.activation import tanh
from plywise.evaluators.features import Features, make_features
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import whole_vectors
from plywise.evaluators.summed import Sums, summed_members
from plywise.game import Game
from plywise.kernel import Bundle, borrow, compiled, part
from plywise.kernel.bits import Position, Whole

ZERO = np.float32(0)
LEAD_UNIT = 500_000  # a value is the tanh of half a lead


class Layers(NamedTuple):
    """Where the weights of layers stand in one vector: [units, units below], then biases."""

    below: tuple[int, ...]  # by layer: units below, padded to whole vectors
    units: tuple[int, ...]
    begins: tuple[int, ...]  # by layer: where its weights begin
    size: int

    @classmethod
    def of(cls, sizes: Sequence[int]) -> "Layers":
        """Return the layers between these sizes."""
        below = tuple(whole_vectors(size) for size in sizes[:-1])
        units = tuple(sizes[1:])
        lengths = [(wide + 1) * high for wide, high in zip(below, units, strict=True)]
        begins = tuple(int(begin) for begin in np.cumsum([0, *lengths]))
        return cls(below, units, begins[:-1], begins[-1])

    def pack(self, layers: Sequence[tuple[Array, Array]]) -> Array:
        """Return layers, given as weights [units, below] and biases, as one vector."""
        parts = []
        for (weights, bias), wide in zip(layers, self.below, strict=True):
            padded = np.pad(weights, ((0, 0), (0, wide - weights.shape[1])))
            parts += [padded.reshape(-1), bias]
        return np.concatenate([*parts, np.zeros(1)]).astype(np.float32)  # never empty


def comparator(
    game: Game, features: Sequence[int] = (256, 32, 32), head: Sequence[int] = (32, 16)
) -> Evaluator:
    """Return the network; `features` are the units up to the code, `head` those above it."""
    if not features or not head or min(*features, *head) < 1:
        raise PlywiseError(
            f"A comparator has layers of features and of its head, not {features} and {head}."
        )
    seen = make_features({"name": "board", "fixed": True}, game)
    wide, code = features[0], features[-1]
    shapes: dict[str, tuple[int, ...]] = {"first": (seen.count, wide), "first_bias": (wide,)}
    for name, sizes in (("feature", features), ("head", (2 * code, *head, 2))):
        for number, (below, units) in enumerate(itertools.pairwise(sizes)):
            shapes |= {f"{name}{number}": (units, below), f"{name}{number}_bias": (units,)}
    plan = _Plan.of(features, head)

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        return _prepare(weights, seen, plan)

    sums = Sums(0, whole_vectors(wide), plan.indices, wide)
    members = {
        **summed_members(seen, sums),
        **_members(game, plan),
        "width": plan.indices + 2 * seen.most,
        "row_width": plan.row_width,
        "lead_unit": LEAD_UNIT,
        "is_bent": False,
    }
    name = "_".join(map(str, features)) + "__" + "_".join(map(str, head))
    bundle = Bundle(f"comparator_{name}_of_{game.name}", members, fastmath=True)
    settings = {"features": list(features), "head": list(head)}
    fans = {name: shape[-1] for name, shape in shapes.items()}
    return Evaluator("comparator", game, bundle, shapes, prepare, settings, fans)


class _Plan(NamedTuple):
    """The sizes of a comparator."""

    wide: int  # units of the first layer
    features: Layers  # above the first layer
    projections: Layers  # both projections as one layer on the code
    head: Layers  # above the projections
    first: int  # units of one projection
    padded: int  # the same in whole vectors: where the second projection begins
    row_width: int
    indices: int  # where in a row of the accumulator the room for features begins

    @classmethod
    def of(cls, features: Sequence[int], head: Sequence[int]) -> "_Plan":
        above = Layers.of(features)
        projections = Layers.of((features[-1], 2 * whole_vectors(head[0])))
        upper = Layers.of((*head, 1))
        widest = whole_vectors(max(*features, 2 * whole_vectors(head[0])))
        row_width = max(2 * whole_vectors(max(head)), 2 * whole_vectors(head[0]))
        return cls(
            features[0],
            above,
            projections,
            upper,
            head[0],
            whole_vectors(head[0]),
            row_width,
            whole_vectors(features[0]) + 2 * widest + 2 * row_width,
        )


def _members(game: Game, plan: _Plan) -> dict[str, Any]:
    """Return the functions that project and compare."""
    side, wide, sums = game.rules.side, plan.wide, whole_vectors(plan.wide)
    # one more each, for compiled code cannot index an empty tuple
    below, units, begins = (
        (*each, 0) for each in (plan.features.below, plan.features.units, plan.features.begins)
    )
    deep, code = len(plan.features.units), plan.projections.below[0]
    padded, both = plan.padded, 2 * plan.padded
    head_below, head_units, head_begins = plan.head.below, plan.head.units, plan.head.begins
    high = len(head_units)
    scratch = (plan.indices - sums - 2 * plan.row_width) // 2
    own = sums + 2 * scratch  # in a row of the accumulator: a row for `value`, and scratch for it
    row_width, room, half = plan.row_width, plan.row_width // 2, np.float32(0.5)

    def layer(
        weights: Any, begin: Whole, below: Whole, units: Whole, source: Any, out: Any
    ) -> None:
        """Write the sums of a layer."""
        biases = part(weights, begin + below * units, units)
        for unit in range(units):
            row = part(weights, begin + unit * below, below)
            total = biases[unit]
            for index in range(below):
                total += row[index] * source[index]
            out[unit] = total

    def project(params: Any, acc: Any, ply: Whole, position: Position, out: Any) -> None:
        row = borrow(acc, ply)
        source, spare = part(row, sums, scratch), part(row, sums + scratch, scratch)
        first = part(row, 0, wide)
        for unit in range(wide):
            source[unit] = max(first[unit], ZERO)
        for number in range(deep):
            layer(params.features, begins[number], below[number], units[number], source, spare)
            for unit in range(units[number]):
                source[unit] = max(spare[unit], ZERO)
            for unit in range(units[number], below[number + 1] if number + 1 < deep else code):
                source[unit] = ZERO
        layer(params.projections, 0, code, both, source, out)

    def one_way(params: Any, first: Any, second: Any, scratch: Any) -> Any:
        """Return the lead by the outputs as they stand."""
        source, spare = part(scratch, 0, room), part(scratch, room, room)
        left, right = part(first, 0, padded), part(second, padded, padded)
        for unit in range(padded):
            source[unit] = max(left[unit] + right[unit], ZERO)
        for number in range(high - 1):
            layer(
                params.head,
                head_begins[number],
                head_below[number],
                head_units[number],
                source,
                spare,
            )
            for unit in range(head_units[number]):
                source[unit] = max(spare[unit], ZERO)
            for unit in range(head_units[number], head_below[number + 1]):
                source[unit] = ZERO
        last = part(params.head, head_begins[high - 1], head_below[high - 1])
        total = params.head[head_begins[high - 1] + head_below[high - 1]]
        for unit in range(head_below[high - 1]):
            total += last[unit] * source[unit]
        return total

    def compare(params: Any, first: Any, second: Any, scratch: Any) -> Any:
        return half * (
            one_way(params, first, second, scratch) - one_way(params, second, first, scratch)
        )

    def compare_even(params: Any, row: Any, scratch: Any) -> Any:
        one = compare(params, row, borrow(params.even, 0), scratch)
        return half * (one + compare(params, row, borrow(params.even, 1), scratch))

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        row = borrow(acc, ply)
        mine, spare = part(row, own, row_width), part(row, own + row_width, row_width)
        project(params, acc, ply, position, mine)
        found = tanh(half * compare_even(params, mine, spare))
        return float(found if side(position) == 0 else -found)

    return {
        "project": project,
        "compare": compare,
        "compare_even": compare_even,
        "one_way": one_way,
        "value": value,
    }


# ---------------------------------------------------------------- parameters


def _prepare(weights: Mapping[str, Array], seen: Features, plan: _Plan) -> Mapping[str, Array]:
    """Return the weights as kernels read them."""
    features = [
        (weights[f"feature{number}"], weights[f"feature{number}_bias"])
        for number in range(len(plan.features.units))
    ]
    code = weights["head0"].shape[1] // 2
    projections = np.zeros((2 * plan.padded, code), np.float32)
    projections[: plan.first] = weights["head0"][:, :code]
    projections[plan.padded : plan.padded + plan.first] = weights["head0"][:, code:]
    biases = np.zeros(2 * plan.padded, np.float32)
    biases[: plan.first] = weights["head0_bias"]
    last = len(plan.head.units)
    upper = [(weights[f"head{n}"], weights[f"head{n}_bias"]) for n in range(1, last)]
    outputs, output_bias = weights[f"head{last}"], weights[f"head{last}_bias"]
    upper.append((outputs[:1] - outputs[1:], output_bias[:1] - output_bias[1:]))
    spare = whole_vectors(plan.wide) - plan.wide
    first = np.pad(weights["first"], ((0, 0), (0, spare)))
    even = np.zeros((2, plan.row_width), np.float32)
    for row, indices in enumerate(_even_indices(seen)):
        units = np.maximum(weights["first"][indices].sum(axis=0) + weights["first_bias"], 0)
        for matrix, bias in features:
            units = np.maximum(matrix @ units + bias, 0)
        even[row, : 2 * plan.padded] = projections @ units + biases
    return {
        "columns": first.astype(np.float32),
        "bias": np.pad(weights["first_bias"], (0, spare)).astype(np.float32),
        "features": plan.features.pack(features),
        "projections": plan.projections.pack([(projections, biases)]),
        "head": plan.head.pack(upper),
        "even": even,
    }


def _even_indices(seen: Features) -> list[NDArray[np.int64]]:
    """Return the features of the first position, and of the same with sides exchanged."""
    game = seen.game
    plain = make_features("board", game)
    found = np.zeros(plain.most, np.int64)
    start = game.initial()
    count = int(_active(game.rules, plain.bundle, start, found))
    to_move = [seen.count - 1]
    views = [found[:count], plain.mirrored_rows()[found[:count]]]
    mover = game.side(start)
    return [
        np.concatenate([view, to_move if side == mover else []]).astype(np.int64)
        for side, view in enumerate(views)
    ]


@compiled
def _active(game: Bundle, features: Bundle, row: Any, out: Any) -> Whole:
    return features.active(game.load(row), out)
