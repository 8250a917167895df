"""The features `patterns`: the entries of a game's pattern tables that a position adds up.

Every placed pattern has one active feature, the entry for what stands on its cells; so has every
single cell. A move changes only the patterns that have one of its cells. Symmetric patterns share
entries, so an index may be active more than once.

Where sides can be exchanged, both see the board with the same tables; where they cannot, each has
rows of its own. The codes of all cells stand behind the indices:

    indices, at most `placed + size` | codes of all cells
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.features import Features, View
from plywise.evaluators.patterns.board import Board, board_of
from plywise.evaluators.patterns.specification import (
    SHIFT,
    Layout,
    Specification,
    layout_of,
    places_of_codes,
    specify,
)
from plywise.game import Game
from plywise.kernel import part
from plywise.kernel.bits import Position, Whole, Word


def pattern_features(game: Game, spec: Mapping[str, Any] | None = None) -> Features:
    """Return an index for every entry of the tables: as specified, or as random games suggest."""
    found = specify(game) if spec is None else Specification.of_values(spec)
    board = board_of(game)
    layout = layout_of(found, board.size)
    entries = layout.entries
    views = [view_of(board, found, layout, view) for view in range(found.views)]

    def mirror(row: Whole) -> Whole:
        return row + entries if row < entries else row - entries

    return Features(
        "patterns",
        game,
        count=entries,
        most=layout.placed + 2 * board.size,
        active=views[0].active,
        changed=views[0].changed,
        mirror=mirror if found.views == 1 else None,
        rows=entries * (3 - found.views),
        other=views[1] if found.views == 2 else None,
        settings={"spec": found.as_values()},
    )


class Placement(NamedTuple):
    """Which cells the placed patterns have, as one view sees them, and which patterns a cell has.

    Pattern p has the cells members[starts[p] : starts[p + 1]] in ascending order, and a member adds
    worth[member, code] to the pattern's number. Cell c is in the patterns
    patterns[begins[c] : begins[c + 1]].
    """

    starts: NDArray[np.int32]
    members: NDArray[np.int32]
    worth: NDArray[np.int32]  # [members, codes]
    begins: NDArray[np.int32]
    patterns: NDArray[np.int32]

    @classmethod
    def of(cls, layout: Layout, view: int) -> "Placement":
        """Return the placement of a view."""
        parts = layout.parts[:, :, view * layout.placed : (view + 1) * layout.placed]
        is_in = parts.any(axis=1)  # [cells, patterns]
        pattern, members = np.nonzero(is_in.T)
        return cls(
            _ends(is_in.sum(axis=0)),
            members.astype(np.int32),
            np.ascontiguousarray(parts[members, :, pattern]),
            _ends(is_in.sum(axis=1)),
            np.nonzero(is_in)[1].astype(np.int32),
        )


def _ends(counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return where parts of these sizes begin, and where the last one ends."""
    return np.append(0, np.cumsum(counts)).astype(np.int32)


def view_of(board: Board, spec: Specification, layout: Layout, view: int) -> View:
    """Return what is active and what a move changes, as one side sees the board."""
    read, size, placed = board.read, board.size, layout.placed
    starts, members, worth, begins, patterns = Placement.of(layout, view)
    first, singles = layout.first[:placed], np.ascontiguousarray(layout.singles[view])
    places, last, codes_at = places_of_codes(spec.codes), layout.entries - 1, placed + size

    def see(position: Position, out: Any) -> Any:
        codes = part(out, codes_at, size)
        read(position, codes)
        for cell in range(size):
            codes[cell] = places[codes[cell] + SHIFT]
        return codes

    def entry(pattern: Whole, codes: Any) -> Whole:
        number = np.int64(first[pattern])
        for member in range(starts[pattern], starts[pattern + 1]):
            number += worth[member, codes[members[member]]]
        return min(number, last)

    def first_changed(pattern: Whole, old: Any, new: Any) -> Whole:
        for member in range(starts[pattern], starts[pattern + 1]):
            cell = np.int64(members[member])
            if old[cell] != new[cell]:
                return cell
        return np.int64(-1)

    def active(position: Position, out: Any) -> Whole:
        codes = see(position, out)
        count = 0
        for cell in range(size):
            if singles[cell, codes[cell]] >= 0:
                out[count] = singles[cell, codes[cell]]
                count += 1
        for pattern in range(placed):
            out[count] = entry(pattern, codes)
            count += 1
        return count

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        old, new = see(before, removed), see(after, added)
        count = 0  # as many are removed as are added
        for cell in range(size):
            if old[cell] == new[cell]:
                continue
            if singles[cell, 0] >= 0:
                removed[count] = singles[cell, old[cell]]
                added[count] = singles[cell, new[cell]]
                count += 1
            for place in range(begins[cell], begins[cell + 1]):
                pattern = patterns[place]
                if first_changed(pattern, old, new) == cell:
                    removed[count] = entry(pattern, old)
                    added[count] = entry(pattern, new)
                    count += 1
        return count, count

    return View(active, changed)
