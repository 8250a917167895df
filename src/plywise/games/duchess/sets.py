"""Sets of squares of a large board: tuples of 64-bit words, square s is bit s % 64 of word s // 64.

How many words there are is known only when a board is, so the functions are made from text; in
compiled code each is a handful of instructions.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.kernel.bits import ONE, ZERO, lowest, popcount

Function = Callable[..., Any]
Squares = Any  # a tuple of words in a kernel
Table = NDArray[np.uint64]  # [index, words]: a set for every index

SIX, LOW = np.int64(6), np.int64(63)


class SetFunctions(NamedTuple):
    """What can be done with sets of so many words."""

    meet: Function  # squares of both
    join: Function  # squares of either
    without: Function  # squares of the first that are not of the second
    is_empty: Function
    holds: Function  # (squares, square): whether a square is of them
    single: Function  # the set of one square
    first: Function  # the lowest square of a set that is not empty
    rest: Function  # all but the lowest square
    size: Function
    look_up: Function  # (table, index): the set in a row of a table


def words_for(squares: int) -> int:
    """Return how many words a set of squares takes."""
    return -(-squares // 64)


@cache
def set_functions(words: int) -> SetFunctions:
    """Return the functions for sets of so many words."""
    scope: dict[str, Any] = {"uint64": np.uint64, "SIX": SIX, "LOW": LOW}
    scope |= {"ONE": ONE, "ZERO": ZERO, "lowest": lowest, "popcount": popcount}
    exec(_source(words), scope)
    return SetFunctions(*(scope[name] for name in SetFunctions._fields))


def _source(words: int) -> str:
    def each(expression: str) -> str:
        return "(" + "".join(f"{expression.format(i)}, " for i in range(words)) + ")"

    last = words - 1
    chosen = "".join(f"a[{i}] if square >> SIX == {i} else " for i in range(last)) + f"a[{last}]"
    empty = " | ".join(f"a[{i}]" for i in range(words))
    size = " + ".join(f"popcount(a[{i}])" for i in range(words))
    first = "".join(
        f"    if a[{i}] != ZERO:\n        return {64 * i} + lowest(a[{i}])\n" for i in range(last)
    )
    rest = "".join(
        f"    if a[{i}] != ZERO:\n        return {_lowered(words, i)}\n" for i in range(last)
    )
    return f"""
def meet(a, b):
    return {each("a[{0}] & b[{0}]")}

def join(a, b):
    return {each("a[{0}] | b[{0}]")}

def without(a, b):
    return {each("a[{0}] & ~b[{0}]")}

def is_empty(a):
    return {empty} == ZERO

def holds(a, square):
    word = {chosen}
    return (word >> uint64(square & LOW)) & ONE != ZERO

def single(square):
    bit = ONE << uint64(square & LOW)
    return {each("bit if square >> SIX == {0} else ZERO")}

def first(a):
{first}    return {64 * last} + lowest(a[{last}])

def rest(a):
{rest}    return {_lowered(words, last)}

def size(a):
    return {size}

def look_up(table, index):
    return {each("table[index, {0}]")}
"""


def _lowered(words: int, place: int) -> str:
    """Return the set whose lowest bit, in the word at a place, is taken away."""
    parts = [f"a[{i}] & (a[{i}] - ONE)" if i == place else f"a[{i}]" for i in range(words)]
    return f"({', '.join(parts)},)"


def as_table(sets: Iterable[Iterable[int]], words: int) -> Table:
    """Return sets of squares as the rows of a table."""
    rows = [sum(1 << square for square in squares) for squares in sets]
    word = (1 << 64) - 1
    return np.array([[row >> 64 * i & word for i in range(words)] for row in rows], np.uint64)
