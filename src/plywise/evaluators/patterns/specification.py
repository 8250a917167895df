"""A specification: everything that makes the pattern tables of a game, as plain values.

It is found once, from random games, and stands in the card of every model, so that a model is
read without looking at the game again.
"""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.shapes import (
    CODES,
    EXACT,
    MOST_ENTRIES,
    OWNER,
    Pattern,
    all_digits,
    choose_patterns,
    exact_digits,
    owner_digits,
)
from plywise.evaluators.patterns.survey import Survey, survey_of
from plywise.evaluators.patterns.symmetry import Permutation, symmetries_of
from plywise.game import Game


class Phases(NamedTuple):
    """Tables for boards from the fullest to the emptiest, by the number of cells with something."""

    tables: int = 1
    least: int = 0
    most: int = 1

    @property
    def step(self) -> float:
        """How far in the tables one filled cell fewer leads."""
        return (self.tables - 1) / max(1, self.most - self.least)


ONE_TABLE = Phases()
ALL_CODES = 256  # a code is a number of eight bits
SHIFT = 128


@dataclass(frozen=True)
class Specification:
    """Patterns, what their digits mean, and who shares a table."""

    codes: tuple[int, ...]  # all that were seen, in order
    digits: dict[str, tuple[int, ...]]  # by name, the digit of every code
    patterns: tuple[Pattern, ...]  # one of each family that shares a table
    keeping: tuple[tuple[int, ...], ...]  # symmetries, the identity first
    exchanging: tuple[int, ...] | None  # how side 1 sees the board; none: tables for each side
    counts: tuple[int, ...]  # for every code, what one piece of it adds to the number of counts
    phases: Phases = ONE_TABLE

    @property
    def views(self) -> int:
        return 1 if self.exchanging is None else 2

    def as_values(self) -> dict[str, Any]:
        """Return it as values that JSON can hold."""
        return {
            "codes": list(self.codes),
            "digits": {name: list(digits) for name, digits in self.digits.items()},
            "patterns": [[list(p.cells), p.digits] for p in self.patterns],
            "keeping": [list(p) for p in self.keeping],
            "exchanging": None if self.exchanging is None else list(self.exchanging),
            "counts": list(self.counts),
            "phases": list(self.phases),
        }

    @classmethod
    def of_values(cls, values: Mapping[str, Any]) -> "Specification":
        """Return what `as_values` made values of."""
        try:
            exchanging = values["exchanging"]
            return cls(
                tuple(values["codes"]),
                {name: tuple(digits) for name, digits in values["digits"].items()},
                tuple(Pattern(tuple(cells), digits) for cells, digits in values["patterns"]),
                tuple(tuple(p) for p in values["keeping"]),
                None if exchanging is None else tuple(exchanging),
                tuple(values["counts"]),
                Phases(*values.get("phases", ONE_TABLE)),
            )
        except (KeyError, TypeError, ValueError) as error:
            text = json.dumps(values)[:60]
            raise PlywiseError(f"{text} ... specifies no patterns: {error}.") from None


def specify(game: Game) -> Specification:
    """Return the patterns that suit a game, found from random games."""
    return specification_of(survey_of(board_of(game)))


def specification_of(survey: Survey, large: int = 0, phases: int = 1) -> Specification:
    """Return the patterns that suit what random games have shown.

    `large` adds windows of at most so many cells, `phases` tables for fuller and emptier boards.
    """
    if not survey.active:
        name = survey.board.game.name
        raise PlywiseError(f"Nothing changes on the board of {name}, so it has no patterns.")
    symmetries = symmetries_of(survey)
    codes = tuple(survey.codes)
    digits = {
        CODES: all_digits(survey),
        OWNER: owner_digits(survey),
        EXACT: exact_digits(survey),
    }
    return Specification(
        codes,
        {name: tuple(d.of_code[code] for code in codes) for name, d in digits.items()},
        tuple(_families(choose_patterns(survey, large), symmetries.keeping)),
        symmetries.keeping,
        symmetries.exchanging,
        _count_steps(survey),
        _phases(survey, phases),
    )


def enlarged(small: Specification, survey: Survey, large: int, phases: int) -> Specification:
    """Return a specification with larger windows and more tables, as `specification_of` does.

    Trying symmetries takes longest by far; they are those of the small one.
    """
    patterns = tuple(_families(choose_patterns(survey, large), small.keeping))
    return dataclasses.replace(small, patterns=patterns, phases=_phases(survey, phases))


def has_grown(small: Specification, large: Specification) -> bool:
    """Return whether one specification has more than another, and all that this one has."""
    before, after = small.phases, large.phases
    has_phases = before.tables == 1 or (before.tables <= after.tables and before[1:] == after[1:])
    return large != small and has_phases and set(small.patterns) <= set(large.patterns)


def _families(patterns: list[Pattern], keeping: tuple[Permutation, ...]) -> list[Pattern]:
    """Return one pattern of each family that lies on each other."""
    found: dict[tuple[frozenset[int], str], None] = {}
    kept = []
    for pattern in patterns:
        if (frozenset(pattern.cells), pattern.digits) in found:
            continue
        kept.append(pattern)
        for permutation in keeping:
            cells = frozenset(permutation[cell] for cell in pattern.cells)
            found[cells, pattern.digits] = None
    return kept


