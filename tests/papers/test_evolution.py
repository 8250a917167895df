"""The papers on evolved draughts rerun, at a scale of seconds."""

import json
from pathlib import Path

import evolution
import pytest

from plywise.growth import Scale, choose_champion, quarters
from plywise.learners.configs import EvolveConfig
from plywise.runs import Run

TINY = Scale(depth=1, games=2, champions=2, rating_games=2, playouts=5)


def test_a_study_is_run_measured_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(evolution.MEASURES, "minute", TINY)
    config = EvolveConfig(
        evaluator="blondie", generations=4, population=2, games=1, depth=1, max_plies=20
    )
    study = evolution.Study("tiny", "A tiny study", config, [["rating", "Class A"]])
    model = tmp_path / "tiny.safetensors"
    evolution.rerun(study, "minute", tmp_path, model)
    page = (tmp_path / "tiny-minute.html").read_text()
    for part in ("Class A", "half-way ancestor", "data:image/png", "generations"):
        assert part in page
    numbers = json.loads((tmp_path / "tiny-minute.json").read_text())
    assert set(numbers["quarters"]) == {"first quarter", "last quarter"}
    assert model.is_file()
    run = Run(tmp_path / "tiny-minute")
    assert choose_champion(run, TINY, last=3) in run.champions()[-3:]


def test_quarters_average_the_champions_of_both_ends() -> None:
    from types import SimpleNamespace

    from plywise.arena.rating import Rating

    rated = [Rating("0", 100, 30, 1, 1), Rating("10", 200, 40, 1, 1), Rating("90", 400, 30, 1, 1)]
    result = SimpleNamespace(ratings=[*rated, Rating("random", 0, 0, 1, 1)])
    found = quarters(result, 100)  # type: ignore[arg-type]
    assert found["first quarter"] == (150, 25)
    assert found["last quarter"] == (400, 30)
