"""The learner patterns: it learns, repeats itself, and survives being stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import seeded
from driving import do_steps, finish, start_run
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.evaluators import load_model, make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.patterns.board import board_of
from plywise.evaluators.patterns.specification import (
    enlarged,
    has_grown,
    specification_of,
    widened,
)
from plywise.evaluators.patterns.survey import survey_of
from plywise.games import load_game
from plywise.learners import learner_of
from plywise.learners.patterns.games import TrialGames, play_trial
from plywise.learners.patterns.learner import WORK, Patterns, games_of_round
from plywise.learners.patterns.learning import WEIGHT
from plywise.learners.patterns.settings import PatternsSettings
from plywise.runs import carry_on
from plywise.system.parallel import Workers

QUICK: dict[str, Any] = {
    "rounds": 3,
    "games": 60,
    "batch": 20,
    "test_every": 2,
    "test_games": 8,
    "anchor_games": 2,
    "grow": 0,
}


EVALUATORS = ["patterns", "mlp:hidden=4"]  # entries of a table, and a gradient


def share_against_untrained(game: str, rounds: int, **settings: Any) -> float:
    learner = Patterns(game, PatternsSettings(**settings), Workers(1))
    state = learner.begin()
    blank = state.older
    for number in range(rounds):
        state = learner.advance(state, number).state
    vectors = (learner.stages[0].weights(state.numbers), blank)
    test = TrialGames(learner.setup(vectors[0]), learner.test_manner, vectors, 100, (7,))
    return float(np.mean(play_trial(test))) / 2


@pytest.mark.parametrize("game", ["connect4", "draughts", "kalah"])
def test_it_learns_from_nothing_but_the_rules(game: str) -> None:
    assert share_against_untrained(game, 3, games=400, test_every=9) > 0.7


@pytest.mark.parametrize(
    "evaluator", ["mlp:hidden=20", "nnue:features=patterns:hidden=4:units=tanh"]
)
def test_whatever_has_a_gradient_learns_from_the_same_games(evaluator: str) -> None:
    share = share_against_untrained(
        "connect4", 3, games=1000, evaluator=evaluator, rate=3.0, test_every=9
    )
    assert share > 0.7


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_a_run_repeats_itself_whatever_the_number_of_workers(
    tmp_path: Path, evaluator: str
) -> None:
    settings = PatternsSettings(**QUICK, evaluator=evaluator)
    found = []
    for jobs in (1, 2):
        run = start_run(tmp_path / str(jobs), "patterns", "tictactoe", settings)
        finish(run, Workers(jobs))
        found.append([run.champion(step)["vector"].tobytes() for step in run.champions()])
    assert len(found[0]) == QUICK["rounds"]
    assert found[0] == found[1]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_an_interrupted_run_resumes_to_the_same_champions(tmp_path: Path, evaluator: str) -> None:
    settings = PatternsSettings(**QUICK, evaluator=evaluator)
    whole = start_run(tmp_path / "whole", "patterns", "tictactoe", settings)
    finish(whole)
    parts = start_run(tmp_path / "parts", "patterns", "tictactoe", settings)
    assert do_steps(parts, 1) == [0]
    assert do_steps(parts, 99) == [1, 2]
    for step in whole.champions():
        assert np.array_equal(whole.champion(step)["vector"], parts.champion(step)["vector"])


def test_another_seed_begins_with_another_network() -> None:
    first, second = (
        Patterns("tictactoe", PatternsSettings(evaluator="mlp:hidden=4", seed=seed)).begin()
        for seed in (1, 2)
    )
    assert not np.array_equal(first.numbers, second.numbers)
    assert np.abs(first.numbers[WEIGHT]).max() <= 1


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_a_run_may_begin_with_what_a_model_knows(tmp_path: Path, evaluator: str) -> None:
    settings = PatternsSettings(**QUICK, evaluator=evaluator)
    first = start_run(tmp_path / "first", "patterns", "tictactoe", settings)
    finish(first)
    model = str(first.model_path)
    again = Patterns("tictactoe", PatternsSettings(**QUICK, evaluator=evaluator, start=model))
    known = load_model(first.model_path, load_game("tictactoe"))
    begun = again.model({"vector": again.begin().older})
    assert begun.evaluator.settings == known.evaluator.settings
    assert all(np.array_equal(begun.weights[name], known.weights[name]) for name in known.weights)


def test_a_teacher_plays_the_games_of_the_first_rounds(tmp_path: Path) -> None:
    first = start_run(tmp_path / "first", "patterns", "tictactoe", PatternsSettings(**QUICK))
    finish(first)
    taught = {**QUICK, "teacher": str(first.model_path), "taught": 1}
    rounds = []
    for evaluator in EVALUATORS:  # the same games teach both, then each plays its own
        learner = Patterns("tictactoe", PatternsSettings(**taught, evaluator=evaluator))
        begun = learner.advance(learner.begin(), 0)
        own = learner.advance(begun.state, 1)
        rounds.append([[s.metrics[key] for key in ("first", "plies")] for s in (begun, own)])
    assert rounds[0][0] == rounds[1][0]
    assert rounds[0][1] != rounds[1][1]


def test_what_is_begun_with_grows_like_what_began_from_nothing(tmp_path: Path) -> None:
    first = start_run(tmp_path / "first", "patterns", "tictactoe", PatternsSettings(**QUICK))
    finish(first)
    growing = {**QUICK, "grow": 1, "large": 6, "phases": 2, "start": str(first.model_path)}
    learner = Patterns("tictactoe", PatternsSettings(**growing))
    large = learner.specs[-1]
    state = learner.advance(learner.begin(), 0).state
    assert learner.advance(state, 1).state.older.size > state.older.size
    grown = start_run(tmp_path / "grown", "patterns", "tictactoe", PatternsSettings(**growing))
    finish(grown)
    onwards = {**growing, "start": str(grown.model_path)}
    assert Patterns("tictactoe", PatternsSettings(**onwards)).specs == [large]


@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 3), (3, 5)])
def test_more_phases_begin_with_what_was_blended_there(before: int, after: int) -> None:
    game = load_game("tictactoe")
    survey = survey_of(board_of(game))
    first = specification_of(survey, phases=before)
    more = enlarged(first, survey, 0, after)
    assert has_grown(first, more)
    assert not has_grown(more, first)
    old = make_evaluator("patterns", game, spec=first.as_values())
    new = make_evaluator("patterns", game, spec=more.as_values())
    table = seeded(1).normal(0, 0.05, old.weights["table"]).astype(np.float32)
    models = Model(old, {"table": table}), Model(new, {"table": widened(table, first, more, 9)})
    for plies in range(7):
        row = random_record(game, seeded(plies), plies).position
        assert models[1].value(row) == pytest.approx(models[0].value(row), abs=1e-5)


def test_larger_windows_and_phases_join_what_was_learned(tmp_path: Path) -> None:
    settings = PatternsSettings(**{**QUICK, "grow": 2, "large": 6, "phases": 2})
    learner = Patterns("tictactoe", settings, Workers(1))
    state = learner.begin()
    for number in range(2):
        state = learner.advance(state, number).state
    small, large = learner.specs
    before = learner.model({"vector": state.older})
    grown = widened(state.older, small, large, learner.size)
    after = learner.model({"vector": grown})
    assert len(grown) > 2 * len(state.older)
    for plies in range(7):
        row = random_record(learner.game, seeded(plies), plies).position
        assert after.value(row) == pytest.approx(before.value(row), abs=1e-6)
    step = learner.advance(state, 2)
    assert len(step.state.numbers) == len(grown)
    assert step.champion is not None
    assert learner.model(step.champion).evaluator.bundle.has_phases


def test_a_run_without_growth_gets_more_entries_and_then_ends(tmp_path: Path) -> None:
    flat = {**QUICK, "rounds": 50, "test_every": 1, "rate": 0.0, "patience": 2, "anchor_games": 0}
    settings = PatternsSettings(**{**flat, "grow": -1}, large=6)
    run = start_run(tmp_path / "run", "patterns", "tictactoe", settings)
    ended = carry_on(run, learner_of(run))
    assert (ended.state, ended.step) == ("finished", 3)
    sizes = [len(run.champion(step)["vector"]) for step in run.champions()]
    assert sizes[0] < sizes[1] == sizes[2]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"trace": 1.5}, "trace is between 0 and 1"),
        ({"batch": 0}, "batch is 1 or more"),
        ({"evaluator": "material"}, "'material' cannot learn .* it has no gradient"),
        ({"evaluator": "nmlp"}, "did you mean mlp"),
        ({"evaluator": "mlp:hiden=4"}, "did you mean hidden"),
        ({"depth": 0}, "depth is 1 or more"),
        ({"start": "nowhere.safetensors"}, "There is no model file nowhere.safetensors"),
        ({"start": "nhb"}, "The model 'nhb' is for connect4 and reversi, not for tictactoe"),
        ({"test_games": 3}, "test_games is an even number"),
        ({"anchor_games": 3}, "anchor_games is an even number"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        Patterns("tictactoe", PatternsSettings(**changes))


def test_rounds_have_fewer_games_where_a_look_judges_more_positions() -> None:
    surveys = [survey_of(board_of(load_game(name))) for name in ("reversi", "chess")]
    plain, costly = (survey.mean_plies * games_of_round(survey) for survey in surveys)
    assert surveys[0].mean_looks < 20 < 100 < surveys[1].mean_looks
    assert plain == pytest.approx(WORK, rel=0.01)
    assert costly < WORK / 3
    assert games_of_round(surveys[0], 3) < games_of_round(surveys[0]) / 3
