"""The learner td: what it learns, and runs that survive being killed."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import ROOT
from driving import do_steps, finish, start_run
from plywise.errors import PlywiseError
from plywise.learners import champion_model
from plywise.learners.td.settings import TdSettings
from plywise.learners.td.training import TdState, Training
from plywise.runs import Run
from plywise.settings import with_texts
from plywise.system.parallel import Workers

GAME = "tictactoe"
QUICK = {
    "evaluator": "mlp",
    "hidden": "8",
    "depth": 1,
    "sets": 4,
    "games": 20,
    "opening_plies": 1,
}


def settings_of(**changes: Any) -> TdSettings:
    return TdSettings(**{**QUICK, **changes})


def new_run(folder: Path, **changes: Any) -> Run:
    return start_run(folder, "td", GAME, settings_of(**changes))


def run_quickly(folder: Path, jobs: int = 1, **changes: Any) -> list[np.ndarray]:
    return champions_of(finish(new_run(folder, **changes), Workers(jobs)))


def champions_of(run: Run) -> list[np.ndarray]:
    return [run.champion(step)["vector"] for step in run.champions()]


def same(one: list[np.ndarray], two: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_it_learns_draughts_from_nothing() -> None:
    training = Training("draughts", TdSettings(depth=1, games=150, final_games=10))
    state = training.begin()
    vector, metrics = training.teach(state, 0)
    assert metrics["wins"] > 2 * metrics["losses"]
    assert training.test(state, vector, 0) > 0.75
    clones = np.array([state.vector, vector, state.vector])
    assert training.choose_champion(TdState(vector, vector, clones)) == 1


def test_the_linear_evaluator_learns_that_the_centre_is_worth_most() -> None:
    training = Training(GAME, settings_of(evaluator="linear", games=200, opening_plies=2))
    state = first = training.begin()
    for number in range(3):
        state, _ = training.advance(state, number)
    assert training.test(first, state.vector, 9) > 0.6
    weights = training.layout.model(state.vector).weights["weights"][: 9 * 2].reshape(9, 2)
    assert np.argmax(weights[:, 0]) == np.argmin(weights[:, 1]) == 4  # of x, and of o


@pytest.mark.parametrize("target", ["afterstate", "root", "leaf"])
def test_a_run_repeats_itself_whatever_the_number_of_workers(tmp_path: Path, target: str) -> None:
    changes: dict[str, Any] = {"target": target, "exploration": 0.1}
    changes["learn_from"] = "both" if target == "afterstate" else "own"
    one = run_quickly(tmp_path / "one", 1, **changes)
    two = run_quickly(tmp_path / "two", 2, **changes)
    assert len(one) == QUICK["sets"]
    assert same(one, two)


def test_an_interrupted_run_resumes_to_the_same_champions(tmp_path: Path) -> None:
    whole = run_quickly(tmp_path / "whole")
    run = new_run(tmp_path / "parts")
    assert do_steps(run, 2) == [0, 1]
    assert do_steps(run, 99) == [2, 3]
    assert same(whole, champions_of(run))


CHILD = """
from pathlib import Path
from plywise.learners import learner_of
from plywise.runs import Run, carry_on
run = Run(Path({folder!r}))
carry_on(run, learner_of(run), lambda status: print(status.step, flush=True))
"""


def test_a_run_killed_at_any_moment_ends_with_the_same_champions(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"sets": 20, "games": 200}
    whole = run_quickly(tmp_path / "whole", **settings)
    run = new_run(tmp_path / "killed", **settings)
    code = CHILD.format(folder=str(run.folder))
    for pause in (0.02, 0.07):
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline()
        assert child.stdout.readline()  # a step is done
        time.sleep(pause)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
    finish(run)
    assert same(whole, champions_of(run))


@pytest.mark.parametrize(("setback", "goes_back"), [(0.0, False), (0.4, True)])
def test_a_learner_that_fails_may_go_on_from_its_clone(
    setback: float, goes_back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(GAME, settings_of(setback=setback))
    monkeypatch.setattr(training, "test", lambda *_: 0.3)
    after, _ = training.advance(training.begin(), 0)
    assert np.array_equal(after.vector, after.clone) == goes_back


def test_the_papers_test_is_two_games_from_the_start() -> None:
    training = Training(GAME, settings_of(clone_test="paper"))
    state = training.begin()
    assert training.test(state, state.vector, 0) == 0.5  # the same player with both colours


def test_a_champion_is_a_model(tmp_path: Path) -> None:
    run_quickly(tmp_path / "run", sets=1)
    model = champion_model(Run(tmp_path / "run"))
    assert -1 <= model.value(model.game.initial()) <= 1
    assert model.card["options"] == {"quiescence": False}


def test_rates_are_divided_by_the_inputs_of_a_layer() -> None:
    training = Training("draughts", TdSettings(rate=2.0, final_rate=0.5, sets=3))
    weights = training.layout.weights(training.rates(0))
    assert np.allclose(weights["hidden"], 2 / 42)
    assert np.allclose(weights["output"], 2 / 20)
    assert np.allclose(training.layout.weights(training.rates(2))["output"], 1 / 20)


def test_the_published_faults_change_what_is_learned() -> None:
    common = TdSettings(depth=1, games=10)
    clean, faulty = (
        Training("draughts", settings)
        for settings in (common, dataclasses.replace(common, faults="both"))
    )
    first, second = (training.teach(training.begin(), 0)[0] for training in (clean, faulty))
    assert not np.array_equal(first, second)
    assert "faults" not in clean.layout.evaluator.settings
    assert faulty.layout.evaluator.settings["faults"] == "both"


def test_the_published_systems_can_be_trained() -> None:
    """With the settings that docs/td.md lists for NeuroDraughts and VisionDraughts."""
    common = "learn_from=own final_rate=1 opening_plies=0 clone_test=paper discount=0.98"
    systems = {"features=neuro search=minimax": 42, "features=vision": 38}
    text = (ROOT / "docs" / "td.md").read_text()
    assert f"`{common}`" in text
    for own, inputs in systems.items():
        assert f"`{own}`" in text
        texts = dict(part.split("=") for part in f"{common} {own}".split())
        training = Training("draughts", with_texts(TdSettings(), texts))
        assert training.layout.evaluator.weights["hidden"][0] == inputs


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hidden": "many"}, "written '20' or '40 10'"),
        ({"trace": 1.5}, "trace is between 0 and 1"),
        ({"games": 0}, "games is 1 or more"),
        ({"search": "minimax", "quiescence": True}, "has no quiescence"),
        ({"target": "leaf"}, "say learn_from=own"),
        ({"faults": "both"}, "Only featuremap has faults"),
        ({"evaluator": "featuremap"}, "is for draughts"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        new_run(tmp_path / "run", **changes)
    assert not (tmp_path / "run").exists()
