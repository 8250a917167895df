"""The learner mp: boards, map, experts; a run that resumes to the bit; its pictures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import seeded
from driving import do_steps, finish, start_run
from plywise.cli import run as command
from plywise.errors import PlywiseError
from plywise.evaluators.model import save_model
from plywise.games import load_game
from plywise.games.draughts.features import NAMES
from plywise.learners import champion_model, learner_of
from plywise.learners.mp.boards import count_pieces
from plywise.learners.mp.learner import Mp, MpState
from plywise.learners.mp.mapgenes import Sums, gain
from plywise.learners.mp.settings import MpSettings
from plywise.learners.shared.genes import breed, random_genes
from plywise.runs import Run
from plywise.system.parallel import Workers

QUICK: dict[str, Any] = {"sets": 2, "games": 4, "depth": 1, "boards": 30, "units": 3, "least": 5}
QUICK |= {"max_plies": 60, "features": "vision", "hidden": "4"}


def settings_of(**changes: Any) -> MpSettings:
    return MpSettings(**{**QUICK, **changes})


def learner_with(**changes: Any) -> Mp:
    return Mp("draughts", settings_of(**changes), Workers(1))


def new_run(folder: Path, **changes: Any) -> Run:
    return start_run(folder, "mp", "draughts", settings_of(**changes))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return finish(new_run(tmp_path_factory.mktemp("runs") / "mp"), Workers(1))


def test_a_run_trains_an_agent_draws_a_map_and_trains_experts(finished: Run) -> None:
    phases = [metrics["phase"] for metrics in finished.metrics()]
    assert phases == ["first agent"] * 2 + ["map"] + ["experts"] * 2
    assert learner_of(finished).steps == 5
    champion, game = finished.champion(4), load_game("draughts")
    boards = champion["boards"]
    assert len(np.unique(boards, axis=0)) == len(boards) == 30
    assert {count_pieces(game, board) for board in boards} == {12}
    assert sum(finished.metrics()[2]["sizes"]) == 30
    assert champion["experts"].shape[0] == 3
    model = champion_model(finished)
    assert model.evaluator.settings["handover"] == "move"
    assert champion_model(finished, 1).evaluator.name == "featuremap"


def test_a_run_resumes_to_the_bit_anywhere(finished: Run, tmp_path: Path) -> None:
    run = new_run(tmp_path / "again")
    for count in (1, 2, 1):  # in the middle of each part
        assert len(do_steps(run, count, Workers(2))) == count
    assert do_steps(run, 99, Workers(2)) == [4]
    for step in range(5):
        one, two = finished.champion(step), run.champion(step)
        assert all(np.array_equal(one[name], two[name]) for name in one)


def test_a_model_can_be_the_first_agent(finished: Run, tmp_path: Path) -> None:
    path = tmp_path / "base.safetensors"
    save_model(champion_model(finished, 1), path)
    changes = {"base": str(path), "first": "random", "map": "grid", "units": 4}
    run = finish(new_run(tmp_path / "run", **changes), Workers(1))
    assert [metrics["phase"] for metrics in run.metrics()] == ["map", "experts", "experts"]
    assert np.allclose(run.champion(2)["base"], finished.champion(1)["base"], atol=1e-7)
    with pytest.raises(PlywiseError, match="must be the same"):
        learner_with(base=str(path), hidden="5")


def test_experts_begin_where_the_first_agent_stands() -> None:
    learner = learner_with()
    state = learner.begin()
    for step in range(3):
        state = learner.advance(state, step).state
    base = learner.base_vector(state)
    assert all(np.array_equal(expert, base) for expert in state.champions)
    again = MpState.of_arrays(state.arrays())
    assert all(
        np.array_equal(a, b)
        for a, b in zip(again.arrays().values(), state.arrays().values(), strict=True)
    )


def test_features_of_the_map_can_be_bred() -> None:
    chosen = {"map_features": "chosen", "map_population": 4, "map_generations": 2}
    learner = learner_with(**chosen)
    state = learner.begin()
    for step in range(3):
        state, metrics, *_ = learner.advance(state, step)
    assert 0 < state.genes.sum() <= len(NAMES)
    assert len(metrics["gains"]) == 2
    assert metrics["gains"][1] >= metrics["gains"][0]
    assert len(metrics["features"]) == state.genes.sum()


def test_clusters_that_tell_something_are_worth_more() -> None:
    """Two kinds of boards on which the same input means opposite things."""
    generator = seeded(4)
    kinds = np.arange(200) % 2
    inputs = np.stack([np.ones((200, 8)), generator.normal(size=(200, 8))], axis=2)
    results = np.where(kinds[:, None] == 0, 1, -1) * inputs[:, :, 1]
    results += generator.normal(0, 0.3, results.shape)
    sums = Sums(
        np.einsum("bpi,bpj->bij", inputs, inputs),
        np.einsum("bpi,bp->bi", inputs, results),
        (results**2).sum(axis=1),
    )
    folds = generator.integers(0, 5, 200)
    assert gain(sums, kinds, folds) > 0.8
    assert abs(gain(sums, generator.integers(0, 2, 200), folds)) < 0.05


def test_processes_give_the_same_player(finished: Run, tmp_path: Path) -> None:
    run = finish(new_run(tmp_path / "processes"), Workers(2, "processes"))
    one, two = finished.champion(4), run.champion(4)
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_genes_breed() -> None:
    genes = random_genes(6, 5, seeded(1))
    assert genes.any(axis=1).all()
    young = breed(genes, 2, 0.2, seeded(2))
    assert young.shape == genes.shape
    assert np.array_equal(young[:2], genes[:2])
    assert young.any(axis=1).all()
    same = breed(np.ones((4, 5), np.uint8), 1, 0.0, seeded(3))
    assert same.all()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"units": 1}, "2 units or more"),
        ({"boards": 2}, "too few"),
        ({"map": "grid", "units": 8}, "not 8"),
        ({"pieces": 24}, "2 to 23 pieces"),
        ({"base": "nobody"}, "nobody"),
        ({"map_features": "gaps"}, "did you mean gap"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        learner_with(**changes)
    with pytest.raises(PlywiseError, match="is for draughts"):
        Mp("reversi", settings_of())


def test_pictures(finished: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, weights = tmp_path / "map.html", tmp_path / "weights.svg"
    assert command(["plot", str(finished.folder), "--clusters", str(page)]) == 0
    assert "3 units" in capsys.readouterr().out
    text = page.read_text()
    assert text.count("<svg") == 3
    assert text.count("<circle") >= 36
    assert command(["plot", str(finished.folder), "--weights", str(weights)]) == 2
    assert "'featuremap'" in capsys.readouterr().err
    td = ["train", "draughts", "--learner", "td", "depth=1", "sets=1", "games=2", "hidden=4"]
    run = tmp_path / "td"
    assert command([*td, "--run", str(run), "features=vision"]) == 0
    assert command(["plot", str(run), "--weights", str(weights)]) == 0
    assert weights.read_text().startswith("<?xml")
    assert command(["plot", str(run), "--clusters", str(page)]) == 2
    assert "has no map" in capsys.readouterr().err


def test_games_of_td_can_begin_anywhere(
    finished: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load_game("draughts")
    boards = tmp_path / "boards.txt"
    lines = [game.format_position(board) for board in finished.champion(4)["boards"][:5]]
    boards.write_text("\n".join(lines) + "\n")
    td = ["train", "draughts", "--learner", "td", "depth=1", "sets=1", "games=4", "hidden=4"]
    td += ["features=vision", "--run", str(tmp_path / "run")]
    assert command([*td, f"starts={boards}", "opening_plies=0"]) == 0
    metrics = json.loads((tmp_path / "run" / "metrics.jsonl").read_text().splitlines()[0])
    assert metrics["plies"] < 150
    capsys.readouterr()
    assert command([*td[:-1], str(tmp_path / "other"), "starts=nowhere.txt"]) == 2
    assert "nowhere.txt" in capsys.readouterr().err
    boards.write_text("W:W:B1\n")
    assert command([*td[:-1], str(tmp_path / "other"), f"starts={boards}"]) == 2
    assert "cannot begin" in capsys.readouterr().err
