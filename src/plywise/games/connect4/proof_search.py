"""A perfect player's knowledge of Connect Four: the exact score of any position.

A score counts the stones that the winner has left when he wins, and one: the sooner, the larger.
With `left` empty cells, a win with the next stone is (left + 1) // 2, a loss to the answer
-(left // 2), and a draw 0; the side to move is always meant. This is the convention of Pascal
Pons, "Solving Connect 4: how to build a perfect AI" (2015), and so are the ideas: bitboards, moves
that do not lose at once, those with new threats first, null windows, and a table of bounds.
"""

from typing import Any, NamedTuple

import numpy as np

from plywise.game import Row
from plywise.games.connect4.rules import BOTTOM, COLUMNS, FULL, ROWS
from plywise.kernel import compiled
from plywise.kernel.bits import ONE, ZERO, Whole, Word, lowest, popcount

CELLS = ROWS * COLUMNS
MIRRORED = CELLS - 14  # from so many empty cells on, a position and its mirror image are one

_TWO, _THREE, _SIX, _SEVEN, _EIGHT = (np.uint64(shift) for shift in (2, 3, 6, 7, 8))
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: spreads keys
_COLUMN = np.uint64(0x7F)


class Task(NamedTuple):
    """What a search works with."""

    memory: Any  # a record of MEMORY
    table: Any  # [entries] uint64, see `pack`


MEMORY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("moves", np.uint64, (CELLS + 1, COLUMNS)),  # [empty cells, order]: one bit
                ("answers", np.uint64, (CELLS + 1, COLUMNS)),  # what does not lose after it
                ("ranks", np.int64, (CELLS + 1, COLUMNS)),
                ("shifts", np.uint64, (CELLS + 1,)),  # [empty cells]: of a hash, to an index
                ("nodes", np.int64),
                ("stop", np.uint8),
            ],
            align=True,
        ),
    )
)


# ---------------------------------------------------------------- threats


@compiled
def _completing(stones: Word, shift: Word) -> Word:
    """Return the cells, whatever is on them, that make a four with three others on a line."""
    above = (stones << shift) & (stones << (shift + shift))
    below = (stones >> shift) & (stones >> (shift + shift))
    outer = (above & (stones << _THREE * shift)) | (below & (stones >> _THREE * shift))
    return outer | (above & (stones >> shift)) | (below & (stones << shift))


@compiled
def threats(stones: Word, filled: Word) -> Word:
    """Return the empty cells where one more stone makes a four."""
    cells = (stones << ONE) & (stones << _TWO) & (stones << _THREE)
    cells |= _completing(stones, _SIX) | _completing(stones, _SEVEN) | _completing(stones, _EIGHT)
    return cells & (filled ^ FULL)


@compiled
def playable(filled: Word) -> Word:
    """Return the cells that a stone can drop into."""
    return (filled + BOTTOM) & FULL


@compiled
def safe_moves(filled: Word, against: Word) -> Word:
    """Return the moves after which the other side, with these threats, cannot win at once."""
    moves = playable(filled)
    forced = moves & against
    if forced != ZERO:
        if forced & (forced - ONE) != ZERO:
            return ZERO
        moves = forced
    return moves & ~(against >> ONE)  # a stone just below a threat lets it be carried out


# ---------------------------------------------------------------- the table


@compiled
def mirrored(key: Word) -> Word:
    """Return the key of the mirror image."""
    image = ZERO
    for _ in range(COLUMNS):
        image = (image << _SEVEN) | (key & _COLUMN)
        key >>= _SEVEN
    return image


@compiled
def key_of(mine: Word, filled: Word, left: Whole) -> Word:
    """Return 49 bits that no other position has, but in the opening its mirror image.

    A column of h stones adds 2**h - 1 and a number below 2**h: the sum tells both.
    """
    key = mine + filled
    if left >= MIRRORED:
        return min(key, mirrored(key))
    return key


@compiled
def pack(key: Word, low: Whole, high: Whole) -> Word:
    """Return a table entry: the key, 22 - high in six bits, 22 + low in six bits.

    An empty entry, 0, reads as the bounds -22 and 22 of the empty board, which are true.
    """
    return (key << np.uint64(12)) | np.uint64((22 - high) << 6) | np.uint64(22 + low)


@compiled
def low_of(entry: Word) -> Whole:
    return np.int64(entry & np.uint64(63)) - 22


@compiled
def high_of(entry: Word) -> Whole:
    return 22 - np.int64((entry >> np.uint64(6)) & np.uint64(63))


