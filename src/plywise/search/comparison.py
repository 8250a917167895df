"""Alpha-beta without numbers: positions stand for bounds, and a comparator says which is better.

After the comparison-based search of DeepChess (David, Netanyahu & Wolf 2016). It is `negamax`,
move for move: the same memory, table, order of moves, lines and guesses. What differs is what a
score is.

    mark          a row of `rows`, where the projections of a position stand; or, from SCORES on,
                  an exact score (won, lost or drawn) that no comparator is asked about
    bound         a mark and an offset: (mark, 1) is just better than the mark for side 0

Marks are seen from side 0. The *lead* of one mark over another, in millionths, is positive if the
first is better; wins are better than all positions and losses worse, the sooner the more so, and a
draw is compared as an even position. With leads that are differences of scores, this search finds
the same value and line as `negamax`; with guesses, as long as no leaf that the transposition table
names has lost its place in the table of features.

Rows belong to plies, so that a row that an outer node compares with is never overwritten below it:

    HELD + ply       the best position of a node so far
    STATIC + ply     the node's own position
    FOUND + ply      what the table knew
"""

from typing import Any, NamedTuple

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model
from plywise.game import is_quiet
from plywise.game.results import ONGOING
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole
from plywise.search import table as tables
from plywise.search.feature_table import (
    NO_MARK,
    SCORES,
    Features,
    code_of,
    hold,
    is_score,
    look,
    make_features,
    mark_of_code,
    mark_of_score,
)
from plywise.search.guesses import (
    ASPIRATION_DEPTH,
    ASPIRATION_WIDTH,
    LEAST_REDUCED,
    NULL_DEPTH,
    REVERSE_DEPTH,
    is_hopeless,
    is_late,
    is_left_out,
    is_out_of_reach,
    plies_after_pass,
    reduction,
    unit_at,
)
from plywise.search.lines import keep_best, remember_line
from plywise.search.negamax import key_of_clock
from plywise.search.options import Options
from plywise.search.order import (
    drop_quiet,
    next_move,
    pick,
    rank_moves,
    rank_noisy_moves,
    reward_cutoff,
)
from plywise.search.repetition import is_repeated
from plywise.search.scores import (
    INFINITE,
    SCALE,
    WIN_SCORE,
    distance,
    is_proven,
    score_of_result,
)
from plywise.search.table import EXACT, LOWER, NO_MOVE, UPPER, Table
from plywise.search.task import (
    NO_THEME,
    PLIES,
    Tree,
    is_in_check,
    pass_turn,
    spend_node,
    step,
)
from plywise.search.trace import Trace

Bound = tuple[Any, Any]  # a mark and an offset in millionths, for side 0
HELD, STATIC, FOUND = 0, PLIES + 2, 2 * (PLIES + 2)
SETTLED, SCRATCH, ROWS = 3 * (PLIES + 2), 3 * (PLIES + 2) + 1, 3 * (PLIES + 2) + 2
BEYOND = 10 * INFINITE  # the lead of a win over a position


class Judge(NamedTuple):
    """Who compares, and the rows that marks name; calls pass on no more than this."""

    evaluator: Bundle
    params: Any
    rows: Any  # of `Features`


class ComparingTask(NamedTuple):
    """All that the search works with: the fields of `Task`, and what is known of positions."""

    game: Bundle
    evaluator: Bundle
    params: Any
    memory: Any
    table: Table
    options: Options
    trace: None
    features: Features
    judge: Judge


# ---------------------------------------------------------------- comparing


@compiled
def lead_over_score(judge: Judge, row: Whole, score: Whole) -> Whole:
    """Return the lead of a position over an exact score."""
    if score != 0:
        return np.int64(-BEYOND if score > 0 else BEYOND)
    rows, unit = judge.rows, judge.evaluator.lead_unit
    lead = judge.evaluator.compare_even(judge.params, rows[row].row, rows[SCRATCH].row)
    return np.int64(lead * unit)


