"""The patterns of a board, chosen from its geometry: windows, lines, single cells, counts.

A pattern is some cells that are looked at together; what stands on them is one number, made of a
digit for each cell. Digits tell all codes apart, or only the owner, where that allows more cells:

    single    one cell, all codes, however many
    window    neighbouring cells: on a grid the largest square, elsewhere the cells around a
              cell or around an edge between two
    line      cells in a straight line, three or more
    counts    no cells in particular: how many pieces of each code there are
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.patterns.survey import Survey
from plywise.picture import Picture

MOST_ENTRIES = 1 << 18  # of one pattern
MOST_ENTRIES_OF_COUNTS = 1 << 12  # where digits are many
MOST_ENTRIES_OF_LARGE = 1 << 16  # of a larger window that joins later
FEW_DIGITS = 6
MOST_IN_ALL = 1 << 22
SMALLEST_LINE = 3
MOST_DIGITS = 12  # codes that are told apart; larger counts look the same
NEAR = 1e-3
CODES, OWNER, EXACT = "codes", "owner", "exact"


@dataclass(frozen=True)
class Pattern:
    """Cells that are looked at together, in this order; `digits` is CODES, OWNER or EXACT."""

    cells: tuple[int, ...]
    digits: str


@dataclass(frozen=True)
class Digits:
    """How the codes of cells become digits, and how many there are."""

    of_code: dict[int, int]
    base: int


def all_digits(survey: Survey) -> Digits:
    """Return digits that tell all codes apart; of many codes the largest look the same."""
    codes = [code for code in survey.codes if code != 0]
    if len(codes) < MOST_DIGITS:
        return Digits(
            {0: 0, **{code: place for place, code in enumerate(codes, 1)}}, len(codes) + 1
        )
    sizes = {code: min(abs(code), MOST_DIGITS - 1) for code in codes}
    return Digits({0: 0, **sizes}, MOST_DIGITS)


def exact_digits(survey: Survey) -> Digits:
    """Return a digit for every code, for single cells: a store of 30 is more than one of 20."""
    codes = [0, *(code for code in survey.codes if code != 0)]
    return Digits({code: place for place, code in enumerate(codes)}, len(codes))


def owner_digits(survey: Survey) -> Digits:
    """Return digits for empty, side 0's, side 1's and nobody's."""
    owners = {
        code: 3 if survey.is_neutral(code) else (1 if code > 0 else 2) for code in survey.codes
    }
    owners[0] = 0
    used = sorted(set(owners.values()))
    return Digits({code: used.index(owner) for code, owner in owners.items()}, len(used))


def choose_patterns(survey: Survey, large: int = 0) -> list[Pattern]:
    """Return the patterns of a board; larger windows come last."""
    active = survey.active
    codes, owner = all_digits(survey), owner_digits(survey)
    has_many = len(survey.codes) > MOST_DIGITS
    singles = [Pattern((cell,), EXACT if has_many else CODES) for cell in active]
    name, base = (OWNER, owner.base) if owner.base < codes.base else (CODES, codes.base)
    if any(is_owned_by_one_side(survey, cell) for cell in active):
        name, base = CODES, codes.base  # owners tell nothing where each cell has its own
    entries = MOST_ENTRIES if base <= FEW_DIGITS else MOST_ENTRIES_OF_COUNTS
    most = int(math.log(entries) / math.log(base) + 1e-9)
    picture = survey.board.game.picture
    declared = survey.board.game.about.patterns
    if declared:
        if not {cell for cells in declared for cell in cells} <= set(range(survey.board.size)):
            raise PlywiseError(f"A pattern of {survey.board.game.name} names a cell that is none.")
        return singles + _within([Pattern(cells[:most], name) for cells in declared], base)
    if picture is None:
        return singles + [Pattern(cells, CODES) for cells in bytes_of(survey, most)]
    geometry = Geometry(picture, active)
    large = min(large, int(math.log(MOST_ENTRIES_OF_LARGE) / math.log(base)))
    shapes = [*geometry.windows(most), *geometry.lines(most), *geometry.large_windows(large)]
    distinct = {frozenset(cells): cells for cells in reversed(shapes) if len(cells) > 1}
    chosen = [Pattern(cells, name) for cells in reversed(distinct.values())]
    return singles + _within(chosen, base)


def is_owned_by_one_side(survey: Survey, cell: int) -> bool:
    """Return whether only pieces of one side ever stand on a cell, in several numbers."""
    codes = survey.seen[cell] - {0}
    return len(codes) > 2 and (min(codes) > 0 or max(codes) < 0)


def _within(patterns: list[Pattern], base: int) -> list[Pattern]:
    """Return the patterns without the last ones, if there were too many entries."""
    sizes = itertools.accumulate(base ** len(pattern.cells) for pattern in patterns)
    return [p for p, size in zip(patterns, sizes, strict=True) if size <= MOST_IN_ALL]


