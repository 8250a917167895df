"""Temporal differences: the compiled rule equals its formulas."""

from typing import Any

import numpy as np
import pytest

from conftest import INTERPRETED, seeded
from naive.minimax import minimax, random_record
from plywise.evaluators import make_evaluator
from plywise.evaluators.gradients import gradients_of
from plywise.game import ONGOING, Rows
from plywise.games import load_game
from plywise.kernel import compiled
from plywise.learners.shared.layout import Layout
from plywise.learners.td.temporal import (
    AFTERSTATE,
    LEAF,
    ROOT,
    Rule,
    TdLearner,
    begin,
    best_leaf,
    correct,
    for_opponent_moves,
    learn_from_move,
    make_learner,
    play_and_learn,
)
from plywise.search.duel import make_task, search_root, set_root
from plywise.search.options import Options
from plywise.search.scores import SCALE

pytestmark = pytest.mark.kernels

GAME = load_game("tictactoe")
LAYOUT = Layout(make_evaluator("mlp", GAME, hidden=[8]))
RATE = 0.3
SIDE = 0
NO_OPENING = np.zeros(0, np.uint64)
Vector = Any


def rule_of(target: int, **changes: Any) -> Rule:
    return Rule(target, 0.7, 0.9, 0.0, 0.1, 0, 2, 9)._replace(**changes)


def learner_of(vector: Vector, rate: float = RATE) -> TdLearner:
    task = make_task(GAME, LAYOUT.model(vector), Options())
    return make_learner(task, vector.copy(), np.full(len(vector), rate), np.uint64(1))


@compiled
def taught(learner: TdLearner, rule: Rule, rows: Any, scores: Any, reward: float) -> None:
    """Learn from rows in pairs, the own position before a move and the one after it."""
    game = learner.task.game
    begin(learner)
    for index in range(len(scores)):
        learner.task.memory.best_score = scores[index]
        before, after = game.load_at(rows, 2 * index), game.load_at(rows, 2 * index + 1)
        learn_from_move(learner, rule, before, after)
    correct(learner, rule, reward)


def value_and_slopes(vector: Vector, row: Any) -> tuple[float, Vector]:
    """Return a position's value for side 0, and its derivatives."""
    values, slopes = gradients_of(LAYOUT.evaluator, vector, row.reshape(1, -1))
    sign = 1 if GAME.side(row) == SIDE else -1
    return sign * float(values[0]), sign * slopes[0]


def game_rows(seed: int) -> Rows:
    return np.array(random_record(GAME, seeded(seed), 6).positions[:6])


