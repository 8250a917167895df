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

Gradients are sparse, so a trace is too: it keeps a list of the runs of places (see `Evaluator`)
that have been active since the game began. A move changes these and no others.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.game import Row, result_of
from plywise.game.results import DRAW, LOSS, ONGOING, WIN
from plywise.kernel import compiled, part
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

STATE = np.dtype(
    (
        np.record,
        [
            ("random", np.uint64),
            ("prediction", np.float64),
            ("has_prediction", np.uint8),
            ("runs", np.int64),  # how many the last gradient has
            ("active", np.int64),  # how many runs the trace has
            ("error", np.float64),  # sum of the absolute differences
            ("corrections", np.int64),  # how many they were
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


class TdLearner(NamedTuple):
    """A learner at work, with N learned numbers."""

    task: Task
    vector: Any  # [N] the learned numbers
    rates: Any  # [N] their learning rates
    trace: Any  # [N] 0 but for the active runs
    changes: Any  # [N] the last ones, 0 but for the active runs
    is_active: Any  # [N] whether an active run begins at a place
    active: Any  # [N, 2] the runs that the trace has, `state.active` of them
    runs: Any  # [most_runs, 2] the runs of the last gradient, `state.runs` of them
    slopes: Any  # [most_amounts] and its amounts
    state: Any  # a record of STATE


def make_learner(
    task: Task, vector: NDArray[np.float64], rates: NDArray[np.float64], random: np.uint64
) -> TdLearner:
    """Return a learner that begins with these numbers, which it changes in place.

    `random` is a first state of random numbers, not 0.
    """
    numbers = len(vector)
    state: Any = np.zeros(1, STATE)[0]
    state.random = random
    return TdLearner(
        task,
        vector,
        rates,
        trace=np.zeros(numbers),
        changes=np.zeros(numbers),
        is_active=np.zeros(numbers, np.bool_),
        active=np.zeros((numbers, 2), np.int64),
        runs=np.zeros((task.evaluator.most_runs, 2), np.int64),
        slopes=np.zeros(task.evaluator.most_amounts),
        state=state,
    )


def for_opponent_moves(learner: TdLearner) -> TdLearner:
    """Return the same learner in the opponent's place, with a trace and predictions of its own."""
    return make_learner(learner.task, learner.vector, learner.rates, np.uint64(0))


# ---------------------------------------------------------------- the rule


@compiled
def begin(learner: TdLearner) -> None:
    """Forget what was predicted."""
    learner.state.has_prediction = 0
    for run in range(learner.state.active):
        first, end = learner.active[run, 0], learner.active[run, 1]
        learner.is_active[first] = False
        count = end - first
        trace, changes = part(learner.trace, first, count), part(learner.changes, first, count)
        for place in range(count):
            trace[place] = 0.0
            changes[place] = 0.0
    learner.state.active = 0


@compiled
def find_slopes(learner: TdLearner, position: Position, side: Whole) -> float:
    """Return the value of a position for a side; its gradient is left in runs and slopes."""
    task, slopes = learner.task, learner.slopes
    value, count = task.evaluator.gradient(
        learner.vector, task.memory.accumulator, 0, position, learner.runs, slopes
    )
    learner.state.runs = count
    if task.game.side(position) == side:
        return float(value)
    amounts = 0
    for run in range(count):
        amounts += learner.runs[run, 1] - learner.runs[run, 0]
    for index in range(amounts):
        slopes[index] = -slopes[index]
    return float(-value)


@compiled
def predict(learner: TdLearner, rule: Rule, value: float) -> None:
    """Make a value with its slopes the prediction."""
    state = learner.state
    state.prediction = value
    state.has_prediction = 1
    for run in range(state.active):
        first, end = learner.active[run, 0], learner.active[run, 1]
        trace = part(learner.trace, first, end - first)
        for place in range(end - first):
            trace[place] *= rule.decay
    done = 0
    for run in range(state.runs):
        first, end = learner.runs[run, 0], learner.runs[run, 1]
        activate(learner, first, end)
        trace = part(learner.trace, first, end - first)
        slopes = part(learner.slopes, done, end - first)
        for place in range(end - first):
            trace[place] += slopes[place]
        done += end - first


@compiled
def activate(learner: TdLearner, first: Whole, end: Whole) -> None:
    """Put a run on the list of those that the trace has."""
    if not learner.is_active[first]:
        learner.is_active[first] = True
        learner.active[learner.state.active, 0] = first
        learner.active[learner.state.active, 1] = end
        learner.state.active += 1


@compiled
def correct(learner: TdLearner, rule: Rule, target: float) -> None:
    """Change the weights by what the last prediction lacks, if there is one."""
    state, task = learner.state, learner.task
    if not state.has_prediction:
        return
    difference = target - state.prediction
    state.error += abs(difference)
    state.corrections += 1
    for run in range(state.active):
        correct_run(learner, rule, difference, learner.active[run, 0], learner.active[run, 1])
    task.evaluator.unpack_runs(learner.vector, task.params, learner.active, state.active)


@compiled
def correct_run(
    learner: TdLearner, rule: Rule, difference: float, first: Whole, end: Whole
) -> None:
    """Change the weights of one run, see `correct`."""
    count = end - first
    vector, trace = part(learner.vector, first, count), part(learner.trace, first, count)
    rates, changes = part(learner.rates, first, count), part(learner.changes, first, count)
    for place in range(count):
        change = rates[place] * difference * trace[place]
        if rule.momentum > 0 and change * changes[place] > 0:
            change += rule.momentum * changes[place]
        changes[place] = change
        vector[place] += change


@compiled
def best_leaf(task: Task, position: Position) -> Position:
    """Return where the best line of the last search ends."""
    for index in range(task.memory.best_length):
        position = task.game.apply(position, task.memory.best_line[index])
    return position


@compiled
def learn_from_move(learner: TdLearner, rule: Rule, before: Position, after: Position) -> None:
    """Learn from the own move from one position to the other, which the search has just chosen."""
    task = learner.task
    side = task.game.side(before)
    found = min(1.0, max(-1.0, task.memory.best_score / SCALE))
    if rule.target == ROOT:
        correct(learner, rule, rule.discount * found)
        predict(learner, rule, find_slopes(learner, before, side))
        return
    seen = after if rule.target == AFTERSTATE else best_leaf(task, before)
    value = find_slopes(learner, seen, side)
    if rule.target == LEAF and abs(value - found) > CLOSE:
        correct(learner, rule, rule.discount * found)
        learner.state.runs = 0
        predict(learner, rule, found)
        return
    correct(learner, rule, rule.discount * value)
    predict(learner, rule, find_slopes(learner, seen, side))


# ---------------------------------------------------------------- games


@compiled
def think(learner: TdLearner, rule: Rule, position: Position, keys: Any, played: Whole) -> Word:
    """Return the learner's move; nothing is remembered, for its judgement has changed."""
    task = learner.task
    set_root(task, position, keys, played)
    if task.options.table:
        tables.empty(task.table)
    if task.memory.root_moves > 1 or rule.target != AFTERSTATE:
        search_root(task, position, rule.depth)
    best: Word = task.memory.best_line[0]
    return best


@compiled
def random_move(learner: TdLearner, position: Position) -> Word:
    """Return any legal move."""
    memory = learner.task.memory
    count = learner.task.game.moves(position, memory.moves[0])
    move: Word = memory.moves[0, below(learner.state, count)]
    return move


@compiled
def outcome(learner: TdLearner, rule: Rule, position: Position, keys: Any, played: Whole) -> Whole:
    """Return the result for the side to move, or ONGOING; a game too long is a draw."""
    game = learner.task.game
    result = result_of(game, position, learner.task.memory.moves[0])
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
def play_and_learn(
    learners: tuple[TdLearner, TdLearner],
    opponent: Task,
    rule: Rule,
    row: Row,
    opening: Row,
    side: Whole,
) -> tuple[Whole, Whole]:
    """Play a game as a side, learning; return its result for the learner, and its plies.

    `learners` are the learner and the same one for the opponent's moves, see `for_opponent_moves`.
    `opening` are moves to be made first, from which nothing is learned.
    """
    learner, other = learners
    game = learner.task.game
    position = game.load(row)
    before = position
    keys = np.empty(len(opening) + rule.max_plies + 1, np.uint64)
    keys[0] = game.hash(position)
    played = np.int64(0)
    is_chosen = False  # whether the last move is one to learn from
    begin(learner)
    begin(other)
    while True:
        result = outcome(learner, rule, position, keys, played)
        if result != ONGOING:
            break
        if is_chosen and game.side(before) == side:
            learn_from_move(learner, rule, before, position)
        elif is_chosen and rule.learns_from_both:
            learn_from_move(other, rule, before, position)
        before = position
        is_chosen = bool(played >= len(opening))
        if not is_chosen:
            move = opening[played]
        elif game.side(position) != side:
            move = choose(opponent, position, keys, played, rule.depth)
        elif rule.exploration > 0 and below(learner.state, CHANCES) < rule.exploration:
            move = random_move(learner, position)
            begin(learner)
            is_chosen = False
        else:
            move = think(learner, rule, position, keys, played)
        position = game.apply(position, move)
        played += 1
        keys[played] = game.hash(position)
    if game.side(position) != side:
        result = -result
    correct(learner, rule, reward_of(rule, result))
    if rule.learns_from_both:
        correct(other, rule, reward_of(rule, -result))
    return result, played
