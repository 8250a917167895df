"""Building a data set from files of games, step by step, so that it can be broken off and resumed.

Arrays grow at their ends. After every batch of games `progress.json` says how much of them counts;
whatever lies beyond it is cut off on resuming, and games that were read are passed over.
"""

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from plywise.datasets.data_set import (
    CARD,
    ODDS,
    BadDataSet,
    DataSet,
    array_path,
    empty_arrays,
    has_counts,
    open_data_set,
)
from plywise.datasets.sampling import Sample, Sampling, sample_batch
from plywise.datasets.sources import read_source
from plywise.datasets.teachers import Teachers
from plywise.formats import Batch
from plywise.game import Game
from plywise.system.atomic import write_atomically

PROGRESS = "progress.json"
BLOCK_BYTES = 1 << 22  # of a file whose digest is taken


@dataclass(frozen=True)
class Progress:
    """How far a data set is."""

    read: int = 0  # games, also those without a winner
    won: int = 0  # by side 0
    lost: int = 0
    faults: int = 0  # games that were left out because they are broken
    positions: int = 0

    def after(self, batch: Batch, sample: Sample) -> "Progress":
        """Return the progress after a batch."""
        return Progress(
            self.read + len(batch),
            self.won + int(np.count_nonzero(batch.scores == 1)),
            self.lost + int(np.count_nonzero(batch.scores == -1)),
            self.faults + len(batch.faults),
            self.positions + len(sample.scores),
        )


Tell = Callable[[Progress], object]


def build_data_set(
    folder: Path,
    game: Game,
    sources: Sequence[Path],
    sampling: Sampling = Sampling(),
    tell: Tell = lambda progress: None,
    teachers: Teachers | None = None,
) -> DataSet:
    """Return the data set of some files of games; what was begun is finished, not begun again."""
    recipe = _recipe(game, sources, sampling, teachers)
    if (folder / CARD).is_file():
        made = open_data_set(folder, game)
        if any(made.card.get(name) != recipe.get(name) for name in {*recipe, "teachers"}):
            raise BadDataSet(f"{folder} holds a data set of other games or settings already.")
        return made
    progress = _begun(folder, recipe)
    batches = _batches_from(sources, game, progress.read)
    first = _up_to_a_game(batches)  # before anything is written: it may not be readable
    if progress.read == 0 and not any(len(batch) for _, batch in first):
        raise BadDataSet(_no_game(sources, game, [batch for _, batch in first]))
    folder.mkdir(parents=True, exist_ok=True)
    _cut(folder, game, progress, recipe)
    for number, batch in chain(first, batches):
        sample = sample_batch(batch, number, sampling)
        arrays: dict[str, np.ndarray[Any, Any]] = sample._asdict()
        if teachers is not None:
            arrays[ODDS] = teachers.odds(batch, sample, number)
        for name, array in arrays.items():
            with array_path(folder, name).open("ab") as file:
                file.write(np.ascontiguousarray(array).tobytes())
        progress = progress.after(batch, sample)
        _save(folder, recipe, progress)
        tell(progress)
    _finish(folder, game, recipe, progress)
    return open_data_set(folder, game)


def _recipe(
    game: Game, sources: Sequence[Path], sampling: Sampling, teachers: Teachers | None
) -> dict[str, Any]:
    """Return what a data set is made of, for its card."""
    files = [
        {"name": path.name, "bytes": path.stat().st_size, "sha256": _digest([path])}
        for path in map(_existing, sources)
    ]
    recipe = {
        "game": game.name,
        "game_version": game.about.version,
        "sources": files,
        "sampling": dataclasses.asdict(sampling),
    }
    return recipe if teachers is None else {**recipe, "teachers": teachers.recipe}


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise BadDataSet(f"There is no file {path}.")
    return path


def _digest(paths: Sequence[Path]) -> str:
    """Return a digest of files, one after the other."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(BLOCK_BYTES):
                digest.update(block)
    return digest.hexdigest()


def _begun(folder: Path, recipe: dict[str, Any]) -> Progress:
    """Return how far the data set in a folder is; another one than this is refused."""
    path = folder / PROGRESS
    if not path.is_file():
        return Progress()
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        begun, progress = saved["recipe"], Progress(**saved["progress"])
        is_whole = has_counts(saved["progress"])
    except (ValueError, TypeError, KeyError, RecursionError):
        is_whole = False
    if not is_whole:
        raise BadDataSet(f"{path} is damaged: choose another folder, or delete this one.")
    if begun != recipe:
        raise BadDataSet(f"{folder} was begun with other games or settings: choose another folder.")
    return progress


def _save(folder: Path, recipe: dict[str, Any], progress: Progress) -> None:
    saved = {"recipe": recipe, "progress": dataclasses.asdict(progress)}
    write_atomically(folder / PROGRESS, json.dumps(saved).encode())


def _cut(folder: Path, game: Game, progress: Progress, recipe: dict[str, Any]) -> None:
    """Make all arrays as long as the progress says; those that are not there begin."""
    for name, array in empty_arrays(game, "teachers" in recipe).items():
        path = array_path(folder, name)
        path.touch()
        with path.open("r+b") as file:
            _write_header(file, array, progress.positions)
            size = int(np.prod((progress.positions, *array.shape[1:]))) * array.itemsize
            file.truncate(file.tell() + size)


def _write_header(file: Any, array: np.ndarray[Any, Any], length: int) -> None:
    """Write the header of a .npy file; NumPy leaves room in it for any length."""
    np.lib.format.write_array_header_1_0(
        file,
        {
            "descr": np.lib.format.dtype_to_descr(array.dtype),
            "fortran_order": False,
            "shape": (length, *array.shape[1:]),
        },
    )


def _batches_from(sources: Sequence[Path], game: Game, read: int) -> Iterator[tuple[int, Batch]]:
    """Yield the batches that are not read yet, each with the number of its first game."""
    number = 0
    for path in sources:
        for batch in read_source(path, game):
            if number >= read:
                yield number, batch
            number += len(batch)


def _up_to_a_game(batches: Iterator[tuple[int, Batch]]) -> list[tuple[int, Batch]]:
    """Return the batches up to the first that has a game: all, if there is none."""
    found = []
    for number, batch in batches:
        found.append((number, batch))
        if len(batch):
            break
    return found


def _no_game(sources: Sequence[Path], game: Game, batches: Sequence[Batch]) -> str:
    """Return what to say of files in which there is no game, with the first reason."""
    sentence = f"There is no game of {game.name} in {', '.join(map(str, sources))}"
    faults = [fault for batch in batches for fault in batch.faults]
    if not faults:
        return f"{sentence}."
    broken = "what is there is broken" if len(faults) == 1 else f"all {len(faults):,} are broken"
    return f"{sentence}: {broken}, as on line {faults[0].line}, where {faults[0].reason}."


def _finish(folder: Path, game: Game, recipe: dict[str, Any], progress: Progress) -> None:
    """Write the lengths into the arrays' headers, and the card."""
    if progress.won == 0 or progress.lost == 0:
        first, second = game.sides
        raise BadDataSet(
            f"Both sides must win some games; here {first} won {progress.won} of {progress.read} "
            f"and {second} {progress.lost}."
        )
    _cut(folder, game, progress, recipe)
    names = empty_arrays(game, "teachers" in recipe)
    digest = _digest([array_path(folder, name) for name in names])
    card = {**recipe, **dataclasses.asdict(progress), "sha256": digest}
    write_atomically(folder / CARD, (json.dumps(card, indent=2) + "\n").encode())
    (folder / PROGRESS).unlink(missing_ok=True)