@compiled
def lead(judge: Judge, first: Whole, second: Whole) -> Whole:
    """Return by how much a mark is better than another for side 0."""
    if first == second:
        return np.int64(0)
    if first >= SCORES:
        if second >= SCORES:
            return first - second
        return -lead_over_score(judge, second, first - mark_of_score(0))
    if second >= SCORES:
        return lead_over_score(judge, first, second - mark_of_score(0))
    rows, unit = judge.rows, judge.evaluator.lead_unit
    one, other, scratch = rows[first].row, rows[second].row, rows[SCRATCH].row
    return np.int64(judge.evaluator.compare(judge.params, one, other, scratch) * unit)


@compiled
def above(judge: Judge, mark: Whole, bound: Bound, sign: Whole) -> Whole:
    """Return by how much a mark is better than a bound, for a side with this sign."""
    return sign * (lead(judge, mark, bound[0]) - bound[1])


@compiled
def above_both(
    judge: Judge, mark: Whole, alpha: Bound, beta: Bound, sign: Whole
) -> tuple[Whole, Whole]:
    """Return by how much a mark is better than two bounds, which mostly have the same mark."""
    low = lead(judge, mark, alpha[0])
    high = low if alpha[0] == beta[0] else lead(judge, mark, beta[0])
    return sign * (low - alpha[1]), sign * (high - beta[1])


@compiled
def exact(score: Whole, sign: Whole) -> Whole:
    """Return the mark of a score for a side with this sign."""
    return mark_of_score(sign * score)


@compiled
def is_proven_mark(mark: Whole) -> bool:
    return bool(is_score(mark) and is_proven(mark - mark_of_score(0)))


@compiled
def sign_at(game: Bundle, position: Position) -> Whole:
    """Return 1 where side 0 is to move, else -1."""
    return np.int64(1 if game.side(position) == 0 else -1)


@compiled
def score_for(task: ComparingTask, mark: Whole, sign: Whole) -> Whole:
    """Return a mark as a score that people and margins understand; it orders nothing."""
    if is_score(mark):
        return sign * (mark - mark_of_score(0))
    even = sign * lead_over_score(task.judge, mark, np.int64(0))
    if task.evaluator.is_bent:
        return even
    return np.int64(SCALE * np.tanh(even / SCALE))


@compiled
def margin_unit(task: ComparingTask, mark: Whole, sign: Whole) -> Whole:
    """Return what a hundredth of the smallest piece is worth near a position."""
    if task.evaluator.is_bent:
        return unit_at(task.options, score_for(task, mark, sign))
    return unit_at(task.options, np.int64(0))


# ---------------------------------------------------------------- leaves


@compiled
def quiesce(
    task: ComparingTask, position: Position, ply: Whole, alpha: Bound, beta: Bound
) -> Whole:
    """Return the mark of a position of a game that goes on, noisy moves played out.

    See `negamax.quiesce`; `alpha` and `beta` are what the side to move has and need not exceed.
    """
    game, memory, options, judge = task.game, task.memory, task.options, task.judge
    out = borrow(memory.moves, ply)
    sign = sign_at(game, position)
    is_checked = is_in_check(game, position)
    if game.has_stuck and (is_checked or not game.has_in_check):
        if game.moves(position, out) == 0:
            return exact(score_of_result(np.int64(game.stuck(position)), ply), sign)
    if ply >= PLIES or not options.quiescence:
        return look(task, position, ply)
    worst = exact(-INFINITE, sign)
    best = worst
    ahead, over = np.int64(0), np.int64(0)  # of the own position over both ends of the window
    if is_checked:
        count = game.moves(position, out)
    elif game.has_noisy_moves:
        best = look(task, position, ply)
        ahead, over = above_both(judge, best, alpha, beta, sign)
        if over >= 0:
            return best
        count = game.noisy_moves(position, out)
    else:
        if is_quiet(game, position, out):
            return look(task, position, ply)
        count = game.moves(position, out)
        for index in range(count):
            if not game.noisy(position, out[index]):
                best = look(task, position, ply)
                break
        if best != worst:
            ahead, over = above_both(judge, best, alpha, beta, sign)
            if over >= 0:
                return best
    unit = np.int64(0)
    is_judged = best != worst
    if is_judged:
        unit = margin_unit(task, best, sign)
        if ahead > 0:
            alpha = (best, np.int64(0))
            ahead = np.int64(0)
    rank_noisy_moves(task, position, ply, count)
    for index in range(count):
        move = pick(memory, ply, index, count) if game.has_rank else out[index]
        is_noisy = game.has_noisy_moves or game.noisy(position, move)
        if not (is_checked or is_noisy):
            continue
        if best != worst and not is_lost(best, sign):
            if is_hopeless(task, position, move, ahead, unit):
                continue
        after = step(task, position, move, ply)
        if spend_node(memory):
            return best
        memory.lengths[ply + 1] = 0
        result = game.result(after)
        other = sign_at(game, after)
        if result != ONGOING:
            mark = exact(score_of_result(result, ply + 1), other)
        elif other != sign:
            mark = quiesce(task, after, ply + 1, beta, alpha)
        else:
            mark = quiesce(task, after, ply + 1, alpha, beta)
        if memory.stop:
            return best
        raised, over = above_both(judge, mark, alpha, beta, sign)
        if raised > 0 or is_better(judge, mark, best, alpha, sign):
            best = hold(task.features, mark, HELD + ply)
            remember_line(memory, ply, move)
            if raised > 0:
                if over >= 0:
                    break
                alpha = (best, np.int64(0))
                if is_judged and unit > 0 and task.options.delta:
                    ahead = above(judge, STATIC + ply, alpha, sign)
    return best


