"""The papers on evolved draughts rerun, at a scale of seconds."""

import dataclasses
import json
from pathlib import Path

import decisions
import evolution
import health
import nguyen
import numpy as np
import pytest
import variations
from experiment import Job

from plywise.evaluators import make_evaluator
from plywise.games import load_game
from plywise.learners.evolve.learner import Evolve
from plywise.learners.evolve.settings import EvolveSettings
from plywise.learners.shared.layout import Layout
from plywise.reports.run_report import Scale, choose_champion, quarters
from plywise.runs import Run
from plywise.system.parallel import Workers

TINY = Scale(depth=1, games=2, champions=2, rating_games=2, playouts=5)


def test_a_study_is_run_measured_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(evolution.MEASURES, "minute", TINY)
    settings = EvolveSettings(
        evaluator="blondie", generations=4, population=2, games=1, depth=1, max_plies=20
    )
    study = evolution.Study("tiny", "A tiny study", settings, [["rating", "Class A"]])
    model = tmp_path / "tiny.safetensors"
    evolution.rerun(study, "minute", tmp_path, model)
    page = (tmp_path / "tiny-minute.html").read_text()
    for part in ("Class A", "half-way ancestor", "data:image/png", "generations"):
        assert part in page
    numbers = json.loads((tmp_path / "tiny-minute.json").read_text())
    assert set(numbers["quarters"]) == {"first quarter", "last quarter"}
    assert model.is_file()
    found = evolution.measure_trial(
        "tiny-minute", evolution.Trial(settings, TINY), Job("minute", 1, tmp_path)
    )
    assert {name.removeprefix("tiny-minute-") for name in found} == {
        "random",
        "mcts",
        "half-way",
        "material",
        "rising",
    }
    run = Run(tmp_path / "tiny-minute")
    assert choose_champion(run, TINY, last=3) in run.champions()[-3:]


def test_both_decisions_of_paper_000_are_trained_and_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(decisions.BUDGETS, "minute", decisions.Budget(2, 0.001, 5))
    studies = [nguyen.study(decision, "minute", 1) for decision in ("alphabeta", "mcts")]
    quick = [
        dataclasses.replace(
            study,
            settings=dataclasses.replace(
                study.settings, games=1, depth=1, simulations=2, max_plies=20
            ),
        )
        for study in studies
    ]
    results = decisions.compare((quick[0], quick[1]), "minute", tmp_path)
    assert len(results) == 9  # three networks and the champions, by time and nodes; as trained
    assert all(result.score.games == 2 for result in results.values())
    page = (tmp_path / "decisions-minute.html").read_text()
    for part in ("alpha-beta of 1 plies", "champion of MCTS, 5 positions", "2 simulations"):
        assert part in page


def test_every_variation_meets_the_papers_own_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = dataclasses.replace(nguyen.AS_WRITTEN, generations=1, depth=1, games=1, max_plies=20)
    monkeypatch.setitem(variations.SCALES, "minute", variations.Scale(tiny, 1, 2))
    chosen = {name: variations.VARIATIONS[name] for name in ("few", "network")}
    monkeypatch.setattr(variations, "VARIATIONS", chosen)
    variations.main("minute", 1, tmp_path, 1)
    found = variations.measure(Job("minute", 1, tmp_path / "variations-minute-1", Workers(1)))
    assert {name: one.games for name, one in found.items()} == {"vary-few": 2, "vary-network": 2}


@pytest.mark.parametrize("name", variations.VARIATIONS)
def test_the_settings_of_every_variation_fit_together(name: str) -> None:
    settings = variations.VARIATIONS[name].settings
    Evolve("draughts", dataclasses.replace(nguyen.AS_WRITTEN, **settings))


def test_larger_weights_saturate_a_network() -> None:
    layout = Layout(make_evaluator("anaconda", load_game("draughts")))
    small, large = (layout.random(np.random.default_rng(1), reach) for reach in (0.2, 2.0))
    assert health.condition(layout, small)[1:4] == ["0%", "0%", "0%"]
    assert all(int(share.rstrip("%")) > 30 for share in health.condition(layout, large)[1:4])


def test_quarters_average_the_champions_of_both_ends() -> None:
    from types import SimpleNamespace

    from plywise.arena.rating import Rating

    rated = [Rating("0", 100, 30, 1, 1), Rating("10", 200, 40, 1, 1), Rating("90", 400, 30, 1, 1)]
    result = SimpleNamespace(ratings=[*rated, Rating("random", 0, 0, 1, 1)])
    found = quarters(result, 100)  # type: ignore[arg-type]
    assert found["first quarter"] == (150, 25)
    assert found["last quarter"] == (400, 30)
