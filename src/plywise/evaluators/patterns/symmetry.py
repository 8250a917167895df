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
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.patterns.survey import Survey
from plywise.game import Game, Row
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


class _Trial:
    """Tries permutations of cells on positions."""

    def __init__(self, game: Game, neutral: Sequence[int] = ()) -> None:
        self.game = game
        self.neutral = neutral  # codes that belong to nobody, whoever the sides are

    def _exchanged(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
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
        there = self._successors(image, tuple(range(len(permutation))), exchange=False)
        return there == self._successors(row, permutation, exchange)

    def _successors(
        self, row: Row, permutation: Permutation, exchange: bool
    ) -> Counter[tuple[bytes, int, int]]:
        """Return the boards, sides and results after all moves, permuted, in no order."""
        found: Counter[tuple[bytes, int, int]] = Counter()
        for move in self.game.legal_moves(row):
            after = self.game.apply(row, move)
            codes = np.zeros(len(permutation), np.int64)
            codes[list(permutation)] = self.game.cells(after)
            side = self.game.side(after)
            if exchange:
                codes, side = self._exchanged(codes), 1 - side
            found[codes.tobytes(), side, self.game.result(after)] += 1
        return found
