"""`plywise train`, `runs` and `plot`, as a person uses them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import EXAMPLES
from plywise.cli import run, train
from plywise.evaluators.model import read_card
from plywise.learners import BUILT_IN, settings_of
from plywise.learners.evolve.learner import Evolve
from plywise.settings import list_settings

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
    assert listed[0]["state"] == "finished"
    assert run(["runs"]) == 0
    shown = capsys.readouterr().out
    assert "2/2" in shown
    assert "games/s" in shown
    assert run(["plot", "runs/evolve-draughts", "--out", "curves.svg"]) == 0
    assert Path("curves.svg").read_text().startswith("<?xml")
    measure = ["report", "runs/evolve-draughts", "--depth", "1", "--games", "2", "--json"]
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
        (["train", "draughts", "evolve,generation=3"], "did you mean generations"),
        (["train", "draughts", "evolve,depth=2", "depth=3"], "'depth' is given twice"),
        (["train", "draughts", "--learner", "evolve,depth=deep"], "depth is a whole number"),
        (["train", "draughts", "generations"], "written NAME=VALUE"),
        ([*EVOLVE, "depth=deep"], "depth is a whole number"),
        ([*EVOLVE, "evaluator=blondi"], "evaluator is one of"),
        (["train", "draughts", "--learner", "evolv"], "did you mean evolve"),
        (["train", "draughts", "evolv"], "is no learner (patterns, nhb, treestrap, td"),
        (["train", "draughts", "evolve", "--learner", "td"], "not both evolve and td"),
        (["train", "draughts", "evolve", "td"], "written NAME=VALUE"),
        (["train", "draughts", "nolearner.py"], "There is no file nolearner.py"),
        (["runs", "--stop", "nothing"], "is not a run"),
        (["train", "draughts", "--backend", "thread"], "did you mean threads"),
        (["train", "connect4", "--learner", "evolve"], "is for draughts"),
        (["train", "connect4", "nhb", "cycle=3"], "did you mean cycles"),
        (["train", "nogame.py"], "nogame.py"),
        (["train", "connect4", "--learner", "td"], "Name another, as in td evaluator=mlp."),
        (["train", "connect4", "ls"], "The learner ls is not for this game"),
        (["train", "tictactoe", "--save", "game.py"], "is saved as FILE.safetensors, not as"),
        (["train", "tictactoe", "--address", "here"], "one of a Ray cluster, not of threads"),
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


@pytest.mark.parametrize("learner", BUILT_IN)
def test_help_of_a_learner_lists_its_settings(
    learner: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["train", "draughts", learner, "--help"]) == 0
    shown = capsys.readouterr().out
    for setting in list_settings(settings_of(learner)):
        assert f"{setting.name}={setting.default}" in shown
        assert setting.help.split()[0] in shown


def test_help_lists_the_learners(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in BUILT_IN)
    assert "against_ancestors" not in shown


def test_help_compiles_nothing() -> None:
    code = "import sys; from plywise.cli import run; run(['train', 'draughts', 'mp', '--help']); "
    code += "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_a_learner_is_named_by_word_or_option(capsys: pytest.CaptureFixture[str]) -> None:
    short = [*SMALL, "generations=1", "--json"]
    assert run(["train", "draughts", "evolve", *short, "--run", "one"]) == 0
    assert run([*EVOLVE, *short, "--run", "two"]) == 0
    first, second = (Path(name, "config.toml").read_text() for name in ("one", "two"))
    assert first == second


def test_ctrl_c_stops_after_the_step(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(learner: Evolve, *_: object) -> float:
        os.kill(os.getpid(), signal.SIGINT)
        return 0.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Evolve, "meet_ancestors", interrupt)
        assert run([*EVOLVE, *SMALL, "generations=5", "--json"]) == 130
    printed = capsys.readouterr()
    assert json.loads(printed.out)["steps"] == 1
    assert "Stopping: this step may end" in printed.err
    assert run([*EVOLVE, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"] == 5


def test_runs_are_not_looked_for_where_there_is_no_folder(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["runs"]) == 0
    assert capsys.readouterr().out == "There are no runs in runs.\n"
    assert run(["runs", "nowhere"]) == 2
    assert capsys.readouterr().err == "plywise: There is no folder nowhere.\n"


def test_a_long_step_is_not_silent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(learner: Evolve, *_: object) -> float:
        time.sleep(0.2)
        return 0.0

    monkeypatch.setattr(train, "LINE_SECONDS", 0.05)
    monkeypatch.setattr(Evolve, "meet_ancestors", wait)
    assert run([*EVOLVE, *SMALL, "generations=1", "--no-closing"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "0 s: starting"
    assert "0 s: in the first step" in lines


def test_a_run_that_nobody_drives_cannot_be_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*EVOLVE, *SMALL, "generations=1", "--json"]) == 0
    assert run(["runs", "--stop", "runs/evolve-draughts"]) == 2
    assert "is not running" in capsys.readouterr().err


def test_a_learner_in_a_file_is_trained_and_plays(capsys: pytest.CaptureFixture[str]) -> None:
    learner = str(EXAMPLES / "hill_climber.py")
    command = ["train", "tictactoe", learner, "mutants=3", "--save", "mine.safetensors", "--json"]
    assert run(command) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["run"], printed["steps"]) == ("runs/hill_climber-tictactoe", 3)
    assert run(["train", "tictactoe", learner, "--resume", "--json"]) == 0
    assert run(["train", "tictactoe", "--learner", learner, "--help"]) == 0
    assert "step_size=0.2" in capsys.readouterr().out
    match = ["match", "tictactoe", "mine.safetensors,depth=1", "random", "--games", "2", "--json"]
    assert run(match) == 0


def test_what_was_trained_is_what_plays(capsys: pytest.CaptureFixture[str]) -> None:
    tiny = ["rounds=1", "games=50", "test_games=2", "anchor_games=0"]
    assert run(["train", "tictactoe", *tiny]) == 0
    shown = capsys.readouterr().out
    assert "1 step, it is over" in shown
    assert "against itself untrained" in shown
    assert "plywise play tictactoe" in shown
    assert "against plain mcts" in shown
    model = Path("runs/patterns-tictactoe/model.safetensors")
    manner = f"plays by {read_card(model)['search']}"
    assert f"Model: {model} ({manner})" in shown or "plain mcts plays in its place" in shown
    assert run(["match", "tictactoe", "random", "--games", "2", "--json"]) == 0
    printed = capsys.readouterr()
    assert str(model) in printed.err
    assert json.loads(printed.out)["games"] == 2


def test_a_file_is_trained_for_some_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(EXAMPLES / "breakthrough.py")
    tiny = ["matches=2", "first_matches=2", "nodes=50", "backward_nodes=50", "hidden=64"]
    command = ["train", game, "nhb", *tiny, "--minutes", "0", "--save", "mine.safetensors"]
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["last"]["step"] == 0
    match = ["match", game, "mine.safetensors,nodes=50", "random"]
    assert run([*match, "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    assert run(["plot", "runs/nhb-breakthrough"]) == 0


NIM = """
from plywise.game import LOSS, ONGOING, Game

