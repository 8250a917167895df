"""`featuremap`: a perceptron with one hidden layer on the features of draughts (NeuroDraughts).

    bits of the chosen features -> tanh units -> tanh

A feature's count is cut off at what its bits can hold and written in binary, lowest bit
first; `advancement` is halved and shifted, (count + 8) // 2, for it can be negative. The
network judges for the side that has just moved, so its output changes the sign.

`faults` does as the published programs did, to show what that cost them:

    encoding    a count over the range keeps its low bits, bit 0 set; counts of the centre are one
                too small; `advancement` is shifted by 8 only; bit 0 of it and of
                `piece_disadvantage` means exactly 1
    gradient    a weight into a hidden unit is corrected by itself where the weight from that unit
                to the output belongs

A row of the accumulator: the counts of all features | the hidden units.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators.activation import tanh
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import whole_vectors
from plywise.evaluators.stateless import stateless_members
from plywise.game import Game
from plywise.games.draughts.features import (
    ADVANCEMENT,
    BITS,
    CENTRE_CONTROL,
    COUNT,
    KING_CENTRE_CONTROL,
    PIECE_DISADVANTAGE,
    PLACE,
    XCENTRE_CONTROL,
    chosen_features,
    counter_of,
)
from plywise.kernel import Bundle, borrow, part
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest

HIDDEN = 20
FAULTS = ("none", "encoding", "gradient", "both")
SHIFT = 8  # of the one count that can be negative
FIRST = whole_vectors(COUNT)  # where the hidden units stand in the accumulator


def featuremap(
    game: Game,
    features: str | Sequence[str] = "neuro",
    hidden: int = HIDDEN,
    direct: bool = False,
    faults: str = "none",
) -> Evaluator:
    """Return the network; `direct` links the bits to the output as well (Lynch's "dirnet")."""
    if faults not in FAULTS:
        raise UnknownName("kind of faults", faults, FAULTS)
    if hidden < 1:
        raise PlywiseError(f"The evaluator 'featuremap' has 1 hidden unit or more, not {hidden}.")
    names = chosen_features(features)
    places = tuple(PLACE[name] for name in names)
    bits = sum(BITS[place] for place in places)
    spare = whole_vectors(hidden) - hidden

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        packed = {
            "rows": np.pad(weights["hidden"], ((0, 0), (0, spare))),
            "bias": np.pad(weights["hidden_bias"], (0, spare)),
            "output": np.pad(weights["output"], (0, spare)),
            "output_bias": weights["output_bias"],
            "direct": weights["direct"] if direct else np.zeros(1),
        }
        return {name: np.ascontiguousarray(array, np.float32) for name, array in packed.items()}

    shapes: dict[str, tuple[int, ...]] = {
        "hidden": (bits, hidden),
        "hidden_bias": (hidden,),
        "output": (hidden,),
        "output_bias": (1,),
    }
    fans = {"hidden": bits, "hidden_bias": bits, "output": hidden, "output_bias": hidden}
    if direct:
        shapes["direct"], fans["direct"] = (bits,), bits
    kind = "_direct" * direct + f"_{faults}" * (faults != "none")
    shape = Shape(places, hidden, direct, faults)
    bundle = Bundle(
        f"featuremap_{bits}_{hidden}{kind}",
        {**_playing(shape), **_learning(shape)},
        fastmath=True,
        exact=("gradient",),
    )
    settings = {"features": list(names), "hidden": hidden, "direct": direct}
    if faults != "none":
        settings["faults"] = faults
    return Evaluator("featuremap", game, bundle, shapes, prepare, settings, fans)


def code_of(place: Whole, count: Whole, most: Whole) -> Word:
    """Return the bits of a feature's count."""
    if place == ADVANCEMENT:
        count = (count + SHIFT) // 2
    return np.uint64(min(max(count, 0), most))


def faulty_code_of(place: Whole, count: Whole, most: Whole) -> Word:
    """Return the bits of a feature's count as the published programs wrote them."""
    if place == ADVANCEMENT:
        count += SHIFT
    elif place in (CENTRE_CONTROL, XCENTRE_CONTROL, KING_CENTRE_CONTROL):
        count -= 1
    if count < 0:
        return ZERO
    code = count & most
    if count > most:
        code |= 1
    if place in (PIECE_DISADVANTAGE, ADVANCEMENT):
        code = (code & ~1) | int(count == 1)
    return np.uint64(code)


class Shape(NamedTuple):
    """What a network looks at, how large it is, and whose faults it has."""

    places: tuple[int, ...]
    hidden: int
    direct: bool
    faults: str

    @property
    def encode(self) -> Callable[[Whole, Whole, Whole], Word]:
        """Return what writes a count in bits."""
        return faulty_code_of if self.faults in ("encoding", "both") else code_of


def _playing(shape: Shape) -> dict[str, Any]:
    """Return the functions of a search for a choice of features."""
    places, hidden, direct, _ = shape
    encode = shape.encode
    count_features = counter_of(places)
    sizes = tuple(BITS[place] for place in places)
    ways = len(places)
    padded = whole_vectors(hidden)

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        count_features(position, borrow(acc, ply))
        for unit in range(padded):
            acc[ply, FIRST + unit] = params.bias[unit]
        result = params.output_bias[0]
        first = 0
        for way in range(ways):
            code = encode(places[way], np.int64(acc[ply, places[way]]), (1 << sizes[way]) - 1)
            while code != ZERO:
                bit = first + lowest(code)
                code &= code - ONE
                for unit in range(padded):
                    acc[ply, FIRST + unit] += params.rows[bit, unit]
                if direct:
                    result += params.direct[bit]
            first += sizes[way]
        for unit in range(padded):
            result += params.output[unit] * tanh(acc[ply, FIRST + unit])
        return float(-tanh(result))

    return stateless_members(value, FIRST + padded)


def _learning(shape: Shape) -> dict[str, Any]:
    """Return the functions of a learner, see `Evaluator`."""
    chosen, hidden, direct, _ = shape
    encode, is_wrong = shape.encode, shape.faults in ("gradient", "both")
    count_features = counter_of(chosen)
    sizes = tuple(BITS[feature] for feature in chosen)
    ways, bits = len(chosen), sum(sizes)
    bias = bits * hidden
    output = bias + hidden
    links = output + hidden + 1
    size = links + bits * direct
    upper = links - bias  # the numbers that every position uses: one run

    def active_bits(acc: Any, ply: Whole, position: Position, active: Any) -> Whole:
        count_features(position, borrow(acc, ply))
        count = first = 0
        for way in range(ways):
            code = encode(chosen[way], np.int64(acc[ply, chosen[way]]), (1 << sizes[way]) - 1)
            while code != ZERO:
                active[count] = first + lowest(code)
                code &= code - ONE
                count += 1
            first += sizes[way]
        return count

    def gradient(
        weights: Any, acc: Any, ply: Whole, position: Position, runs: Any, amounts: Any
    ) -> tuple[float, Whole]:
        active, units = np.empty(bits, np.int64), np.empty(hidden)
        count = active_bits(acc, ply, position, active)
        for unit in range(hidden):
            units[unit] = weights[bias + unit]
        for index in range(count):  # every unit is summed in the order of the bits
            fed = part(weights, active[index] * hidden, hidden)
            for unit in range(hidden):
                units[unit] += fed[unit]
        total = weights[output + hidden]
        for unit in range(hidden):
            units[unit] = tanh(units[unit])
            total += weights[output + unit] * units[unit]
        if direct:
            for index in range(count):
                total += weights[links + active[index]]
        result = tanh(total)

        slope = -(1.0 - result * result)  # of the value, which is minus the output
        for unit in range(hidden):
            behind = weights[(bias if is_wrong else output) + unit]
            amounts[unit] = slope * behind * (1.0 - units[unit] * units[unit])
            amounts[hidden + unit] = slope * units[unit]
        amounts[2 * hidden] = slope
        runs[0, 0], runs[0, 1] = bias, links
        found = upper
        for index in range(count):
            begin = active[index] * hidden
            runs[index + 1, 0], runs[index + 1, 1] = begin, begin + hidden
            out = part(amounts, found, hidden)
            for unit in range(hidden):
                out[unit] = amounts[unit]
                if is_wrong:
                    squashed = 1.0 - units[unit] * units[unit]
                    out[unit] = slope * weights[begin + unit] * squashed
            found += hidden
        if not direct:
            return float(-result), np.int64(count + 1)
        for index in range(count):
            run, link = count + 1 + index, links + active[index]
            runs[run, 0], runs[run, 1] = link, link + 1
            amounts[found + index] = slope
        return float(-result), np.int64(2 * count + 1)

    def put_row(weights: Any, params: Any, bit: Whole) -> None:
        learned = part(weights, bit * hidden, hidden)
        for unit in range(hidden):
            params.rows[bit, unit] = learned[unit]

    def unpack_upper(weights: Any, params: Any) -> None:
        for unit in range(hidden):
            params.bias[unit] = weights[bias + unit]
            params.output[unit] = weights[output + unit]
        params.output_bias[0] = weights[output + hidden]

    def unpack(weights: Any, params: Any) -> None:
        for bit in range(bits):
            put_row(weights, params, bit)
        unpack_upper(weights, params)
        if direct:
            for bit in range(bits):
                params.direct[bit] = weights[links + bit]

    def unpack_runs(weights: Any, params: Any, runs: Any, count: Whole) -> None:
        for run in range(count):
            begin = runs[run, 0]
            if begin < bias:
                put_row(weights, params, begin // hidden)
            elif begin < links:
                unpack_upper(weights, params)
            else:
                params.direct[begin - links] = weights[begin]

    learning = {"gradient": gradient, "unpack": unpack, "unpack_runs": unpack_runs}
    return {**learning, "most_runs": 2 * bits + 1, "most_amounts": size}
