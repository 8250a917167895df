"""`linear`: a number for every feature; the value is the tanh of their sum.

With a mirror each side counts the features as its own; without one, the sum is the value for
side 0. With `sets=2` each side that is to move has weights of its own. With `signed` a feature and
its mirror have one weight with two signs. Features with `seen` have a sum for every player. Feature
sets: see `plywise.evaluators.features`.

The tanh is the sigmoid of paper 004 on another scale: tanh(x) = 2 sigmoid(2 x) - 1, so a value in
[-1, 1] is a probability of winning in [0, 1], and half a weight of the paper is one here.

A row of the accumulator:

    sum as side 0 sees the board | as side 1 sees it ... | removed features | added features
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.activation import tanh
from plywise.evaluators.features import Features, Given, Spans, make_features
from plywise.evaluators.joined_features import apart
from plywise.evaluators.joined_features import signed as with_signs
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.summed import (
    Sums,
    pack_sums,
    put_all_of,
    put_row_of,
    seen_rows_of,
    summed_members,
)
from plywise.game import Game
from plywise.kernel import Bundle
from plywise.kernel.bits import Position, Whole


def linear(game: Game, features: Given = None, sets: int = 1, signed: bool = False) -> Evaluator:
    """Return the evaluator; `features` are by default `cells` or `bits`, what the game has."""
    made = make_features(features, game)
    if sets not in (1, 2):
        raise PlywiseError(f"linear has 1 set of weights or 2, one for each side, not {sets}.")
    if sets == 2 and signed:
        raise PlywiseError("linear has weights with signs or sets=2, not both.")
    if signed:
        settings: dict[str, Any] = {"features": made.given, "signed": True}
        return replace(linear_on(with_signs(made)), settings=settings)
    if sets == 2:
        return replace(linear_on(apart(made)), settings={"features": made.given, "sets": 2})
    return linear_on(made)


def linear_on(features: Features) -> Evaluator:
    """Return the evaluator on any features."""
    numbers, views = features.tables * features.rows, features.views

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        packed = pack_sums(features, weights["weights"], weights["bias"], views)
        return {name: np.ascontiguousarray(array, np.float32) for name, array in packed.items()}

    members = {
        **summed_members(features, Sums(0, views, views, 1)),
        **_judging(features),
        **_learning(features),
        "width": views + 2 * features.most,
    }
    code = f"linear_{features.name}_of_{features.game.name}"
    return Evaluator(
        "linear",
        features.game,
        Bundle(code, members),  # in order: `treestrap` learns from what searches find
        {"weights": (numbers,), "bias": (1,)},
        prepare,
        {"features": features.given},
        {"weights": features.most, "bias": features.most},
        groups=_places_of_groups(features),
    )


def _places_of_groups(features: Features) -> dict[str, Spans]:
    """Return where the weights of each group of features stand, in all tables."""
    firsts = [table * features.rows for table in range(features.tables)]
    return {
        name: tuple((first + begin, first + end) for first in firsts for begin, end in spans)
        for name, spans in features.groups.items()
    }


def _judging(features: Features) -> dict[str, Any]:
    """Return the function that turns the sum into a value."""
    side, has_one_view, viewer = (
        features.game.rules.side,
        features.views == 1,
        features.bundle.viewer,
    )

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        if has_one_view:
            result = tanh(acc[ply, 0])
            return float(result if side(position) == 0 else -result)
        return float(tanh(acc[ply, viewer(position)]))

    return {"value": value}


def _learning(features: Features) -> dict[str, Any]:
    """Return the functions of a learner, see `Evaluator`."""
    side, has_one_view = features.game.rules.side, features.views == 1
    seen_rows = seen_rows_of(features, side)
    put_row, put_all, has_seen = put_row_of(features, 1), put_all_of(features), bool(features.seen)
    most, bias = features.most, features.tables * features.rows

    def gradient(
        weights: Any, acc: Any, ply: Whole, position: Position, runs: Any, amounts: Any
    ) -> tuple[float, Whole]:
        seen = np.empty(most, np.int64)
        count = seen_rows(position, seen)
        total = weights[bias]
        for index in range(count):
            total += weights[seen[index]] if seen[index] >= 0 else -weights[~seen[index]]
        result = tanh(total)
        slope = 1.0 - result * result
        if has_one_view and side(position) == 1:
            result, slope = -result, -slope
        for index in range(count):
            row = max(seen[index], ~seen[index])
            runs[index, 0], runs[index, 1] = row, row + 1
            amounts[index] = slope if row == seen[index] else -slope
        runs[count, 0], runs[count, 1] = bias, bias + 1
        amounts[count] = slope
        return float(result), np.int64(count + 1)

    def unpack_bias(weights: Any, params: Any) -> None:
        for view in range(len(params.bias)):
            params.bias[view] = weights[bias]

    def unpack(weights: Any, params: Any) -> None:
        if has_seen:
            put_all(weights, params)
        else:
            for row in range(bias):
                put_row(weights, params, row)
        unpack_bias(weights, params)

    def unpack_runs(weights: Any, params: Any, runs: Any, count: Whole) -> None:
        if has_seen:  # a row serves several indices in several views
            unpack(weights, params)
            return
        for run in range(count):
            if runs[run, 0] < bias:
                put_row(weights, params, runs[run, 0])
            else:
                unpack_bias(weights, params)

    learning = {"gradient": gradient, "most_runs": most + 1, "most_amounts": most + 1}
    return {**learning, "unpack": unpack, "unpack_runs": unpack_runs}
