"""Runs: the folder of a learner at work. It can be killed at any moment and resumed.

    config.toml                the learner, the game and all settings
    metrics.jsonl              one line per step
    checkpoint.safetensors     everything that the next step needs
    champions/000123.safetensors   what step 123 was worth keeping
    model.safetensors          the last champion as a model, once the run has stopped
    status.json                what the run is doing, see `plywise.runs.status`
    lock, stop                 of the process that drives it; there when needed

Every file is there whole or not at all. On resuming, whatever lies beyond the checkpoint is
dropped and made again, the same to the bit.
"""

import dataclasses
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.settings import field_docs, format_toml, read_toml
from plywise.system.atomic import write_atomically

Array = NDArray[Any]


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
    def create(cls, folder: Path, learner: str, game: str, settings: Any) -> "Run":
        """Start a run in a new folder."""
        if (folder / "config.toml").exists():
            raise BadRun(f"{folder} holds a run already; go on with --resume, or choose another.")
        (folder / "champions").mkdir(parents=True, exist_ok=True)
        head = {"learner": learner, "game": game}
        text = format_toml({**head, **dataclasses.asdict(settings)}, field_docs(type(settings)))
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

    @property
    def model_path(self) -> Path:
        return self.folder / "model.safetensors"

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

    def steps_kept(self) -> int:
        """Return how many steps have a champion."""
        return max(self.champions(), default=-1) + 1

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


def list_runs(root: Path) -> list[Run]:
    """Return all runs below a folder, by name."""
    return [Run(path.parent) for path in sorted(root.glob("*/config.toml"))]
