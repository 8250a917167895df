"""What a search leaves out, or looks at less deeply, because it seems not to matter.

None of this is certain, and all of it can be switched off; how much each is worth in games is in
docs/search.md. Margins are in hundredths of the smallest piece and are brought to the scale of the
evaluator by `unit_at`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from plywise.kernel import compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.options import Options
from plywise.search.order import MOST_CONTINUATION
from plywise.search.scores import SCALE
from plywise.search.task import AnyTask

NULL_DEPTH = 3  # the least depth at which a null move is tried
NULL_REDUCTION = 3  # plies by which the search after it is shallower, at least
ASPIRATION_DEPTH, ASPIRATION_WIDTH = 5, 25
REVERSE_DEPTH, REVERSE_MARGIN, RISING_MARGIN = 7, 85, 60
FUTILITY_DEPTH, FUTILITY_BASE, FUTILITY_MARGIN = 6, 90, 90
LATE_DEPTH, LATE_BASE = 7, 4
QUIET_EXCHANGE_DEPTH, QUIET_EXCHANGE = 7, -25
NOISY_EXCHANGE_DEPTH, NOISY_EXCHANGE = 6, -95
DELTA_MARGIN = 160
LEAST_REDUCED = 3  # the least depth at which moves are reduced
SINGULAR_DEPTH, SINGULAR_ENTRY, SINGULAR_MARGIN = 8, 3, 2
DEPTHS, PLACES = 64, 64


def _reductions() -> NDArray[np.int64]:
    """Return by how many plies a move is reduced, by depth and place in the order."""
    plies = np.zeros((DEPTHS, PLACES), np.int64)
    for depth in range(1, DEPTHS):
        for place in range(1, PLACES):
            plies[depth, place] = int(0.8 + math.log(depth) * math.log(place) / 2.2)
    return plies


REDUCTIONS = _reductions()


@compiled
def unit_at(options: Options, static: Whole) -> Whole:
    """Return what a hundredth of the smallest piece is worth near a score.

    Values are bent towards their ends: where one side is far ahead, a piece changes less.
    """
    bent = max(SCALE // 20, SCALE - static * static // SCALE)
    return max(1, options.pawn * 10 * bent // SCALE)


@compiled
def is_out_of_reach(static: Whole, depth: Whole, is_rising: bool, unit: Whole, beta: Whole) -> bool:
    """Return whether a side stands so far above the window that its search is spared."""
    margin = (REVERSE_MARGIN * depth - (RISING_MARGIN if is_rising else 0)) * unit
    return bool(depth <= REVERSE_DEPTH and static - margin >= beta)


@compiled
def plies_after_pass(depth: Whole, lead: Whole, unit: Whole) -> Whole:
    """Return how deep is searched after a pass, by depth and lead over the window."""
    return depth - NULL_REDUCTION - depth // 4 - min(2, lead // (200 * unit))


@compiled
def reduction(
    depth: Whole, tried: Whole, rank: Whole, is_noisy: bool, is_on_line: bool, is_rising: bool
) -> Whole:
    """Return by how many plies the search of a move is shortened; all moves before it are tried."""
    plies = REDUCTIONS[min(depth, DEPTHS - 1), min(tried, PLACES - 1)]
    if is_noisy:
        return plies // 2 if rank < 0 else np.int64(0)
    if not is_rising:
        plies += 1
    if is_on_line:
        plies -= 1
    if rank >= MOST_CONTINUATION * 4:  # a killer or counter move
        plies -= 1
    else:
        plies -= min(2, max(-2, rank // (MOST_CONTINUATION // 2)))
    return max(np.int64(0), plies)


@compiled
def is_late(depth: Whole, place: Whole, is_rising: bool) -> bool:
    """Return whether quiet moves from a place in the order on are not looked at."""
    most = (LATE_BASE + depth * depth) // (1 if is_rising else 2)
    return bool(depth <= LATE_DEPTH and place >= most)


@compiled
def is_left_out(
    task: AnyTask,
    position: Position,
    move: Word,
    facts: tuple[Whole, Whole, Whole],
    static: Whole,
    unit: Whole,
    is_noisy: bool,
) -> bool:
    """Return whether a move near the leaves is not looked at.

    `facts` are the depth, the depth to which it would be searched and the value to be passed.
    """
    options, game = task.options, task.game
    depth, left, low = facts
    if is_noisy:
        if not (options.exchange_pruning and game.has_exchange and depth <= NOISY_EXCHANGE_DEPTH):
            return False
        return not game.exchange(position, move, np.int64(NOISY_EXCHANGE * depth))
    if options.futility and left <= FUTILITY_DEPTH:
        if static + (FUTILITY_BASE + FUTILITY_MARGIN * left) * unit <= low:
            return True
    if options.exchange_pruning and game.has_exchange and left <= QUIET_EXCHANGE_DEPTH:
        return not game.exchange(position, move, np.int64(QUIET_EXCHANGE * left * left))
    return False


@compiled
def is_hopeless(task: AnyTask, position: Position, move: Word, lead: Whole, unit: Whole) -> bool:
    """Return whether quiescence need not follow a move: it wins too little, or loses.

    `lead` is by how much the side to move stands above the window already; a unit of 0 says that
    nobody knows.
    """
    options, game = task.options, task.game
    if options.delta and game.has_gain and unit > 0:
        if lead + (game.gain(position, move) + DELTA_MARGIN) * unit <= 0:
            return True
    if options.exchange_pruning and game.has_exchange:
        return not game.exchange(position, move, np.int64(0))
    return False
