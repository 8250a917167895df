"""Runs in tests: started, finished, or stopped after some steps."""

from pathlib import Path
from typing import Any

from plywise.learners import learner_of, load_learner
from plywise.runs import Run, Status, carry_on, start
from plywise.system.parallel import Workers
from plywise.system.stopping import StopToken


def start_run(folder: Path, learner: str, game: str, settings: Any) -> Run:
    """Return a new run."""
    return start(folder, learner, load_learner(learner)(game, settings))


def finish(run: Run, workers: Workers = Workers()) -> Run:
    """Carry a run on to its end."""
    carry_on(run, learner_of(run, workers))
    return run


def do_steps(run: Run, count: int, workers: Workers = Workers()) -> list[int]:
    """Carry a run on by at most so many steps; return which ones were done."""
    stop = StopToken()
    heard: list[int] = []  # steps that were done, first those before

    def tell(status: Status) -> None:
        if status.state == "running":
            heard.append(status.step)
        if len(heard) > count:
            stop.set()

    carry_on(Run(run.folder), learner_of(run, workers), tell, stop)
    return [step - 1 for step in heard[1:]]
