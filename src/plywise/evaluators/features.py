"""Features: what is present in a position, as whole numbers. Sparse evaluators look at these.

A feature is there or it is not. A head adds up one row of a table for every feature that is
there, and a move takes away and adds only a few of them:

    position ── active ──► 3 17 40 ── rows of a table ──► sums ── head ──► value
    a move ── changed ──► removed 17, added 21            sums - row 17 + row 21

Which row of the table it is depends on who looks:

    side 0       row `index`
    side 1       row `mirror(index)`, where the features have a mirror: the same rows serve both
                 sides, each of which sees the board as its own
    no mirror    row `index` for both: the board in fixed colours, judged for side 0
    other        row `index` for both, but side 1 finds other indices: how it sees the board is
                 more than an exchange of rows
    seen         row `seen(index, view)`, one view for every player of a game with many; the row
                 counts negatively where it is ~row

Features to choose from; a new set is a function and its line in BUILDERS:

    cells    what stands on each cell, for any game with a picture. With two kinds of pieces:

                 cell 0      | cell 1      | ...  | to move, only without a mirror
                 0   1  2  3 | 4   5  6  7 | ...  | side 0  side 1
                 side 0's 0-1, side 1's 2-3

    bits     every bit that is set in a position's words, for any game; each side that moves has
             rows of its own, for the words may be written as the mover sees the board or not

    material, pairs, mobility
             what pieces there are, who is next to whom, how many moves there are: see
             `board_features`

    patterns the entries of the game's pattern tables, see `patterns.features`

    joined   several of these side by side, written cells+material: see `joined_features`

    board    what stands on each cell as an unbroken row of bits, see `board`

A game may have sets of its own in its `About`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError, UnknownName
from plywise.game import Game
from plywise.game.about import Reference, resolve
from plywise.kernel import Bundle, compiled, head
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, lowest

Function = Callable[..., Any]
Spans = tuple[tuple[int, int], ...]  # rows from the first of each up to the second


class View(NamedTuple):
    """How one side sees the board, see `Features`."""

    active: Function
    changed: Function


@dataclass(frozen=True)
class Features:
    """What can be present in the positions of a game. Its bundle has, compiled:

        active(position, out)         write the indices of what is there, return how many;
                                      one may occur more than once and then counts as often
        changed(before, move, after, removed, added)
                                      what a move takes away and adds, return how many of each
        mirror(row)                   the row that stands in a row's place when sides are
                                      exchanged; mirror(mirror(row)) == row
        table(position)               which of several tables has the rows, from 0 on
        reflect(row)                  the row that stands in a row's place when left and right are
                                      exchanged; -1: where this row is there, they must not be

    All arrays have room for `most` whole numbers, and may be used as scratch to their end. Only
    `active` must be given; without `changed`, the active features before and after a move are
    compared. With `other` instead of a mirror, `active` and `changed` are what side 0 sees, and
    those of `other` what side 1 sees.
    """

    name: str
    game: Game
    count: int  # 0 <= index < count
    most: int  # how many are active at once, at most
    active: Function
    changed: Function | None = None
    mirror: Function | None = None
    rows: int = 0  # 0 <= mirror(index) < rows; 0: `count` of them
    table: Function | None = None
    tables: int = 1
    seen: Function | None = None  # (index, view): the row, or ~row; instead of a mirror
    viewer: Function | None = None  # (position): the view of who is to move, where `seen` is given
    viewers: int = 0  # how many views `seen` has
    other: View | None = None
    reflect: Function | None = None
    settings: dict[str, Any] = field(default_factory=dict)  # what its builder was given
    groups: dict[str, Spans] = field(default_factory=dict)  # by name: its rows, for stages
    bundle: Bundle = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", self.rows or self.count)
        object.__setattr__(self, "groups", self.groups or {self.name: ((0, self.rows),)})
        members = {
            "active": self.active,
            "changed": self.changed or difference_of(self.active),
            "mirror": self.mirror or _itself,
            "reflect": self.reflect or _itself,
            "table": self.table or _first,
            "seen": self.seen or _whatever,
            "viewer": self.viewer or self.game.rules.side,
        }
        if self.other is not None:
            members |= {"other_active": self.other.active, "other_changed": self.other.changed}
        name = f"features_{self.name}_of_{self.game.name}"
        object.__setattr__(self, "bundle", Bundle(name, members))

    @property
    def views(self) -> int:
        """How many ways of looking at the board there are."""
        return self.viewers or (2 if self.mirror or self.other else 1)

    @property
    def given(self) -> str | dict[str, Any]:
        """Return what `make_features` makes them of again."""
        return {"name": self.name, **self.settings} if self.settings else self.name

    def seen_rows(self) -> NDArray[np.int64]:
        """Return the row of every index in every view, ~row where it counts negatively."""
        out = np.zeros((self.count, self.viewers), np.int64)
        _see_all(self.bundle, out)
        return out

    def mirrored_rows(self) -> NDArray[np.int64]:
        """Return, for every row, the one that stands in its place when sides are exchanged."""
        out = np.zeros(self.rows, np.int64)
        _mirror_all(self.bundle, out)
        if not np.array_equal(out[out], np.arange(self.rows)):
            raise PlywiseError(
                f"The mirror of the features {self.name!r} must lead back when applied twice."
            )
        return out


def _itself(row: Whole) -> Whole:
    return row


def _first(position: Position) -> Whole:
    return 0


def _whatever(index: Whole, view: Whole) -> Whole:
    return index


@compiled
def _mirror_all(features: Bundle, out: Any) -> None:
    for row in range(len(out)):
        out[row] = features.mirror(row)


@compiled
def _see_all(features: Bundle, out: Any) -> None:
    for index in range(out.shape[0]):
        for view in range(out.shape[1]):
            out[index, view] = features.seen(index, view)


# ---------------------------------------------------------------- what a move changes


def difference_of(active: Function) -> Function:
    """Return a `changed` that compares the active features before and after a move."""

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        old, new = active(before, removed), active(after, added)
        return cancel(removed, old, added, new)

    return changed


def cancel(removed: Any, old: Whole, added: Any, new: Whole) -> tuple[Whole, Whole]:
    """Take away what is in both rows of numbers; return how many are left in each."""
    sort(removed, old)
    sort(added, new)
    gone = come = left = right = 0
    while left < old and right < new:  # what is kept stands behind what has been read
        if removed[left] < added[right]:
            removed[gone] = removed[left]
            gone += 1
            left += 1
        elif removed[left] > added[right]:
            added[come] = added[right]
            come += 1
            right += 1
        else:
            left += 1
            right += 1
    while left < old:
        removed[gone] = removed[left]
        gone += 1
        left += 1
    while right < new:
        added[come] = added[right]
        come += 1
        right += 1
    return gone, come


def sort(numbers: Any, count: Whole) -> None:
    """Sort the first numbers of a row by insertion: most often they are in order already."""
    for index in range(1, count):
        number = numbers[index]
        place = index
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


# ---------------------------------------------------------------- what stands on each cell


def cells(game: Game) -> Features:
    """Return an index for every cell and every piece that can stand on it."""
    if game.picture is None:
        raise PlywiseError(f"The features 'cells' need a picture; {game.name} has none: say bits.")
    write, side = game.rules.cells, game.rules.side
    places = game.rules.cell_count
    kinds = max((abs(code) for code in game.picture.pieces), default=1)  # every number is one
    pieces = 2 * kinds
    squares = places * pieces
    shows_side = not game.cell_mirror
    opposite = np.array(game.cell_mirror, np.int64)

    def number(cell: Whole, code: Whole) -> Whole:
        kind = min(abs(code), kinds) - 1  # a code that the picture does not know must not do harm
        return cell * pieces + (kind if code > 0 else kinds + kind)

    def active(position: Position, out: Any) -> Whole:
        write(position, head(out, places))
        count = 0
        for cell in range(places):  # count <= cell: codes are read before they are overwritten
            code = out[cell]
            if code != 0:
                out[count] = number(cell, code)
                count += 1
        if shows_side:
            out[count] = squares + side(position)
            count += 1
        return count

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        write(before, head(removed, places))
        write(after, head(added, places))
        gone = come = 0
        for begin in range(0, places, 64):
            differing = ZERO  # as bits: testing each cell would mispredict at each change
            for cell in range(begin, min(begin + 64, places)):
                differs = np.uint64(removed[cell] != added[cell])
                differing |= differs << np.uint64(cell - begin)
            while differing != ZERO:
                cell = begin + lowest(differing)
                differing &= differing - ONE
                old, new = removed[cell], added[cell]
                if old != 0:
                    removed[gone] = number(cell, old)
                    gone += 1
                if new != 0:
                    added[come] = number(cell, new)
                    come += 1
        if shows_side and side(before) != side(after):
            removed[gone] = squares + side(before)
            added[come] = squares + side(after)
            gone += 1
            come += 1
        return gone, come

    def mirror(row: Whole) -> Whole:
        return opposite[row // pieces] * pieces + (row + kinds) % pieces

    return Features(
        "cells",
        game,
        count=squares + 2 * shows_side,
        most=places + shows_side,
        active=active,
        changed=changed,
        mirror=None if shows_side else mirror,
    )


# ---------------------------------------------------------------- the bits of a position


def bits(game: Game) -> Features:
    """Return an index for every bit of a position's words."""
    words, count = game.words, 64 * game.words

    def active(position: Position, out: Any) -> Whole:
        found = 0
        for word in range(words):
            found = _write_bits(position[word], 64 * word, out, found)
        return found

    def changed(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        gone = come = 0
        for word in range(words):
            gone = _write_bits(before[word] & ~after[word], 64 * word, removed, gone)
            come = _write_bits(after[word] & ~before[word], 64 * word, added, come)
        return gone, come

    def mirror(row: Whole) -> Whole:
        return row + count if row < count else row - count

    return Features("bits", game, count, count, active, changed, mirror, rows=2 * count)


def _write_bits(word: Word, first: Whole, out: Any, count: Whole) -> Whole:
    """Write the indices of the bits of a word behind what is there; return the new count."""
    while word != ZERO:
        out[count] = first + lowest(word)
        word &= word - ONE
        count += 1
    return count


# ---------------------------------------------------------------- by name

BUILDERS: dict[str, Reference] = {
    "cells": cells,
    "bits": bits,
    "material": "plywise.evaluators.board_features:material",
    "pairs": "plywise.evaluators.board_features:pairs",
    "mobility": "plywise.evaluators.board_features:mobility",
    "joined": "plywise.evaluators.joined_features:joined",
    "patterns": "plywise.evaluators.patterns.features:pattern_features",
    "board": "plywise.evaluators.board:board",
}

# A name, alone or as `name` with settings beside it; or several, whose features are joined.
Given = str | Mapping[str, Any] | Sequence[str] | None


def make_features(given: Given, game: Game) -> Features:
    """Return the features of a name; None: `cells` of a game with a picture, else `bits`."""
    if given is None:
        given = "cells" if game.picture is not None else "bits"
    settings: dict[str, Any] = {"name": given}
    if isinstance(given, Mapping):
        settings = dict(given)
    elif not isinstance(given, str):
        settings = {"name": "joined", "parts": list(given)}
    name = settings.pop("name", "")
    builders = {**BUILDERS, **game.about.features}
    if name not in builders:
        raise UnknownName("set of features", name, builders)
    try:
        features: Features = resolve(builders[name])(game, **settings)
    except TypeError:
        sentence = f"The features {name!r} cannot be built with {settings}."
        raise PlywiseError(sentence) from None
    return features
