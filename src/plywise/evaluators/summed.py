"""The summed first layer of sparse evaluators: a row of a table for every active feature.

With U units and two views, the sums in a row of the accumulator are kept for both sides at once.
The row of a feature in the parameters `columns` has the same order, so a move adds and subtracts
whole rows. With one view (fixed colours) the second part is missing.

    sums as side 0 sees the board | sums as side 1 sees it | padding
    0 .. U-1                      | U .. 2U-1              |

Behind whatever else an evaluator keeps, there is room for what `changed` writes:

    removed features | added features        whole numbers of 32 bits, `most` of each

A head may use one unit (`linear`), or many (`nnue`). What the sums mean is its own business.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from plywise.evaluators.features import Features
from plywise.evaluators.model import Array
from plywise.kernel import borrow, part
from plywise.kernel.bits import Position, Whole, Word


class Sums(NamedTuple):
    """Where in a row of the accumulator the sums are, and how many they are."""

    first: int
    size: int  # of all views, with padding
    indices: int  # where the room for features begins


def whole_numbers(acc: Any, ply: Whole, first: Whole, count: Whole) -> Any:
    """Return a part of a row of the accumulator as whole numbers; it counts no reference."""
    return part(borrow(acc, ply).view(np.int32), first, count)


def summed_members(features: Features, sums: Sums) -> dict[str, Any]:
    """Return `refresh` and `update` of an evaluator with these sums."""
    active, changed, table = (
        features.bundle.active,
        features.bundle.changed,
        features.bundle.table,
    )
    first, size, indices = sums
    most, rows, has_tables = features.most, features.count, features.tables > 1

    def refresh(params: Any, acc: Any, ply: Whole, position: Position) -> None:
        found = whole_numbers(acc, ply, indices, most)
        for unit in range(size):
            acc[ply, first + unit] = params.bias[unit]
        begin = table(position) * rows
        for place in range(active(position, found)):
            row = begin + found[place]
            for unit in range(size):
                acc[ply, first + unit] += params.columns[row, unit]

    def update(
        params: Any, acc: Any, ply: Whole, before: Position, move: Word, after: Position
    ) -> None:
        if has_tables and table(before) != table(after):
            refresh(params, acc, ply + 1, after)
            return
        removed = whole_numbers(acc, ply + 1, indices, most)
        added = whole_numbers(acc, ply + 1, indices + most, most)
        gone, come = changed(before, move, after, removed, added)
        begin = table(after) * rows
        for unit in range(size):
            acc[ply + 1, first + unit] = acc[ply, first + unit]
        for place in range(gone):
            row = begin + removed[place]
            for unit in range(size):
                acc[ply + 1, first + unit] -= params.columns[row, unit]
        for place in range(come):
            row = begin + added[place]
            for unit in range(size):
                acc[ply + 1, first + unit] += params.columns[row, unit]

    return {"refresh": refresh, "update": update, "has_update": True}


def pack_sums(features: Features, rows: Array, bias: Array, size: int) -> dict[str, Array]:
    """Return the parameters of the sums: rows [tables * rows, units] as each side sees them."""
    tables = rows.reshape(features.tables, features.rows, -1)
    seen = [tables[:, : features.count]]
    if features.views == 2:
        seen.append(tables[:, features.mirrored_rows()[: features.count]])
    columns = np.concatenate(seen, axis=2).reshape(features.tables * features.count, -1)
    spare = size - columns.shape[1]
    return {
        "columns": np.pad(columns, ((0, 0), (0, spare))),
        "bias": np.pad(np.tile(bias, features.views), (0, spare)),
    }


def put_row_of(features: Features, units: int) -> Callable[..., None]:
    """Return a function that makes a row of learned numbers the parameters, in all views.

    The rows of all tables stand at the beginning of the vector, `units` numbers each.
    """
    mirror, count, rows = features.bundle.mirror, features.count, features.rows
    has_two_views, has_tables = features.views == 2, features.tables > 1

    def put_row(weights: Any, params: Any, row: Whole) -> None:
        table = row // rows if has_tables else 0
        first, inside = table * count, row - table * rows
        learned = part(weights, row * units, units)
        if inside < count:
            for unit in range(units):
                params.columns[first + inside, unit] = learned[unit]
        if has_two_views:
            index = mirror(inside)
            if index < count:
                for unit in range(units):
                    params.columns[first + index, units + unit] = learned[unit]

    return put_row


def seen_rows_of(features: Features, side: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that writes the rows that the side to move sees, and how many it sees."""
    active, mirror, table = features.bundle.active, features.bundle.mirror, features.bundle.table
    rows, has_two_views = features.rows, features.views == 2

    def seen_rows(position: Position, out: Any) -> Whole:
        count = active(position, out)
        is_mirrored = has_two_views and side(position) == 1
        begin = table(position) * rows
        for place in range(count):
            row = mirror(out[place]) if is_mirrored else np.int64(out[place])
            out[place] = begin + row
        return count

    return seen_rows
