"""Runs are safe from accidents and from strangers: damage is told, links are not followed."""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from conftest import SMALLEST_GAME, TESTS
from plywise.cli import run as command
from plywise.errors import PlywiseError
from plywise.learners import learner_of, load_learner
from plywise.runs import BadRun, Learner, Run, carry_on, list_runs, read_status, start
from plywise.runs.run import CHECKPOINT, PREVIOUS
from plywise.system.atomic import require_writable, write_atomically
from plywise.system.folder import Folder
from plywise.system.source_files import BadFile
from plywise.system.user_files import Unknown, remember, require_known

COUNTING = str(TESTS / "runs" / "counting.py")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def counter(count: int = 5) -> Learner[Any, Any]:
    kind = load_learner(COUNTING)
    return kind("tictactoe", kind.settings_type(count=count))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a run that is over, in a folder beside something precious."""
    made = start(tmp_path / "runs" / "run", COUNTING, counter())
    carry_on(made, counter())
    precious(tmp_path).write_text("years of work")
    return made


def precious(folder: Path) -> Path:
    return folder / "thesis.txt"


def contents(folder: Path) -> dict[str, str]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


# ---------------------------------------------------------------- accidents


def test_a_damaged_checkpoint_falls_back_to_the_one_before(run: Run) -> None:
    before = run.champion(4)["total"]
    (run.folder / CHECKPOINT).write_bytes(b"\0" * 100)
    assert carry_on(run, counter()).state == "finished"
    assert run.champion(4)["total"] == before
    assert [line["step"] for line in run.metrics()] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("data", [b"", b"\0" * 100, None])
def test_without_a_checkpoint_nothing_is_deleted(run: Run, data: bytes | None) -> None:
    for name in (CHECKPOINT, PREVIOUS):
        path = run.folder / name
        path.unlink()
        if data is not None:
            path.write_bytes(data)
    kept = contents(run.folder / "champions"), run.metrics()
    with pytest.raises(BadRun, match="nothing was changed"):
        carry_on(run, counter())
    assert (contents(run.folder / "champions"), run.metrics()) == kept
    status = read_status(run)
    assert (status.state, status.step) == ("failed", 5)


def test_a_run_killed_in_its_first_step_begins_again(tmp_path: Path) -> None:
    made = start(tmp_path / "run", COUNTING, counter())
    made.save_champion(0, {"total": counter().begin()["total"]})
    made.log({"step": 0})
    assert carry_on(made, counter()).state == "finished"


def test_a_damaged_line_of_metrics_loses_only_itself(run: Run) -> None:
    path = run.folder / "metrics.jsonl"
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], b'{"step": 1, "to', b"\xff\xfe", b"3", *lines[2:]]))
    assert [line["step"] for line in run.metrics()] == [0, 2, 3, 4]


def test_one_bad_run_does_not_hide_the_others(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    root = run.folder.parent
    for name, text in (("a", "\0"), ("b", "learner = 3\n"), ("c", 'learner = "td"\n')):
        (root / name).mkdir()
        (root / name / "config.toml").write_text(text)
    (root / "d").mkdir()
    (root / "d" / "config.toml").mkdir()
    (run.folder / "status.json").write_text("[]")
    assert command(["runs", str(root), "--json"]) == 0
    rows = {Path(row["run"]).name: row for row in json.loads(capsys.readouterr().out)}
    assert [rows[name]["state"] for name in "abcd"] == ["damaged"] * 4
    assert (rows["run"]["state"], rows["run"]["steps"]) == ("stopped", 5)
    assert command(["runs", str(root)]) == 0
    assert len(list_runs(root)) == 5


def test_numbers_that_are_none_are_refused_or_written_as_such(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["train", "draughts", "td", "reach=nan", "--run", "never"]) == 2
    assert "reach is a finite number" in capsys.readouterr().err
    run.log({"step": 5, "gain": float("nan"), "seconds": float("inf")})
    assert command(["runs", str(run.folder.parent), "--json"]) == 0
    json.loads(capsys.readouterr().out)


# ---------------------------------------------------------------- strangers


@pytest.mark.parametrize(
    "name",
    [
        *("checkpoint.safetensors", "metrics.jsonl", "status.json", "model.safetensors", "stop"),
        *("previous.safetensors", "lock", "champions/000004.safetensors", "curves.png"),
        *("champions/000009.safetensors", "metrics.jsonl.partial", "config.toml"),
    ],
)
def test_a_link_in_a_run_harms_no_file_elsewhere(run: Run, tmp_path: Path, name: str) -> None:
    path, goal = run.folder / name, precious(tmp_path)
    path.unlink(missing_ok=True)
    path.symlink_to(goal)
    for attempt in (
        lambda: carry_on(Run(run.folder), counter(7)),
        lambda: read_status(Run(run.folder)),
        lambda: write_atomically(run.folder / "curves.png", b"drawn"),
    ):
        with suppress(PlywiseError):  # refused or done, both are right
            attempt()
    assert goal.read_text() == "years of work"


def test_champions_that_are_a_link_are_left_alone(run: Run, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (run.folder / "champions").rename(elsewhere)
    (elsewhere / "000099.safetensors").write_text("a stranger's")
    before = contents(elsewhere)
    (run.folder / "champions").symlink_to(elsewhere)
    assert Run(run.folder).champions() == []
    with pytest.raises(PlywiseError):
        carry_on(Run(run.folder), counter(7))
    assert contents(elsewhere) == before


def test_a_folder_reads_and_writes_plain_files_only(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(precious(tmp_path))
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "link", "folder"):
        with pytest.raises(BadFile, match="cannot be read"):
            folder.read(name)
        with pytest.raises(BadFile, match="cannot be written"):
            folder.append(name, b"more")
    folder.write("link", b"new")
    assert not precious(tmp_path).exists()
    assert (tmp_path / "link").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["no/file", "folder", "/dev/full", "/dev/null", "file/inside"])
def test_what_cannot_be_written_is_known_before(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot be written"):
        require_writable(tmp_path / name)


def test_what_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("kept")
    require_writable(tmp_path / "old")
    require_writable(tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "kept"


EVIL = "import pathlib; pathlib.Path(__file__).with_name('harm').touch()\n"


def test_a_run_has_no_file_run_that_its_user_never_named(run: Run, tmp_path: Path) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text(EVIL + SMALLEST_GAME.read_text())
    config = (run.folder / "config.toml").read_text()
    (run.folder / "config.toml").write_text(config.replace('"tictactoe"', f'"{evil}"'))
    with pytest.raises(Unknown, match=r"would run .*evil.py"):
        learner_of(Run(run.folder))
    assert not (tmp_path / "harm").exists()
    remember(evil)
    require_known(str(evil), run.folder)
    evil.write_text(evil.read_text() + "# changed\n")
    with pytest.raises(Unknown, match="in its present form"):
        learner_of(Run(run.folder))


def test_a_saved_game_runs_no_file_and_no_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil, save = tmp_path / "evil.py", tmp_path / "save.json"
    evil.write_text(EVIL + SMALLEST_GAME.read_text())
    told = {"format": "plywise-game-1", "game": "tictactoe", "start": "start", "moves": []}
    told |= {"source": str(evil), "players": ["human", "random"]}
    save.write_text(json.dumps(told))
    assert command(["play", "--load", str(save)]) == 2
    assert "would run" in capsys.readouterr().err
    program = f"uci:touch {tmp_path / 'harm'}"
    save.write_text(json.dumps({**told, "source": "tictactoe", "players": ["human", program]}))
    assert command(["play", "--load", str(save)]) == 2
    assert "would start a program" in capsys.readouterr().err
    assert not (tmp_path / "harm").exists()


def test_a_resumed_run_is_one_of_what_was_named(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(run.folder)
    assert command(["train", "draughts", "--resume", "--run", folder]) == 2
    assert "is a run of tictactoe, not of draughts" in capsys.readouterr().err
    assert command(["train", "tictactoe", "td", "--resume", "--run", folder]) == 2
    assert "is a run of counting, not of td" in capsys.readouterr().err
