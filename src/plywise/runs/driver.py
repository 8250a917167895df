"""The driver of runs, the same for all learners and for everybody who starts them.

`start` makes the folder, `carry_on` does steps until the run is finished or somebody stops it. A
step's champion and metrics are written before its checkpoint; a run that is killed at any moment
goes on from its last checkpoint and ends with the same champions to the bit. Stopping is heard
between steps, so nothing is lost by it. When a run ends or stops, its last champion is written
as a model.
"""

import dataclasses
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import Timeout

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model, save_model
from plywise.kernel import compile_seconds
from plywise.runs.learner import Learner, State
from plywise.runs.run import CHAMPIONS, CONFIG, METRICS, BadRun, Checkpoint, Run
from plywise.runs.status import (
    LOCK,
    STATUS,
    Status,
    forget_stop,
    is_locked,
    is_stop_requested,
    read_status,
    run_lock,
    write_status,
)
from plywise.system.stopping import StopToken

Tell = Callable[[Status], None]


def start(folder: Path, name: str, learner: Learner[Any, Any]) -> Run:
    """Make the folder of a new run of the learner of a name."""
    rules = learner.game.rules.meaning
    run = Run.create(folder, name, learner.game_name, learner.settings, rules)
    write_status(run, Status("new", of=learner.steps))
    return run


def carry_on(
    run: Run,
    learner: Learner[Any, Any],
    tell: Tell = lambda status: None,
    stop: StopToken | None = None,
    minutes: float | None = None,
) -> Status:
    """Do the steps of a run from its last checkpoint on; return how it stands in the end.

    `tell` hears the status before the first step and after each. The run stops after a step if
    `stop` is set, if `request_stop` was called, which sets it, or if so many minutes have passed;
    those in which something was compiled do not count.
    """
    token = stop or StopToken()
    seconds = float("inf") if minutes is None else 60 * minutes
    with _alone(run), learner.workers.ready(), _published(run, learner, tell) as news:
        checkpoint = run.resume()
        state = learner.begin() if checkpoint is None else _restore(run, learner, checkpoint)
        first = 0 if checkpoint is None else checkpoint.step + 1
        news.publish(state="running", step=first)
        began = _learning_time()
        for number in range(first, learner.steps):
            if is_stop_requested(run):
                token.set()
            if token.is_set():
                break
            state, metrics, is_last = _do_step(run, learner, state, number)
            words = learner.describe(metrics)
            news.publish(step=number + 1, last=metrics, words=words)
            if is_last:
                news.is_over = True
            if is_last or _learning_time() - began >= seconds:
                break
        keep_model(run, learner)
    return news.status


def _learning_time() -> float:
    """Return a time in seconds that stands still while something is compiled."""
    return time.monotonic() - compile_seconds()


def keep_model(run: Run, learner: Learner[Any, Any]) -> bool:
    """Write the last champion of a run as its model; return whether there is one."""
    if run.champions():
        save_model(champion_model(run, learner), run.model_path)
    return bool(run.champions())


def champion_model(run: Run, learner: Learner[Any, Any], step: int | None = None) -> Model:
    """Return the champion of a step, or of the last one, as a model with a card."""
    config, chosen = run.config(), run.chosen(step)
    card = {
        "learner": config["learner"],
        "step": chosen,
        "config": config,
        "options": learner.options,
    }
    return dataclasses.replace(learner.model(run.champion(chosen)), card=card)


def _do_step(
    run: Run, learner: Learner[Any, State], state: State, number: int
) -> tuple[State, dict[str, Any], bool]:
    """Do a step and write all that it came to; return also whether it is the last one."""
    started = time.perf_counter()
    state, found, champion, is_last = learner.advance(state, number)
    metrics = {"step": number, **found, "seconds": time.perf_counter() - started}
    if champion is not None:
        run.save_champion(number, champion)
    run.log(metrics)
    run.save_checkpoint(Checkpoint(number, dict(learner.to_arrays(state))))
    return state, metrics, is_last


def _restore(run: Run, learner: Learner[Any, State], checkpoint: Checkpoint) -> State:
    try:
        return learner.from_arrays(checkpoint.arrays)
    except PlywiseError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise BadRun(
            f"The checkpoint of {run.folder} is not one of this learner: it has "
            f"{', '.join(sorted(checkpoint.arrays)) or 'nothing'}."
        ) from None


def discard_unless_begun(run: Run) -> None:
    """Remove the folder of a new run in which nothing was learned, so that its name is free."""
    made_here = {CONFIG, METRICS, STATUS, LOCK, CHAMPIONS}
    if {*run.files.names()} <= made_here and not run.champions() and not run.metrics():
        shutil.rmtree(run.folder)


def require_free(run: Run) -> None:
    """Raise if another process drives a run."""
    if is_locked(run):
        raise _driven(run)


def _driven(run: Run) -> BadRun:
    return BadRun(
        f"{run.folder} is driven by process {read_status(run).pid} already; wait for it, or ask "
        f"it to stop with plywise runs --stop {run.folder}."
    )


@contextmanager
def _alone(run: Run) -> Iterator[None]:
    """Drive a run inside the block, and nobody else."""
    lock = run_lock(run)
    try:
        lock.acquire()
    except Timeout:
        raise _driven(run) from None
    except OSError as error:
        reason = error.strerror or "it cannot be locked"
        raise BadRun(f"{run.folder} cannot be driven: its lock fails, {reason}.") from None
    try:
        yield
    finally:
        lock.release()


class _News:
    """The status of a run as it changes."""

    def __init__(self, run: Run, status: Status, tell: Tell) -> None:
        self.run, self.status, self.tell = run, status, tell
        self.is_over = False  # whether the learner has come as far as it gets

    def publish(self, **changes: Any) -> None:
        """Change the status, write it down and tell it."""
        self.status = dataclasses.replace(self.status, **changes)
        write_status(self.run, self.status)
        self.tell(self.status)


@contextmanager
def _published(run: Run, learner: Learner[Any, Any], tell: Tell) -> Iterator[_News]:
    """Say inside the block how a run is doing, and after it how it ended."""
    before = read_status(run)
    forget_stop(run)
    known = Status("running", before.step, learner.steps, last=before.last, words=before.words)
    news = _News(run, known, tell)
    try:
        yield news
    except KeyboardInterrupt:
        news.publish(state="stopped")
        raise
    except Exception as error:
        news.publish(state="failed", error=f"{type(error).__name__}: {error}")
        raise
    finally:
        forget_stop(run)
    is_over = news.is_over or news.status.step >= learner.steps
    news.publish(state="finished" if is_over else "stopped")
