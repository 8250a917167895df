"""Alpha-beta: iterative deepening, table, principal variation search, quiescence.

Everything is seen from the side to move. `negamax` is fail-soft and keeps this contract:
with v the value of plain minimax at the same depth and s what it returns,

    s <= alpha  =>  v <= s          s >= beta  =>  v >= s          otherwise  v == s

The table, the order of moves and the windows never change v; quiescence, as part of the evaluation
of leaves, does, and so do the guesses of `search.guesses`, each of which can be switched off. A
draw by repetition depends on the way to a position, so where positions repeat, a table may carry
a value from one path to another.

A side may move twice in a row where a game does not alternate: then the value of a move is the
value after it, not its negative, and the window stays as it is.
"""

from typing import Any

import numpy as np

from plywise.evaluators.model import Model
from plywise.game import is_quiet
from plywise.game.results import ONGOING
from plywise.kernel import borrow, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search import table as tables
from plywise.search.guesses import (
    ASPIRATION_DEPTH,
    ASPIRATION_WIDTH,
    LEAST_REDUCED,
    NULL_DEPTH,
    SINGULAR_DEPTH,
    SINGULAR_ENTRY,
    SINGULAR_MARGIN,
    is_hopeless,
    is_late,
    is_left_out,
    is_out_of_reach,
    plies_after_pass,
    reduction,
    unit_at,
)
from plywise.search.lines import keep_best, remember_line
from plywise.search.options import Options
from plywise.search.order import (
    drop_quiet,
    judge_moves,
    next_move,
    pick,
    rank_moves,
    rank_noisy_moves,
    reward_cutoff,
)
from plywise.search.repetition import is_repeated
from plywise.search.scores import (
    INFINITE,
    PROVEN,
    SCALE,
    WIN_SCORE,
    distance,
    from_root,
    is_proven,
    score_of_result,
)
from plywise.search.table import EXACT, LOWER, NO_MOVE, UPPER
from plywise.search.task import (
    NO_THEME,
    PLIES,
    Task,
    Tree,
    evaluate,
    is_in_check,
    pass_turn,
    sign_of,
    spend_node,
    step,
)
from plywise.search.trace import (
    FINISHED,
    Trace,
    begin_iteration,
    complete_iteration,
    leave_trace,
)

# ---------------------------------------------------------------- leaves


