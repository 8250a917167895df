"""`plywise train`, `runs` and `plot`, as a person uses them."""

import json
from pathlib import Path

import pytest

from conftest import EXAMPLES
from plywise.cli import run

EVOLVE = ["train", "draughts", "--learner", "evolve"]
SMALL = ["evaluator=blondie", "population=2", "games=1", "depth=1", "max_plies=20"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_run_is_trained_listed_drawn_and_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*EVOLVE, *SMALL, "generations=2", "--save", "net.safetensors"]) == 0
    capsys.readouterr()
    assert run(["runs", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(row["steps"], row["of"], row["learner"]) for row in listed] == [(2, 2, "evolve")]
    assert run(["runs"]) == 0
    assert "2/2" in capsys.readouterr().out
    assert run(["plot", "runs/evolve-draughts", "--out", "curves.svg"]) == 0
    assert Path("curves.svg").read_text().startswith("<?xml")
    measure = ["growth", "runs/evolve-draughts", "--depth", "1", "--games", "2", "--json"]
    small = ["--champions", "2", "--rating-games", "2", "--playouts", "5"]
    capsys.readouterr()
    assert run([*measure, *small]) == 0
    assert set(json.loads(capsys.readouterr().out)["tests"]) >= {"random", "pure MCTS"}
    match = ["match", "draughts", "net.safetensors,depth=1", "random", "--games", "2", "--json"]
    capsys.readouterr()
    assert run(match) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2


def test_a_run_is_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*EVOLVE, *SMALL, "generations=2", "--json"]) == 0
    assert run([*EVOLVE, "--resume", "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count('"steps": 2') == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([*EVOLVE, "generation=3"], "did you mean generations"),
        (["train", "draughts", "generations"], "written NAME=VALUE"),
        ([*EVOLVE, "depth=deep"], "depth is a whole number"),
        ([*EVOLVE, "evaluator=blondi"], "evaluator is one of"),
        (["train", "draughts", "--learner", "evolv"], "did you mean evolve"),
        (["train", "draughts", "--backend", "thread"], "did you mean threads"),
        (["train", "connect4", "--learner", "evolve"], "is for draughts"),
        (["train", "connect4", "cycle=3"], "did you mean cycles"),
        (["train", "nogame.py"], "nogame.py"),
        (["train", "connect4", "--learner", "td"], "is for draughts"),
        (["train", "draughts", "--learner", "td", "features=gaps"], "did you mean gap"),
        (["train", "draughts", "--resume"], "is not a run"),
        ([*EVOLVE, "method=ga", "population=9"], "population of 15"),
        (["plot", "nothing"], "is not a run"),
    ],
)
def test_a_mistake_gets_one_sentence_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_help_lists_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    from plywise.learners.configs import CONFIGS

    assert run(["train", "--help"]) == 0
    shown = capsys.readouterr().out
    for kind in CONFIGS.values():
        assert all(name in shown for name in kind.__dataclass_fields__)


def test_a_file_is_trained_for_some_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(EXAMPLES / "breakthrough.py")
    tiny = ["matches=2", "first_matches=2", "nodes=50", "backward_nodes=50", "hidden=64"]
    command = ["train", game, *tiny, "--minutes", "0", "--save", "mine.safetensors"]
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["last"]["step"] == 0
    match = ["match", game, "mine.safetensors,nodes=50", "random"]
    assert run([*match, "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    assert run(["plot", "runs/nhb-breakthrough"]) == 0
