"""The learner treestrap: it learns, repeats itself, and survives being stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from driving import do_steps, finish, start_run
from plywise.errors import PlywiseError
from plywise.evaluators.model import save_model
from plywise.learners.patterns.games import TrialGames, play_trial
from plywise.learners.patterns.selfplay import Manner
from plywise.learners.treestrap.games import Changes
from plywise.learners.treestrap.learner import Treestrap, joined_numbers
from plywise.learners.treestrap.settings import TreestrapSettings
from plywise.system.parallel import Workers

QUICK: dict[str, Any] = {"rounds": 3, "games": 8, "batch": 2, "depth": 2, "random_plies": 2}
EVALUATORS = ["linear:features=cells+material+pairs", "mlp:hidden=4"]


def learner_of(game: str = "tictactoe", **changes: Any) -> Treestrap:
    return Treestrap(game, TreestrapSettings(**{**QUICK, **changes}), Workers(1))


def share_against_untrained(learner: Treestrap) -> float:
    state = learner.begin()
    blank = state[0].copy()
    for number in range(learner.steps):
        state = learner.advance(state, number).state
    manner = Manner(0.0, 1.0, 0, 2)
    test = TrialGames(learner.setup, manner, (state[0], blank), 200, (7,))
    return float(np.mean(play_trial(test))) / 2


@pytest.mark.parametrize(
    ("method", "rate"), [("treestrap", 0.3), ("minimax", 0.3), ("rootstrap", 0.3), ("tdleaf", 1.0)]
)
def test_it_learns_from_nothing_but_the_rules(method: str, rate: float) -> None:
    learner = learner_of(method=method, rate=rate, rounds=20, games=40, exploration=0.1)
    assert share_against_untrained(learner) > 0.65


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_a_run_repeats_itself_whatever_the_number_of_workers(
    tmp_path: Path, evaluator: str
) -> None:
    settings = TreestrapSettings(**QUICK, evaluator=evaluator, returns=0.3)
    found = []
    for jobs in (1, 2):
        run = start_run(tmp_path / str(jobs), "treestrap", "tictactoe", settings)
        finish(run, Workers(jobs))
        found.append([run.champion(step)["vector"].tobytes() for step in run.champions()])
    assert len(set(found[0])) == QUICK["rounds"]
    assert found[0] == found[1]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_an_interrupted_run_resumes_to_the_same_champions(tmp_path: Path, evaluator: str) -> None:
    settings = TreestrapSettings(**QUICK, evaluator=evaluator)
    whole = start_run(tmp_path / "whole", "treestrap", "tictactoe", settings)
    finish(whole)
    parts = start_run(tmp_path / "parts", "treestrap", "tictactoe", settings)
    assert do_steps(parts, 1) == [0]
    assert do_steps(parts, 99) == [1, 2]
    for step in whole.champions():
        assert np.array_equal(whole.champion(step)["vector"], parts.champion(step)["vector"])


def test_where_batches_differ_the_mean_of_those_who_changed_a_number_goes_on_or_the_sum() -> None:
    before = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    first, second = before.copy(), before.copy()
    first[0] = [2.0, 3.0, 1.0]
    second[0] = [4.0, 1.0, 1.0]
    found = [Changes.between(before, after) for after in (first, second)]
    assert [one.places.tolist() for one in found] == [[0, 1], [0]]
    assert joined_numbers(before, found, adds=False)[0].tolist() == [3.0, 3.0, 1.0]
    assert joined_numbers(before, found, adds=True)[0].tolist() == [5.0, 3.0, 1.0]


def test_a_group_joins_at_its_stage_and_keeps_what_was_learned() -> None:
    learner = learner_of(stages="material:2 cells:1 pairs")
    cells, material = learner._places("cells"), learner._places("material")
    state = learner.begin()
    for number in range(2):
        state = learner.advance(state, number).state
        assert not state[0][cells].any()
    learned = state[0][material]
    assert learned.any()
    assert learner.rates(1)[cells].max() == 0.0
    assert learner.rates(2)[cells].min() == 1.0
    state = learner.advance(state, 2).state
    assert state[0][cells].any()
    assert not state[0][learner._places("pairs")].any()
    assert np.abs(state[0][material] - learned).max() < np.abs(learned).max()


def test_a_run_can_begin_with_the_features_of_a_model(tmp_path: Path) -> None:
    small = learner_of("connect4", evaluator="linear:features=material")
    path = tmp_path / "small.safetensors"
    save_model(small.model({"vector": np.array([0.5, -0.4, 0.1])}), path)
    large = learner_of("connect4", evaluator="linear:features=cells+material", start=str(path))
    vector = large.begin()[0]
    assert vector[large._places("material")] == pytest.approx([0.5, -0.4])
    assert vector[-1] == pytest.approx(0.1)
    assert not vector[large._places("cells")].any()
    with pytest.raises(PlywiseError, match="no features that could be begun with"):
        learner_of("connect4", evaluator="linear:features=pairs", start=str(path))


def test_a_run_can_go_on_with_the_evaluator_of_a_model(tmp_path: Path) -> None:
    small = learner_of("connect4", evaluator="linear:features=material")
    path, numbers = tmp_path / "small.safetensors", np.array([0.5, -0.4, 0.1])
    save_model(small.model({"vector": numbers}), path)
    further = learner_of("connect4", evaluator="start", start=str(path))
    assert further.begin()[0] == pytest.approx(numbers)
    assert further.advance(further.begin(), 0).state[0] != pytest.approx(numbers)
    with pytest.raises(PlywiseError, match="say start=MODEL too"):
        learner_of("connect4", evaluator="start")


def test_few_pieces_are_searched_deeper() -> None:
    learner = learner_of(deeper="6:4 3:5")
    assert [learner.depths[pieces] for pieces in (0, 2, 3, 5, 6, 9)] == [5, 5, 4, 4, 2, 2]
    nodes = [learner_of(deeper=text).advance(learner.begin(), 0).metrics for text in ("", "6:4")]
    assert nodes[1]["nodes"] > 1.5 * nodes[0]["nodes"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"fading": 1.5}, "fading is between 0 and 1"),
        ({"batch": 0}, "batch is 1 or more"),
        ({"rate": 0.0}, "rate is above 0"),
        ({"evaluator": "material"}, "'material' cannot learn .* it has no gradient"),
        ({"evaluator": "linear:features=cels+pairs"}, "did you mean cells"),
        ({"evaluator": "linear:features=cells+cells"}, "'cells' are joined twice"),
        ({"evaluator": "linear:sets=3"}, "1 set of weights or 2"),
        ({"stages": "material:2 cels"}, "did you mean cells"),
        ({"stages": "material:x"}, "written group:rounds"),
        ({"deeper": "6-4"}, "deeper is written"),
        ({"method": "tdleaf", "returns": 0.5}, "learns from returns alone"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        learner_of(**changes)
