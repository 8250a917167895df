"""Temporal differences: whole games in which one side learns after each of its moves, compiled.

With f the evaluator's value for the learner, e the trace and P the last prediction:

    first move    e <- 0, then P <- f(s), e <- f'(s)
    each move     w <- w + rate * (gamma * V - P) * e,  then P <- f(s), e <- lambda * e + f'(s)
    the end       w <- w + rate * (reward - P) * e

    target        s                                  V
    AFTERSTATE    the position after the own move    f(s)
    ROOT          the position before it             what the search found there
    LEAF          the leaf of the best line          f(s)

AFTERSTATE is Lynch's rule as coded (gamma is not in the trace); with it, the opponent's moves
can be learned from as well, as if the learner had made them. A leaf that is no judgement of
the evaluator (the end of the game, a repetition) has a value but no gradient.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.game import Row, result_of
from plywise.game.results import DRAW, LOSS, ONGOING, WIN
from plywise.kernel import compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.kernel.random import below
from plywise.search import table as tables
from plywise.search.duel import choose, search_root, set_root
from plywise.search.repetition import is_repeated
from plywise.search.scores import SCALE
from plywise.search.task import Task

AFTERSTATE, ROOT, LEAF = TARGETS = (0, 1, 2)
CHANCES = 1 << 20  # what an exploration of 1 means
CLOSE = 1e-3  # a leaf's value and the search's differ by rounding only

MIND = np.dtype(
    (
        np.record,
        [
            ("random", np.uint64),
            ("prediction", np.float64),
            ("has_prediction", np.uint8),
            ("error", np.float64),  # sum of the absolute differences
            ("changes", np.int64),  # how many they were
        ],
    )
)


class Rule(NamedTuple):
    """How is learned and played."""

    target: int
    decay: float  # lambda
    discount: float  # gamma
    momentum: float
    draw: float  # the reward
    exploration: int  # in CHANCES
    depth: int
    max_plies: int
    learns_from_both: bool = False  # from the opponent's moves as well, AFTERSTATE only


class Pupil(NamedTuple):
    """A learner at work; all arrays have a place for every learned number."""

    task: Task
    vector: Any
    rates: Any
    trace: Any
    slopes: Any
    changes: Any  # the last ones
    mind: Any  # a record of MIND


def make_pupil(
    task: Task, vector: NDArray[np.float64], rates: NDArray[np.float64], random: np.uint64
) -> Pupil:
    """Return a learner that begins with these numbers, which it changes in place.

    `random` is a first state of random numbers, not 0.
    """
    trace, slopes, changes = np.zeros((3, len(vector)))
    mind: Any = np.zeros(1, MIND)[0]
    mind.random = random
    return Pupil(task, vector, rates, trace, slopes, changes, mind)


def make_shadow(pupil: Pupil) -> Pupil:
    """Return the same learner in the opponent's place, with a trace and predictions of its own."""
    trace, slopes, changes = np.zeros((3, len(pupil.vector)))
    mind: Any = np.zeros(1, MIND)[0]
    return pupil._replace(trace=trace, slopes=slopes, changes=changes, mind=mind)


# ---------------------------------------------------------------- the rule


@compiled
def begin(pupil: Pupil) -> None:
    """Forget what was predicted."""
    pupil.mind.has_prediction = 0
    for place in range(len(pupil.trace)):
        pupil.trace[place] = 0.0
        pupil.changes[place] = 0.0


@compiled
def look(pupil: Pupil, position: Position, side: Whole) -> float:
    """Return the value of a position for a side; its derivatives are left in the slopes."""
    task = pupil.task
    value = task.evaluator.gradient(
        pupil.vector, task.memory.accumulator, 0, position, pupil.slopes
    )
    if task.game.side(position) == side:
        return float(value)
    for place in range(len(pupil.slopes)):
        pupil.slopes[place] = -pupil.slopes[place]
    return float(-value)


@compiled
def predict(pupil: Pupil, rule: Rule, value: float) -> None:
    """Make a value with its slopes the prediction."""
    pupil.mind.prediction = value
    pupil.mind.has_prediction = 1
    for place in range(len(pupil.trace)):
        pupil.trace[place] = rule.decay * pupil.trace[place] + pupil.slopes[place]


@compiled
def correct(pupil: Pupil, rule: Rule, target: float) -> None:
    """Change the weights by what the last prediction lacks, if there is one."""
    mind = pupil.mind
    if not mind.has_prediction:
        return
    difference = target - mind.prediction
    mind.error += abs(difference)
    mind.changes += 1
    for place in range(len(pupil.vector)):
        change = pupil.rates[place] * difference * pupil.trace[place]
        if rule.momentum > 0 and change * pupil.changes[place] > 0:
            change += rule.momentum * pupil.changes[place]
        pupil.changes[place] = change
        pupil.vector[place] += change
    pupil.task.evaluator.unpack(pupil.vector, pupil.task.params)


