"""The status of a run, for whoever looks at it from outside: `status.json` in its folder."""

import dataclasses
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from plywise.runs.run import BadRun, Run
from plywise.system.atomic import write_atomically

PATIENCE = 1.0  # seconds: somebody may be looking whether the lock is free


@dataclass(frozen=True)
class Status:
    """How far a run is, and what it is doing."""

    state: Literal["new", "running", "stopped", "finished", "failed"]
    step: int = 0  # steps that are done
    of: int | None = None  # in all; None: not known
    pid: int = field(default_factory=os.getpid)  # of the process that drives it, or did last
    started: float = field(default_factory=time.time)  # when that began, in seconds since 1970
    last: dict[str, Any] | None = None  # the metrics of the last step
    words: str = ""  # what the learner says of these
    error: str = ""  # why it failed


def write_status(run: Run, status: Status) -> None:
    """Let everybody know."""
    data = json.dumps(dataclasses.asdict(status), indent=2)
    write_atomically(run.folder / "status.json", data.encode())


def read_status(run: Run) -> Status:
    """Return how a run is doing; one whose process has died is stopped."""
    path = run.folder / "status.json"
    if not path.is_file():
        return Status("stopped", step=run.steps_kept(), pid=0)
    status = Status(**json.loads(path.read_text()))
    if status.state == "running" and not is_locked(run):
        return dataclasses.replace(status, state="stopped")
    return status


# ---------------------------------------------------------------- one process at a time


def run_lock(run: Run, timeout: float = PATIENCE) -> FileLock:
    """Return the lock of a run; a process that dies leaves it to others."""
    return FileLock(run.folder / "lock", timeout=timeout, thread_local=False)


def is_locked(run: Run) -> bool:
    """Return whether a process is driving a run."""
    lock = run_lock(run, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return True
    except OSError:  # a folder that only its owner writes to
        return False
    lock.release()
    return False


# ---------------------------------------------------------------- stopping from outside


def request_stop(run: Run) -> None:
    """Ask the process that drives a run to stop after its step."""
    if not is_locked(run):
        raise BadRun(f"{run.folder} is not running, so there is nothing to stop.")
    stop_file(run).touch()


def is_stop_requested(run: Run) -> bool:
    return stop_file(run).exists()


def forget_stop(run: Run) -> None:
    """Drop what was asked of an earlier process."""
    stop_file(run).unlink(missing_ok=True)


def stop_file(run: Run) -> Path:
    return run.folder / "stop"
