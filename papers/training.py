"""Run or resume a training, with its progress on the screen."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from plywise.learners import load_learner
from plywise.runs import Run
from plywise.system.parallel import Workers

console = Console(stderr=True)


def train(folder: Path, learner: str, game: str, config: Any, jobs: int = 0) -> Run:
    """Carry the run of a folder to its end; begin it if there is none yet."""
    module = load_learner(learner)
    is_there = (folder / "config.toml").is_file()
    run = Run(folder) if is_there else module.start(folder, game, config)
    left = module.count_steps(run.settings()) - len(run.champions())
    steps = module.learn(run, Workers(jobs))
    for _ in track(steps, folder.name, total=max(left, 1), console=console):
        pass
    return run
