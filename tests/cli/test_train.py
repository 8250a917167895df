"""`plywise train`, `runs` and `plot`, as a person uses them."""

import json
from pathlib import Path

import pytest

from plywise.cli import run

SMALL = ["evaluator=blondie", "population=2", "games=1", "depth=1", "max_plies=20"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_run_is_trained_listed_drawn_and_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "draughts", *SMALL, "generations=2", "--save", "net.safetensors"]) == 0
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
    assert run(["train", "draughts", *SMALL, "generations=2", "--json"]) == 0
    assert run(["train", "draughts", "--resume", "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count('"steps": 2') == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["train", "draughts", "generation=3"], "did you mean generations"),
        (["train", "draughts", "generations"], "written NAME=VALUE"),
        (["train", "draughts", "depth=deep"], "depth is a whole number"),
        (["train", "draughts", "evaluator=blondi"], "evaluator is one of"),
        (["train", "draughts", "--learner", "evolv"], "did you mean evolve"),
        (["train", "draughts", "--backend", "thread"], "did you mean threads"),
        (["train", "connect4"], "is for draughts"),
        (["train", "connect4", "--learner", "td"], "is for draughts"),
        (["train", "draughts", "--learner", "td", "features=gaps"], "did you mean gap"),
        (["train", "draughts", "--resume"], "is not a run"),
        (["train", "draughts", "method=ga", "population=9"], "population of 15"),
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
    for config in CONFIGS.values():
        assert all(name in shown for name in config.__dataclass_fields__)
