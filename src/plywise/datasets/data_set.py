"""A data set: a folder of arrays that are mapped into memory, and a card that says what they are.

positions.npy    [positions, words] uint64
scores.npy       [positions] int8: the result of the game for side 0, 1 or -1
games.npy        [positions] int32: which game it is from, by its number in the sources
plies.npy        [positions] int16
odds.npy         [positions] float32: by teachers, where there are any: the logarithm of the odds
                 that side 0 wins
card.json        sources, counts and digest; it is there when the set is finished
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.datasets.sampling import Sample
from plywise.errors import PlywiseError
from plywise.game import Game, Rows

CARD = "card.json"
FIELDS = Sample._fields
MOST_TIMES = 100
ODDS = "odds"  # the array of a set with teachers
CARD_FIELDS = {"game", "game_version", "sources", "sampling", "sha256"}
COUNTS = {"read", "won", "lost", "faults", "positions"}  # on a card and in what was begun


class BadDataSet(PlywiseError):
    """A folder that is no data set, or not one that can be used."""


@dataclass(frozen=True)
class DataSet:
    """Positions of decisive games, see `Sample`."""

    game: Game
    positions: Rows
    scores: NDArray[np.int8]
    games: NDArray[np.int32]
    plies: NDArray[np.int16]
    card: dict[str, Any]
    odds: NDArray[np.float32] | None = None  # NaN where no teacher was asked
    times: NDArray[np.uint8] | None = None  # how often each counts in training; None: once

    def __len__(self) -> int:
        return len(self.scores)


def open_data_set(folder: Path, game: Game) -> DataSet:
    """Return the data set in a folder, which must be finished and of the given game."""
    path = folder / CARD
    if not path.is_file():
        raise BadDataSet(
            f"{folder} is no finished data set: make it with plywise dataset {game.name} FILE "
            f"--out {folder}."
        )
    card = _read_card(path)
    if card["game"] != game.name:
        raise BadDataSet(f"{folder} has positions of {card['game']}, not of {game.name}.")
    if card["game_version"] != game.about.version:
        raise BadDataSet(
            f"{folder} is of version {card['game_version']} of {game.name}; this one is "
            f"{game.about.version}."
        )
    wanted = empty_arrays(game, "teachers" in card)
    arrays = {name: _map_array(array_path(folder, name)) for name in wanted}
    known = {name: (array.shape, array.dtype) for name, array in arrays.items()}
    rows = card["positions"]
    if known != {name: ((rows, *one.shape[1:]), one.dtype) for name, one in wanted.items()}:
        raise BadDataSet(f"{folder} is damaged: its arrays do not have the length of its card.")
    return DataSet(game, **arrays, card=card)


def open_data_sets(folders: str, game: Game) -> DataSet:
    """Return several data sets, as `data/games+data/others*5`, as one; games are numbered on.

    Positions of the second one count five times each where networks learn.
    """
    parts = [_folder_and_times(text) for text in folders.split("+")]
    sets = [open_data_set(folder, game) for folder, _ in parts]
    if len(sets) == 1:
        return sets[0]
    firsts = np.cumsum([0, *(int(one.games.max(initial=-1)) + 1 for one in sets)])
    arrays = {name: np.concatenate([getattr(one, name) for one in sets]) for name in FIELDS}
    numbers = [one.games + np.int32(first) for one, first in zip(sets, firsts, strict=False)]
    arrays["games"] = np.concatenate(numbers)
    if any(one.odds is not None for one in sets):
        unknown = [np.full(len(one), np.nan, np.float32) for one in sets]
        known = [one.odds for one in sets]
        arrays[ODDS] = np.concatenate(
            [none if odds is None else odds for odds, none in zip(known, unknown, strict=True)]
        )
    if any(times > 1 for _, times in parts):
        each = [
            np.full(len(one), times, np.uint8) for one, (_, times) in zip(sets, parts, strict=True)
        ]
        arrays["times"] = np.concatenate(each)
    card = {"game": game.name, "sets": [one.card for one in sets]}
    return DataSet(game, **arrays, card=card)


def _folder_and_times(text: str) -> tuple[Path, int]:
    """Return a folder and how often its positions count."""
    folder, star, number = text.rpartition("*")
    if not star or not number.isdigit():
        return Path(text), 1
    if not 1 <= int(number) <= MOST_TIMES:
        raise BadDataSet(f"Positions count from once to {MOST_TIMES} times, not {number} times.")
    return Path(folder), int(number)


def empty_arrays(game: Game, has_teachers: bool = False) -> dict[str, NDArray[Any]]:
    """Return the arrays of a set without positions."""
    arrays: dict[str, NDArray[Any]] = {
        "positions": np.zeros((0, game.words), np.uint64),
        "scores": np.zeros(0, np.int8),
        "games": np.zeros(0, np.int32),
        "plies": np.zeros(0, np.int16),
    }
    return {**arrays, ODDS: np.zeros(0, np.float32)} if has_teachers else arrays


def has_counts(values: Mapping[str, object]) -> bool:
    """Return whether all counts are there, and numbers."""
    return all(isinstance(values.get(name), int) for name in COUNTS)


def _read_card(path: Path) -> dict[str, Any]:
    """Return a card that has all fields."""
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        card = None
    if not (isinstance(card, dict) and card.keys() >= CARD_FIELDS and has_counts(card)):
        raise BadDataSet(f"{path} is damaged: make the data set again, in another folder.")
    return card


def _map_array(path: Path) -> NDArray[Any]:
    """Return an array as it lies on the disk."""
    try:
        found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception:  # a damaged header is read as Python, so it may raise anything
        raise BadDataSet(f"{path} is damaged, or not there: make the data set again.") from None
    return found


def array_path(folder: Path, name: str) -> Path:
    """Return the file of an array."""
    return folder / f"{name}.npy"