def bytes_of(survey: Survey, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the active bits of every byte, of a game without a picture."""
    active = set(survey.active)
    for begin in range(0, survey.board.size, 8):
        cells = tuple(bit for bit in range(begin, begin + 8) if bit in active)
        if cells:
            yield cells[:most]


class Geometry:
    """Where the active cells of a picture lie."""

    def __init__(self, picture: Picture, active: Sequence[int]) -> None:
        self.picture = picture
        self.active = list(active)
        self.middles = {cell: np.array(picture.cells[cell].middle) for cell in active}
        self.near = {
            cell: [other for other in others if other in self.middles]
            for cell, others in enumerate(picture.neighbours())
            if cell in self.middles
        }

    # ------------------------------------------------------------ windows

    def windows(self, most: int) -> Iterator[tuple[int, ...]]:
        """Yield neighbouring cells, at most so many together."""
        if self.picture.columns:
            yield from self._squares(most)
        else:
            yield from self._clusters(most)

    def _squares(self, most: int) -> Iterator[tuple[int, ...]]:
        """Yield the largest square windows of a grid with at most so many active cells."""
        columns = self.picture.columns
        rows = len(self.picture.cells) // columns
        for size in range(min(rows, columns), 1, -1):
            found = self._windows(size, size)
            if max(map(len, found)) <= most:
                yield from found
                return

    def large_windows(self, most: int) -> list[tuple[int, ...]]:
        """Return the windows of a grid of the shapes with the most active cells up to a number.

        Of all oblongs that have as many, the least long ones are taken, lying and standing.
        """
        columns = self.picture.columns
        if not columns or most == 0:
            return []
        rows = len(self.picture.cells) // columns
        found: dict[tuple[int, int], list[tuple[int, ...]]] = {}
        for height, width in itertools.product(range(2, rows + 1), range(2, columns + 1)):
            windows = self._windows(height, width)
            size = max(map(len, windows))
            if size <= most:
                found.setdefault((size, -abs(height - width)), []).extend(windows)
        return found[max(found)] if found else []

    def _windows(self, height: int, width: int) -> list[tuple[int, ...]]:
        """Return what lies in the oblongs of a height and a width."""
        columns = self.picture.columns
        rows = len(self.picture.cells) // columns
        return [
            tuple(
                cell
                for row in range(top, top + height)
                for cell in range(row * columns + left, row * columns + left + width)
                if cell in self.middles
            )
            for top in range(rows - height + 1)
            for left in range(columns - width + 1)
        ]

    def _clusters(self, most: int) -> Iterator[tuple[int, ...]]:
        """Yield for every two neighbours, and every cell, what lies around them."""
        for cell, others in self.near.items():
            around = [cell, *others]
            yield tuple(sorted(around[:most]))
            for other in others:
                if other > cell:
                    both = dict.fromkeys([cell, other, *others, *self.near[other]])
                    yield tuple(sorted(self._nearest(both, (cell, other))[:most]))

    def _nearest(self, cells: dict[int, None], ends: tuple[int, int]) -> list[int]:
        middle = (self.middles[ends[0]] + self.middles[ends[1]]) / 2
        far = {cell: float(np.abs(self.middles[cell] - middle).sum()) for cell in cells}
        return sorted(cells, key=lambda cell: (round(far[cell], 3), cell))

    # ------------------------------------------------------------ lines

    def lines(self, most: int) -> Iterator[tuple[int, ...]]:
        """Yield cells in straight lines, in all directions in which neighbours lie."""
        at = {self._place(middle): cell for cell, middle in self.middles.items()}
        for x, y in self._directions():
            step = np.array([x, y])
            for cell, middle in self.middles.items():
                if self._place(middle - step) in at:
                    continue  # the line begins earlier
                line = [cell]
                while (place := self._place(self.middles[line[-1]] + step)) in at:
                    line.append(at[place])
                if len(line) >= SMALLEST_LINE:
                    length = min(most, len(line))
                    for first in range(len(line) - length + 1):
                        yield tuple(line[first : first + length])

    def _directions(self) -> list[tuple[float, float]]:
        """Return the steps from cells to those that touch them, of each pair of opposites one."""
        found = {}
        corners = self._touching()
        for cell, others in corners.items():
            for other in others:
                step = self.middles[other] - self.middles[cell]
                key = self._place(step)
                if key > self._place(-step):
                    found[key] = (float(step[0]), float(step[1]))
        return [found[key] for key in sorted(found)]

    def _touching(self) -> dict[int, set[int]]:
        """Return for every cell those with which it shares a corner."""
        at: dict[tuple[int, int], list[int]] = {}
        for cell in self.active:
            for corner in self.picture.cells[cell].polygon:
                at.setdefault(self._place(np.array(corner)), []).append(cell)
        found: dict[int, set[int]] = {cell: set() for cell in self.active}
        for cells in at.values():
            for cell in cells:
                found[cell].update(other for other in cells if other != cell)
        return found

    def _place(self, point: np.ndarray) -> tuple[int, int]:
        return round(float(point[0]) / NEAR), round(float(point[1]) / NEAR)