@compiled
def is_better(judge: Judge, mark: Whole, best: Whole, low: Bound, sign: Whole) -> bool:
    """Return whether a mark that is not above a bound is better than the best so far."""
    return bool(low[0] != best and above(judge, mark, (best, np.int64(0)), sign) > 0)


@compiled
def is_lost(mark: Whole, sign: Whole) -> bool:
    """Return whether a mark is a proven loss, for a side with this sign."""
    return bool(is_proven_mark(mark) and sign * (mark - mark_of_score(0)) < 0)


# ---------------------------------------------------------------- the tree


@compiled
def compare_moves(
    task: ComparingTask,
    position: Position,
    ply: Whole,
    depth: Whole,
    alpha: Bound,
    beta: Bound,
) -> Whole:
    """Return the mark of a position searched to a depth, by the contract of `negamax`."""
    game, memory, options, table = task.game, task.memory, task.options, task.table
    judge = task.judge
    nothing, draw = np.int64(0), mark_of_score(0)
    memory.lengths[ply] = 0
    if spend_node(memory):
        return draw
    sign = sign_at(game, position)
    result = game.result(position)
    if result != ONGOING:
        return exact(score_of_result(result, ply), sign)
    clock = 0
    if game.clock_limit > 0 or (game.repetitions > 0 and options.repetition):
        clock = game.clock(position)
    if game.repetitions > 0 and options.repetition and ply > 0 and clock >= 4:
        memory.keys[memory.past + ply] = game.hash(position)
        if is_repeated(game, memory.keys, memory.past, ply, clock):
            return draw
    if options.mate_distance and ply > 0:
        slowest, fastest = exact(ply - WIN_SCORE, sign), exact(WIN_SCORE - ply - 1, sign)
        if above(judge, slowest, alpha, sign) > 0:
            alpha = (slowest, nothing)
        if above(judge, fastest, beta, sign) < 0:
            beta = (fastest, nothing)
        if is_score(alpha[0]) and above(judge, alpha[0], beta, sign) + sign * alpha[1] >= 0:
            return alpha[0] + alpha[1]  # a win by now, where offsets are plies
    is_checked = is_in_check(game, position)
    if options.extensions and is_checked:
        depth += 1
    if depth <= 0 or ply >= PLIES:
        return quiesce(task, position, ply, alpha, beta)

    key = game.hash(position)
    memory.keys[memory.past + ply] = key
    is_on_line = abs(lead(judge, beta[0], alpha[0]) + beta[1] - alpha[1]) > 1
    first = NO_MOVE
    if options.table:
        if game.clock_limit > 0 and clock + depth >= game.clock_limit:
            key ^= key_of_clock(clock)
        first, code, entry_depth, bound, _ = tables.find(table, key)
        if bound != 0 and ply > 0 and not (options.transfer and is_on_line):
            entry = mark_of_code(task.features, code, ply, FOUND + ply)
            score = code if is_score(entry) else nothing
            if entry != NO_MARK and tables.is_usable(entry_depth, score, depth, options.transfer):
                raised, over = above_both(judge, entry, alpha, beta, sign)
                if (bound & LOWER and over >= 0) or (bound & UPPER and raised <= 0):
                    return entry

    # What follows up to the moves are guesses; `static` is NO_MARK where none is made.
    static = np.int64(NO_MARK)
    is_rising = False
    is_guessing = not is_checked
    unit = unit_at(options, nothing)
    ahead, over = nothing, nothing  # of `static` over both ends of the window
    memory.statics[ply] = INFINITE
    if is_guessing and (options.reverse_futility or options.futility):
        static = look(task, position, ply)
        ahead, over = above_both(judge, static, alpha, beta, sign)
        unit = margin_unit(task, static, sign)
        memory.statics[ply] = 0
        if ply >= 2 and memory.statics[ply - 2] == 0:
            is_rising = sign * lead(judge, static, STATIC + ply - 2) > 0
    memory.passed[ply + 1] = 0
    if ply > 0 and is_guessing and not is_proven_mark(beta[0]):
        if options.reverse_futility and not is_on_line and depth <= REVERSE_DEPTH:
            if is_out_of_reach(over, depth, is_rising, unit, nothing):
                return static
        if game.has_null and options.null_move and depth >= NULL_DEPTH and not memory.passed[ply]:
            if static == NO_MARK:
                static = look(task, position, ply)
                ahead, over = above_both(judge, static, alpha, beta, sign)
            if over >= 0 and game.may_pass(position):
                memory.passed[ply + 1] = 1
                after = pass_turn(task, position, ply)
                left = plies_after_pass(depth, over, unit)
                below = (beta[0], beta[1] - sign)
                mark = compare_moves(task, after, ply + 1, left, beta, below)
                memory.passed[ply + 1] = 0
                memory.lengths[ply] = 0
                if memory.stop:
                    return draw
                if above(judge, mark, beta, sign) >= 0 and not is_proven_mark(mark):
                    return mark
    if options.internal_reduction and first == NO_MOVE and depth >= 4:
        depth -= 1

    out = borrow(memory.moves, ply)
    count = memory.root_moves if ply == 0 else game.moves(position, out)
    if game.has_stuck and count == 0:
        return exact(score_of_result(np.int64(game.stuck(position)), ply), sign)
    rank_moves(task, position, ply, count, first)
    worst = exact(-INFINITE, sign)
    best = worst
    best_move = NO_MOVE
    low = alpha
    bound = np.int64(UPPER)
    tried, index = 0, -1
    while index + 1 < count:
        index += 1
        move = next_move(task, position, ply, index, count)
        is_noisy = game.has_noisy and game.noisy(position, move)
        shorter = 0
        if options.reductions and depth >= LEAST_REDUCED and tried > 0:
            rank = memory.order[ply, index]
            shorter = reduction(depth, tried, rank, is_noisy, is_on_line, is_rising)
        if ply > 0 and best != worst and not is_lost(best, sign) and is_guessing:
            if options.late_pruning and not is_noisy and is_late(depth, index, is_rising):
                count = drop_quiet(task, position, ply, index, count)
                index -= 1
                continue
            facts = (depth, max(0, depth - 1 - shorter), nothing)
            if is_left_out(task, position, move, facts, ahead, unit, is_noisy):
                continue
        after = step(task, position, move, ply)
        is_other = sign_at(game, after) != sign
        full = depth - 1
        left = max(min(full, 1), full - shorter)
        high = beta
        if tried > 0 and options.pvs:
            high = (low[0], low[1] + sign)
        while True:
            one, other = (high, low) if is_other else (low, high)
            mark = compare_moves(task, after, ply + 1, left, one, other)
            if memory.stop:
                return draw
            raised, over = above_both(judge, mark, low, beta, sign)
            if left < full and raised > 0:
                left = full
            elif high != beta and raised > 0 and over < 0:
                high = beta
            else:
                break
        tried += 1
        if raised > 0 or is_better(judge, mark, best, low, sign):
            best = hold(task.features, mark, HELD + ply)
            best_move = move
            if raised > 0:
                remember_line(memory, ply, move)
                if ply == 0:
                    keep_best(memory, score_for(task, best, sign), depth)
                low = (best, nothing)
                bound = np.int64(EXACT)
                if over >= 0:
                    bound = np.int64(LOWER)
                    if not is_noisy:
                        reward_cutoff(task, position, ply, depth, index)
                    break
                if options.futility and static != NO_MARK:
                    ahead = above(judge, static, low, sign)
    if options.table and (ply > 0 or bound == EXACT):
        kept = (best_move, code_of(task.features, best, ply), depth, bound, memory.stamp)
        tables.keep(table, key, kept, nothing)
    return best


