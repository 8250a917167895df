"""Alpha-beta: iterative deepening, table, principal variation search, quiescence.

Everything is seen from the side to move. `negamax` is fail-soft and keeps this contract:
with v the value of plain minimax at the same depth and s what it returns,

    s <= alpha  =>  v <= s          s >= beta  =>  v >= s          otherwise  v == s

The table, the order of moves and the null windows never change v; quiescence, as part of the
evaluation of leaves, does, and so do null moves and extensions, in games that offer them. A draw
by repetition depends on the way to a position, so where positions repeat, a table may carry a
value from one path to another.

A side may move twice in a row where a game does not alternate: then the value of a move is the
value after it, not its negative, and the window stays as it is.
"""

from typing import Any

import numpy as np

from plywise.game import is_quiet
from plywise.game.results import ONGOING
from plywise.kernel import borrow, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search import table as tables
from plywise.search.lines import keep_best, remember_line
from plywise.search.order import judge_moves, pick, rank_moves, rank_noisy_moves, reward_cutoff
from plywise.search.repetition import is_repeated
from plywise.search.scores import INFINITE, distance, from_root, is_proven, score_of_result
from plywise.search.table import EXACT, LOWER, NO_MOVE, UPPER
from plywise.search.task import (
    PLIES,
    Task,
    evaluate,
    is_in_check,
    leaf_result,
    pass_turn,
    sign_of,
    spend_node,
    step,
)
from plywise.search.trace import FINISHED, begin_iteration, complete_iteration, leave_trace

NULL_DEPTH = 3  # the least depth at which a null move is tried
NULL_REDUCTION = 3  # plies by which the search after it is shallower


# ---------------------------------------------------------------- leaves


@compiled
def quiesce(task: Task, position: Position, ply: Whole, alpha: Whole, beta: Whole) -> Whole:
    """Return the value of a position of a game that goes on, noisy moves played out.

    Where a quiet move exists the side to move may decline all noisy ones ("stand pat");
    where every move is noisy, as in a game with compulsory captures, it may not. In check it
    may not either, and all moves are followed.
    """
    game, memory = task.game, task.memory
    out = borrow(memory.moves, ply)
    result = leaf_result(game, position, out)
    if result != ONGOING:
        return score_of_result(result, ply)
    if ply >= PLIES or not task.options.quiescence:
        return evaluate(task, position, ply)
    is_checked = is_in_check(game, position)
    if not is_checked and is_quiet(game, position, out):
        return evaluate(task, position, ply)
    count = game.moves(position, out)
    best = -INFINITE
    if not is_checked:
        for index in range(count):
            if not game.noisy(position, out[index]):
                best = evaluate(task, position, ply)
                break
    if task.options.pruning:
        if best >= beta:
            return best
        alpha = max(alpha, best)
    rank_noisy_moves(task, position, ply, count)
    for index in range(count):
        move = pick(memory, ply, index, count) if game.has_rank else out[index]
        if is_checked or game.noisy(position, move):
            after = step(task, position, move, ply)
            if spend_node(memory):
                return 0
            memory.lengths[ply + 1] = 0
            sign = sign_of(game, position, after)
            result = game.result(after)
            if result != ONGOING:
                score = sign * score_of_result(result, ply + 1)
            else:
                low, high = (-beta, -alpha) if sign < 0 else (alpha, beta)
                score = sign * quiesce(task, after, ply + 1, low, high)
            if memory.stop:
                return 0
            if score > best:
                best = score
                remember_line(memory, ply, move)
                if task.options.pruning:
                    alpha = max(alpha, score)
                    if score >= beta:
                        break
    return best


# ---------------------------------------------------------------- the tree


