"""The table of features: projections of positions by their hash, so that each is computed once.

A comparison search works on `rows`, which belong to its plies; see `comparison`. Before a position
is projected the table is asked. What the transposition table keeps as the value of a position is
where in this table the leaf stands that it came from, and some bits of the leaf's key: if another
position has taken the place since, the value is not known any more.

    exact score      -INFINITE ... INFINITE, a proven one counted from its node
    leaf             LEAF + bits of its key << SLOT_BITS + place
"""

from typing import Any, NamedTuple

import numpy as np

from plywise.kernel import borrow, compiled
from plywise.kernel.bits import Position, Whole
from plywise.search.scores import from_root

SCORES = 1 << 39  # marks from here on are exact scores
ZERO_SCORE = 1 << 40
NO_MARK = -1
LEAF = 1 << 30
SLOT_BITS, TAG_BITS = 18, 12
TAG_SHIFT, TAG_MASK = np.uint64(40), np.uint64((1 << TAG_BITS) - 1)
HITS, MISSES = range(2)


class Features(NamedTuple):
    """What a comparison search knows of positions."""

    rows: Any  # [rows, row_width] float32: projections, by mark
    row_keys: Any  # [rows] uint64: whose they are
    keys: Any  # [entries] uint64; 0: the entry is empty
    projections: Any  # [entries, row_width] float32
    counts: Any  # [2] int64: HITS and MISSES


def make_features(rows: int, width: int, bits: int) -> Features:
    """Return an empty table of 2**bits entries, and rows."""
    entries = 1 << min(bits, SLOT_BITS)
    return Features(
        np.zeros((rows, width), np.float32),
        np.zeros(rows, np.uint64),
        np.zeros(entries, np.uint64),
        np.zeros((entries, width), np.float32),
        np.zeros(2, np.int64),
    )


@compiled
def is_score(mark: Whole) -> bool:
    return bool(mark >= SCORES)


@compiled
def mark_of_score(score: Whole) -> Whole:
    """Return the mark of an exact score for side 0."""
    return np.int64(ZERO_SCORE) + score


@compiled
def copy_row(source: Any, target: Any) -> None:
    for index in range(len(target)):
        target[index] = source[index]


@compiled
def look(task: Any, position: Position, ply: Whole) -> Whole:
    """Return the mark of a position, projected or out of the table, in the ply's own row."""
    features = task.features
    row = len(features.rows) // 3 + ply  # STATIC + ply: the rows of plies are in three parts
    task.memory.evaluations += 1
    key = task.game.hash(position)
    slot = np.int64(key & np.uint64(len(features.keys) - 1))
    kept = borrow(features.projections, slot)
    if features.keys[slot] == key:
        features.counts[HITS] += 1
    else:
        features.counts[MISSES] += 1
        task.evaluator.project(task.params, task.memory.accumulator, ply, position, kept)
        features.keys[slot] = key
    copy_row(kept, borrow(features.rows, row))
    features.row_keys[row] = key
    return row


@compiled
def hold(features: Features, mark: Whole, row: Whole) -> Whole:
    """Return the mark of the same in a row of one's own; exact scores need none."""
    if is_score(mark):
        return mark
    if mark != row:
        copy_row(borrow(features.rows, mark), borrow(features.rows, row))
        features.row_keys[row] = features.row_keys[mark]
    return row


@compiled
def code_of(features: Features, mark: Whole, ply: Whole) -> Whole:
    """Return how the transposition table keeps a mark; its leaf is put back if it had to go."""
    if is_score(mark):
        return from_root(mark - ZERO_SCORE, -ply)
    key = features.row_keys[mark]
    slot = np.int64(key & np.uint64(len(features.keys) - 1))
    if features.keys[slot] != key:
        copy_row(borrow(features.rows, mark), borrow(features.projections, slot))
        features.keys[slot] = key
    tag = np.int64((key >> TAG_SHIFT) & TAG_MASK)
    return LEAF + (tag << SLOT_BITS) + slot


@compiled
def mark_of_code(features: Features, code: Whole, ply: Whole, row: Whole) -> Whole:
    """Return the mark that was kept, a leaf in the given row; NO_MARK if it has gone."""
    if code < LEAF:
        return mark_of_score(from_root(code, ply))
    slot = (code - LEAF) & ((1 << SLOT_BITS) - 1)
    tag = (code - LEAF) >> SLOT_BITS
    key = features.keys[slot]
    if np.int64((key >> TAG_SHIFT) & TAG_MASK) != tag:
        return np.int64(NO_MARK)
    copy_row(borrow(features.projections, slot), borrow(features.rows, row))
    features.row_keys[row] = key
    return row
