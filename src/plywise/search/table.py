"""The transposition table: what earlier searches found out about a position.

Two entries stand side by side: one keeps the deepest search, the other the latest.
"""

from typing import Any

import numpy as np

from plywise.kernel import compiled
from plywise.kernel.bits import Whole, Word
from plywise.search.scores import PROVEN, WIN_SCORE, from_root

UPPER, LOWER, EXACT = 1, 2, 3  # what the score is: at most, at least, or exactly the value

ENTRY = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),
            ("move", np.uint64),
            ("score", np.int32),  # proven ones count from the node, not from the root
            ("depth", np.int16),
            ("bound", np.uint8),  # 0: the entry is empty
            ("age", np.uint8),
        ],
    )
)

NO_MOVE = np.uint64(0xFFFFFFFFFFFFFFFF)

Table = Any  # an array of ENTRY


def make_table(bits: int) -> Table:
    """Return an empty table of 2**bits entries."""
    return np.zeros(1 << bits, ENTRY)


@compiled
def empty(table: Table) -> None:
    """Drop all entries."""
    for index in range(len(table)):
        table[index].bound = 0


@compiled
def find(table: Table, key: Word) -> Whole:
    """Return the index of a position's entry, or -1."""
    index = np.int64(key & np.uint64(len(table) - 2))
    if table[index].key == key and table[index].bound != 0:
        return index
    if table[index + 1].key == key and table[index + 1].bound != 0:
        return index + 1
    return -1


@compiled
def is_usable(entry_depth: Whole, score: Whole, depth: Whole) -> bool:
    """Return whether an entry says what a search of the given depth would say.

    It does at equal depth; and a proven score whose end lies within both full-width
    depths is the same in each. A deeper entry would change the value at fixed depth.
    """
    if entry_depth == depth:
        return True
    return bool(abs(score) >= PROVEN and WIN_SCORE - abs(score) <= min(entry_depth, depth))


@compiled
def keep(
    table: Table, key: Word, found: tuple[Word, Whole, Whole, Whole, Whole], ply: Whole
) -> None:
    """Store (move, score, depth, bound, age) for a position `ply` plies below the root."""
    move, score, depth, bound, age = found
    index = np.int64(key & np.uint64(len(table) - 2))
    deep = table[index]
    if deep.key != key and deep.bound != 0 and deep.age == age and deep.depth > depth:
        index += 1
    entry = table[index]
    entry.key = key
    entry.move = move
    entry.score = from_root(score, -ply)
    entry.depth = depth
    entry.bound = bound
    entry.age = age
