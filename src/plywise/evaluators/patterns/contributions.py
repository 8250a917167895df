"""What each pattern adds to the value of a position, in plain NumPy: for people who ask why."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.specification import (
    Layout,
    Phases,
    Specification,
    layout_of,
)
from plywise.game import Row


class Contribution(NamedTuple):
    """What one pattern says: the value is the hyperbolic tangent of the sum of all amounts."""

    cells: tuple[int, ...]  # none: what does not depend on any cell, or on all of them
    amount: float  # for the side to move


def contributions(model: Model, position: Row) -> list[Contribution]:
    """Return what all patterns of a model of pattern tables say of a position."""
    if model.evaluator.name != "patterns":
        raise PlywiseError(f"The evaluator {model.evaluator.name!r} has no patterns.")
    spec = Specification.of_values(model.evaluator.settings["spec"])
    board = board_of(model.game)
    layout = layout_of(spec, board.size)
    mover = model.game.side(position)
    view, begin = (mover, 0) if spec.views == 2 else (0, mover * (layout.entries + 1))
    codes = board.codes(position)
    places = np.clip(np.searchsorted(spec.codes, codes), 0, len(spec.codes) - 1)
    amounts = _amounts(model.weights["table"], spec.phases, int((codes != 0).sum()))[begin:]
    found = _singles(layout, view, places, amounts)
    found += _placed(layout, view, places, amounts)
    return [*found, Contribution((), float(amounts[layout.entries]))]


def _amounts(table: NDArray[np.float32], phases: Phases, filled: int) -> NDArray[np.float32]:
    """Return the entries of a table at the phase of a board with so many filled cells."""
    if phases.tables == 1:
        return table
    by_phase = table.reshape(-1, phases.tables)
    place = min(max((phases.most - filled) * phases.step, 0.0), phases.tables - 1)
    first = min(int(place), phases.tables - 2)
    share = np.float32(place - first)
    low, high = by_phase[:, first], by_phase[:, first + 1]
    blended: NDArray[np.float32] = low + share * (high - low)
    return blended


def _singles(
    layout: Layout, view: int, places: NDArray[np.int64], amounts: NDArray[np.float32]
) -> list[Contribution]:
    entries = layout.singles[view, np.arange(len(places)), places]
    return [
        Contribution((cell,), float(amounts[entry]))
        for cell, entry in enumerate(entries)
        if entry >= 0
    ]


def _placed(
    layout: Layout, view: int, places: NDArray[np.int64], amounts: NDArray[np.float32]
) -> list[Contribution]:
    columns = slice(view * layout.placed, (view + 1) * layout.placed)
    parts, cells = layout.parts[:, :, columns], np.arange(len(places))
    numbers = layout.first[columns] + parts[cells, places].sum(axis=0)
    entries = np.minimum(numbers, layout.entries - 1)
    members: NDArray[np.bool_] = np.any(parts, axis=1)
    found = []
    for pattern, entry in enumerate(entries):
        inside = np.nonzero(members[:, pattern])[0]
        shown = () if len(inside) == len(places) else tuple(int(cell) for cell in inside)
        found.append(Contribution(shown, float(amounts[entry])))
    return found
