"""Runs: the folder of a learner at work. It can be killed at any moment and resumed.

    config.toml                the learner, the game and all settings
    metrics.jsonl              one line per step
    checkpoint.safetensors     everything that the next step needs
    champions/000123.safetensors   what the step before was worth keeping

A step's champion and metrics are written before its checkpoint; on resuming, whatever lies
beyond the checkpoint is dropped and made again, the same to the bit.
"""

import dataclasses
import json
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plywise.system.atomic import write_atomically
from plywise.errors import PlywiseError
from plywise.settings import field_docs, format_toml, read_toml

Array = NDArray[Any]
State = TypeVar("State")


class BadRun(PlywiseError):
    """A folder that is no run, or not the one that was meant."""


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """What a run resumes from."""

    step: int
    arrays: dict[str, Array]


class Run:
    """A run's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "config.toml").is_file():
            raise BadRun(f"{folder} is not a run: it has no config.toml.")

    @classmethod
    def create(cls, folder: Path, learner: str, game: str, config: Any) -> "Run":
        """Start a run in a new folder."""
        if (folder / "config.toml").exists():
            raise BadRun(f"{folder} holds a run already; go on with --resume, or choose another.")
        (folder / "champions").mkdir(parents=True, exist_ok=True)
        head = {"learner": learner, "game": game}
        text = format_toml({**head, **dataclasses.asdict(config)}, field_docs(type(config)))
        write_atomically(folder / "config.toml", text.encode())
        return cls(folder)

    @property
    def name(self) -> str:
        return self.folder.name

    def config(self) -> dict[str, Any]:
        """Return all settings, with `learner` and `game`."""
        return read_toml(self.folder / "config.toml")

    def settings(self) -> dict[str, Any]:
        """Return the learner's own settings."""
        return {name: v for name, v in self.config().items() if name not in ("learner", "game")}

    # ------------------------------------------------------------ writing

    def log(self, metrics: Mapping[str, Any]) -> None:
        """Add a line of metrics; it has a `step`."""
        with (self.folder / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(metrics) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def save_champion(self, step: int, arrays: Mapping[str, Array]) -> None:
        """Keep a step's champion."""
        from safetensors.numpy import save

        data = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
        write_atomically(self.champion_path(step), data)

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Make a step final."""
        from safetensors.numpy import save

        arrays = {name: np.ascontiguousarray(array) for name, array in checkpoint.arrays.items()}
        data = save(arrays, metadata={"step": str(checkpoint.step)})
        write_atomically(self.folder / "checkpoint.safetensors", data)

    # ------------------------------------------------------------ reading

    def champion_path(self, step: int) -> Path:
        return self.folder / "champions" / f"{step:06d}.safetensors"

    def champion(self, step: int) -> dict[str, Array]:
        """Return the champion of a step."""
        from safetensors.numpy import load_file

        path = self.champion_path(step)
        if not path.is_file():
            raise BadRun(f"{self.folder} has no champion of step {step}.")
        return dict(load_file(path))

    def chosen(self, step: int | None = None) -> int:
        """Return a step, or the last one whose champion is kept."""
        steps = self.champions()
        if not steps:
            raise BadRun(f"{self.folder} has no champion yet.")
        return steps[-1] if step is None else step

    def champions(self) -> list[int]:
        """Return the steps whose champions are kept."""
        return sorted(int(path.stem) for path in (self.folder / "champions").glob("*.safetensors"))

    def metrics(self) -> list[dict[str, Any]]:
        """Return all lines of metrics."""
        return list(self._lines())

    def _lines(self) -> Iterator[dict[str, Any]]:
        path = self.folder / "metrics.jsonl"
        if not path.is_file():
            return
        for line in path.read_text().splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                return  # a line cut off in the middle: the last one of a killed run

    def resume(self) -> Checkpoint | None:
        """Return the last checkpoint, dropping whatever lies beyond it; None before the first."""
        from safetensors import safe_open
        from safetensors.numpy import load_file

        path = self.folder / "checkpoint.safetensors"
        found = None
        if path.is_file():
            with safe_open(path, framework="numpy") as file:
                step = int(file.metadata()["step"])
                found = Checkpoint(step, dict(load_file(path)))
        last = found.step if found else -1
        kept = [line for line in self.metrics() if line["step"] <= last]
        text = "".join(json.dumps(line) + "\n" for line in kept)
        write_atomically(self.folder / "metrics.jsonl", text.encode())
        for step in self.champions():
            if step > last:
                self.champion_path(step).unlink()
        return found


def carry_on(
    run: Run,
    steps: int,
    begin: Callable[[Mapping[str, Array] | None], State],
    advance: Callable[[State, int], tuple[State, dict[str, Any], Mapping[str, Array]]],
    arrays_of: Callable[[State], dict[str, Array]] = lambda state: dict(vars(state)),
) -> Generator[dict[str, Any]]:
    """Do the steps of a run from its last checkpoint to its end; yield the metrics of each.

    `begin` returns what the first step begins with, or what a checkpoint holds; `advance` does a
    step and returns what follows, metrics and the champion; `arrays_of` is for checkpoints.
    """
    checkpoint = run.resume()
    state = begin(checkpoint.arrays if checkpoint else None)
    for number in range(checkpoint.step + 1 if checkpoint else 0, steps):
        started = time.perf_counter()
        state, found, champion = advance(state, number)
        metrics = {"step": number, **found, "seconds": time.perf_counter() - started}
        run.save_champion(number, champion)
        run.log(metrics)
        run.save_checkpoint(Checkpoint(number, arrays_of(state)))
        yield metrics


def list_runs(root: Path) -> list[Run]:
    """Return all runs below a folder, by name."""
    return [Run(path.parent) for path in sorted(root.glob("*/config.toml"))]
