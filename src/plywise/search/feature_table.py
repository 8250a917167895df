"""The table of features: projections of positions by their hash, so that each is computed once.

A comparison search works on `rows`, which belong to its plies; see `comparison`. Before a position
is projected the table is asked. What the transposition table keeps as the value of a position is
where in this table the leaf stands that it came from, and some bits of the leaf's key: if another
position has taken the place since, the value is not known any more.

    exact score      -INFINITE ... INFINITE, a proven one counted from its node
    leaf             LEAF + bits of its key << SLOT_BITS + place
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from plywise.kernel import compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.scores import from_root

SCORES = 1 << 39  # marks from here on are exact scores
ZERO_SCORE = 1 << 40
NO_MARK = -1
LEAF = 1 << 30
SLOT_BITS, TAG_BITS = 18, 12
TAG_SHIFT, TAG_MASK = np.uint64(40), np.uint64((1 << TAG_BITS) - 1)
COUNTS = np.dtype((np.record, [("hits", np.int64), ("misses", np.int64)]))


class Features(NamedTuple):
    """What a comparison search knows of positions; few arrays, for each call passes them on."""

    rows: Any  # [rows] of `known_type`, by mark
    entries: Any  # [entries] of `known_type`
    counts: Any  # a record of COUNTS: looks that found an entry, and those that did not


@functools.cache
def known_type(width: int) -> np.dtype[Any]:
    """Return the type of what is known of a position."""
    fields = [
        ("key", np.uint64),  # whose it is; 0: nobody's
        ("row", np.float32, (width,)),  # its projections
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def make_features(rows: int, width: int, bits: int) -> Features:
    """Return an empty table of 2**bits entries, and rows."""
    kind = known_type(width)
    return Features(
        np.zeros(rows, kind), np.zeros(1 << min(bits, SLOT_BITS), kind), np.zeros(1, COUNTS)[0]
    )


@compiled
def is_score(mark: Whole) -> bool:
    return bool(mark >= SCORES)


@compiled
def mark_of_score(score: Whole) -> Whole:
    """Return the mark of an exact score for side 0."""
    return np.int64(ZERO_SCORE) + score


@compiled
def copy(source: Any, target: Any) -> None:
    """Copy what is known of a position."""
    target.key = source.key
    for index in range(len(target.row)):
        target.row[index] = source.row[index]


@compiled
def look(task: Any, position: Position, ply: Whole) -> Whole:
    """Return the mark of a position, projected or out of the table, in the ply's own row."""
    features = task.features
    row = len(features.rows) // 3 + ply  # STATIC + ply: the rows of plies are in three parts
    task.memory.evaluations += 1
    key = task.game.hash(position)
    kept = features.entries[slot_of(features, key)]
    if kept.key == key:
        features.counts.hits += 1
    else:
        features.counts.misses += 1
        task.evaluator.project(task.params, task.memory.accumulator, ply, position, kept.row)
        kept.key = key
    copy(kept, features.rows[row])
    return row


@compiled
def slot_of(features: Features, key: Word) -> Whole:
    """Return where in the table a position stands."""
    return np.int64(key & np.uint64(len(features.entries) - 1))


@compiled
def hold(features: Features, mark: Whole, row: Whole) -> Whole:
    """Return the mark of the same in a row of one's own; exact scores need none."""
    if is_score(mark):
        return mark
    if mark != row:
        copy(features.rows[mark], features.rows[row])
    return row


@compiled
def code_of(features: Features, mark: Whole, ply: Whole) -> Whole:
    """Return how the transposition table keeps a mark; its leaf is put back if it had to go."""
    if is_score(mark):
        return from_root(mark - ZERO_SCORE, -ply)
    key = features.rows[mark].key
    slot = slot_of(features, key)
    if features.entries[slot].key != key:
        copy(features.rows[mark], features.entries[slot])
    tag = np.int64((key >> TAG_SHIFT) & TAG_MASK)
    return LEAF + (tag << SLOT_BITS) + slot


@compiled
def mark_of_code(features: Features, code: Whole, ply: Whole, row: Whole) -> Whole:
    """Return the mark that was kept, a leaf in the given row; NO_MARK if it has gone."""
    if code < LEAF:
        return mark_of_score(from_root(code, ply))
    slot = (code - LEAF) & ((1 << SLOT_BITS) - 1)
    tag = (code - LEAF) >> SLOT_BITS
    if np.int64((features.entries[slot].key >> TAG_SHIFT) & TAG_MASK) != tag:
        return np.int64(NO_MARK)
    copy(features.entries[slot], features.rows[row])
    return row
