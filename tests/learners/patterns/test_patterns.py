"""The learner patterns: it learns, repeats itself, and survives being stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from driving import do_steps, finish, start_run
from plywise.errors import PlywiseError
from plywise.learners.patterns.games import TrialGames, play_trial
from plywise.learners.patterns.learner import Patterns
from plywise.learners.patterns.settings import PatternsSettings
from plywise.system.parallel import Workers

QUICK: dict[str, Any] = {"rounds": 3, "games": 60, "batch": 20, "test_every": 2, "test_games": 8}


def share_against_untrained(game: str, rounds: int, games: int) -> float:
    learner = Patterns(game, PatternsSettings(games=games), Workers(1))
    state = learner.begin()
    blank = state.numbers[:, 0].copy()
    for number in range(rounds):
        state = learner.advance(state, number).state
    vectors = (state.numbers[:, 0].copy(), blank)
    test = TrialGames(learner.setup, learner.test_manner, vectors, 100, (7,))
    return float(np.mean(play_trial(test))) / 2


@pytest.mark.parametrize("game", ["connect4", "draughts", "kalah"])
def test_it_learns_from_nothing_but_the_rules(game: str) -> None:
    assert share_against_untrained(game, 3, 400) > 0.7


def test_a_run_repeats_itself_whatever_the_number_of_workers(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        run = start_run(tmp_path / str(jobs), "patterns", "tictactoe", PatternsSettings(**QUICK))
        finish(run, Workers(jobs))
        found.append([run.champion(step)["vector"].tobytes() for step in run.champions()])
    assert len(found[0]) == QUICK["rounds"]
    assert found[0] == found[1]


def test_an_interrupted_run_resumes_to_the_same_champions(tmp_path: Path) -> None:
    whole = start_run(tmp_path / "whole", "patterns", "tictactoe", PatternsSettings(**QUICK))
    finish(whole)
    parts = start_run(tmp_path / "parts", "patterns", "tictactoe", PatternsSettings(**QUICK))
    assert do_steps(parts, 1) == [0]
    assert do_steps(parts, 99) == [1, 2]
    for step in whole.champions():
        assert np.array_equal(whole.champion(step)["vector"], parts.champion(step)["vector"])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"trace": 1.5}, "trace is between 0 and 1"),
        ({"batch": 0}, "batch is 1 or more"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        Patterns("tictactoe", PatternsSettings(**changes))
