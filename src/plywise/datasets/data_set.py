"""A data set: a folder of arrays that are mapped into memory, and a card that says what they are.

positions.npy    [positions, words] uint64
scores.npy       [positions] int8: the result of the game for side 0, 1 or -1
games.npy        [positions] int32: which game it is from, by its number in the sources
plies.npy        [positions] int16
card.json        sources, counts and digest; it is there when the set is finished
"""

import json
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
    card = json.loads(path.read_text())
    if card["game"] != game.name:
        raise BadDataSet(f"{folder} has positions of {card['game']}, not of {game.name}.")
    if card["game_version"] != game.about.version:
        raise BadDataSet(
            f"{folder} is of version {card['game_version']} of {game.name}; this one is "
            f"{game.about.version}."
        )
    arrays = {name: np.load(array_path(folder, name), mmap_mode="r") for name in FIELDS}
    if any(len(array) != card["positions"] for array in arrays.values()):
        raise BadDataSet(f"{folder} is damaged: its arrays do not have the length of its card.")
    return DataSet(game, **arrays, card=card)


def array_path(folder: Path, name: str) -> Path:
    """Return the file of an array."""
    return folder / f"{name}.npy"
