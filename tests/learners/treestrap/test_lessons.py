"""TreeStrap and its relatives: what the compiled rules learn equals their formulas."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from conftest import seeded
from naive.minimax import minimax, random_record
from plywise.evaluators import make_evaluator
from plywise.evaluators.gradients import gradients_of
from plywise.game import ONGOING, Row
from plywise.game.record import Record
from plywise.games import load_game
from plywise.kernel import compiled
from plywise.learners.shared.layout import Layout
from plywise.learners.treestrap import pupil as pupils
from plywise.learners.treestrap.games import (
    ALPHABETA,
    MINIMAX,
    ROOT,
    TD_LEAF,
    TD_ROOT,
    TREE,
    Rule,
    Story,
    learn_from_game,
    learn_from_tree,
    make_story,
)
from plywise.learners.treestrap.pupil import Pupil, Steps, make_pupil, pull, take_step
from plywise.search.duel import make_task, search_root, set_root
from plywise.search.options import Options
from plywise.search.scores import SCALE
from plywise.search.table import EXACT, LOWER, UPPER
from plywise.search.trace import make_trace, traced_nodes

pytestmark = pytest.mark.kernels

GAME = load_game("tictactoe")
LAYOUT = Layout(make_evaluator("linear", GAME))
PLAIN = Steps(pupils.PLAIN, 0.1, 0.0, True)
RULE = Rule(TREE, 0.5, 0.7, 0.0, 0, 0)
DEPTH = 2


def vector_of(seed: int) -> Any:
    return LAYOUT.random(seeded(seed), 0.3)


def pupil_of(vector: Any, steps: Steps = PLAIN, options: Options = MINIMAX) -> Pupil:
    task = make_task(GAME, LAYOUT.model(vector), options)
    task = task._replace(trace=make_trace(GAME.words, 1000))
    numbers = np.zeros((3, len(vector)))
    numbers[0] = vector
    return make_pupil(task, steps, numbers, np.ones(len(vector)), np.uint64(1))


@compiled
def taught_by_search(pupil: Pupil, rule: Rule, row: Any, keys: Any, depth: Any) -> None:
    position = pupil.task.game.load(row)
    set_root(pupil.task, position, keys, 0)
    search_root(pupil.task, position, depth)
    learn_from_tree(pupil, rule)


@compiled
def pulled(pupil: Pupil, row: Any, target: float, bound: Any, mass: float) -> None:
    pull(pupil, pupil.task.game.load(row), target, bound, mass)
    take_step(pupil)


@compiled
def taught_by_game(pupil: Pupil, rule: Rule, story: Story, opening: Any, plies: Any) -> None:
    learn_from_game(pupil, rule, story, opening, plies)


def search_and_learn(pupil: Pupil, rule: Rule, row: Row) -> Any:
    """Let a search teach; return the new numbers."""
    taught_by_search(pupil, rule, row, np.zeros(1, np.uint64), np.int64(DEPTH))
    return pupil.vector.copy()


def slopes_at(vector: Any, row: Row) -> tuple[float, Any]:
    """Return the value of a position, and the derivatives of what is inside its tanh."""
    values, slopes = gradients_of(LAYOUT.evaluator, vector, row[None])
    return float(values[0]), slopes[0] / (1 - values[0] ** 2)


def inner_nodes(record: Record, depth: int, ply: int = 0) -> Iterator[tuple[Row, int, int]]:
    """Yield the position, ply and minimax score of every node with moves that are searched."""
    if depth == 0 or GAME.result(record.position) != ONGOING:
        return
    model = LAYOUT.model(vector_of(1))
    yield record.position, ply, minimax(model, record, depth, ply)
    for move in GAME.legal_moves(record.position):
        record.play(move)
        yield from inner_nodes(record, depth - 1, ply + 1)
        record.undo()


def expected_change(row: Row, ply: int, score: int, vector: Any) -> Any:
    value, slopes = slopes_at(vector, row)
    return RULE.fading**ply * (np.clip(score / SCALE, -1, 1) - value) * slopes


@pytest.mark.parametrize("plies", [3, 6])
def test_every_node_of_minimax_learns_its_value(plies: int) -> None:
    vector, record = vector_of(1), random_record(GAME, seeded(plies), plies)
    nodes = list(inner_nodes(record, DEPTH))
    assert len(nodes) >= 3
    change = sum(expected_change(*node, vector) for node in nodes)
    found = search_and_learn(pupil_of(vector), RULE, record.position)
    assert found == pytest.approx(vector + PLAIN.rate * change, abs=1e-5)


def test_rootstrap_learns_from_the_root_alone() -> None:
    vector, record = vector_of(1), random_record(GAME, seeded(3), 3)
    root = next(inner_nodes(record, DEPTH))
    expected = vector + PLAIN.rate * expected_change(*root, vector)
    found = search_and_learn(pupil_of(vector), RULE._replace(method=ROOT), record.position)
    assert found == pytest.approx(expected, abs=1e-5)


def test_alpha_beta_learns_from_bounds_on_the_wrong_side_only() -> None:
    vector, row = vector_of(1), random_record(GAME, seeded(3), 3).position
    pupil = pupil_of(vector, options=ALPHABETA)
    found = search_and_learn(pupil, RULE, row)
    change, kinds = np.zeros(len(vector)), set()
    nodes = traced_nodes(pupil.trace)
    for position, score, bound, ply in zip(*nodes[:4], strict=True):
        value, slopes = slopes_at(vector, position)
        error = score / SCALE - value
        kinds.add(int(bound))
        if bound == EXACT or (bound == LOWER and error > 0) or (bound == UPPER and error < 0):
            change += RULE.fading**ply * error * slopes
    assert len(kinds) > 1
    assert found == pytest.approx(vector + PLAIN.rate * change, abs=1e-5)


@pytest.mark.parametrize(
    ("bound", "above", "moves"),
    [(EXACT, 0.2, 1), (EXACT, -0.2, -1), (LOWER, 0.2, 1), (LOWER, -0.2, 0), (UPPER, -0.2, -1)],
)
def test_a_bound_pulls_at_one_side(bound: int, above: float, moves: int) -> None:
    vector, row = vector_of(1), random_record(GAME, seeded(3), 4).position
    value, _ = slopes_at(vector, row)
    pupil = pupil_of(vector)
    pulled(pupil, row, value + above, np.uint8(bound), 1.0)
    assert np.sign(slopes_at(pupil.vector, row)[0] - value) == moves


def test_the_squared_loss_goes_down_along_its_gradient() -> None:
    vector, row = vector_of(1), random_record(GAME, seeded(3), 4).position
    pupil = pupil_of(vector, PLAIN._replace(is_entropy=False))
    pulled(pupil, row, 0.9, np.uint8(EXACT), 1.0)
    step = 1e-5

    def loss(at: Any) -> float:
        return 0.5 * (0.9 - slopes_at(at, row)[0]) ** 2

    for place in range(LAYOUT.length):
        aside = np.zeros(len(vector))
        aside[place] = step
        slope = (loss(vector + aside) - loss(vector - aside)) / (2 * step)
        assert pupil.vector[place] - vector[place] == pytest.approx(-PLAIN.rate * slope, abs=1e-6)


def test_no_number_changes_by_more_than_the_clip() -> None:
    vector, row = vector_of(1), random_record(GAME, seeded(3), 3).position
    free = search_and_learn(pupil_of(vector), RULE, row) - vector
    clip = float(np.abs(free).max()) / 3
    found = search_and_learn(pupil_of(vector, PLAIN._replace(clip=clip)), RULE, row)
    assert found == pytest.approx(vector + np.clip(free, -clip, clip))


def test_a_coherent_step_mends_the_error_and_slows_down_when_errors_disagree() -> None:
    vector, row = vector_of(1), random_record(GAME, seeded(3), 4).position
    steps = Steps(pupils.COHERENT, 1.0, 0.0, True)
    pupil = pupil_of(vector, steps)
    before, inside = slopes_at(vector, row)
    pulled(pupil, row, before + 0.01, np.uint8(EXACT), 1.0)
    active = np.abs(inside) > 0
    assert pupil.vector[active] - vector[active] == pytest.approx(
        np.sign(inside[active]) * 0.01 / active.sum()
    )
    sizes = []
    for turn in range(4):
        old = pupil.vector.copy()
        value, _ = slopes_at(old, row)
        pulled(pupil, row, value + (-0.01 if turn % 2 == 0 else 0.01), np.uint8(EXACT), 1.0)
        sizes.append(float(np.abs(pupil.vector - old).max()))
    assert sizes[0] > sizes[2]
    assert sizes[0] > 2 * sizes[3]


def story_of(record: Record, values: Any) -> Story:
    story = make_story(GAME.words, 9, np.array([DEPTH]))
    plies = len(record.moves)
    story.roots[: plies + 1] = record.positions
    story.leaves[: plies + 1] = record.positions
    story.values[: plies + 1] = values
    story.signs[:plies], story.is_own[:plies], story.has_leaf[:plies] = -1, True, True
    return story


@pytest.mark.parametrize("method", [TD_LEAF, TD_ROOT])
@pytest.mark.parametrize("decay", [0.0, 0.7, 1.0])
def test_a_game_teaches_lambda_returns(method: int, decay: float) -> None:
    record = random_record(GAME, seeded(5), 5)
    plies = len(record.moves)
    values = seeded(6).uniform(-0.5, 0.5, plies + 1)
    values[plies] = 1.0
    vector = vector_of(1)
    expected = vector.copy()
    for ply in range(plies - 1, -1, -1):  # the sum of differences, as published
        seen = [(-1) ** (t - ply) * values[t] for t in range(ply, plies + 1)]
        differences = np.diff(seen)
        target = seen[0] + sum(decay**t * differences[t] for t in range(len(differences)))
        value, slopes = slopes_at(expected, record.positions[ply])
        expected += PLAIN.rate * (target - value) * slopes
    pupil = pupil_of(vector)
    rule = RULE._replace(method=method, decay=decay)
    taught_by_game(pupil, rule, story_of(record, values), np.int64(0), np.int64(plies))
    assert pupil.vector == pytest.approx(expected, abs=1e-6)


def test_what_a_random_move_led_to_teaches_nothing_about_the_position_before() -> None:
    record = random_record(GAME, seeded(5), 4)
    story = story_of(record, [0.1, 0.2, 0.3, 0.4, 1.0])
    story.is_own[:4] = False
    pupil = pupil_of(vector_of(1))
    rule = RULE._replace(method=TD_ROOT)
    taught_by_game(pupil, rule, story, np.int64(0), np.int64(4))
    assert np.array_equal(pupil.vector, vector_of(1))
