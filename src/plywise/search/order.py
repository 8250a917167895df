"""The order in which moves are tried; it never changes a value, only how soon it is found."""

from typing import Any

import numpy as np

from plywise.game import result_of
from plywise.game.results import ONGOING
from plywise.kernel import borrow, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.scores import score_of_result
from plywise.search.table import NO_MOVE
from plywise.search.task import HISTORY_BITS, AnyTask, Task, evaluate, sign_of, step

FIRST, NOISY, KILLER, SECOND_KILLER, COUNTER = 1 << 30, 1 << 28, 1 << 27, 1 << 26, 1 << 25
WAITING = NOISY - 1  # quiet moves whose rank nobody needs before captures have failed
LOSING = -(1 << 28)  # captures by which one loses
MOST_HISTORY = 1 << 24
MOST_CONTINUATION = 1 << 14  # of a history that forgets, see `shift`


@compiled
def slot(move: Word) -> Whole:
    """Return a move's place in the history table."""
    return np.int64((move * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - HISTORY_BITS))


@compiled
def judge_moves(task: Task, position: Position, ply: Whole, count: Whole, first: Word) -> None:
    """Give every move the value of the position that it leads to; the table's comes first."""
    game, memory = task.game, task.memory
    scratch = borrow(memory.moves, ply + 1)
    for index in range(count):
        move = memory.moves[ply, index]
        after = step(task, position, move, ply)
        result = result_of(game, after, scratch)
        if result != ONGOING:
            score = score_of_result(result, ply + 1)
        else:
            score = evaluate(task, after, ply + 1)
        score *= sign_of(game, position, after)
        memory.order[ply, index] = FIRST if move == first else score


@compiled
def rank_moves(task: AnyTask, position: Position, ply: Whole, count: Whole, first: Word) -> None:
    """Give every move a number by which they are tried.

    The table's move, noisy ones, killers, the counter move, history, and captures that lose. In
    stages, `next_move` asks for whatever takes time when it is needed: most nodes end earlier.
    """
    game, memory, options = task.game, task.memory, task.options
    counter = memory.counters[memory.themes[ply]] if options.counter else NO_MOVE
    for index in range(count):
        move = memory.moves[ply, index]
        if move == first:
            rank: Whole = FIRST
        elif game.has_noisy and game.noisy(position, move):
            is_losing = not options.staged and is_losing_capture(task, position, move)
            rank = LOSING if is_losing else NOISY
            if game.has_rank:
                rank += np.int64(game.rank(position, move))
        elif options.staged:
            rank = WAITING
        else:
            rank = rank_of_quiet(task, position, move, ply, counter)
        memory.order[ply, index] = rank


@compiled
def next_move(task: AnyTask, position: Position, ply: Whole, index: Whole, count: Whole) -> Word:
    """Move the best of the moves from `index` on to `index`, and return it."""
    memory = task.memory
    move = pick(memory, ply, index, count)
    while task.options.staged:
        rank = memory.order[ply, index]
        if rank == WAITING:
            rank_waiting(task, position, ply, index, count)
        elif NOISY <= rank < FIRST and is_losing_capture(task, position, move):
            memory.order[ply, index] = rank - NOISY + LOSING
        else:
            break
        move = pick(memory, ply, index, count)
    return move


@compiled
def rank_waiting(task: AnyTask, position: Position, ply: Whole, index: Whole, count: Whole) -> None:
    """Give the quiet moves from `index` on the numbers by which they are tried."""
    memory = task.memory
    counter = memory.counters[memory.themes[ply]] if task.options.counter else NO_MOVE
    for other in range(index, count):
        if memory.order[ply, other] == WAITING:
            move = memory.moves[ply, other]
            memory.order[ply, other] = rank_of_quiet(task, position, move, ply, counter)


@compiled
def is_losing_capture(task: AnyTask, position: Position, move: Word) -> bool:
    """Return whether a capture is tried last, because it loses what it took and more."""
    if task.options.exchange_order and task.game.has_exchange:
        return not task.game.exchange(position, move, np.int64(0))
    return False


@compiled
def rank_of_quiet(
    task: AnyTask, position: Position, move: Word, ply: Whole, counter: Word
) -> Whole:
    """Return what a move is worth trying by what it did elsewhere."""
    game, memory, options = task.game, task.memory, task.options
    rank: Whole = 0
    if options.history:
        rank = np.int64(memory.history[game.side(position), slot(move)])
    if options.continuation:
        theme = game.theme(position, move)
        rank += np.int64(memory.continuation[memory.themes[ply], theme])
        if ply > 0:
            rank += np.int64(memory.continuation[memory.themes[ply - 1], theme])
    if options.killers and move == memory.killers[ply, 0]:
        rank += KILLER
    elif options.killers and move == memory.killers[ply, 1]:
        rank += SECOND_KILLER
    elif move == counter:
        rank += COUNTER
    return rank


@compiled
def rank_noisy_moves(task: AnyTask, position: Position, ply: Whole, count: Whole) -> None:
    """Give every move the game's own rank; for games without one, this is nothing."""
    if task.game.has_rank:
        for index in range(count):
            move = task.memory.moves[ply, index]
            task.memory.order[ply, index] = np.int64(task.game.rank(position, move))


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
def drop_quiet(task: AnyTask, position: Position, ply: Whole, index: Whole, count: Whole) -> Whole:
    """Leave out the quiet moves from `index` on; return how many moves there are then."""
    game, memory = task.game, task.memory
    kept = index
    for other in range(index, count):
        move = memory.moves[ply, other]
        if game.has_noisy and game.noisy(position, move):
            memory.moves[ply, kept] = move
            memory.order[ply, kept] = memory.order[ply, other]
            kept += 1
    return kept


@compiled
def reward_cutoff(
    task: AnyTask, position: Position, ply: Whole, depth: Whole, index: Whole
) -> None:
    """Remember the quiet move at an index, which refuted a line, and that those before did not."""
    game, memory, options = task.game, task.memory, task.options
    move, side = memory.moves[ply, index], game.side(position)
    if memory.killers[ply, 0] != move:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = move
    if options.counter:
        memory.counters[memory.themes[ply]] = move
    if not options.continuation:
        raise_history(memory, side, slot(move), depth * depth)
        return
    amount = min(MOST_CONTINUATION // 8, 16 * depth * depth)
    for other in range(index + 1):
        tried = memory.moves[ply, other]
        if other == index or not (game.has_noisy and game.noisy(position, tried)):
            change = amount if other == index else -amount
            theme = game.theme(position, tried)
            place = slot(tried)
            memory.history[side, place] = shift(np.int64(memory.history[side, place]), change)
            before = memory.themes[ply]
            pairs = memory.continuation
            pairs[before, theme] = shift(np.int64(pairs[before, theme]), change)
            if ply > 0:
                before = memory.themes[ply - 1]
                pairs[before, theme] = shift(np.int64(pairs[before, theme]), change)


@compiled
def shift(number: Whole, change: Whole) -> Whole:
    """Return a number of a history after a change: the larger it is, the less is added."""
    return number + change - number * abs(change) // MOST_CONTINUATION


@compiled
def raise_history(memory: Any, side: Whole, place: Whole, amount: Whole) -> None:
    """Add to a number of the history; all are halved when one becomes too large."""
    memory.history[side, place] += amount
    if memory.history[side, place] > MOST_HISTORY:
        for other in range(1 << HISTORY_BITS):
            memory.history[side, other] >>= 1
