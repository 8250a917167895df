"""Symmetries of a board: which exchanges of cells leave a game the same, found by trying.

Candidates come from the picture: turns and reflections that lay every cell on a cell, each with
and without exchange of the sides. A candidate is tried on positions of random games and on the
last ones before an end, for in some games only the result tells directions apart: the image of
a position must have the image of its result, as many moves, and the images of its successors.

    keeping the sides      patterns that lie on each other share a table
    exchanging the sides   how side 1 sees the board as its own

Wrong sharing is worse than none: what raises an error or differs once is refused. A game whose
positions are not told by its cells and the side to move cannot be tried; for it, what it declares
holds: `symmetries` of its `About`, and `cell_mirror`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.patterns.survey import Survey
from plywise.game import Game, Row, result_of
from plywise.game.results import ONGOING
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Whole
from plywise.picture import Picture

ANGLES = sorted({*range(0, 360, 30), *range(0, 360, 45)})  # degrees
NEAR = 1e-3  # how exactly cells must lie on each other
Permutation = tuple[int, ...]  # [cell]: where it goes


@dataclass(frozen=True)
class Symmetries:
    """What leaves a game the same."""

    keeping: tuple[Permutation, ...]  # the identity first
    exchanging: Permutation | None


def turned(picture: Picture, cells: Sequence[int]) -> list[Permutation]:
    """Return the turns and reflections that lay all these cells on each other, identity first."""
    middles = np.array([picture.cells[cell].middle for cell in cells])
    middles = middles - (middles.min(axis=0) + middles.max(axis=0)) / 2
    found: dict[Permutation, None] = {}
    for angle in ANGLES:
        sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        for mirror in (1.0, -1.0):
            moved = middles @ np.array([[cosine, sine], [-sine * mirror, cosine * mirror]])
            distances = np.abs(moved[:, None] - middles[None]).max(axis=2)
            nearest = distances.argmin(axis=1)
            if (distances[np.arange(len(cells)), nearest] > NEAR).any():
                continue
            whole = list(range(len(picture.cells)))
            for cell, place in zip(cells, nearest, strict=True):
                whole[cell] = cells[int(place)]
            found[tuple(whole)] = None
    return list(found)


def symmetries_of(survey: Survey) -> Symmetries:
    """Return what leaves a game the same, as far as it shows."""
    game = survey.board.game
    none: Permutation = tuple(range(survey.board.size))
    if game.picture is None or not survey.active:
        return Symmetries((none,), None)
    declared = Symmetries((none, *_declared(game, none)), game.cell_mirror or None)
    trial = _Trial(game)
    seen = [*survey.positions, *survey.endings]
    if len(declared.keeping) > 1 or not all(trial.is_rebuilt(row) for row in seen):
        return declared
    images = [trial.image(row, none, exchange=False) for row in seen]  # with clocks set back
    rows = [image for image in images if image is not None]
    candidates = turned(game.picture, survey.active)
    keeping = [p for p in candidates if p == none or trial.keeps(rows, p, exchange=False)]
    exchanging = next((p for p in candidates if trial.keeps(rows, p, exchange=True)), None)
    neutral = [code for code in survey.codes if survey.is_neutral(code)]
    if exchanging is None and neutral:  # perhaps they are nobody's, and not only rare
        trial = _Trial(game, neutral)
        exchanging = next((p for p in candidates if trial.keeps(rows, p, exchange=True)), None)
    keeping.sort(key=lambda p: p != none)
    return Symmetries(tuple(keeping), exchanging)


def _declared(game: Game, none: Permutation) -> list[Permutation]:
    """Return the symmetries that a game declares, without the identity."""
    for permutation in game.about.symmetries:
        if sorted(permutation) != list(none):
            raise PlywiseError(
                f"A symmetry of {game.name} must name each of its {len(none)} cells once."
            )
    return [permutation for permutation in game.about.symmetries if permutation != none]


@compiled
def expand(game: Bundle, row: Any, moves: Any, boards: Any, others: Any) -> Whole:
    """Write board, side and result after every move; return how many moves there are."""
    position = game.load(row)
    if result_of(game, position, borrow(moves, 0)) != ONGOING:
        return np.int64(0)
    count = game.moves(position, borrow(moves, 0))
    for index in range(count):
        after = game.apply(position, moves[0, index])
        game.cells(after, borrow(boards, index))
        others[index, 0] = game.side(after)
        others[index, 1] = result_of(game, after, borrow(moves, 1))
    return np.int64(count)


class Successors(NamedTuple):
    """What all moves of a position lead to."""

    boards: NDArray[np.int8]  # [moves, cells]
    sides: NDArray[np.int8]
    results: NDArray[np.int8]


class _Trial:
    """Tries permutations of cells on positions."""

    def __init__(self, game: Game, neutral: Sequence[int] = ()) -> None:
        self.game = game
        self.neutral = neutral  # codes that belong to nobody, whoever the sides are
        self.known: dict[bytes, Successors] = {}  # of the positions that are tried

    def _exchanged(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return the codes after an exchange of the sides."""
        return np.where(np.isin(codes, self.neutral), codes, -codes)

    def is_rebuilt(self, row: Row) -> bool:
        """Return whether a position is told by its cells and the side to move."""
        again = self.image(row, tuple(range(len(self.game.cells(row)))), exchange=False)
        return again is not None and self.game.hash(again) == self.game.hash(row)

    def image(self, row: Row, permutation: Permutation, exchange: bool) -> Row | None:
        """Return the position that a permutation makes of another, None if there is none."""
        codes = np.zeros(len(permutation), np.int64)
        codes[list(permutation)] = self.game.cells(row)
        side = self.game.side(row)
        try:
            if exchange:
                codes, side = self._exchanged(codes), 1 - side
            return self.game.from_cells([int(code) for code in codes], side)
        except Exception:  # whatever an author's function raises: no such position
            return None

    def keeps(self, rows: Sequence[Row], permutation: Permutation, exchange: bool) -> bool:
        """Return whether a permutation leaves the game the same in all these positions."""
        return all(self._agrees(row, permutation, exchange) for row in rows)

    def _agrees(self, row: Row, permutation: Permutation, exchange: bool) -> bool:
        image = self.image(row, permutation, exchange)
        if image is None or self.game.result(image) != self.game.result(row):
            return False
        if row.tobytes() not in self.known:
            self.known[row.tobytes()] = self._successors(row)
        here = self._permuted(self.known[row.tobytes()], permutation, exchange)
        there = self._successors(image)
        return np.array_equal(_in_order(here), _in_order(there))

    def _successors(self, row: Row) -> Successors:
        """Return what all moves lead to."""
        most = self.game.max_moves
        boards = np.zeros((most, self.game.rules.cell_count), np.int8)
        moves, others = np.zeros((2, most), np.uint64), np.zeros((most, 2), np.int8)
        count = expand(self.game.rules, row, moves, boards, others)
        return Successors(boards[:count], others[:count, 0], others[:count, 1])

    def _permuted(self, found: Successors, permutation: Permutation, exchange: bool) -> Successors:
        """Return successors as a permutation of the cells shows them."""
        boards = np.empty_like(found.boards)
        boards[:, list(permutation)] = found.boards
        if not exchange:
            return found._replace(boards=boards)
        return Successors(self._exchanged(boards), 1 - found.sides, found.results)


def _in_order(found: Successors) -> NDArray[np.int8]:
    """Return all that is known of successors, a row each, in an order that follows from it."""
    rows = np.column_stack([found.boards, found.sides, found.results])
    return rows[np.lexsort(rows.T)]
