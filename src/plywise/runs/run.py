"""Runs: the folder of a learner at work. It can be killed at any moment and resumed.

    config.toml                the learner, the game and all settings
    metrics.jsonl              one line per step
    checkpoint.safetensors     everything that the next step needs
    previous.safetensors       the checkpoint before that, for when the last one is damaged
    champions/000123.safetensors   what step 123 was worth keeping
    model.safetensors          the last champion as a model, once the run has stopped
    status.json                what the run is doing, see `plywise.runs.status`
    lock, stop                 of the process that drives it; there when needed

Every file is there whole or not at all. On resuming, whatever lies beyond the checkpoint is
dropped and made again, the same to the bit; what could not be made again is never deleted. A run
is data, perhaps a stranger's: links in its folder are not followed (see `plywise.system.folder`).
"""

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.settings import BadConfig, field_docs, format_toml, parse_toml
from plywise.system.folder import PARTIAL, Folder
from plywise.system.source_files import BadFile

Array = NDArray[Any]
CONFIG, METRICS, MODEL = "config.toml", "metrics.jsonl", "model.safetensors"
CHAMPIONS = "champions"  # the folder of what each step made
HEAD = ("learner", "game", "rules")  # what a config says besides the learner's settings
CHECKPOINT, PREVIOUS = "checkpoint.safetensors", "previous.safetensors"
CHAMPION = re.compile(r"(\d{6,9})\.safetensors")


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
        self.fault = ""  # why the last checkpoint could not be used, and the one before was
        self.files = Folder(folder)
        self._champions = Folder(folder, CHAMPIONS)
        if not self.files.has(CONFIG):
            raise BadRun(f"{folder} is not a run: it has no {CONFIG}.")

    @classmethod
    def create(cls, folder: Path, learner: str, game: str, settings: Any, rules: str = "") -> "Run":
        """Start a run in a new folder; `rules` stand for what the game's functions say."""
        files = Folder(folder)
        require_new(folder)
        files.make()
        Folder(folder, CHAMPIONS).make()
        head = {"learner": learner, "game": game, "rules": rules}
        text = format_toml({**head, **dataclasses.asdict(settings)}, field_docs(type(settings)))
        files.write(CONFIG, text.encode())
        return cls(folder)

    @property
    def name(self) -> str:
        return self.folder.name

    def config(self) -> dict[str, Any]:
        """Return all settings, with `learner` and `game`."""
        try:
            values = parse_toml(self.files.read(CONFIG))
        except (BadFile, BadConfig) as error:
            raise BadRun(f"{self.folder} is damaged: {error}") from None
        for name in ("learner", "game"):
            if not isinstance(values.get(name), str):
                raise BadRun(f"{self.folder} is damaged: its {CONFIG} does not name the {name}.")
        return values

    def settings(self) -> dict[str, Any]:
        """Return the learner's own settings."""
        return {name: v for name, v in self.config().items() if name not in HEAD}

    # ------------------------------------------------------------ writing

    def log(self, metrics: Mapping[str, Any]) -> None:
        """Add a line of metrics; it has a `step`."""
        self.files.append(METRICS, f"{json.dumps(metrics)}\n".encode())

    def save_champion(self, step: int, arrays: Mapping[str, Array]) -> None:
        """Keep a step's champion."""
        from safetensors.numpy import save

        data = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
        self._champions.write(self.champion_path(step).name, data)

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Make a step final; the checkpoint before it is kept as well."""
        from safetensors.numpy import save

        arrays = {name: np.ascontiguousarray(array) for name, array in checkpoint.arrays.items()}
        data = save(arrays, metadata={"step": str(checkpoint.step)})
        if self.files.has(CHECKPOINT):
            self.files.rename(CHECKPOINT, PREVIOUS)
        self.files.write(CHECKPOINT, data)

    # ------------------------------------------------------------ reading

    @property
    def model_path(self) -> Path:
        return self.folder / MODEL

    def champion_path(self, step: int) -> Path:
        return self.folder / CHAMPIONS / f"{step:06d}.safetensors"

    def champion(self, step: int) -> dict[str, Array]:
        """Return the champion of a step."""
        name = self.champion_path(step).name
        if name not in self._champions.names():
            raise BadRun(f"{self.folder} has no champion of step {step}.")
        return _read_arrays(self._champions, name)[0]

    def chosen(self, step: int | None = None) -> int:
        """Return a step, or the last one whose champion is kept."""
        steps = self.champions()
        if not steps:
            raise BadRun(f"{self.folder} has no champion yet.")
        return steps[-1] if step is None else step

    def champions(self) -> list[int]:
        """Return the steps whose champions are kept."""
        found = (CHAMPION.fullmatch(name) for name in self._champions.names())
        return sorted(int(name[1]) for name in found if name is not None)

    def steps_kept(self) -> int:
        """Return how many steps have a champion."""
        return max(self.champions(), default=-1) + 1

    def metrics(self) -> list[dict[str, Any]]:
        """Return all lines of metrics; one that is damaged is left out."""
        return list(self._lines())

    def _lines(self) -> Iterator[dict[str, Any]]:
        if not self.files.has(METRICS):
            return
        for line in self.files.read(METRICS).splitlines():
            try:
                values = json.loads(line)
            except (ValueError, RecursionError):
                continue  # cut off or overwritten
            if isinstance(values, dict) and type(values.get("step")) is int:
                yield values

    # ------------------------------------------------------------ going on

    def resume(self) -> Checkpoint | None:
        """Return the last checkpoint, dropping whatever lies beyond it; None before the first."""
        found = self._last_checkpoint()
        last = found.step if found else -1
        kept = [line for line in self.metrics() if line["step"] <= last]
        text = "".join(json.dumps(line) + "\n" for line in kept)
        self.files.write(METRICS, text.encode())
        for step in self.champions():
            if step > last:
                self._champions.remove(self.champion_path(step).name)
        for folder in (self.files, self._champions):
            for name in folder.names():
                if name.endswith(PARTIAL):
                    folder.remove(name)
        return found

    def _last_checkpoint(self) -> Checkpoint | None:
        """Return the newest checkpoint that can be read, None before the first.

        Steps that no checkpoint vouches for could only be deleted, so that is an error; the one
        step whose checkpoint was being written when the run was killed is made again.
        """
        faults = []
        for name in (CHECKPOINT, PREVIOUS):
            if self.files.has(name):
                try:
                    found = _read_checkpoint(self.files, name)
                except (BadRun, BadFile) as error:
                    faults.append(str(error))
                else:
                    self.fault = " ".join(faults)
                    return found
        if faults or self.steps_kept() > 1 or len(self.metrics()) > 1:
            why = " ".join(faults) or "it has none, but champions or metrics."
            raise BadRun(
                f"{self.folder} cannot go on without a checkpoint, and nothing was changed: {why}"
            )
        return None


def require_new(folder: Path) -> None:
    """Raise unless a run can be started in a folder."""
    if Folder(folder).has(CONFIG):
        raise BadRun(f"{folder} holds a run already; go on with --resume, or choose another.")
    if folder.exists() and not folder.is_dir():
        raise BadRun(f"{folder} cannot hold a run: it is not a folder.")


def _read_checkpoint(files: Folder, name: str) -> Checkpoint:
    arrays, metadata = _read_arrays(files, name)
    step = metadata.get("step")
    if not (isinstance(step, str) and re.fullmatch(r"\d{1,9}", step)):
        raise BadRun(f"{files.path / name} is damaged: it does not say of which step it is.")
    return Checkpoint(int(step), arrays)


def _read_arrays(files: Folder, name: str) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the arrays of a safetensors file, and its metadata."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    data = files.read(name)
    try:
        arrays = dict(load(data))
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    except (SafetensorError, ValueError, TypeError, KeyError, RecursionError):
        raise BadRun(f"{files.path / name} is damaged: it is not what was written.") from None
    return arrays, dict(header.get("__metadata__", {}))


def list_runs(root: Path) -> list[Run]:
    """Return all runs below a folder, by name."""
    folders = (root / name for name in Folder(root).names())
    return [Run(path) for path in folders if Folder(path).has(CONFIG)]