def initial():
    return {stones}, 0

def moves(position, out):
    count = min(3, position[0])
    for taken in range(count):
        out[taken] = taken + 1
    return count

def apply(position, move):
    return position[0] - move, 1 - position[1]

def result(position):
    return {last} if position[0] == 0 else ONGOING

def side(position):
    return position[1]

rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
nim = Game("nim", words=2, max_moves=3, **rules)
"""
BRIEF = ["games=20", "batch=10", "test_games=2", "anchor_games=0", "--no-closing"]


def write_nim(name: str = "nim.py", stones: int = 9, last: str = "LOSS") -> None:
    Path(name).write_text(NIM.format(stones=stones, last=last))


def test_rules_that_have_changed_since_a_run_began_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_nim()
    assert run(["train", "nim.py", "rounds=3", *BRIEF, "--minutes", "0"]) == 0
    assert run(["train", "nim.py", "--resume", "--no-closing", "--minutes", "0"]) == 0
    assert "have changed" not in capsys.readouterr().err
    write_nim("other.py", last="-LOSS")
    resume = ["--run", "runs/patterns-nim", "--resume", "--no-closing", "--minutes", "0"]
    assert run(["train", "other.py", *resume]) == 0
    assert "The rules of nim have changed since this run began" in capsys.readouterr().err


def test_a_run_of_another_board_cannot_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    write_nim()
    assert run(["train", "nim.py", "rounds=3", *BRIEF, "--minutes", "0"]) == 0
    write_nim("other.py", stones=900)
    assert run(["train", "other.py", "--run", "runs/patterns-nim", "--resume"]) == 2
    assert "The run was made for another board: its tables have" in capsys.readouterr().err


def test_a_run_that_cannot_begin_leaves_no_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run(["train", "tictactoe", "--backend", "ray"]) == 2
    assert "A cluster needs Ray" in capsys.readouterr().err
    assert not Path("runs/patterns-tictactoe").exists()


def test_going_on_from_the_checkpoint_before_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    write_nim()
    assert run(["train", "nim.py", "rounds=2", *BRIEF]) == 0
    assert run(["train", "nim.py", "rounds=2", *BRIEF, "--run", "whole"]) == 0
    Path("whole/checkpoint.safetensors").write_bytes(b"junk")
    capsys.readouterr()
    assert run(["train", "nim.py", "--resume", "--run", "whole", "--no-closing"]) == 0
    assert "It went on from the checkpoint before the last: " in capsys.readouterr().out
    last = "champions/000001.safetensors"
    again = Path("runs/patterns-nim") / last
    assert Path("whole", last).read_bytes() == again.read_bytes()


def test_a_learner_whose_library_is_missing_says_which(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("plywise.learners.deepchess.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run(["train", "chess", "deepchess", "data=nowhere"]) == 2
    assert "The learner deepchess needs PyTorch: install it" in capsys.readouterr().err


def test_a_model_of_other_rules_plays_on_but_not_in_silence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_nim(stones=21)
    assert run(["train", "nim.py", "rounds=3", *BRIEF, "--minutes", "0"]) == 0
    game = ["-n", "2", "--jobs", "1", "--opening-plies", "2"]
    assert run(["match", "nim.py", "random", "patterns-nim,depth=1", *game]) == 0
    assert "have changed" not in capsys.readouterr().err
    write_nim("other.py", stones=21, last="-LOSS")
    assert run(["match", "other.py", "random", "patterns-nim,depth=1", *game]) == 0
    told = "The rules of nim have changed since runs/patterns-nim/model.safetensors learned"
    assert told in capsys.readouterr().err