@compiled
def negamax(
    task: Task, position: Position, ply: Whole, depth: Whole, alpha: Whole, beta: Whole
) -> Whole:
    """Return the value of a position searched to a depth, by the contract of this module."""
    game, memory, options, table = task.game, task.memory, task.options, task.table
    memory.lengths[ply] = 0
    if spend_node(memory):
        return 0
    result = game.result(position)
    if result != ONGOING:
        score = score_of_result(result, ply)
        leave_trace(task.trace, game, position, (ply, FINISHED), (score, EXACT))
        return score
    clock = 0
    if game.clock_limit > 0 or (game.repetitions > 0 and options.repetition):
        clock = game.clock(position)
    if game.repetitions > 0 and options.repetition and ply > 0 and clock >= 4:
        memory.keys[memory.past + ply] = game.hash(position)
        if is_repeated(game, memory.keys, memory.past, ply, clock):
            return 0
    is_checked = is_in_check(game, position)
    if options.extensions and is_checked:
        depth += 1
    if depth <= 0 or ply >= PLIES:
        return quiesce(task, position, ply, alpha, beta)

    key = game.hash(position)
    memory.keys[memory.past + ply] = key
    first = NO_MOVE
    if options.table:
        if game.clock_limit > 0 and clock + depth >= game.clock_limit:
            key ^= key_of_clock(clock)
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

    memory.passed[ply + 1] = 0
    if game.has_null and options.null_move and options.pruning:
        if ply > 0 and depth >= NULL_DEPTH and not is_checked and not memory.passed[ply]:
            if not is_proven(beta) and evaluate(task, position, ply) >= beta:
                memory.passed[ply + 1] = 1
                after = pass_turn(task, position, ply)
                left = depth - NULL_REDUCTION
                score = -negamax(task, after, ply + 1, left, -beta, 1 - beta)
                memory.passed[ply + 1] = 0
                memory.lengths[ply] = 0
                if memory.stop:
                    return 0
                if score >= beta and not is_proven(score):
                    return score

    out = borrow(memory.moves, ply)
    count = memory.root_moves if ply == 0 else game.moves(position, out)
    if game.has_stuck and count == 0:
        score = score_of_result(np.int64(game.stuck(position)), ply)
        leave_trace(task.trace, game, position, (ply, FINISHED), (score, EXACT))
        return score
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
        sign = sign_of(game, position, after)
        high = beta if index == 0 or not options.pvs else min(beta, low + 1)
        below, above = (-high, -low) if sign < 0 else (low, high)
        score = sign * negamax(task, after, ply + 1, depth - 1, below, above)
        if high < beta and low < score < beta and not memory.stop:
            below, above = (-beta, -low) if sign < 0 else (low, beta)
            score = sign * negamax(task, after, ply + 1, depth - 1, below, above)
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
    leave_trace(task.trace, game, position, (ply, depth), (best, bound))
    return best


@compiled
def key_of_clock(clock: Whole) -> Word:
    """Return what tells apart positions that a draw by the clock may soon reach."""
    return np.uint64(clock + 1) * np.uint64(0x9E3779B97F4A7C15)


# ---------------------------------------------------------------- the root


@compiled
def deepen_from(task: Task, position: Position, first_depth: Whole, last_depth: Whole) -> Whole:
    """Search deeper and deeper; return the last depth that was completed.

    The best line, also of an unfinished depth, is left in the memory, and the nodes of the
    last completed one in the trace. A proven end within the depth ends the search: deeper ones
    would say the same.
    """
    task.evaluator.refresh(task.params, task.memory.accumulator, 0, position)
    top, infinite = np.int64(0), np.int64(INFINITE)  # literals would make a second kernel
    done = 0
    for depth in range(first_depth, last_depth + 1):
        begin_iteration(task.trace)
        task.memory.passed[0] = 0
        score = negamax(task, position, top, depth, -infinite, infinite)
        if task.memory.stop:
            break
        complete_iteration(task.trace)
        done = depth
        if is_proven(score) and distance(score) <= depth:
            break
    return done


@compiled
def deepen(task: Task, row: Any, first_depth: Whole, last_depth: Whole) -> Whole:
    """Search a row deeper and deeper, see `deepen_from`."""
    return deepen_from(task, task.game.load(row), first_depth, last_depth)