def _count_steps(survey: Survey) -> tuple[int, ...]:
    """Return what a piece of each code adds to the number that tells how many of each there are.

    All zeros where that would be too many numbers: then counts are not looked at.
    """
    codes = survey.codes
    steps, size = [], 1
    for code in codes:
        has_count = code != 0 and len(codes) <= 9
        steps.append(size if has_count else 0)
        size *= survey.most[code] + 1 if has_count else 1
    return tuple(steps) if 1 < size <= MOST_ENTRIES else (0,) * len(codes)


def _phases(survey: Survey, tables: int) -> Phases:
    """Return as many tables as wanted where boards fill or empty in a game, else one."""
    least, most = survey.filled
    return Phases(tables, least, most) if tables > 1 and most > least else ONE_TABLE


# ---------------------------------------------------------------- numbers for kernels


@dataclass(frozen=True)
class Layout:
    """Where everything stands: what kernels read.

    A position's number in a placed pattern is the sum of `parts` over all cells and the code on
    each. The table's entry is that number plus `first` of the pattern.
    """

    parts: NDArray[np.int32]  # [cells, codes, views * placed]
    first: NDArray[np.int32]  # [views * placed]
    entries: int  # of the table, for one side to move
    placed: int  # how many numbers a view has, singles not counted
    singles: NDArray[np.int32]  # [views, cells, codes]: the entry of a single cell, or -1


def layout_of(spec: Specification, size: int) -> Layout:
    """Return where the entries of a specification stand, for a board of so many cells."""
    cells, codes = size, len(spec.codes)
    columns: list[NDArray[np.int64]] = []  # [cells, codes] of each placed pattern
    firsts: list[int] = []
    singles = np.full((cells, codes), -1, np.int64)
    entries = 0
    for pattern in spec.patterns:
        digits = np.array(spec.digits[pattern.digits])
        base = int(digits.max()) + 1
        placed = dict.fromkeys(tuple(p[c] for c in pattern.cells) for p in spec.keeping)
        distinct = {frozenset(cells): cells for cells in reversed(placed)}
        for place in reversed(distinct.values()):
            if len(place) == 1:
                singles[place[0]] = entries + digits
                continue
            part = np.zeros((cells, codes), np.int64)
            for power, cell in enumerate(place):
                part[cell] = digits * base**power
            columns.append(part)
            firsts.append(entries)
        entries += base ** len(pattern.cells)
    steps = np.array(spec.counts)
    if steps.any():
        columns.append(np.tile(steps, (cells, 1)))
        firsts.append(entries)
        most = [cells * int(step) for step in steps]
        entries += min(sum(most) + 1, 4 * MOST_ENTRIES)
    seen = np.stack(columns, axis=2) if columns else np.zeros((cells, codes, 0), np.int64)
    parts, views = [seen], [singles]
    if spec.exchanging is not None:
        back = np.array(spec.exchanging)
        opposite = np.array([_place(spec.codes, -code) for code in spec.codes])
        parts.append(seen[back][:, opposite])
        views.append(singles[back][:, opposite])
    return Layout(
        np.ascontiguousarray(np.concatenate(parts, axis=2), np.int32),
        np.tile(np.array(firsts, np.int32), spec.views),
        entries,
        len(firsts),
        np.array(views, np.int32),
    )


def widened(
    table: NDArray[np.float32], old: Specification, new: Specification, size: int
) -> NDArray[np.float32]:
    """Return the table of a specification that has all patterns of another one, and its values.

    Rows are entries. Each phase begins with what all had, or what was blended there.
    """
    tables = 1 if old.views == 2 else 2
    behind, before = _firsts(new, size), _firsts(old, size)
    out = np.zeros((tables, behind["bias"] + 1, new.phases.tables, *table.shape[1:]), np.float32)
    known = table.reshape(tables, before["bias"] + 1, old.phases.tables, *table.shape[1:])
    ends = [*list(before.values())[1:], before["bias"] + 1]
    places = np.linspace(0, old.phases.tables - 1, new.phases.tables)
    low = np.minimum(places.astype(np.int64), max(0, old.phases.tables - 2))
    high = np.minimum(low + 1, old.phases.tables - 1)
    share = (places - low).astype(np.float32).reshape(-1, *[1] * (table.ndim - 1))
    for (key, first), end in zip(before.items(), ends, strict=True):
        begin, part = behind[key], known[:, first:end]
        blended = part[:, :, low] + share * (part[:, :, high] - part[:, :, low])
        out[:, begin : begin + end - first] = blended
    return out.reshape(-1, *table.shape[1:])


def _firsts(spec: Specification, size: int) -> dict[Any, int]:
    """Return where the entries of every pattern begin, of the counts and of the bias."""
    found: dict[Any, int] = {}
    entries = 0
    for pattern in spec.patterns:
        found[pattern] = entries
        entries += (max(spec.digits[pattern.digits]) + 1) ** len(pattern.cells)
    return {**found, "counts": entries, "bias": layout_of(spec, size).entries}


def _place(codes: tuple[int, ...], code: int) -> int:
    """Return the place of a code, or of the one that stands for it: nobody's piece is its own."""
    return codes.index(code) if code in codes else codes.index(-code)


def places_of_codes(codes: tuple[int, ...]) -> NDArray[np.int32]:
    """Return where every code stands in the specification; an unknown one is like the nearest."""
    known = np.array(codes)
    wanted = np.arange(ALL_CODES) - SHIFT
    nearest: NDArray[np.int32] = (
        np.abs(wanted[:, None] - known[None]).argmin(axis=1).astype(np.int32)
    )
    return nearest