def written_out(rule: Rule, vector: Vector, rows: Rows, scores: Any, reward: float) -> Vector:
    """Return the weights after a game by the formulas, with numpy."""
    weights, last = vector.copy(), np.zeros(len(vector))
    prediction, trace = 0.0, np.zeros(len(vector))

    def change(target: float) -> None:
        nonlocal last
        step = RATE * (target - prediction) * trace
        step = np.where(step * last > 0, step + rule.momentum * last, step)
        weights[:] += step
        last = step

    for index in range(len(rows) // 2):
        seen = rows[2 * index] if rule.target == ROOT else rows[2 * index + 1]
        value = value_and_slopes(weights, seen)[0]
        if index > 0:
            change(rule.discount * (scores[index] / SCALE if rule.target == ROOT else value))
        prediction, slopes = value_and_slopes(weights, seen)
        trace = rule.decay * trace + slopes
    change(reward)
    return weights


@pytest.mark.parametrize("target", [AFTERSTATE, ROOT])
@pytest.mark.parametrize("momentum", [0.0, 0.5])
def test_the_rule_is_that_of_the_formulas(target: int, momentum: float) -> None:
    rows = game_rows(1)
    scores = np.array([100_000, -300_000, 250_000])
    rule = rule_of(target, momentum=momentum)
    vector = LAYOUT.random(seeded(2), 0.5)
    learner = learner_of(vector)
    taught(learner, rule, rows, scores, -1.0)
    expected = written_out(rule, vector, rows, scores, -1.0)
    assert np.abs(learner.vector - expected).max() < 1e-9
    assert np.abs(learner.vector - vector).max() > 1e-3
    played = LAYOUT.model(learner.vector)
    assert learner.task.params == played.params  # what learned is what plays


def test_traces_equal_the_forward_view_while_weights_stand_still() -> None:
    rows = game_rows(3)
    rule = rule_of(AFTERSTATE, discount=1.0)
    vector = LAYOUT.random(seeded(4), 0.5)
    learner = learner_of(vector, rate=1e-7)
    taught(learner, rule, rows, np.zeros(3, np.int64), 1.0)
    seen = [value_and_slopes(vector, row) for row in rows[1::2]]
    values = [value for value, _ in seen] + [1.0]
    lacking, total = 0.0, np.zeros(len(vector))
    for index in range(2, -1, -1):
        lacking = values[index + 1] - values[index] + rule.decay * lacking
        total += lacking * seen[index][1]
    assert (learner.vector - vector) / 1e-7 == pytest.approx(total, abs=1e-5)


@compiled
def searched_leaf(learner: TdLearner, row: Any, depth: Any, out: Any) -> Any:
    position = learner.task.game.load(row)
    set_root(learner.task, position, np.zeros(1, np.uint64), 0)
    search_root(learner.task, position, depth)
    learner.task.game.store(best_leaf(learner.task, position), out)
    return learner.task.memory.best_score


def test_the_leaf_of_the_best_line_has_the_value_of_the_search() -> None:
    model = LAYOUT.model(LAYOUT.random(seeded(5), 0.8))
    learner = learner_of(LAYOUT.vector(model.weights))
    for seed in range(2 if INTERPRETED else 20):
        record = random_record(GAME, seeded(seed), seed % 4)
        leaf = np.zeros(GAME.words, np.uint64)
        score = int(searched_leaf(learner, record.position, np.int64(3), leaf))
        assert score == pytest.approx(minimax(model, record, 3), abs=2)
        if GAME.result(leaf) == ONGOING:
            sign = 1 if GAME.side(leaf) == record.side else -1
            assert sign * model.value(leaf) == pytest.approx(score / SCALE, abs=1e-5)


def test_a_leaf_that_ends_the_game_has_no_gradient() -> None:
    learner = learner_of(LAYOUT.random(seeded(6), 0.5))
    won = GAME.parse_position("xx./oo./... x")
    learner.task.memory.best_length = 1
    learner.task.memory.best_line[0] = GAME.parse_move(won, GAME.format_move(won, 2))
    after = GAME.apply(won, 2)
    taught(learner, rule_of(LEAF), np.array([won, after]), np.array([1_099_999]), 1.0)
    assert not learner.trace.any()
    assert learner.state.prediction == 1.0


@pytest.mark.parametrize("target", [AFTERSTATE, ROOT, LEAF])
def test_learning_ends_with_its_game_and_leaves_the_opponent_alone(target: int) -> None:
    vector = LAYOUT.random(seeded(7), 0.5)
    learner = learner_of(vector)
    learners = (learner, for_opponent_moves(learner))
    opponent = make_task(GAME, LAYOUT.model(vector), Options())
    before = opponent.params.copy()
    rule = rule_of(target, exploration=1 << 17)
    for side in (0, 1):
        result, plies = play_and_learn(
            learners, opponent, rule, GAME.initial(), NO_OPENING, np.int64(side)
        )
        assert result in (-1, 0, 1)
        assert 5 <= plies <= 9
    assert opponent.params == before
    assert (learner.vector != vector).any()
    assert learner.task.params == LAYOUT.model(learner.vector).params
    assert learners[1].state.corrections == 0


def test_both_sides_can_be_learned_from() -> None:
    vector = LAYOUT.random(seeded(8), 0.5)
    learner = learner_of(vector)
    learners = (learner, for_opponent_moves(learner))
    opponent = make_task(GAME, LAYOUT.model(vector), Options())
    rule = rule_of(AFTERSTATE, learns_from_both=True)
    _, plies = play_and_learn(learners, opponent, rule, GAME.initial(), NO_OPENING, np.int64(0))
    changes = [int(member.state.corrections) for member in learners]
    assert sum(changes) == plies - 1  # the move that ends the game is judged by its result
    assert min(changes) > 0