# ---------------------------------------------------------------- the search


@compiled
def add_move(memory: Any, left: Whole, count: Whole, found: tuple[Word, Word, Word]) -> None:
    """Insert (move, answers to it, threats after it) behind those that threaten more.

    Threats on cells that cannot be played yet last longer; the centre breaks ties.
    """
    move, answers, made = found
    column = lowest(move) // 7
    lasting = made & ~answers  # a threat that can be carried out is the one answer
    rank = 4 * (popcount(made) + 2 * popcount(lasting)) - abs(column - 3)
    place = count
    while place > 0 and memory.ranks[left, place - 1] < rank:
        memory.ranks[left, place] = memory.ranks[left, place - 1]
        memory.moves[left, place] = memory.moves[left, place - 1]
        memory.answers[left, place] = memory.answers[left, place - 1]
        place -= 1
    memory.ranks[left, place] = rank
    memory.moves[left, place] = move
    memory.answers[left, place] = answers


@compiled
def bound(task: Task, mine: Word, filled: Word, safe: Word, left: Whole, goal: Whole) -> Whole:
    """Return a bound of the score v that tells whether v reaches the goal.

        s >= goal  =>  v >= s          s < goal  =>  v <= s

    The side to move cannot win with its next stone, and has `safe` moves that do not lose at
    once, at least one; so v lies between -((left - 2) // 2) and (left - 1) // 2.
    """
    memory, table = task.memory, task.table
    memory.nodes += 1
    low, high = -((left - 2) >> 1), (left - 1) >> 1
    if low >= goal or memory.stop != 0:
        return low
    if high < goal:
        return high
    theirs = mine ^ filled
    if safe & (safe - ONE) == ZERO:  # forced: no choice to order, and nothing worth keeping
        after = filled | safe
        answers = safe_moves(after, threats(mine | safe, after))
        if answers == ZERO:
            return high
        return -bound(task, theirs, after, answers, left - 1, 1 - goal)

    key = key_of(mine, filled, left)
    place = np.int64((key * _FACTOR) >> memory.shifts[left])
    entry = table[place]
    if entry >> np.uint64(12) == key:
        low, high = max(low, low_of(entry)), min(high, high_of(entry))
        if low >= goal:
            return low
        if high < goal:
            return high

    count = 0
    while safe != ZERO:
        move = safe & (ZERO - safe)
        safe ^= move
        after = filled | move
        made = threats(mine | move, after)
        answers = safe_moves(after, made)
        if answers == ZERO:
            return (left - 1) >> 1
        add_move(memory, left, count, (move, answers, made))
        count += 1
    high = min(high, (left - 3) >> 1)  # no move wins with the stone after it
    if high < goal:
        return high
    best = np.int64(-CELLS)
    for index in range(count):
        after = filled | memory.moves[left, index]
        answers = memory.answers[left, index]
        score = -bound(task, theirs, after, answers, left - 1, 1 - goal)
        best = max(best, score)
        if score >= goal:
            break
    if memory.stop == 0:
        if best >= goal:
            low = best
        else:
            high = best
        table[place] = pack(key, low, high)
    return best


@compiled
def next_goal(low: Whole, high: Whole) -> Whole:
    """Return what to ask next: first whether the game is lost, then a third of the way on.

    Scores near 0 are the likelier ones.
    """
    if low < 0 <= high:
        return np.int64(0)
    if low >= 0:
        return low + 1 + (high - low - 1) // 3
    return high - (high - low - 1) // 3


@compiled
def score_of(task: Task, mine: Word, filled: Word) -> Whole:
    """Return the score of a position that is not over; if stopped, a number without meaning."""
    left = CELLS - popcount(filled)
    if threats(mine, filled) & playable(filled) != ZERO:
        return (left + 1) >> 1
    if left == 1:
        return np.int64(0)
    safe = safe_moves(filled, threats(mine ^ filled, filled))
    if safe == ZERO:
        return -(left >> 1)
    low, high = -((left - 2) >> 1), (left - 1) >> 1
    while low < high and task.memory.stop == 0:
        goal = next_goal(low, high)
        score = bound(task, mine, filled, safe, left, goal)
        if score >= goal:
            low = score
        else:
            high = score
    return low


@compiled
def score_of_row(task: Task, row: Row) -> Whole:
    """Return the score of a row, see `score_of`."""
    return score_of(task, row[0], row[1])
