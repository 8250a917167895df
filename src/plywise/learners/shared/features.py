"""Named features of a game, for learners that choose among them.

A built-in game offers them by a module `features` in its folder, and a network on them by
`featuremap` there.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.game import Game, Rows
from plywise.games import BUILT_IN


@dataclass(frozen=True)
class NamedFeatures:
    """Counts of a position that have names."""

    bits: Mapping[str, int]  # by name: how many bits a count is written with
    presets: Mapping[str, tuple[str, ...]]  # sets of features by name
    choose: Callable[[str], tuple[str, ...]]  # the features of a preset, or named in a text
    counts: Callable[[Rows], NDArray[np.int64]]  # [positions, features]
    code: Callable[[int, int, int], Any]  # the bits of a count: place, count, largest number

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.bits)


def features_of(game: Game) -> NamedFeatures:
    """Return the features of a game."""
    home = f"plywise.games.{game.name}"
    if game.name not in BUILT_IN or importlib.util.find_spec(f"{home}.features") is None:
        raise PlywiseError(f"{game.name} has no named features that a learner could choose from.")
    features = importlib.import_module(f"{home}.features")
    network = importlib.import_module(f"{home}.featuremap")
    return NamedFeatures(
        features.FEATURES,
        features.PRESETS,
        features.chosen_features,
        features.feature_counts,
        network.code_of,
    )
