"""Features joined: several sets side by side, each with rows of its own.

    indices of the first set | of the second, moved behind the rows of the first | ...

Where all sets have a mirror, so has the whole. Else each side finds its own indices (`other`): in
place of a mirror its rows are looked up in advance, and a set in fixed colours gets rows for each
side. `apart` gives each side rows of its own, the *odd* and *even* weights of paper 004; `signed`
lets both sides share one: what is good for the one is as bad for the other.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.features import Features, Function, Spans, View, make_features
from plywise.game import Game
from plywise.kernel import part
from plywise.kernel.bits import Position, Whole, Word


def joined(game: Game, parts: Sequence[Any] = ()) -> Features:
    """Return the features of several sets, each given as for `make_features`."""
    sets = [make_features(given, game) for given in parts]
    if not sets:
        raise PlywiseError("Features are joined as in cells+material; here there are none.")
    return functools.reduce(join, sets)


def join(first: Features, second: Features) -> Features:
    """Return the features of both."""
    if first.tables > 1 or second.tables > 1:
        raise PlywiseError("Features with several tables cannot be joined with others.")
    for one in (first, second):
        _refuse_views(one, "joined with others")
    if not (first.mirror and second.mirror):
        first, second = _seen_by_each(first), _seen_by_each(second)
    shared = set(first.groups) & set(second.groups)
    if shared:
        raise PlywiseError(f"The features {sorted(shared)[0]!r} are joined twice.")
    sizes = first.most, second.most
    view = _both(View(*_functions(first)), View(*_functions(second)), sizes, first.rows)
    other = None
    if first.other and second.other:
        other = _both(first.other, second.other, sizes, first.rows)
    return Features(
        "joined",
        first.game,
        first.rows + second.rows,
        sum(sizes),
        view.active,
        view.changed,
        None if other else _mirror_of(first, second),
        other=other,
        settings={"parts": [*_parts(first), *_parts(second)]},
        groups={**first.groups, **moved(second.groups, first.rows)},
    )


def _refuse_views(features: Features, what: str) -> None:
    if features.seen is not None:
        raise PlywiseError(
            f"The features {features.name!r} have a view for every player and cannot be {what}."
        )


def moved(groups: dict[str, Spans], by: int) -> dict[str, Spans]:
    """Return groups of rows that stand further back."""
    return {
        name: tuple((begin + by, end + by) for begin, end in spans)
        for name, spans in groups.items()
    }


def _parts(features: Features) -> list[Any]:
    """Return what the sets were given as that features consist of."""
    return list(features.settings["parts"]) if features.name == "joined" else [features.given]


def _functions(features: Features) -> tuple[Function, Function]:
    """Return `active` and `changed` as plain functions."""
    changed = features.changed
    if changed is None:
        raise PlywiseError(f"The features {features.name!r} need `changed` to be joined.")
    return features.active, changed


def _both(first: View, second: View, sizes: tuple[int, int], behind: int) -> View:
    """Return the view of two sets; the rows of the second are `behind` those of the first."""
    own, further = sizes
    active, changed = first
    other_active, other_changed = second

    def active_in_both(position: Position, out: Any) -> Whole:
        count = active(position, part(out, 0, own))
        found = part(out, count, further)
        more = other_active(position, found)
        for place in range(more):
            found[place] += behind
        return count + more

    def changed_in_both(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        gone, come = changed(before, move, after, part(removed, 0, own), part(added, 0, own))
        old, new = part(removed, gone, further), part(added, come, further)
        lost, won = other_changed(before, move, after, old, new)
        for place in range(lost):
            old[place] += behind
        for place in range(won):
            new[place] += behind
        return gone + lost, come + won

    return View(active_in_both, changed_in_both)


def _mirror_of(first: Features, second: Features) -> Function:
    """Return the mirror of two sets that have one."""
    mirror, other_mirror, rows = first.mirror, second.mirror, first.rows
    assert mirror is not None
    assert other_mirror is not None

    def mirror_of_both(row: Whole) -> Whole:
        return mirror(row) if row < rows else other_mirror(row - rows) + rows

    return mirror_of_both


# ---------------------------------------------------------------- what each side sees


def _seen_by_each(features: Features) -> Features:
    """Return the same features with a view for each side instead of a mirror."""
    if features.other:
        return features
    rows, count = features.rows, features.count
    images = features.mirrored_rows() if features.mirror else np.arange(rows) + rows
    other = _looked_up(View(*_functions(features)), images)
    groups = features.groups
    if not features.mirror:  # in fixed colours: each side has rows of its own
        groups = _doubled(groups, rows)
    return Features(
        features.name,
        features.game,
        rows if features.mirror else rows + count,
        features.most,
        features.active,
        features.changed,
        other=other,
        settings=features.settings,
        groups=groups,
    )


def _doubled(groups: dict[str, Spans], by: int) -> dict[str, Spans]:
    """Return groups that have the same rows once more, further back."""
    further = moved(groups, by)
    return {name: (*spans, *further[name]) for name, spans in groups.items()}


def _looked_up(view: View, images: Any) -> View:
    """Return a view with other indices: images[index]."""
    active, changed = view

    def active_elsewhere(position: Position, out: Any) -> Whole:
        count = active(position, out)
        for place in range(count):
            out[place] = images[out[place]]
        return count

    def changed_elsewhere(
        before: Position, move: Word, after: Position, removed: Any, added: Any
    ) -> tuple[Whole, Whole]:
        gone, come = changed(before, move, after, removed, added)
        for place in range(gone):
            removed[place] = images[removed[place]]
        for place in range(come):
            added[place] = images[added[place]]
        return gone, come

    return View(active_elsewhere, changed_elsewhere)


def _itself(row: Whole) -> Whole:
    return row


def apart(features: Features) -> Features:
    """Return the same features with rows of its own for each side that is to move."""
    _refuse_views(features, "given to each side apart")
    rows, image_of = features.rows, features.mirror or _itself
    groups = _doubled(features.groups, rows)
    if features.other:
        images = np.arange(rows) + rows
        return Features(
            f"{features.name}_apart",
            features.game,
            2 * rows,
            features.most,
            features.active,
            features.changed,
            other=_looked_up(features.other, images),
            settings=features.settings,
            groups=groups,
        )

    def exchanged(row: Whole) -> Whole:
        return image_of(row) + rows if row < rows else image_of(row - rows)

    return Features(
        f"{features.name}_apart",
        features.game,
        features.count,
        features.most,
        features.active,
        features.changed,
        exchanged,
        2 * rows,
        features.table,
        features.tables,
        settings=features.settings,
        groups=groups,
    )


def signed(features: Features) -> Features:
    """Return the same features, where a row and its mirror are one number with two signs.

    A queen of one's own counts as much as one of the other side's counts against one. What is its
    own mirror, such as how many moves the side to move has, stays as it is. Features without a
    mirror, in fixed colours, have signs already.
    """
    mirror = features.mirror
    if mirror is None:
        return features

    def seen(index: Whole, view: Whole) -> Whole:
        image = mirror(index)
        row, other = (index, image) if view == 0 else (image, index)
        return row if row <= other else ~other

    return Features(
        f"{features.name}_signed",
        features.game,
        features.count,
        features.most,
        features.active,
        features.changed,
        rows=features.rows,
        table=features.table,
        tables=features.tables,
        seen=seen,
        viewers=2,
        settings=features.settings,
        groups=features.groups,
    )
