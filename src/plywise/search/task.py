"""What a search in depth works with, and the steps that all of them take.

A comparison search differs from `negamax` only in what it passes up: it shares this memory, the
order of moves, the lines, the trace and the table.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from plywise.game.functions import THEMES
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.options import Options
from plywise.search.scores import score_of_value
from plywise.search.table import NO_MOVE, Table
from plywise.search.trace import Trace

PLIES = 128  # the deepest line
PAST = 256  # positions of the game before the root that a repetition may reach back to
HISTORY_BITS = 12
MEMO_BITS = 14
NO_THEME = THEMES - 1  # of a pass, and of what came before the root


class Task(NamedTuple):
    """All that a search works with: what is searched, by what judgement, in which memory."""

    game: Bundle
    evaluator: Bundle
    params: Any
    memory: Any  # a record of `memory_type`
    table: Table
    options: Options
    trace: Trace | None


AnyTask = Any  # a Task, or that of another tree, which has these fields and more


class Tree(NamedTuple):
    """How a tree is searched in depth: what differs between the searches that share this memory."""

    make_task: Callable[..., Any]  # of a model, memory, table, options and trace
    deepen: Callable[..., Any]  # the kernel: (task, row, first depth, last depth)
    forget: Callable[[Any], None] = lambda task: None  # drop what is kept beside memory and table
    report: Callable[[Any], dict[str, Any]] = lambda task: {}  # what there is to say of a search


@functools.cache
def memory_type(max_moves: int, width: int) -> np.dtype[Any]:
    """Return the type of a search's working memory: one record, so one pointer in kernels."""
    fields = [
        ("moves", np.uint64, (PLIES + 1, max_moves)),
        ("order", np.int32, (PLIES + 1, max_moves)),  # [ply, move]: the highest is tried first
        ("lines", np.uint64, (PLIES + 2, PLIES + 2)),  # [ply]: the best line from there
        ("lengths", np.int64, (PLIES + 2,)),  # of the lines
        ("killers", np.uint64, (PLIES + 1, 2)),  # [ply]: quiet moves that refuted a line
        ("history", np.int32, (2, 1 << HISTORY_BITS)),  # [side, slot of a move]
        ("keys", np.uint64, (PAST + PLIES + 1,)),  # of the game, then of the line
        ("accumulator", np.float32, (PLIES + 2, max(1, width))),  # [ply]: the evaluator's
        ("passed", np.uint8, (PLIES + 2,)),  # [ply]: whether a null move led there
        ("themes", np.int32, (PLIES + 2,)),  # [ply]: of the move that led there
        ("statics", np.int64, (PLIES + 2,)),  # [ply]: the evaluator's score
        ("excluded", np.uint64, (PLIES + 2,)),  # [ply]: a move that is not looked at, or NO_MOVE
        ("counters", np.uint64, (THEMES,)),  # [theme]: what refuted such a move
        ("continuation", np.int16, (THEMES, THEMES)),  # [theme before, theme]: history of pairs
        ("memo_keys", np.uint64, (1 << MEMO_BITS,)),  # positions that the evaluator has judged
        ("memo_scores", np.int64, (1 << MEMO_BITS,)),  # and what it said
        ("past", np.int64),  # how many keys are of the game before the root
        ("root_moves", np.int64),  # how many of moves[0] are searched
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("evaluations", np.int64),
        ("stamp", np.int64),  # of the table's entries, see `table.stamp_of`
        ("best_score", np.int64),
        ("best_depth", np.int64),
        ("settled_score", np.int64),  # of the last depth that was completed
        ("settled_depth", np.int64),
        ("best_length", np.int64),
        ("best_line", np.uint64, (PLIES + 2,)),
        ("stop", np.uint8),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def make_memory(max_moves: int, width: int) -> Any:
    """Return the memory of one search: an array of one record, so that its fields can be shared."""
    holder = np.zeros(1, memory_type(max_moves, width))
    holder["excluded"] = holder["counters"] = NO_MOVE
    return holder


@compiled
def spend_node(memory: Any) -> bool:
    """Count a node; return whether the search has to end: no node left, or told to stop."""
    memory.nodes += 1
    if memory.nodes >= memory.node_limit:
        memory.stop = 1
    return bool(memory.stop != 0)


@compiled
def evaluate(task: Task, position: Position, ply: Whole) -> Whole:
    """Return the evaluator's judgement of a position as a score."""
    if not task.options.memo:
        return judge(task, position, ply)
    memory, key = task.memory, task.game.hash(position)
    place = np.int64(key >> np.uint64(64 - MEMO_BITS))
    if memory.memo_keys[place] != key:
        memory.memo_scores[place] = judge(task, position, ply)
        memory.memo_keys[place] = key
    return np.int64(memory.memo_scores[place])


@compiled
def judge(task: Task, position: Position, ply: Whole) -> Whole:
    """Ask the evaluator for its judgement of a position; return it as a score."""
    task.memory.evaluations += 1
    return score_of_value(task.evaluator.value(task.params, task.memory.accumulator, ply, position))


@compiled
def step(task: AnyTask, position: Position, move: Word, ply: Whole) -> Position:
    """Return the position after a move, the evaluator's accumulator brought along."""
    after: Position = task.game.apply(position, move)
    if task.options.continuation or task.options.counter:
        task.memory.themes[ply + 1] = task.game.theme(position, move)
    if task.evaluator.has_update:
        task.evaluator.update(task.params, task.memory.accumulator, ply, position, move, after)
    return after


@compiled
def pass_turn(task: AnyTask, position: Position, ply: Whole) -> Position:
    """Return the position after a null move, the accumulator brought along."""
    after: Position = task.game.null(position)
    task.memory.themes[ply + 1] = NO_THEME
    if task.evaluator.has_update:
        task.evaluator.refresh(task.params, task.memory.accumulator, ply + 1, after)
    return after


@compiled
def sign_of(game: Bundle, before: Position, after: Position) -> Whole:
    """Return -1 if it is the other side's turn after a move, 1 if a side moves again.

    A value for the side to move there, times this, is one for the side to move here.
    """
    if game.alternates or game.side(before) != game.side(after):
        return np.int64(-1)
    return np.int64(1)


@compiled
def is_in_check(game: Bundle, position: Position) -> bool:
    """Return whether the side to move has to answer a threat; False where a game knows none."""
    return bool(game.has_in_check and game.in_check(position))
