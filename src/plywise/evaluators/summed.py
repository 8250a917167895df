"""The summed first layer of sparse evaluators: a row of a table for every active feature.

With U units and two views, the sums in a row of the accumulator are kept for both sides at once.
The row of a feature in the parameters `columns` has the same order, so a move adds and subtracts
whole rows. With one view (fixed colours) the second part is missing. Where side 1 finds other
indices, a row of `columns` has U numbers and is added to the part of whoever found it.

    sums as side 0 sees the board | sums as side 1 sees it | padding
    0 .. U-1                      | U .. 2U-1              |

Behind whatever else an evaluator keeps, there is room for what `changed` writes:

    removed features | added features        whole numbers of 32 bits, `most` of each

A head may use one unit (`linear`), or many (`nnue`). What the sums mean is its own business.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from plywise.evaluators.features import Features, Function
from plywise.evaluators.model import Array
from plywise.kernel import borrow, part
from plywise.kernel.bits import Position, Whole, Word


class Sums(NamedTuple):
    """Where in a row of the accumulator the sums are, and how many they are."""

    first: int
    size: int  # of all views, with padding
    indices: int  # where the room for features begins
    units: int  # of one view


def whole_numbers(acc: Any, ply: Whole, first: Whole, count: Whole) -> Any:
    """Return a part of a row of the accumulator as whole numbers; it counts no reference."""
    return part(borrow(acc, ply).view(np.int32), first, count)


def summed_members(features: Features, sums: Sums) -> dict[str, Any]:
    """Return `refresh` and `update` of an evaluator with these sums."""
    table, first, size = features.bundle.table, sums.first, sums.size
    has_tables, has_other = features.tables > 1, features.other is not None
    add_active, add_changes = add_other, add_other_changes = _adding(features, sums)
    if has_other:
        add_other, add_other_changes = _adding(features, sums, is_other=True)

    def refresh(params: Any, acc: Any, ply: Whole, position: Position) -> None:
        for unit in range(size):
            acc[ply, first + unit] = params.bias[unit]
        add_active(params, acc, ply, position)
        if has_other:
            add_other(params, acc, ply, position)

    def update(
        params: Any, acc: Any, ply: Whole, before: Position, move: Word, after: Position
    ) -> None:
        if has_tables and table(before) != table(after):
            refresh(params, acc, ply + 1, after)
            return
        for unit in range(size):
            acc[ply + 1, first + unit] = acc[ply, first + unit]
        add_changes(params, acc, ply + 1, before, move, after)
        if has_other:
            add_other_changes(params, acc, ply + 1, before, move, after)

    return {"refresh": refresh, "update": update, "has_update": True}


def _adding(features: Features, sums: Sums, *, is_other: bool = False) -> tuple[Function, Function]:
    """Return functions that add the active rows to the sums, and the rows that a move changes.

    A row has both views. Where side 1 finds other indices it has one, and each is added by itself.
    """
    bundle, has_other = features.bundle, features.other is not None
    active = bundle.other_active if is_other else bundle.active
    changed = bundle.other_changed if is_other else bundle.changed
    first = sums.first + (sums.units if is_other else 0)
    size = sums.units if has_other else sums.size
    table, indices, most, rows = bundle.table, sums.indices, features.most, features.count

    def add_active(params: Any, acc: Any, ply: Whole, position: Position) -> None:
        found = whole_numbers(acc, ply, indices, most)
        begin = table(position) * rows
        for place in range(active(position, found)):
            row = begin + found[place]
            for unit in range(size):
                acc[ply, first + unit] += params.columns[row, unit]

    def add_changes(
        params: Any, acc: Any, ply: Whole, before: Position, move: Word, after: Position
    ) -> None:
        removed = whole_numbers(acc, ply, indices, most)
        added = whole_numbers(acc, ply, indices + most, most)
        gone, come = changed(before, move, after, removed, added)
        begin = table(after) * rows
        for place in range(gone):
            row = begin + removed[place]
            for unit in range(size):
                acc[ply, first + unit] -= params.columns[row, unit]
        for place in range(come):
            row = begin + added[place]
            for unit in range(size):
                acc[ply, first + unit] += params.columns[row, unit]

    return add_active, add_changes


def pack_sums(features: Features, rows: Array, bias: Array, size: int) -> dict[str, Array]:
    """Return the parameters of the sums: rows [tables * rows, units] as each side sees them."""
    tables = rows.reshape(features.tables, features.rows, -1)
    seen = [tables[:, : features.count]]
    if features.seen is not None:
        numbers = features.seen_rows()
        signs = np.where(numbers < 0, -1, 1)[:, :, None]
        numbers = np.where(numbers < 0, ~numbers, numbers)
        seen = [tables[:, numbers[:, view]] * signs[:, view] for view in range(features.views)]
    if features.mirror:
        seen.append(tables[:, features.mirrored_rows()[: features.count]])
    columns = np.concatenate(seen, axis=2).reshape(features.tables * features.count, -1)
    biases = np.tile(bias, features.views)
    spare = size - len(biases)
    return {
        "columns": columns if features.other else np.pad(columns, ((0, 0), (0, spare))),
        "bias": np.pad(biases, (0, spare)),
    }


def put_row_of(features: Features, units: int) -> Callable[..., None]:
    """Return a function that makes a row of learned numbers the parameters, in all views.

    The rows of all tables stand at the beginning of the vector, `units` numbers each.
    """
    mirror, count, rows = features.bundle.mirror, features.count, features.rows
    has_mirror, has_tables = features.mirror is not None, features.tables > 1

    def put_row(weights: Any, params: Any, row: Whole) -> None:
        table = row // rows if has_tables else 0
        first, inside = table * count, row - table * rows
        learned = part(weights, row * units, units)
        if inside < count:
            for unit in range(units):
                params.columns[first + inside, unit] = learned[unit]
        if has_mirror:
            index = mirror(inside)
            if index < count:
                for unit in range(units):
                    params.columns[first + index, units + unit] = learned[unit]

    return put_row


def put_all_of(features: Features) -> Callable[..., None]:
    """Return a function that makes all learned numbers of one unit the parameters, by `seen`."""
    seen, views, count = features.bundle.seen, features.views, features.count
    tables, rows = features.tables, features.rows

    def put_all(weights: Any, params: Any) -> None:
        for index in range(count):
            for view in range(views):
                row = seen(index, view)
                for table in range(tables):
                    learned = weights[table * rows + (row if row >= 0 else ~row)]
                    number = learned if row >= 0 else -learned
                    params.columns[table * count + index, view] = number

    return put_all


def seen_rows_of(features: Features, side: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that writes the rows that the side to move sees, and how many it sees.

    With `seen`, ~row stands for a row that counts negatively.
    """
    active, mirror, table = features.bundle.active, features.bundle.mirror, features.bundle.table
    rows, has_mirror, has_other = features.rows, features.mirror is not None, bool(features.other)
    other_active = features.bundle.other_active if features.other else active
    has_seen, seen, viewer = features.seen is not None, features.bundle.seen, features.bundle.viewer

    def seen_rows(position: Position, out: Any) -> Whole:
        if has_other and side(position) == 1:
            count = other_active(position, out)
        else:
            count = active(position, out)
        is_mirrored = has_mirror and side(position) == 1
        begin = table(position) * rows
        if has_seen:
            view = viewer(position)
            for place in range(count):
                row = seen(np.int64(out[place]), view)
                out[place] = begin + row if row >= 0 else ~(begin + ~row)
            return count
        for place in range(count):
            row = mirror(out[place]) if is_mirrored else np.int64(out[place])
            out[place] = begin + row
        return count

    return seen_rows