# ---------------------------------------------------------------- the root


@compiled
def deepen_comparing(task: ComparingTask, row: Any, first_depth: Whole, last_depth: Whole) -> Whole:
    """Search deeper and deeper; return the last depth that was completed, see `negamax.deepen`."""
    memory, judge, position = task.memory, task.judge, task.game.load(row)
    task.evaluator.refresh(task.params, memory.accumulator, 0, position)
    sign = sign_at(task.game, position)
    top, infinite, nothing = np.int64(0), np.int64(INFINITE), np.int64(0)
    memory.themes[0] = NO_THEME
    if memory.nodes == 0:  # a new search
        forget_counts(task.features)
    done = 0
    settled = np.int64(NO_MARK)
    if memory.settled_depth == first_depth - 1 and first_depth > 1:
        settled = np.int64(SETTLED)
    for depth in range(first_depth, last_depth + 1):
        memory.passed[0] = 0
        low, high = (exact(-infinite, sign), nothing), (exact(infinite, sign), nothing)
        if task.options.aspiration and depth >= ASPIRATION_DEPTH and settled == SETTLED:
            if memory.settled_score != INFINITE:
                width = sign * ASPIRATION_WIDTH * margin_unit(task, settled, sign)
                low, high = (settled, -width), (settled, width)
        while True:
            mark = compare_moves(task, position, top, depth, low, high)
            if memory.stop:
                break
            if above(judge, mark, low, sign) <= 0 and low[0] < SCORES:
                low = (exact(-infinite, sign), nothing)
            elif above(judge, mark, high, sign) >= 0 and high[0] < SCORES:
                high = (exact(infinite, sign), nothing)
            else:
                break
        if memory.stop:
            break
        settled = np.int64(SETTLED)
        memory.settled_depth = done = depth
        memory.settled_score = score_for(task, mark, sign)
        if is_score(mark):
            settled = np.int64(NO_MARK)
            memory.settled_score = INFINITE
            if is_proven_mark(mark) and distance(sign * (mark - mark_of_score(0))) <= depth:
                break
        else:
            hold(task.features, mark, SETTLED)
    return done


