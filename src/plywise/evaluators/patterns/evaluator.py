"""`patterns`: tables of what stands on some cells together; the value is the tanh of their sum.

What is looked at is found from random games, see `specification`. Every placed pattern has a
number, the sum of a part for each cell; a move changes it by the cells that it changes. Single
cells are added up as they are. Both are kept for both sides that may look at the board:

    codes of all cells | numbers as side 0 sees them | as side 1 does | padding | sums | filled
    whole numbers of 32 bits ............................................ | float32

Where sides cannot be exchanged there is one view, and a table for each side to move.

With phases there are some tables side by side, for boards from the fullest to the emptiest; between
two of them values are blended. Then there is a sum of single cells for each side and each table.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plywise.evaluators.activation import tanh
from plywise.evaluators.model import Array, Evaluator
from plywise.evaluators.network import whole_vectors
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.gradient import learning_members
from plywise.evaluators.patterns.specification import (
    SHIFT,
    Layout,
    Specification,
    layout_of,
    places_of_codes,
    specify,
)
from plywise.evaluators.summed import whole_numbers
from plywise.game import Game
from plywise.kernel import Bundle, head
from plywise.kernel.bits import Position, Whole, Word


def patterns(game: Game, spec: Mapping[str, Any] | None = None) -> Evaluator:
    """Return the tables of a game: as specified, or as random games suggest."""
    found = specify(game) if spec is None else Specification.of_values(spec)
    board = board_of(game)
    layout = layout_of(found, board.size)
    tables = 1 if found.views == 2 else 2  # for each side to move, where sides differ
    total = tables * (layout.entries + 1) * found.phases.tables

    def prepare(weights: Mapping[str, Array]) -> Mapping[str, Array]:
        table = np.asarray(weights["table"], np.float32)
        return {
            "table": table,
            "parts": np.pad(layout.parts, ((0, 0), (0, 0), (0, _spare(layout)))),
            "first": np.pad(layout.first, (0, _spare(layout))),
            "singles": _singles(layout, table, found.phases.tables),
            "entries": layout.singles,
            "places": places_of_codes(found.codes),
        }

    members = {
        **_members(board.read, game, layout, board.size, found),
        **learning_members(board, found, layout),
    }
    name = f"patterns_{layout.placed}_{layout.entries}_{found.phases.tables}_of_{game.name}"
    return Evaluator(
        "patterns",
        game,
        Bundle(name, members),
        {"table": (total,)},
        prepare,
        {"spec": found.as_values()},
        {"table": layout.placed + board.size + 1},
    )


def _spare(layout: Layout) -> int:
    return whole_vectors(len(layout.first)) - len(layout.first)


def _singles(layout: Layout, table: Array, phases: int) -> Array:
    """Return the weights of single cells: [cells, codes, side to move and phase]."""
    blank = np.zeros((1, phases), np.float32)  # an entry of -1 is no entry
    padded = np.concatenate([table.reshape(-1, phases), blank])
    if len(layout.singles) == 2:
        entries = layout.singles
    else:
        one = layout.singles[0]
        entries = np.stack([one, np.where(one < 0, -1, one + layout.entries + 1)])
    found = np.moveaxis(padded[entries], 0, 2)
    return np.ascontiguousarray(found.reshape(*found.shape[:2], -1), np.float32)


def _members(
    read: Any, game: Game, layout: Layout, size: int, spec: Specification
) -> dict[str, Any]:
    """Return the compiled functions; all sizes are constants in them."""
    side = game.rules.side
    placed, columns = layout.placed, whole_vectors(len(layout.first))
    begin, sums = size, size + columns
    two_views, tables = spec.views == 2, spec.phases.tables
    has_phases, all_sums = tables > 1, 2 * tables
    filled = sums + all_sums
    whole = placed // 4 * 4
    per_side = layout.entries + 1
    last = layout.entries - 1
    bias = layout.entries
    most, step = np.float32(spec.phases.most), np.float32(spec.phases.step)
    furthest = float(tables - 1)

    def refresh(params: Any, acc: Any, ply: Whole, position: Position) -> None:
        row = whole_numbers(acc, ply, 0, sums)
        read(position, head(row, size))
        for column in range(columns):
            row[begin + column] = params.first[column]
        for index in range(all_sums + 1):
            acc[ply, sums + index] = 0
        for cell in range(size):
            place = params.places[row[cell] + SHIFT]
            for column in range(columns):
                row[begin + column] += params.parts[cell, place, column]
            for index in range(all_sums):
                acc[ply, sums + index] += params.singles[cell, place, index]
            acc[ply, filled] += np.float32(row[cell] != 0)

    def update(
        params: Any, acc: Any, ply: Whole, before: Position, move: Word, after: Position
    ) -> None:
        old = whole_numbers(acc, ply, 0, sums)
        row = whole_numbers(acc, ply + 1, 0, sums)
        read(after, head(row, size))
        for column in range(columns):
            row[begin + column] = old[begin + column]
        for index in range(all_sums + 1):
            acc[ply + 1, sums + index] = acc[ply, sums + index]
        for cell in range(size):
            if row[cell] != old[cell]:
                new_place = params.places[row[cell] + SHIFT]
                old_place = params.places[old[cell] + SHIFT]
                for column in range(columns):
                    row[begin + column] += (
                        params.parts[cell, new_place, column]
                        - params.parts[cell, old_place, column]
                    )
                for index in range(all_sums):
                    acc[ply + 1, sums + index] += (
                        params.singles[cell, new_place, index]
                        - params.singles[cell, old_place, index]
                    )
                acc[ply + 1, filled] += np.float32(row[cell] != 0) - np.float32(old[cell] != 0)

    def phase_of(acc: Any, ply: Whole) -> Any:
        """Return the table of a position, and how far it is to the next one."""
        if not has_phases:
            return np.int64(0), np.float32(0)
        place = min(max(float((most - acc[ply, filled]) * step), 0.0), furthest)
        table = np.int64(place)
        if table > tables - 2:
            table = np.int64(tables - 2)
        return table, np.float32(place - table)

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        row = whole_numbers(acc, ply, 0, sums)
        mover = side(position)
        start = begin + (placed * mover if two_views else 0)
        offset = 0 if two_views else per_side * mover
        if has_phases:
            table, share = phase_of(acc, ply)
            at = (offset + bias) * tables + table
            low = acc[ply, sums + mover * tables + table] + params.table[at]
            high = acc[ply, sums + mover * tables + table + 1] + params.table[at + 1]
            for column in range(placed):
                at = (offset + min(row[start + column], last)) * tables + table
                low += params.table[at]
                high += params.table[at + 1]
            return float(tanh(low + share * (high - low)))
        total = acc[ply, sums + mover] + params.table[offset + bias]
        one = two = three = four = np.float32(0)  # the same sums everywhere, and no long chain
        for column in range(0, whole, 4):
            one += params.table[offset + min(row[start + column], last)]
            two += params.table[offset + min(row[start + column + 1], last)]
            three += params.table[offset + min(row[start + column + 2], last)]
            four += params.table[offset + min(row[start + column + 3], last)]
        for column in range(whole, placed):
            one += params.table[offset + min(row[start + column], last)]
        return float(tanh(total + ((one + two) + (three + four))))

    def entries(
        params: Any, acc: Any, ply: Whole, position: Position, out: Any
    ) -> tuple[Whole, float]:
        """Write which entries a position adds up; return how many, and the next table's share.

        With phases an entry is the one of the fuller board; that of the emptier one is next to it.
        """
        refresh(params, acc, ply, position)
        row = whole_numbers(acc, ply, 0, sums)
        mover = side(position)
        view = mover if two_views else 0
        offset = 0 if two_views else per_side * mover
        table, share = phase_of(acc, ply)
        count = 0
        for cell in range(size):
            entry = params.entries[view, cell, params.places[row[cell] + SHIFT]]
            if entry >= 0:
                out[count] = (offset + entry) * tables + table
                count += 1
        start = begin + placed * view
        for column in range(placed):
            out[count] = (offset + min(row[start + column], last)) * tables + table
            count += 1
        out[count] = (offset + bias) * tables + table
        return np.int64(count + 1), float(share)

    members = {"refresh": refresh, "update": update, "value": value, "entries": entries}
    return {
        **members,
        "has_update": True,
        "has_phases": has_phases,
        "width": filled + 1,
        "most_entries": size + placed + 1,
    }