@compiled
def quiesce(task: Task, position: Position, ply: Whole, alpha: Whole, beta: Whole) -> Whole:
    """Return the value of a position of a game that goes on, noisy moves played out.

    Where a quiet move exists the side to move may decline all noisy ones ("stand pat");
    where every move is noisy, as in a game with compulsory captures, it may not. In check it
    may not either, and all moves are followed. Moves are not listed without need, so where a game
    knows of check, a side without a move is noticed only if it is in check.
    """
    game, memory, options = task.game, task.memory, task.options
    out = borrow(memory.moves, ply)
    is_checked = is_in_check(game, position)
    if game.has_stuck and (is_checked or not game.has_in_check):
        if game.moves(position, out) == 0:
            return score_of_result(np.int64(game.stuck(position)), ply)
    if ply >= PLIES or not options.quiescence:
        return evaluate(task, position, ply)
    best = -INFINITE
    if is_checked:
        count = game.moves(position, out)
    elif game.has_noisy_moves:
        best = evaluate(task, position, ply)
        if options.pruning and best >= beta:
            return best
        count = game.noisy_moves(position, out)
    else:
        if is_quiet(game, position, out):
            return evaluate(task, position, ply)
        count = game.moves(position, out)
        for index in range(count):
            if not game.noisy(position, out[index]):
                best = evaluate(task, position, ply)
                break
    static = best
    unit = unit_at(options, static) if static > -SCALE else np.int64(0)
    if options.pruning:
        if best >= beta:
            return best
        alpha = max(alpha, best)
    rank_noisy_moves(task, position, ply, count)
    for index in range(count):
        move = pick(memory, ply, index, count) if game.has_rank else out[index]
        is_noisy = game.has_noisy_moves or game.noisy(position, move)
        if not (is_checked or is_noisy):
            continue
        if best > -PROVEN and is_hopeless(task, position, move, static - alpha, unit):
            continue
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
            if options.pruning:
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
    if options.mate_distance and ply > 0:
        alpha, beta = max(alpha, ply - WIN_SCORE), min(beta, WIN_SCORE - ply - 1)
        if alpha >= beta:
            return alpha
    is_checked = is_in_check(game, position)
    if options.extensions and is_checked:
        depth += 1
    if depth <= 0 or ply >= PLIES:
        return quiesce(task, position, ply, alpha, beta)

    key = game.hash(position)
    memory.keys[memory.past + ply] = key
    excluded = memory.excluded[ply]
    is_on_line = beta - alpha > 1
    first, entry_score, entry_depth, bound = NO_MOVE, np.int64(0), np.int64(0), np.int64(0)
    author = np.int64(0)
    if options.table and excluded == NO_MOVE:
        if game.clock_limit > 0 and clock + depth >= game.clock_limit:
            key ^= key_of_clock(clock)
        first, entry_score, entry_depth, bound, author = tables.find(table, key)
        if bound != 0 and ply > 0 and not (options.transfer and is_on_line):
            if tables.is_usable(entry_depth, entry_score, depth, options.transfer):
                score = from_root(entry_score, ply)
                if (score >= beta and bound & LOWER) or (score <= alpha and bound & UPPER):
                    return score

    # What follows up to the moves are guesses; `static` is -INFINITE where none is made.
    static = -INFINITE
    is_rising = False
    is_guessing = not is_checked and options.pruning
    if is_guessing and (options.reverse_futility or options.futility):
        static = evaluate(task, position, ply)
        is_rising = ply >= 2 and memory.statics[ply - 2] < static
        memory.statics[ply] = static
    else:
        memory.statics[ply] = INFINITE
    unit = unit_at(options, static)
    memory.passed[ply + 1] = 0
    if ply > 0 and is_guessing and excluded == NO_MOVE and not is_proven(beta):
        if options.reverse_futility and not is_on_line:
            if is_out_of_reach(static, depth, is_rising, unit, beta):
                return static
        if game.has_null and options.null_move and depth >= NULL_DEPTH and not memory.passed[ply]:
            if static == -INFINITE:
                static = evaluate(task, position, ply)
            if static >= beta and game.may_pass(position):
                memory.passed[ply + 1] = 1
                after = pass_turn(task, position, ply)
                left = plies_after_pass(depth, static - beta, unit)
                score = -negamax(task, after, ply + 1, left, -beta, 1 - beta)
                memory.passed[ply + 1] = 0
                memory.lengths[ply] = 0
                if memory.stop:
                    return 0
                if score >= beta and not is_proven(score):
                    return score
    if options.internal_reduction and first == NO_MOVE and depth >= 4 and excluded == NO_MOVE:
        depth -= 1
    extension = 0
    is_anew = entry_depth < depth or author == tables.author_of(memory.stamp)
    if options.singular and ply > 0 and depth >= SINGULAR_DEPTH and first != NO_MOVE and is_anew:
        if bound & LOWER and entry_depth >= depth - SINGULAR_ENTRY and not is_proven(entry_score):
            target = entry_score - SINGULAR_MARGIN * depth * unit
            memory.excluded[ply] = first
            score = negamax(task, position, ply, (depth - 1) // 2, target - 1, target)
            memory.excluded[ply] = NO_MOVE
            memory.lengths[ply] = 0
            if memory.stop:
                return 0
            if score < target:
                extension = 1
            elif target >= beta:
                return target

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
    tried, index = 0, -1
    while index + 1 < count:
        index += 1
        move = next_move(task, position, ply, index, count)
        if move == excluded:
            continue
        is_noisy = game.has_noisy and game.noisy(position, move)
        shorter = 0
        if options.reductions and depth >= LEAST_REDUCED and tried > 0:
            rank = memory.order[ply, index]
            shorter = reduction(depth, tried, rank, is_noisy, is_on_line, is_rising)
        if ply > 0 and best > -PROVEN and is_guessing:
            if options.late_pruning and not is_noisy and is_late(depth, index, is_rising):
                count = drop_quiet(task, position, ply, index, count)
                index -= 1
                continue
            facts = (depth, max(0, depth - 1 - shorter), low)
            if is_left_out(task, position, move, facts, static, unit, is_noisy):
                continue
        after = step(task, position, move, ply)
        sign = sign_of(game, position, after)
        full = depth - 1 + (extension if move == first else 0)
        left = max(min(full, 1), full - shorter)
        high = beta if tried == 0 or not options.pvs else min(beta, low + 1)
        while True:
            below, above = (-high, -low) if sign < 0 else (low, high)
            score = sign * negamax(task, after, ply + 1, left, below, above)
            if memory.stop:
                return 0
            if left < full and score > low:
                left = full
            elif high < beta and low < score < beta:
                high = beta
            else:
                break
        tried += 1
        if score > best:
            best = score
            best_move = move
            if score > low:  # at a root whose window is too high, what was best before stays
                remember_line(memory, ply, move)
                if ply == 0:
                    keep_best(memory, score, depth)
                if options.pruning:
                    low = score
                    if score >= beta:
                        if not is_noisy:
                            reward_cutoff(task, position, ply, depth, index)
                        break
    if best == -INFINITE:  # the only move is excluded
        return alpha
    bound = bound_of(best, alpha, beta)
    if options.table and (ply > 0 or bound == EXACT) and excluded == NO_MOVE:
        tables.keep(table, key, (best_move, best, depth, bound, memory.stamp), ply)
    leave_trace(task.trace, game, position, (ply, depth), (best, bound))
    return best


@compiled
def bound_of(score: Whole, alpha: Whole, beta: Whole) -> Whole:
    """Return what a score found in a window is."""
    if score <= alpha:
        return np.int64(UPPER)
    return np.int64(LOWER if score >= beta else EXACT)


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
    memory = task.memory
    task.evaluator.refresh(task.params, memory.accumulator, 0, position)
    top, infinite = np.int64(0), np.int64(INFINITE)  # literals would make a second kernel
    memory.themes[0] = NO_THEME
    done = 0
    for depth in range(first_depth, last_depth + 1):
        begin_iteration(task.trace)
        memory.passed[0] = 0
        low, high = -infinite, infinite
        width = ASPIRATION_WIDTH * unit_at(task.options, memory.settled_score)
        if task.options.aspiration and ASPIRATION_DEPTH <= depth == memory.settled_depth + 1:
            low, high = memory.settled_score - width, memory.settled_score + width
        while True:
            score = negamax(task, position, top, depth, low, high)
            if memory.stop or low < score < high:
                break
            width *= 3
            if score <= low:
                low = max(-infinite, score - width)
            else:
                high = min(infinite, score + width)
        if memory.stop:
            break
        complete_iteration(task.trace)
        memory.settled_score, memory.settled_depth = score, depth
        done = depth
        if is_proven(score) and distance(score) <= depth:
            break
    return done


@compiled
def deepen(task: Task, row: Any, first_depth: Whole, last_depth: Whole) -> Whole:
    """Search a row deeper and deeper, see `deepen_from`."""
    return deepen_from(task, task.game.load(row), first_depth, last_depth)


def make_task(
    model: Model, memory: Any, table: tables.Table, options: Options, trace: Trace | None
) -> Task:
    """Return the task of a search."""
    bundle = model.evaluator.bundle
    return Task(model.game.rules, bundle, model.params, memory, table, options, trace)


NEGAMAX = Tree(make_task, deepen)
