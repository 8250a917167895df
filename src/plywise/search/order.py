"""The order in which moves are tried; it never changes a value, only how soon it is found."""

from typing import Any

import numpy as np

from plywise.game import result_of
from plywise.game.results import ONGOING
from plywise.kernel import borrow, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.scores import score_of_result
from plywise.search.task import HISTORY_BITS, Task, evaluate, sign_of, step

FIRST, NOISY, KILLER, SECOND_KILLER = 1 << 30, 1 << 28, 1 << 27, 1 << 26
MOST_HISTORY = 1 << 24


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
                rank += KILLER
            elif move == memory.killers[ply, 1]:
                rank += SECOND_KILLER
        if game.has_noisy and game.noisy(position, move):
            rank += NOISY
            if game.has_rank:
                rank += np.int64(game.rank(position, move))
        if move == first:
            rank = FIRST
        memory.order[ply, index] = rank


@compiled
def rank_noisy_moves(task: Task, position: Position, ply: Whole, count: Whole) -> None:
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
def reward_cutoff(memory: Any, side: Whole, ply: Whole, depth: Whole, move: Word) -> None:
    """Remember a quiet move that refuted a line: as killer of its ply, and in the history."""
    if memory.killers[ply, 0] != move:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = move
    place = slot(move)
    memory.history[side, place] += depth * depth
    if memory.history[side, place] > MOST_HISTORY:
        for other in range(1 << HISTORY_BITS):
            memory.history[side, other] >>= 1
