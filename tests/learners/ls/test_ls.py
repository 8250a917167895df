"""The learner ls: sets of features that breed, and networks that are trained once."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import seeded
from driving import do_steps, finish, start_run
from naive.minimax import random_record
from plywise.errors import PlywiseError
from plywise.games import load_game
from plywise.games.draughts.features import PRESETS
from plywise.learners import champion_model
from plywise.learners.ls.learner import Ls, LsState, _shares, plasticity_of
from plywise.learners.ls.settings import LsSettings
from plywise.runs import Run
from plywise.system.parallel import Workers

QUICK = {"population": 3, "generations": 3, "opponents": 1, "openings": 1, "elites": 1}
QUICK |= {"sets": 1, "games": 4, "depth": 1}


def settings_of(**changes: Any) -> LsSettings:
    return LsSettings(**{**QUICK, **changes})


def learner_with(**changes: Any) -> Ls:
    return Ls("draughts", settings_of(**changes))


def new_run(folder: Path) -> Run:
    return start_run(folder, "ls", "draughts", settings_of())


def test_a_run_repeats_itself_and_resumes(tmp_path: Path) -> None:
    one = finish(new_run(tmp_path / "one"), Workers(1))
    two = new_run(tmp_path / "two")
    assert do_steps(two, 1, Workers(2)) == [0]
    assert do_steps(two, 99, Workers(2)) == [1, 2]
    for step in range(3):
        first, second = one.champion(step), two.champion(step)
        assert all(np.array_equal(first[name], second[name]) for name in first)

    model, champion = champion_model(one), one.champion(2)
    assert len(model.evaluator.settings["features"]) == champion["genes"].sum()
    whole = learner_with().training.layout.model(champion["vector"])
    rows = np.array(random_record(load_game("draughts"), seeded(1), 40).positions)
    assert np.allclose(model.values(rows), whole.values(rows), atol=1e-6)


def test_features_that_are_not_chosen_learn_nothing() -> None:
    learner = learner_with()
    genes = np.zeros(15, np.uint8)
    genes[[0, 3]] = 1  # 4 and 3 bits of 48
    layout = learner.training.layout
    plasticity = layout.weights(plasticity_of(layout, learner.bits, genes))
    assert plasticity["hidden"].any(axis=1).sum() == 7
    assert plasticity["hidden"].max() == pytest.approx(48 / 7)
    assert (plasticity["output"] == 1).all()


def test_the_best_live_on_and_nobody_is_without_features() -> None:
    learner = learner_with(population=30, elites=2, mutation=0.5)
    born = learner.begin()
    young = learner.breed(born, 1)
    assert np.array_equal(young[:2], born.genes[:2])
    assert young.any(axis=1).all()
    empty = LsState(np.zeros((30, 15), np.uint8), born.known, born.vectors)
    assert learner.breed(empty, 2)[2:].any(axis=1).all()


def test_points_are_shared_by_both_who_met() -> None:
    shares, rival = _shares(2, [(0, 1), (0, -1), (1, -1)], [2.0, 1.0, 0.5])
    assert shares.tolist() == [0.75, 0.125]
    assert rival.tolist() == [0.5, 0.25]


def test_the_candidates_are_those_of_ls_draughts() -> None:
    assert len(PRESETS["ls"]) == 15
    assert set(PRESETS["neuro"]) < set(PRESETS["ls"])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [({"population": 1}, "too small to breed"), ({"opponents": 3}, "Nobody can meet 3 of 3")],
)
def test_settings_that_do_not_fit_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        learner_with(**changes)
    with pytest.raises(PlywiseError, match="is for draughts"):
        Ls("connect4", settings_of())
