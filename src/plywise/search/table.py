"""The transposition table: what earlier searches found out about a position.

Two entries stand side by side: one keeps the deepest search, the other the latest. Searches in
several threads share a table without locks: the key of an entry is stored mixed with its contents,
so that one which two threads wrote at once is not recognised.
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
            ("check", np.uint64),  # key ^ move ^ facts
            ("move", np.uint64),
            ("facts", np.uint64),  # score, depth, bound and age, see `pack`; 0: the entry is empty
        ],
    )
)

NO_MOVE = np.uint64(0xFFFFFFFFFFFFFFFF)

Table = Any  # an array of ENTRY

# Facts: the score in bits 32 to 63 (a proven one counts from the node, not from the root), the
# depth in bits 16 to 31, the stamp of the search in bits 0 to 15: the thread in bits 10 to 15, the
# age in bits 0 to 7, and the bound between them.
SCORE, DEPTH, AUTHOR, BOUND = np.uint64(32), np.uint64(16), np.uint64(10), np.uint64(8)
BYTE, TWO_BYTES = np.uint64(0xFF), np.uint64(0xFFFF)
TWO_BITS, SIX_BITS = np.uint64(0x3), np.uint64(0x3F)
SCORE_ZERO, DEPTH_ZERO = 1 << 31, 1 << 15  # so that none is negative


def make_table(bits: int) -> Table:
    """Return an empty table of 2**bits entries."""
    return np.zeros(1 << bits, ENTRY)


@compiled
def empty(table: Table) -> None:
    """Drop all entries."""
    for index in range(len(table)):
        table[index].facts = np.uint64(0)


@compiled
def pack(score: Whole, depth: Whole, bound: Whole, stamp: Whole) -> Word:
    """Return what is known of a position as one word."""
    high = (np.uint64(score + SCORE_ZERO) << SCORE) | (np.uint64(depth + DEPTH_ZERO) << DEPTH)
    return high | (np.uint64(bound) << BOUND) | np.uint64(stamp)


@compiled
def depth_of(facts: Word) -> Whole:
    return np.int64((facts >> DEPTH) & TWO_BYTES) - DEPTH_ZERO


def stamp_of(age: int, thread: int) -> int:
    """Return what tells the entries of a search, and of one of its threads, from others."""
    return age % 256 | thread % 64 << int(AUTHOR)


@compiled
def author_of(stamp: Whole) -> Whole:
    """Return the thread of a stamp."""
    return stamp >> np.int64(AUTHOR)


@compiled
def find(table: Table, key: Word) -> tuple[Word, Whole, Whole, Whole, Whole]:
    """Return (move, score, depth, bound, author) of a position; bound 0: nothing is known."""
    index = np.int64(key & np.uint64(len(table) - 2))
    for place in range(index, index + 2):
        move, facts = table[place].move, table[place].facts
        if facts != np.uint64(0) and table[place].check ^ move ^ facts == key:
            score = np.int64(facts >> SCORE) - SCORE_ZERO
            bound, author = (facts >> BOUND) & TWO_BITS, (facts >> AUTHOR) & SIX_BITS
            return move, score, depth_of(facts), np.int64(bound), np.int64(author)
    return NO_MOVE, np.int64(0), np.int64(0), np.int64(0), np.int64(0)


@compiled
def is_usable(entry_depth: Whole, score: Whole, depth: Whole, transfer: bool) -> bool:
    """Return whether an entry says what a search of the given depth would say.

    It does at equal depth; and a proven score whose end lies within both full-width
    depths is the same in each. A deeper entry would change the value at fixed depth, so it
    serves only with `transfer`.
    """
    if entry_depth == depth or (transfer and entry_depth > depth):
        return True
    return bool(abs(score) >= PROVEN and WIN_SCORE - abs(score) <= min(entry_depth, depth))


@compiled
def keep(
    table: Table, key: Word, found: tuple[Word, Whole, Whole, Whole, Whole], ply: Whole
) -> None:
    """Store (move, score, depth, bound, stamp) for a position `ply` plies below the root."""
    move, score, depth, bound, stamp = found
    index = np.int64(key & np.uint64(len(table) - 2))
    deep = table[index].facts
    is_other = deep != np.uint64(0) and table[index].check ^ table[index].move ^ deep != key
    if is_other and np.int64(deep & BYTE) == stamp & 0xFF and depth_of(deep) > depth:
        index += 1
    facts = pack(from_root(score, -ply), depth, bound, stamp)
    table[index].move = move
    table[index].facts = facts
    table[index].check = key ^ move ^ facts
