"""The classifier `map`: one class while many pieces are left, then the units of a Kohonen map."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.errors import UnknownName
from plywise.evaluators.classifiers import Classifier
from plywise.game import Game
from plywise.games.draughts.features import COUNT, PLACE, chosen_features, counter_of
from plywise.kernel import Bundle, borrow
from plywise.kernel.bits import Position, Whole, popcount

READINGS = ("presence", "counts")  # what a map sees of a feature


def feature_map(
    game: Game,
    units: int = 25,
    pieces: int = 12,
    features: str | Sequence[str] = "all",
    reading: str = "presence",
) -> Classifier:
    """Sort endgames by the nearest unit of a map (paper 001); class 0 has more pieces."""
    if reading not in READINGS:
        raise UnknownName("reading of features", reading, READINGS)
    names = chosen_features(features)
    places = tuple(PLACE[name] for name in names)
    count_features = counter_of(places)
    ways = len(places)
    is_presence = reading == "presence"

    def phase(acc: Any, ply: Whole, position: Position) -> Whole:
        return np.int64(popcount(position[0] | position[1]) <= pieces)

    def choose(params: Any, acc: Any, ply: Whole, position: Position) -> Whole:
        if phase(acc, ply, position) == 0:
            return np.int64(0)
        count_features(position, borrow(acc, ply))
        nearest, best = 0, np.inf
        for unit in range(units):
            total = 0.0
            for way in range(ways):
                seen = float(acc[ply, places[way]])
                if is_presence:
                    seen = 1.0 if seen > 0 else 0.0
                total += (seen - params.units[unit, way]) ** 2
            if total < best:
                nearest, best = unit, total
        return np.int64(nearest + 1)

    bundle = Bundle(f"map_{units}_{ways}", {"phase": phase, "choose": choose, "width": COUNT})
    settings = {"units": units, "pieces": pieces, "features": list(names), "reading": reading}
    return Classifier("map", game, units + 1, bundle, {"units": (units, ways)}, settings)
