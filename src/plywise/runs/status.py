"""The status of a run, for whoever looks at it from outside: `status.json` in its folder."""

import dataclasses
import json
import os
import time
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from filelock import FileLock, Timeout

from plywise.runs.run import BadRun, Run
from plywise.system.source_files import BadFile

State: TypeAlias = Literal["new", "running", "stopped", "finished", "failed"]
STATUS, STOP, LOCK = "status.json", "stop", "lock"
PATIENCE = 1.0  # seconds: somebody may be looking whether the lock is free


@dataclass(frozen=True)
class Status:
    """How far a run is, and what it is doing."""

    state: State
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
    run.files.write(STATUS, data.encode())


def read_status(run: Run) -> Status:
    """Return how a run is doing; one whose process has died is stopped.

    A status that is missing or damaged says nothing: then it is what the run has kept.
    """
    status = _parse_status(run)
    if status is None:
        return Status("stopped", step=run.steps_kept(), pid=0)
    if status.state == "running" and not is_locked(run):
        return dataclasses.replace(status, state="stopped")
    return status


def _parse_status(run: Run) -> Status | None:
    if not run.files.has(STATUS):
        return None
    try:
        values = json.loads(run.files.read(STATUS))
    except (BadFile, ValueError, RecursionError):
        return None
    known = {field.name for field in dataclasses.fields(Status)}
    if not isinstance(values, dict) or not values.keys() <= known:
        return None
    is_right = (
        values.get("state") in get_args(State)
        and all(type(values.get(name, 0)) is int for name in ("step", "pid"))
        and type(values.get("of")) in (int, type(None))
        and isinstance(values.get("started", 0.0), int | float)
        and isinstance(values.get("last"), dict | None)
        and all(isinstance(values.get(name, ""), str) for name in ("words", "error"))
    )
    return Status(**values) if is_right else None


# ---------------------------------------------------------------- one process at a time


def run_lock(run: Run, timeout: float = PATIENCE) -> FileLock:
    """Return the lock of a run; a process that dies leaves it to others."""
    return FileLock(run.folder / LOCK, timeout=timeout, thread_local=False)


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
    run.files.write(STOP, b"")


def is_stop_requested(run: Run) -> bool:
    return run.files.has(STOP)


def forget_stop(run: Run) -> None:
    """Drop what was asked of an earlier process."""
    run.files.remove(STOP)