@compiled
def best_leaf(task: Task, position: Position) -> Position:
    """Return where the best line of the last search ends."""
    for index in range(task.memory.best_length):
        position = task.game.apply(position, task.memory.best_line[index])
    return position


@compiled
def learn_from_move(pupil: Pupil, rule: Rule, before: Position, after: Position) -> None:
    """Learn from the own move from one position to the other, which the search has just chosen."""
    task = pupil.task
    side = task.game.side(before)
    found = min(1.0, max(-1.0, task.memory.best_score / SCALE))
    if rule.target == ROOT:
        correct(pupil, rule, rule.discount * found)
        predict(pupil, rule, look(pupil, before, side))
        return
    seen = after if rule.target == AFTERSTATE else best_leaf(task, before)
    value = look(pupil, seen, side)
    if rule.target == LEAF and abs(value - found) > CLOSE:
        correct(pupil, rule, rule.discount * found)
        for place in range(len(pupil.slopes)):
            pupil.slopes[place] = 0.0
        predict(pupil, rule, found)
        return
    correct(pupil, rule, rule.discount * value)
    predict(pupil, rule, look(pupil, seen, side))


# ---------------------------------------------------------------- games


@compiled
def think(pupil: Pupil, rule: Rule, position: Position, keys: Any, played: Whole) -> Word:
    """Return the learner's move; nothing is remembered, for its judgement has changed."""
    task = pupil.task
    set_root(task, position, keys, played)
    if task.options.table:
        tables.empty(task.table)
    if task.memory.root_moves > 1 or rule.target != AFTERSTATE:
        search_root(task, position, rule.depth)
    best: Word = task.memory.best_line[0]
    return best


@compiled
def random_move(pupil: Pupil, position: Position) -> Word:
    """Return any legal move."""
    memory = pupil.task.memory
    count = pupil.task.game.moves(position, memory.moves[0])
    move: Word = memory.moves[0, below(pupil.mind, count)]
    return move


@compiled
def outcome(pupil: Pupil, rule: Rule, position: Position, keys: Any, played: Whole) -> Whole:
    """Return the result for the side to move, or ONGOING; a game too long is a draw."""
    game = pupil.task.game
    result = result_of(game, position, pupil.task.memory.moves[0])
    if result != ONGOING:
        return result
    if game.repetitions > 0 and is_repeated(game, keys, played, 0, game.clock(position)):
        return np.int64(DRAW)
    return np.int64(DRAW) if played >= len(keys) - 1 else result


@compiled
def reward_of(rule: Rule, result: Whole) -> float:
    if result == WIN:
        return 1.0
    return -1.0 if result == LOSS else rule.draw


@compiled
def lesson(
    pupils: tuple[Pupil, Pupil], opponent: Task, rule: Rule, row: Row, opening: Row, side: Whole
) -> tuple[Whole, Whole]:
    """Play a game as a side, learning; return its result for the learner, and its plies.

    `pupils` are the learner and its shadow, see `make_shadow`. `opening` are moves to be made
    first, from which nothing is learned.
    """
    pupil, shadow = pupils
    game = pupil.task.game
    position = game.load(row)
    before = position
    keys = np.empty(len(opening) + rule.max_plies + 1, np.uint64)
    keys[0] = game.hash(position)
    played = np.int64(0)
    is_chosen = False  # whether the last move is one to learn from
    begin(pupil)
    begin(shadow)
    while True:
        result = outcome(pupil, rule, position, keys, played)
        if result != ONGOING:
            break
        if is_chosen and game.side(before) == side:
            learn_from_move(pupil, rule, before, position)
        elif is_chosen and rule.learns_from_both:
            learn_from_move(shadow, rule, before, position)
        before = position
        is_chosen = bool(played >= len(opening))
        if not is_chosen:
            move = opening[played]
        elif game.side(position) != side:
            move = choose(opponent, position, keys, played, rule.depth)
        elif rule.exploration > 0 and below(pupil.mind, CHANCES) < rule.exploration:
            move = random_move(pupil, position)
            begin(pupil)
            is_chosen = False
        else:
            move = think(pupil, rule, position, keys, played)
        position = game.apply(position, move)
        played += 1
        keys[played] = game.hash(position)
    if game.side(position) != side:
        result = -result
    correct(pupil, rule, reward_of(rule, result))
    if rule.learns_from_both:
        correct(shadow, rule, reward_of(rule, -result))
    return result, played
