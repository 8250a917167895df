"""Backward iterative deepening search (paper 003, section 4.1): from the end of a played game.

For k = 1, 2, ... the whole tree below the k-th last position is searched, down to the level
on which the game ended. The tree of every iteration contains the one before, whose value is
passed on, so nothing is searched twice. A node's value is known if

    the game is over there,
    a move leads to a known win of who makes it, or
    the values after all moves are known.

Where a network has learned something, a node on the last level also counts as known if it is
consistent: its value is, within a margin, that of a search of one ply (Gherrity 1993).
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from plywise.evaluators.model import Model
from plywise.game import Rows, result_of
from plywise.game.record import Record
from plywise.game.results import ONGOING, WIN
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.limits import UNLIMITED_NODES, Limit
from plywise.search.table import NO_MOVE
from plywise.search.task import sign_of, spend_node
from plywise.system.stopping import run_watching

PLIES = 64  # the deepest tree
TABLE_BITS = 16
UNKNOWN, CONSISTENT, PROVEN = 0, 1, 2  # where a value comes from

SEEN = np.dtype(
    (np.record, [("key", np.uint64), ("value", np.float64), ("left", np.int32), ("kind", np.int32)])
)


class BackwardTask(NamedTuple):
    """All that a backward search works with."""

    game: Bundle
    evaluator: Bundle
    params: Any
    memory: Any  # a record of `memory_type`
    seen: Any  # [2**TABLE_BITS] SEEN: what other ways led to
    positions: Any  # [room, words]: the nodes whose value is known
    values: Any  # [room] for the side to move
    kinds: Any  # [room] CONSISTENT or PROVEN


@functools.cache
def memory_type(max_moves: int, width: int) -> np.dtype[Any]:
    """Return the type of the working memory."""
    fields = [
        ("moves", np.uint64, (PLIES + 2, max_moves)),
        ("accumulator", np.float32, (PLIES + 3, max(1, width))),
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("found", np.int64),
        ("margin", np.float64),  # of consistency; negative: no node is consistent
        ("stop", np.uint8),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@compiled
def note(task: BackwardTask, position: Position, value: float, kind: Whole) -> None:
    """Keep a node whose value is known, as long as there is room."""
    index = task.memory.found
    if index < len(task.values):
        task.game.store_at(position, task.positions, index)
        task.values[index] = value
        task.kinds[index] = kind
        task.memory.found = index + 1


@compiled
def is_consistent(task: BackwardTask, position: Position, ply: Whole, value: float) -> bool:
    """Return whether a value is that of a search of one ply, within the margin."""
    game, memory = task.game, task.memory
    out = borrow(memory.moves, ply)
    best = -1.0
    for index in range(game.moves(position, out)):
        after = game.apply(position, out[index])
        if spend_node(memory):
            return False
        sign = float(sign_of(game, position, after))
        result = result_of(game, after, borrow(memory.moves, ply + 1))
        if result == ONGOING:
            if task.evaluator.has_update:
                task.evaluator.update(
                    task.params, memory.accumulator, ply, position, out[index], after
                )
            value_after = task.evaluator.value(task.params, memory.accumulator, ply + 1, after)
            best = max(best, sign * value_after)
        else:
            best = max(best, sign * float(result))
    return bool(abs(best - value) <= memory.margin)


@compiled
def judge_horizon(task: BackwardTask, position: Position, ply: Whole) -> tuple[float, Whole]:
    """Return what is known of a position on the last level of a game that goes on there."""
    if task.memory.margin < 0:
        return 0.0, np.int64(UNKNOWN)
    task.evaluator.refresh(task.params, task.memory.accumulator, ply, position)
    value = task.evaluator.value(task.params, task.memory.accumulator, ply, position)
    if is_consistent(task, position, ply, value):
        return value, CONSISTENT
    return 0.0, UNKNOWN


@compiled
def explore(
    task: BackwardTask,
    position: Position,
    ply: Whole,
    left: Whole,
    played: Word,
    known: tuple[float, Whole],
) -> tuple[float, Whole]:
    """Return (value, kind) of a position searched `left` plies deep, noting all that is known.

    Nothing is searched again after the move `played`: `known` is what the iteration before
    found out about the position that it leads to.
    """
    game, memory = task.game, task.memory
    nothing = (0.0, np.int64(UNKNOWN))
    if spend_node(memory):
        return nothing
    result = result_of(game, position, borrow(memory.moves, ply))
    if result != ONGOING:
        note(task, position, float(result), PROVEN)
        return float(result), np.int64(PROVEN)
    if left == 0:
        return judge_horizon(task, position, ply)
    key = game.hash(position)
    entry = task.seen[np.int64(key & np.uint64(len(task.seen) - 1))]
    if entry.key == key and entry.left == left:
        return entry.value, np.int64(entry.kind)
    out = borrow(memory.moves, ply)
    best = -2.0
    is_won, are_known, are_proven = False, True, True
    for index in range(game.moves(position, out)):
        after = game.apply(position, out[index])
        sign = float(sign_of(game, position, after))
        if out[index] == played:
            value, kind = known
        else:
            value, kind = explore(task, after, ply + 1, left - 1, NO_MOVE, nothing)
        if memory.stop:
            return nothing
        are_known = are_known and kind != UNKNOWN
        are_proven = are_proven and kind == PROVEN
        if kind != UNKNOWN:
            best = max(best, sign * value)
            is_won = is_won or (kind == PROVEN and sign * value == WIN)
    kind = np.int64(UNKNOWN)
    if is_won:
        best, kind = float(WIN), np.int64(PROVEN)
    elif are_known:
        kind = np.int64(PROVEN if are_proven else CONSISTENT)
    entry.key, entry.left, entry.value, entry.kind = key, left, best, kind
    if kind == UNKNOWN:
        return nothing
    note(task, position, best, kind)
    return best, kind


@compiled
def explore_backward(task: BackwardTask, rows: Any, moves: Any, last: Whole) -> Whole:
    """Search from the last position of a game back to its first; return the iterations done."""
    top, none_left = np.int64(0), np.int64(0)
    known = (0.0, np.int64(UNKNOWN))
    known = explore(task, task.game.load_at(rows, last), top, none_left, NO_MOVE, known)
    deepest = min(last, PLIES)
    for back in range(1, deepest + 1):
        position = task.game.load_at(rows, last - back)
        known = explore(task, position, top, np.int64(back), moves[last - back], known)
        if task.memory.stop:
            return back - 1
    return deepest


class Backward:
    """The search, with the memory that it needs."""

    def __init__(self, model: Model, margin: float | None = None, room: int = 1 << 16) -> None:
        """`margin` of consistency (none: only proven values), `room` for so many nodes."""
        self.game = model.game
        width = model.evaluator.bundle.width
        holder = np.zeros(1, memory_type(self.game.max_moves, width))
        self.memory: Any = holder[0]
        self._stop_byte = holder["stop"]
        self.memory.margin = -1.0 if margin is None else margin
        self.task = BackwardTask(
            self.game.rules,
            model.evaluator.bundle,
            model.params,
            self.memory,
            np.zeros(1 << TABLE_BITS, SEEN),
            np.zeros((room, self.game.words), np.uint64),
            np.zeros(room),
            np.zeros(room, np.uint8),
        )

    def search(self, record: Record, limit: Limit) -> "Backwards":
        """Search back from the end of a game until the limit of nodes or seconds is reached."""
        memory = self.memory
        memory.nodes = memory.found = 0
        memory.node_limit = limit.nodes or UNLIMITED_NODES
        self.task.seen.view(np.uint8)[:] = 0
        rows, moves = np.array(record.positions), np.array(record.moves, np.uint64)
        done = run_watching(
            self._stop_byte,
            lambda: explore_backward(self.task, rows, moves, np.int64(len(moves))),
            limit.seconds,
        )
        found = int(memory.found)
        return Backwards(
            self.task.positions[:found].copy(),
            self.task.values[:found].copy(),
            self.task.kinds[:found].copy(),
            int(done),
            int(memory.nodes),
        )


class Backwards(NamedTuple):
    """What a backward search came to know."""

    positions: Rows
    values: Any  # [nodes] for the side to move
    kinds: Any  # [nodes] CONSISTENT or PROVEN
    iterations: int  # how far back the search was completed
    nodes: int
