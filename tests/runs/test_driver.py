"""The driver: one process at a time, stopped without loss, resumed to the same end."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import TESTS
from plywise.errors import PlywiseError
from plywise.evaluators.model import read_card
from plywise.learners import load_learner
from plywise.runs import (
    BadRun,
    Checkpoint,
    Learner,
    Run,
    Status,
    carry_on,
    champion_model,
    read_status,
    request_stop,
    start,
)
from plywise.runs.status import is_locked, run_lock
from plywise.system.stopping import StopToken

COUNTING = str(TESTS / "runs" / "counting.py")
GAME = "tictactoe"


def counter(**settings: Any) -> Learner[Any, Any]:
    kind = load_learner(COUNTING)
    return kind(GAME, kind.settings_type(**settings))


def new_run(folder: Path, learner: Learner[Any, Any]) -> Run:
    return start(folder / "run", COUNTING, learner)


def test_a_run_is_done_to_its_end(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    assert read_status(run) == Status("new", 0, 5, os.getpid(), read_status(run).started)
    heard: list[Status] = []
    ended = carry_on(run, learner, heard.append)
    assert [(status.state, status.step) for status in heard] == [
        ("running", 0),
        *(("running", step) for step in range(1, 6)),
        ("finished", 5),
    ]
    assert ended == heard[-1] == read_status(run)
    assert ended.last is not None
    assert ended.last["total"] == 0 + 1 + 2 + 3 + 4
    card = read_card(run.model_path)
    assert (card["learner"], card["step"]) == (COUNTING, 4)
    assert ended.words.startswith("total 10")
    assert carry_on(run, learner).step == 5  # nothing is left to do


def test_a_champion_becomes_a_model_with_a_card(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    carry_on(run, learner)
    card = champion_model(run, learner, 3).card
    assert (card["learner"], card["step"], card["options"]) == (COUNTING, 3, {})
    head = {"learner": COUNTING, "game": GAME, "rules": learner.game.rules.meaning}
    assert card["config"] == {**head, **vars(learner.settings)}


def test_a_stop_token_is_heard_between_steps_and_nothing_is_lost(tmp_path: Path) -> None:
    learner, stop = counter(), StopToken()
    run = new_run(tmp_path, learner)

    def stop_after_two(status: Status) -> None:
        if status.step == 2:
            stop.set()

    stopped = carry_on(run, learner, stop_after_two, stop)
    assert (stopped.state, stopped.step) == ("stopped", 2)
    assert carry_on(run, learner, stop=stop).step == 2  # it is still set
    assert carry_on(run, learner).state == "finished"
    assert [line["step"] for line in run.metrics()] == [0, 1, 2, 3, 4]
    assert run.champion(4)["total"] == 10


def test_a_limit_of_minutes_lets_one_step_be_done(tmp_path: Path) -> None:
    learner = counter()
    status = carry_on(new_run(tmp_path, learner), learner, minutes=0)
    assert (status.state, status.step) == ("stopped", 1)


def test_a_run_can_be_asked_to_stop_from_outside(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    with pytest.raises(BadRun, match="not running"):
        request_stop(run)
    stop = StopToken()
    status = carry_on(run, learner, lambda status: request_stop(Run(run.folder)), stop)
    assert (status.state, status.step, stop.is_set()) == ("stopped", 0, True)
    assert carry_on(run, learner).state == "finished"  # what was asked is forgotten


def test_a_second_driver_is_refused_in_one_sentence(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    refused: list[str] = []

    def drive_again(status: Status) -> None:
        if status.step == 1:
            assert read_status(run).state == "running"
            with pytest.raises(BadRun) as caught:
                carry_on(Run(run.folder), learner)
            refused.append(str(caught.value))

    assert carry_on(run, learner, drive_again).state == "finished"
    assert len(refused) == 1
    assert f"driven by process {os.getpid()} already" in refused[0]


CHILD = """
import sys
from pathlib import Path
from plywise.learners import learner_of
from plywise.runs import Run, carry_on
run = Run(Path(sys.argv[1]))
carry_on(run, learner_of(run), lambda status: print(status.step, flush=True))
"""


def drive_apart(run: Run) -> subprocess.Popen[str]:
    """Return a process that drives a run and has done a step."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(run.folder)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert [child.stdout.readline().strip() for _ in range(2)] == ["0", "1"]
    return child


def end(child: subprocess.Popen[str]) -> None:
    child.wait()
    assert child.stdout is not None
    child.stdout.close()


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    learner = counter(count=50, seconds=0.05)
    run = new_run(tmp_path, learner)
    child = drive_apart(run)
    assert is_locked(run)
    with pytest.raises(BadRun, match=f"process {child.pid} already"):
        carry_on(run, learner)
    os.kill(child.pid, signal.SIGKILL)
    end(child)
    died = read_status(run)
    assert (died.state, died.pid) == ("stopped", child.pid)
    fast = counter(count=50)
    assert carry_on(run, fast).state == "finished"
    assert run.champion(49)["total"] == sum(range(50))


def test_another_process_stops_when_it_is_asked_to(tmp_path: Path) -> None:
    learner = counter(count=500, seconds=0.05)
    run = new_run(tmp_path, learner)
    child = drive_apart(run)
    request_stop(run)
    end(child)
    assert child.returncode == 0
    assert read_status(run).state == "stopped"
    assert 1 <= read_status(run).step < 500


def test_a_failure_is_kept_in_the_status(tmp_path: Path) -> None:
    learner = counter(fault=3)
    run = new_run(tmp_path, learner)
    with pytest.raises(ZeroDivisionError):
        carry_on(run, learner)
    failed = read_status(run)
    assert (failed.state, failed.step) == ("failed", 3)
    assert failed.error == "ZeroDivisionError: nothing to divide by"
    assert not is_locked(run)
    assert carry_on(run, counter()).state == "finished"


def test_ctrl_c_in_a_step_leaves_a_run_stopped(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)

    def interrupt(status: Status) -> None:
        if status.state == "running" and status.step == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_on(run, learner, interrupt)
    assert read_status(run).state == "stopped"


def test_nonsense_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(PlywiseError, match="nothing to count"):
        new_run(tmp_path, counter(count=0))
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_of_something_else_is_named(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    run.save_checkpoint(Checkpoint(0, {"other": np.zeros(1)}))
    with pytest.raises(BadRun, match="not one of this learner: it has other"):
        carry_on(run, learner)


def test_a_run_without_a_status_shows_what_it_kept(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    carry_on(run, learner)
    (run.folder / "status.json").unlink()
    status = read_status(run)
    assert (status.state, status.step, status.of) == ("stopped", 5, None)


def test_the_status_is_plain_json(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    status = carry_on(run, learner)
    assert json.loads((run.folder / "status.json").read_text()) == dataclasses.asdict(status)


def test_looking_at_a_run_does_not_keep_others_out(tmp_path: Path) -> None:
    learner = counter()
    run = new_run(tmp_path, learner)
    look = run_lock(run)
    look.acquire()
    threading.Timer(0.2, look.release).start()
    assert carry_on(run, learner).state == "finished"
