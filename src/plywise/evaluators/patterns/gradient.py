"""The gradient of pattern tables, see `Evaluator`: the entries that a position adds up.

Every number of the table is a run of its own. With phases an entry has a number in each table, and
those of the two tables next to a position share its slope.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.activation import tanh
from plywise.evaluators.features import Function
from plywise.evaluators.patterns.board import Board
from plywise.evaluators.patterns.features import view_of
from plywise.evaluators.patterns.specification import Layout, Specification
from plywise.kernel.bits import Position, Whole


def learning_members(board: Board, spec: Specification, layout: Layout) -> dict[str, Any]:
    """Return the functions of a learner."""
    phases = spec.phases.tables
    most = (layout.placed + board.size + 1) * min(phases, 2)
    return {
        "gradient": _gradient_of(board, spec, layout),
        **_unpacking(spec, layout),
        "most_runs": most,
        "most_amounts": most,
    }


def _gradient_of(board: Board, spec: Specification, layout: Layout) -> Function:
    """Return `gradient`."""
    side, has_two_views, phases = board.game.rules.side, spec.views == 2, spec.phases.tables
    views = [view_of(board, spec, layout, view) for view in range(spec.views)]
    active, other_active = views[0].active, views[-1].active
    room, bias, per_side = layout.placed + 2 * board.size, layout.entries, layout.entries + 1
    further = _further_of(board, spec, layout)

    def gradient(
        vector: Any, acc: Any, ply: Whole, position: Position, runs: Any, amounts: Any
    ) -> tuple[float, Whole]:
        seen = np.empty(room + 1, np.int64)
        mover = side(position)
        count = other_active(position, seen) if mover == 1 else active(position, seen)
        place = further(seen)
        seen[count] = bias
        count += 1
        offset = 0 if has_two_views else per_side * mover
        table = min(np.int64(place), max(phases - 2, 0))
        share = place - table
        found, total = 0, 0.0
        for index in range(count):
            number = (offset + seen[index]) * phases + table
            total += (1.0 - share) * vector[number]
            runs[found, 0], runs[found, 1], amounts[found] = number, number + 1, 1.0 - share
            found += 1
            if phases > 1:
                total += share * vector[number + 1]
                runs[found, 0], runs[found, 1], amounts[found] = number + 1, number + 2, share
                found += 1
        value = tanh(total)
        slope = 1.0 - value * value
        for index in range(found):
            amounts[index] *= slope
        return float(value), np.int64(found)

    return gradient


def _further_of(board: Board, spec: Specification, layout: Layout) -> Function:
    """Return a function that finds how far a board is from the fullest one, counted in tables.

    It reads the codes of the cells that `active` has left behind its indices.
    """
    first, size, empty = layout.placed + board.size, board.size, spec.codes.index(0)
    most, step = np.float32(spec.phases.most), np.float32(spec.phases.step)
    furthest = float(spec.phases.tables - 1)

    def further(seen: Any) -> float:
        if furthest == 0.0:
            return 0.0
        filled = np.float32(0)
        for cell in range(size):
            filled += np.float32(seen[first + cell] != empty)
        return min(max(float((most - filled) * step), 0.0), furthest)

    return further


def _unpacking(spec: Specification, layout: Layout) -> dict[str, Any]:
    """Return `unpack` and `unpack_runs`; single cells have a copy of their entries."""
    phases = spec.phases.tables
    entries, copies = _single_entries(spec, layout)
    known = len(entries)

    def put_single(vector: Any, params: Any, index: Whole, table: Whole) -> None:
        cell, code, side = copies[index, 0], copies[index, 1], copies[index, 2]
        number = entries[index] * phases + table
        params.singles[cell, code, side * phases + table] = vector[number]

    def unpack(vector: Any, params: Any) -> None:
        for number in range(len(params.table)):
            params.table[number] = vector[number]
        for index in range(known):
            for table in range(phases):
                put_single(vector, params, index, table)

    def unpack_runs(vector: Any, params: Any, runs: Any, count: Whole) -> None:
        for run in range(count):
            number = runs[run, 0]
            params.table[number] = vector[number]
            entry = number // phases
            index = np.searchsorted(entries, entry)
            while index < known and entries[index] == entry:
                put_single(vector, params, index, number - entry * phases)
                index += 1

    return {"unpack": unpack, "unpack_runs": unpack_runs}


def _single_entries(
    spec: Specification, layout: Layout
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the entries of single cells in ascending order, and the (cell, code, side) of each."""
    views = layout.singles.astype(np.int64)
    if spec.views == 1:  # the same cells, and entries for each side to move
        views = np.concatenate([views, np.where(views < 0, -1, views + layout.entries + 1)])
    side, cell, code = np.nonzero(views >= 0)
    entries = views[side, cell, code]
    order = np.argsort(entries, kind="stable")
    return entries[order], np.stack([cell, code, side], axis=1)[order]
