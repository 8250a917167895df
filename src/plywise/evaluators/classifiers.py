"""Classifiers: which expert a position is for. A new one is a function and its line here.

phases    by the number of pieces: every game with a picture of its board
map       draughts: one class while many pieces are left, then the units of a Kohonen map
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError, UnknownName
from plywise.evaluators.model import Array, as_record
from plywise.game import Game, Rows
from plywise.games.draughts.features import COUNT, PLACE, chosen_features, counter_of
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole, popcount

READINGS = ("presence", "counts")  # what a map sees of a feature


@dataclass(frozen=True)
class Classifier:
    """A way of sorting positions into classes, without its numbers.

    Its bundle has, with the row `ply` of the accumulator to work in:

        phase(acc, ply, position)             a class is kept while the game stays in a phase
        choose(params, acc, ply, position)    the class, from 0 on
        width                                 how many numbers of the row it needs
    """

    name: str
    game: Game
    count: int  # of classes
    bundle: Bundle
    weights: dict[str, tuple[int, ...]] = field(default_factory=dict)  # shapes of what is learned
    settings: dict[str, Any] = field(default_factory=dict)

    def prepare(self, weights: Mapping[str, Array]) -> Any:
        """Return the parameters of the kernels."""
        return as_record({name: np.asarray(weights[name], np.float32) for name in self.weights})

    def classes(self, params: Any, positions: Rows) -> NDArray[np.int64]:
        """Return the classes of many positions, by parameters that `prepare` made."""
        out = np.zeros(len(positions), np.int64)
        _classes(self.game.rules, self.bundle, params, self._row(), positions, out)
        return out

    def phases(self, positions: Rows) -> NDArray[np.int64]:
        """Return the phases of the game that positions are in."""
        out = np.zeros(len(positions), np.int64)
        _phases(self.game.rules, self.bundle, self._row(), positions, out)
        return out

    def _row(self) -> NDArray[np.float32]:
        return np.zeros((1, max(1, self.bundle.width)), np.float32)


@compiled
def _classes(game: Bundle, classifier: Bundle, params: Any, acc: Any, rows: Any, out: Any) -> None:
    for index in range(len(rows)):
        out[index] = classifier.choose(params, acc, 0, game.load_at(rows, index))


@compiled
def _phases(game: Bundle, classifier: Bundle, acc: Any, rows: Any, out: Any) -> None:
    for index in range(len(rows)):
        out[index] = classifier.phase(acc, 0, game.load_at(rows, index))


def make_classifier(game: Game, name: str, **settings: Any) -> Classifier:
    """Return the classifier of a name for a game."""
    if name not in BUILDERS:
        raise UnknownName("classifier", name, BUILDERS)
    try:
        return BUILDERS[name](game, **settings)
    except TypeError as error:
        raise PlywiseError(
            f"The classifier {name!r} cannot be built with {settings}: {error}."
        ) from None


# ---------------------------------------------------------------- by the number of pieces


def phases(game: Game, boundaries: Sequence[int]) -> Classifier:
    """Sort by pieces on the board: class k is reached when k of the boundaries are."""
    limits = tuple(sorted((int(limit) for limit in boundaries), reverse=True))
    count_pieces, cells = piece_counter(game)

    def phase(acc: Any, ply: Whole, position: Position) -> Whole:
        pieces = count_pieces(acc, ply, position)
        reached = 0
        for limit in limits:
            if pieces <= limit:
                reached += 1
        return np.int64(reached)

    def choose(params: Any, acc: Any, ply: Whole, position: Position) -> Whole:
        return phase(acc, ply, position)

    name = "_".join(["phases", *map(str, limits)])
    bundle = Bundle(name, {"phase": phase, "choose": choose, "width": cells})
    settings = {"boundaries": list(limits)}
    return Classifier("phases", game, len(limits) + 1, bundle, {}, settings)


def piece_counter(game: Game) -> tuple[Callable[..., Any], int]:
    """Return a function that counts the pieces, and how many numbers of a row it needs."""
    if game.name == "draughts":

        def count_bits(acc: Any, ply: Whole, position: Position) -> Whole:
            return popcount(position[0] | position[1])

        return count_bits, 0
    cells, count = game.rules.cells, game.rules.cell_count
    if count == 0:
        raise PlywiseError(f"The classifier 'phases' counts cells; {game.name} has none.")

    def count_cells(acc: Any, ply: Whole, position: Position) -> Whole:
        for cell in range(count):
            acc[ply, cell] = 0
        cells(position, borrow(acc, ply))
        pieces = 0
        for cell in range(count):
            if acc[ply, cell] != 0:
                pieces += 1
        return np.int64(pieces)

    return count_cells, count


# ---------------------------------------------------------------- by a map of features


def feature_map(
    game: Game,
    units: int = 25,
    pieces: int = 12,
    features: str | Sequence[str] = "all",
    reading: str = "presence",
) -> Classifier:
    """Sort endgames by the nearest unit of a map (paper 001); class 0 has more pieces."""
    if game.name != "draughts":
        raise PlywiseError(f"The classifier 'map' is for draughts, not for {game.name}.")
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


BUILDERS: dict[str, Callable[..., Classifier]] = {"phases": phases, "map": feature_map}
