"""Alpha-beta: iterative deepening, table, principal variation search, ordering, quiescence.

Everything is seen from the side to move. `negamax` is fail-soft and keeps this contract:
with v the value of plain minimax at the same depth and s what it returns,

    s <= alpha  =>  v <= s          s >= beta  =>  v >= s          otherwise  v == s

The table, the move ordering and the null windows never change v; quiescence, as part of
the evaluation of leaves, does. A draw by repetition depends on the way to a position, so
where positions repeat, a table may carry a value from one path to another.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from plywise.game import is_quiet
from plywise.game.results import ONGOING
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search import table as tables
from plywise.search.repetition import is_repeated
from plywise.search.scores import (
    INFINITE,
    distance,
    from_root,
    is_proven,
    score_of_result,
    score_of_value,
)
from plywise.search.table import EXACT, LOWER, NO_MOVE, UPPER, Table

PLIES = 128  # the deepest line
PAST = 256  # positions of the game before the root that a repetition may reach back to
HISTORY_BITS = 12
FINISHED = -1  # the depth by which a trace marks a position in which the game is over


class Options(NamedTuple):
    """What the search does beyond plain minimax; each can be switched off."""

    table: bool = True
    pvs: bool = True
    killers: bool = True
    history: bool = True
    quiescence: bool = True
    repetition: bool = True
    deepening: bool = True
    pruning: bool = True  # off: plain minimax
    value_ordering: int = 0  # depth from which moves are tried in the evaluator's order; 0: nowhere


PLAIN = Options(False, False, False, False, False, False, False, False)  # minimax


class Trace(NamedTuple):
    """Every inner node and every finished game of a search, in the order they were left."""

    positions: Any  # [nodes, words]
    scores: Any  # [nodes] int32
    bounds: Any  # [nodes] uint8: UPPER, LOWER or EXACT
    plies: Any  # [nodes] int16: distance from the root
    depths: Any  # [nodes] int16: what was left to search, or FINISHED
    count: Any  # [1] nodes seen; only as many as there is room for are kept


class Task(NamedTuple):
    """All that a search works with: what is searched, by what judgement, in which memory."""

    game: Bundle
    evaluator: Bundle
    params: Any
    memory: Any  # a record of `memory_type`
    table: Table
    options: Options
    trace: Trace | None


@functools.cache
def memory_type(max_moves: int, width: int) -> np.dtype[Any]:
    """Return the type of a search's working memory: one record, so one pointer in kernels."""
    fields = [
        ("moves", np.uint64, (PLIES + 1, max_moves)),
        ("order", np.int32, (PLIES + 1, max_moves)),
        ("lines", np.uint64, (PLIES + 2, PLIES + 2)),  # [ply]: the best line from there
        ("lengths", np.int64, (PLIES + 2,)),
        ("killers", np.uint64, (PLIES + 1, 2)),
        ("history", np.int32, (2, 1 << HISTORY_BITS)),
        ("keys", np.uint64, (PAST + PLIES + 1,)),  # of the game, then of the line
        ("accumulator", np.float32, (PLIES + 2, max(1, width))),
        ("past", np.int64),  # how many keys are of the game before the root
        ("root_moves", np.int64),  # how many of moves[0] are searched
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("evaluations", np.int64),
        ("age", np.int64),
        ("best_score", np.int64),
        ("best_depth", np.int64),
        ("best_length", np.int64),
        ("best_line", np.uint64, (PLIES + 2,)),
        ("stop", np.uint8),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


# ---------------------------------------------------------------- leaves


@compiled
def evaluate(task: Task, position: Position, ply: Whole) -> Whole:
    task.memory.evaluations += 1
    return score_of_value(task.evaluator.value(task.params, task.memory.accumulator, ply, position))


@compiled
def step(task: Task, position: Position, move: Word, ply: Whole) -> Position:
    """Return the position after a move, the evaluator's accumulator brought along."""
    after: Position = task.game.apply(position, move)
    if task.evaluator.has_update:
        task.evaluator.update(task.params, task.memory.accumulator, ply, position, move, after)
    return after


@compiled
def quiesce(task: Task, position: Position, ply: Whole, alpha: Whole, beta: Whole) -> Whole:
    """Return the value of a position of a game that goes on, noisy moves played out.

    Where a quiet move exists the side to move may decline all noisy ones ("stand pat");
    where every move is noisy, as in a game with compulsory captures, it may not.
    """
    game, memory = task.game, task.memory
    out = borrow(memory.moves, ply)
    if ply >= PLIES or not task.options.quiescence or is_quiet(game, position, out):
        return evaluate(task, position, ply)
    count = game.moves(position, out)
    best = -INFINITE
    for index in range(count):
        if not game.noisy(position, out[index]):
            best = evaluate(task, position, ply)
            break
    if task.options.pruning:
        if best >= beta:
            return best
        alpha = max(alpha, best)
    for index in range(count):
        move = out[index]
        if game.noisy(position, move):
            after = step(task, position, move, ply)
            memory.nodes += 1
            memory.lengths[ply + 1] = 0
            result = game.result(after)
            if result != ONGOING:
                score = -score_of_result(result, ply + 1)
            else:
                score = -quiesce(task, after, ply + 1, -beta, -alpha)
            if score > best:
                best = score
                remember_line(memory, ply, move)
                if task.options.pruning:
                    alpha = max(alpha, score)
                    if score >= beta:
                        break
    return best


# ---------------------------------------------------------------- order of moves


@compiled
def slot(move: Word) -> Whole:
    """Return a move's place in the history table."""
    return np.int64((move * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - HISTORY_BITS))


@compiled
def judge_moves(task: Task, position: Position, ply: Whole, count: Whole, first: Word) -> None:
    """Give every move the value of the position that it leads to; the table's comes first."""
    game, memory = task.game, task.memory
    for index in range(count):
        move = memory.moves[ply, index]
        after = step(task, position, move, ply)
        result = game.result(after)
        if result != ONGOING:
            score = score_of_result(result, ply + 1)
        else:
            score = evaluate(task, after, ply + 1)
        memory.order[ply, index] = 1 << 30 if move == first else -score


@compiled
def rank_moves(task: Task, position: Position, ply: Whole, count: Whole, first: Word) -> None:
    """Give every move a number by which they are tried: the table's, noisy, killers, history."""
    game, memory, options = task.game, task.memory, task.options
    side = game.side(position)
    for index in range(count):
        move = memory.moves[ply, index]
        rank: Whole = 0
        if options.history:
            rank = np.int64(memory.history[side, slot(move)])
        if options.killers:
            if move == memory.killers[ply, 0]:
                rank += 1 << 27
            elif move == memory.killers[ply, 1]:
                rank += 1 << 26
        if game.has_noisy and game.noisy(position, move):
            rank += 1 << 28
        if move == first:
            rank = 1 << 30
        memory.order[ply, index] = rank


@compiled
def pick(memory: Any, ply: Whole, index: Whole, count: Whole) -> Word:
    """Move the best of the moves from `index` on to `index`, and return it."""
    best = index
    for other in range(index + 1, count):
        if memory.order[ply, other] > memory.order[ply, best]:
            best = other
    move: Word = memory.moves[ply, best]
    if best != index:
        memory.moves[ply, best] = memory.moves[ply, index]
        memory.moves[ply, index] = move
        rank = memory.order[ply, best]
        memory.order[ply, best] = memory.order[ply, index]
        memory.order[ply, index] = rank
    return move


@compiled
def reward_cutoff(memory: Any, side: Whole, ply: Whole, depth: Whole, move: Word) -> None:
    """Remember a quiet move that refuted a line: as killer of its ply, and in the history."""
    if memory.killers[ply, 0] != move:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = move
    place = slot(move)
    memory.history[side, place] += depth * depth
    if memory.history[side, place] > 1 << 24:
        for other in range(1 << HISTORY_BITS):
            memory.history[side, other] >>= 1


@compiled
def remember_line(memory: Any, ply: Whole, move: Word) -> None:
    """Make the best line from `ply` the move followed by the best line from the next ply."""
    memory.lines[ply, 0] = move
    length = memory.lengths[ply + 1]
    for index in range(length):
        memory.lines[ply, index + 1] = memory.lines[ply + 1, index]
    memory.lengths[ply] = length + 1


# ---------------------------------------------------------------- the tree


@compiled
def leave_trace(
    trace: Trace | None,
    task: Task,
    position: Position,
    at: tuple[Whole, Whole],
    found: tuple[Whole, Whole],
) -> None:
    """Note a node left with (score, bound); without a trace, this compiles to nothing."""
    if trace is not None:
        index = trace.count[0]
        trace.count[0] += 1
        if index < len(trace.scores):
            task.game.store_at(position, trace.positions, index)
            trace.scores[index] = found[0]
            trace.bounds[index] = found[1]
            trace.plies[index] = at[0]
            trace.depths[index] = at[1]


@compiled
def negamax(
    task: Task, position: Position, ply: Whole, depth: Whole, alpha: Whole, beta: Whole
) -> Whole:
    """Return the value of a position searched to a depth, by the contract of this module."""
    game, memory, options, table = task.game, task.memory, task.options, task.table
    memory.nodes += 1
    memory.lengths[ply] = 0
    if memory.nodes >= memory.node_limit:
        memory.stop = 1
    if memory.stop:
        return 0
    result = game.result(position)
    if result != ONGOING:
        score = score_of_result(result, ply)
        leave_trace(task.trace, task, position, (ply, FINISHED), (score, EXACT))
        return score
    clock = 0
    if game.repetitions > 0 and options.repetition and ply > 0:
        clock = game.clock(position)
        if clock >= 4:
            memory.keys[memory.past + ply] = game.hash(position)
            if is_repeated(game, memory.keys, memory.past, ply, clock):
                return 0
    if depth <= 0 or ply >= PLIES:
        return quiesce(task, position, ply, alpha, beta)

    key = game.hash(position)
    memory.keys[memory.past + ply] = key
    first = NO_MOVE
    if options.table:
        if game.clock_limit > 0 and clock + depth >= game.clock_limit:
            key ^= slot_of_clock(clock)
        index = tables.find(table, key)
        if index >= 0:
            first = table[index].move
            score = from_root(np.int64(table[index].score), ply)
            bound = table[index].bound
            if ply > 0 and tables.is_usable(
                np.int64(table[index].depth), np.int64(table[index].score), depth
            ):
                if (score >= beta and bound & LOWER) or (score <= alpha and bound & UPPER):
                    return score

    out = borrow(memory.moves, ply)
    count = memory.root_moves if ply == 0 else game.moves(position, out)
    if 0 < options.value_ordering <= depth:
        judge_moves(task, position, ply, count, first)
    else:
        rank_moves(task, position, ply, count, first)
    best = -INFINITE
    best_move = NO_MOVE
    low = alpha
    for index in range(count):
        move = pick(memory, ply, index, count)
        after = step(task, position, move, ply)
        if index == 0 or not options.pvs:
            score = -negamax(task, after, ply + 1, depth - 1, -beta, -low)
        else:
            score = -negamax(task, after, ply + 1, depth - 1, -low - 1, -low)
            if low < score < beta and not memory.stop:
                score = -negamax(task, after, ply + 1, depth - 1, -beta, -low)
        if memory.stop:
            return 0
        if score > best:
            best = score
            best_move = move
            if score > low or ply == 0:
                remember_line(memory, ply, move)
                if ply == 0:
                    keep_best(memory, score, depth)
            if score > low and options.pruning:
                low = score
                if score >= beta:
                    if not (game.has_noisy and game.noisy(position, move)):
                        reward_cutoff(memory, game.side(position), ply, depth, move)
                    break
    bound = EXACT
    if best <= alpha:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    if options.table and (ply > 0 or bound == EXACT):
        tables.keep(table, key, (best_move, best, depth, bound, memory.age), ply)
    leave_trace(task.trace, task, position, (ply, depth), (best, bound))
    return best


@compiled
def slot_of_clock(clock: Whole) -> Word:
    """Return what tells apart positions that a draw by the clock may soon reach."""
    return np.uint64(clock + 1) * np.uint64(0x9E3779B97F4A7C15)


@compiled
def keep_best(memory: Any, score: Whole, depth: Whole) -> None:
    """Keep the root's best line so far, in case that the search is stopped."""
    memory.best_score = score
    memory.best_depth = depth
    memory.best_length = memory.lengths[0]
    for index in range(memory.lengths[0]):
        memory.best_line[index] = memory.lines[0, index]


@compiled
def deepen_from(task: Task, position: Position, first_depth: Whole, last_depth: Whole) -> Whole:
    """Search deeper and deeper; return the last depth that was completed.

    The best line, also of an unfinished depth, is left in the memory. A proven end
    within the depth ends the search: deeper ones would say the same.
    """
    task.evaluator.refresh(task.params, task.memory.accumulator, 0, position)
    top, infinite = np.int64(0), np.int64(INFINITE)  # literals would make a second kernel
    done = 0
    for depth in range(first_depth, last_depth + 1):
        score = negamax(task, position, top, depth, -infinite, infinite)
        if task.memory.stop:
            break
        done = depth
        if is_proven(score) and distance(score) <= depth:
            break
    return done


@compiled
def deepen(task: Task, row: Any, first_depth: Whole, last_depth: Whole) -> Whole:
    """Search a row deeper and deeper, see `deepen_from`."""
    return deepen_from(task, task.game.load(row), first_depth, last_depth)