def comparison(bits: int = 17) -> Tree:
    """Return the tree of this search; its table of features has 2**bits entries."""

    def make_task(
        model: Model, memory: Any, table: Table, options: Options, trace: Trace | None
    ) -> ComparingTask:
        if options.singular or options.value_ordering or not options.pruning or trace is not None:
            raise PlywiseError(
                "A comparison search has no scores for singular extensions, value_ordering, plain "
                "minimax or a trace."
            )
        bundle = model.evaluator.bundle
        features = make_features(ROWS, bundle.row_width, bits)
        rules, params = model.game.rules, model.params
        judge = Judge(bundle, params, features.rows)
        return ComparingTask(rules, bundle, params, memory, table, options, None, features, judge)

    return Tree(make_task, deepen_comparing, forget, report)


@compiled
def forget_counts(features: Features) -> None:
    """Begin to count anew."""
    features.counts.hits = features.counts.misses = 0


def forget(task: ComparingTask) -> None:
    """Empty the table of features."""
    task.features.entries["key"] = 0
    forget_counts(task.features)


def report(task: ComparingTask) -> dict[str, Any]:
    """Return how many positions were looked at, and how many of them were known already."""
    counts = task.features.counts
    return {"looked_at": int(counts.hits + counts.misses), "known": int(counts.hits)}
