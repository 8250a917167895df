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
from plywise.evaluators.features import Features, Function, make_features
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import whole_vectors
from plywise.evaluators.summed import Sums, summed_members
from plywise.game import Game
from plywise.kernel import Bundle, borrow, compiled, part
from plywise.kernel.bits import Position, Whole

ZERO = np.float32(0)
GROUP = 8  # units are padded to whole groups, which fill a vector
LEAD_UNIT = 500_000  # a value is the tanh of half a lead


class Layers(NamedTuple):
    """Where the numbers of layers stand in one vector: [units below, units], then biases.

    Units are padded with zeros to multiples of `GROUP`.
    """

    below: tuple[int, ...]  # by layer
    units: tuple[int, ...]
    begins: tuple[int, ...]  # by layer: where its numbers begin
    size: int

    @classmethod
    def of(cls, sizes: Sequence[int]) -> "Layers":
        """Return the layers between these sizes."""
        padded = [grouped(size) for size in sizes]
        lengths = [(below + 1) * units for below, units in itertools.pairwise(padded)]
        begins = tuple(int(begin) for begin in np.cumsum([0, *lengths]))
        return cls(tuple(padded[:-1]), tuple(padded[1:]), begins[:-1], begins[-1])

    def pack(self, layers: Sequence[tuple[Array, Array]]) -> Array:
        """Return layers, given as weights [units, below] and biases, as one vector."""
        parts: list[Array] = []
        for (weights, bias), below, units in zip(layers, self.below, self.units, strict=True):
            high, wide = weights.shape
            padded = np.pad(weights.T, ((0, below - wide), (0, units - high)))
            parts += [padded.reshape(-1), np.pad(bias, (0, units - high))]
        return np.concatenate([*parts, np.zeros(1)]).astype(np.float32)  # never empty

    def functions(self) -> list[Function]:
        """Return for every layer the function that writes its sums, see `_layer`."""
        return [
            _layer(*numbers) for numbers in zip(self.begins, self.below, self.units, strict=True)
        ]


def grouped(count: int) -> int:
    """Return a count rounded up to whole groups."""
    return -(-count // GROUP) * GROUP


def _layer(begin: int, below: int, units: int) -> Function:
    """Return a function that writes the sums of a layer on the rectified sums below.

    Four units below at a time: each sum is then loaded and stored a quarter as often.
    """

    def layer(weights: Any, source: Any, out: Any) -> None:
        biases = part(weights, begin + below * units, units)
        for unit in range(units):
            out[unit] = biases[unit]
        for index in range(0, below, 8):
            x0, x1 = max(source[index], ZERO), max(source[index + 1], ZERO)
            x2, x3 = max(source[index + 2], ZERO), max(source[index + 3], ZERO)
            x4, x5 = max(source[index + 4], ZERO), max(source[index + 5], ZERO)
            x6, x7 = max(source[index + 6], ZERO), max(source[index + 7], ZERO)
            block = part(weights, begin + index * units, 8 * units)
            for unit in range(units):
                low = x0 * block[unit] + x1 * block[units + unit]
                low += x2 * block[2 * units + unit] + x3 * block[3 * units + unit]
                high = x4 * block[4 * units + unit] + x5 * block[5 * units + unit]
                high += x6 * block[6 * units + unit] + x7 * block[7 * units + unit]
                out[unit] += low + high

    return layer


def _stack(layers: Layers) -> Function:
    """Return a function of weights and a row in which layers follow each other, sums below first.

    Each layer reads its part of the row and writes the next one.
    """
    run, first = _nothing, 0
    for function, below, units in zip(layers.functions(), layers.below, layers.units, strict=True):
        run = _then(run, function, (first, below, units))
        first += below
    return run


def _nothing(weights: Any, row: Any) -> None:
    """Do nothing: a stack without layers."""


def _then(before: Function, layer: Function, places: tuple[int, int, int]) -> Function:
    """Return a function that does a layer after what comes before it."""
    first, below, units = places

    def both(weights: Any, row: Any) -> None:
        before(weights, row)
        layer(weights, part(row, first, below), part(row, first + below, units))

    return both


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

    sums = Sums(0, plan.wide, plan.indices, wide)
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

    wide: int  # units of the first layer, padded
    features: Layers  # above the first layer
    projections: Layers  # both projections as one layer on the code
    head: Layers  # above the projections, up to the last units
    first: int  # units of one projection
    padded: int  # the same in whole groups: where the second projection begins
    last: int  # the units below the output, padded
    row_width: int
    room: int  # of all layers of features, in a row of the accumulator
    indices: int  # where in a row of the accumulator the room for features begins

    @classmethod
    def of(cls, features: Sequence[int], head: Sequence[int]) -> "_Plan":
        wide = whole_vectors(features[0])
        above = Layers.of((wide, *features[1:]))
        padded = grouped(head[0])
        upper = Layers.of(head)
        room = wide + sum(above.units)
        row_width = max(2 * padded, padded + sum(upper.units))
        projections = Layers.of((above.units[-1] if above.units else wide, 2 * padded))
        indices = whole_vectors(room + 2 * row_width)
        last = (padded, *upper.units)[-1]
        return cls(wide, above, projections, upper, head[0], padded, last, row_width, room, indices)


def _members(game: Game, plan: _Plan) -> dict[str, Any]:
    """Return the functions that project and compare."""
    side, row_width, padded, half = game.rules.side, plan.row_width, plan.padded, np.float32(0.5)
    look, judge = _stack(plan.features), _stack(plan.head)
    (split,) = plan.projections.functions()
    code, last = plan.projections.below[0], plan.last
    top = padded + sum(plan.head.units) - last  # where in scratch the last units are
    room = plan.room  # behind it: a row for `value`, and scratch for it

    def project(params: Any, acc: Any, ply: Whole, position: Position, out: Any) -> None:
        row = borrow(acc, ply)
        look(params.features, row)
        split(params.projections, part(row, room - code, code), out)

    def one_way(params: Any, first: Any, second: Any, scratch: Any) -> Any:
        """Return the lead by the outputs as they stand."""
        right = part(second, padded, padded)
        for unit in range(padded):
            scratch[unit] = first[unit] + right[unit]
        judge(params.head, scratch)
        units, total = part(scratch, top, last), params.output_bias[0]
        for unit in range(last):
            total += params.output[unit] * max(units[unit], ZERO)
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
        mine, spare = part(row, room, row_width), part(row, room + row_width, row_width)
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
    last = 1 + len(plan.head.units)
    upper = [(weights[f"head{n}"], weights[f"head{n}_bias"]) for n in range(1, last)]
    outputs, output_bias = weights[f"head{last}"], weights[f"head{last}_bias"]
    spare = plan.wide - len(weights["first_bias"])
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
        "output": np.pad(outputs[0] - outputs[1], (0, plan.last - outputs.shape[1])),
        "output_bias": output_bias[:1] - output_bias[1:],
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
