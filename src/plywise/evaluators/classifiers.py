"""Classifiers: which expert a position is for. A new one is a function and its line in BUILDERS,
or in the `classifiers` of the one game that it is for.

phases    by the number of pieces: every game with `pieces`, or with a picture of its board
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.lookup import find_builder
from plywise.evaluators.model import Array, as_record
from plywise.game import Game, Rows
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Position, Whole

BUILDERS = {"phases": "plywise.evaluators.classifiers:phases"}  # for any game


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
    build, _ = find_builder("classifier", "classifiers", name, game, BUILDERS)
    try:
        classifier: Classifier = build(game, **settings)
    except TypeError:
        raise PlywiseError(f"The classifier {name!r} cannot be built with {settings}.") from None
    return classifier


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
    if game.rules.has_pieces:
        pieces = game.rules.pieces

        def count_at_once(acc: Any, ply: Whole, position: Position) -> Whole:
            return pieces(position)

        return count_at_once, 0
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
