"""`featuremap`: a perceptron with one hidden layer on the features of draughts (NeuroDraughts).

    bits of the chosen features -> tanh units -> tanh

A feature's count is cut off at what its bits can hold and written in binary, lowest bit
first; `advancement` is halved and shifted, (count + 8) // 2, for it can be negative. The
network judges for the side that has just moved, so its output changes the sign.

A row of the accumulator: the counts of all features | the hidden units.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.activation import tanh
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import whole_vectors
from plywise.evaluators.stateless import stateless_members
from plywise.game import Game
from plywise.games.draughts.features import (
    ADVANCEMENT,
    BITS,
    COUNT,
    PLACE,
    chosen_features,
    counter_of,
)
from plywise.kernel import Bundle, borrow
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest

HIDDEN = 20
SHIFT = 8  # of the one count that can be negative
FIRST = whole_vectors(COUNT)  # where the hidden units stand in the accumulator


def featuremap(
    game: Game,
    features: str | Sequence[str] = "neuro",
    hidden: int = HIDDEN,
    direct: bool = False,
) -> Evaluator:
    """Return the network; `direct` links the bits to the output as well (Lynch's "dirnet")."""
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
    kind = "_direct" * direct
    bundle = Bundle(
        f"featuremap_{bits}_{hidden}{kind}",
        {**_playing(places, hidden, direct), **_learning(places, hidden, direct)},
        fastmath=True,
        exact=("gradient",),
    )
    settings = {"features": list(names), "hidden": hidden, "direct": direct}
    return Evaluator("featuremap", game, bundle, shapes, prepare, settings, fans)


def code_of(place: Whole, count: Whole, most: Whole) -> Word:
    """Return the bits of a feature's count."""
    if place == ADVANCEMENT:
        count = (count + SHIFT) // 2
    return np.uint64(min(max(count, 0), most))


def _playing(places: tuple[int, ...], hidden: int, direct: bool) -> dict[str, Any]:
    """Return the functions of a search for a choice of features."""
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
            code = code_of(places[way], np.int64(acc[ply, places[way]]), (1 << sizes[way]) - 1)
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


def _learning(places: tuple[int, ...], hidden: int, direct: bool) -> dict[str, Any]:
    """Return the functions of a learner, see `Evaluator`."""
    count_features = counter_of(places)
    sizes = tuple(BITS[place] for place in places)
    ways, bits = len(places), sum(sizes)
    bias = bits * hidden
    output = bias + hidden
    links = output + hidden + 1
    size = links + bits * direct

    def gradient(weights: Any, acc: Any, ply: Whole, position: Position, out: Any) -> float:
        count_features(position, borrow(acc, ply))
        active = np.empty(bits, np.int64)
        count = 0
        first = 0
        for way in range(ways):
            code = code_of(places[way], np.int64(acc[ply, places[way]]), (1 << sizes[way]) - 1)
            while code != ZERO:
                active[count] = first + lowest(code)
                code &= code - ONE
                count += 1
            first += sizes[way]
        units = np.empty(hidden)
        total = weights[output + hidden]
        for unit in range(hidden):
            fed = weights[bias + unit]
            for index in range(count):
                fed += weights[active[index] * hidden + unit]
            units[unit] = tanh(fed)
            total += weights[output + unit] * units[unit]
        if direct:
            for index in range(count):
                total += weights[links + active[index]]
        result = tanh(total)

        for place in range(size):
            out[place] = 0.0
        slope = -(1.0 - result * result)  # of the value, which is minus the output
        out[output + hidden] = slope
        for unit in range(hidden):
            out[output + unit] = slope * units[unit]
            fed = slope * weights[output + unit] * (1.0 - units[unit] * units[unit])
            out[bias + unit] = fed
            for index in range(count):
                out[active[index] * hidden + unit] = fed
        if direct:
            for index in range(count):
                out[links + active[index]] = slope
        return float(-result)

    def unpack(weights: Any, params: Any) -> None:
        for bit in range(bits):
            for unit in range(hidden):
                params.rows[bit, unit] = weights[bit * hidden + unit]
        for unit in range(hidden):
            params.bias[unit] = weights[bias + unit]
            params.output[unit] = weights[output + unit]
        params.output_bias[0] = weights[output + hidden]
        if direct:
            for bit in range(bits):
                params.direct[bit] = weights[links + bit]

    return {"gradient": gradient, "unpack": unpack}
