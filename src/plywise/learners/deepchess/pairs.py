"""Pairs of positions for training and for judging: one that was won by side 0, one that was lost.

Games are split, not positions: of a share of games no position is ever learned from. Of the others
a few positions are set aside as well. They are the held-out set of a split by position, as in the
paper: their games are known to the network, and what it then knows too well is the leak.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.datasets import DataSet
from plywise.errors import PlywiseError
from plywise.evaluators.features import Features, make_features
from plywise.game import Game, Rows
from plywise.kernel import Bundle, borrow, compiled
from plywise.kernel.bits import Whole

Numbers = NDArray[np.int64]
Truths = NDArray[np.bool_]
LEAK_SHARE = 0.02  # of the positions of games that are learned from
FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xBF58476D1CE4E5B9], np.uint64)


class Sides(NamedTuple):
    """Positions by who won their games, as indices of a data set."""

    won: Numbers
    lost: Numbers

    def draw(self, count: int, generator: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Return random pairs: positions that side 0 won and lost."""
        won, lost = (side[generator.integers(len(side), size=count)] for side in self)
        return won, lost

    def repeated(self, times: NDArray[np.uint8]) -> "Sides":
        """Return the same positions, each as often as told for all of a data set."""
        return Sides(*(np.repeat(side, times[side]) for side in self))


class Split(NamedTuple):
    """Positions to learn from, of unseen games, and unseen ones of games that are learned from."""

    training: Sides
    unseen: Sides
    leaky: Sides


def split(data: DataSet, held_out: float) -> Split:
    """Return the split of a data set; it is the same for every run with this share.

    A data set without a won and a lost position for each part is refused.
    """
    games, plies = np.asarray(data.games), np.asarray(data.plies)
    is_unseen = _share(games, np.zeros_like(games)) < held_out
    is_leaky = ~is_unseen & (_share(games, plies + 1) < LEAK_SHARE)
    masks = (~is_unseen & ~is_leaky, is_unseen, is_leaky)
    won = np.asarray(data.scores) > 0
    made = Split(*(Sides(np.flatnonzero(m & won), np.flatnonzero(m & ~won)) for m in masks))
    for name, sides in made._asdict().items():
        if min(map(len, sides)) == 0:
            raise PlywiseError(
                f"The data set is too small: there is no position for {name}, won and lost."
            )
    return made


def _share(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Return a number in [0, 1) for every pair of numbers, as if it were random."""
    words = first.astype(np.uint64) * FACTORS[0] + second.astype(np.uint64) * FACTORS[1]
    words ^= words >> np.uint64(29)
    words *= FACTORS[2]
    return np.asarray((words >> np.uint64(11)).astype(np.float64) / float(1 << 53))


class Coder:
    """Turns positions into the indices of their bits, as one of the sides sees them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.features: Features = make_features("board", game)
        self.inputs = self.features.count + 1  # whose turn it is comes last
        self.nothing = self.inputs  # the index that fills a row up

    def indices(
        self, rows: Rows, views: Numbers, is_reflected: Truths | None = None
    ) -> NDArray[np.int32]:
        """Return the indices [positions, most] of positions, each as a side sees it.

        Left and right are exchanged in those `is_reflected` tells, where the game allows it.
        """
        out = np.full((len(rows), self.features.most + 1), self.nothing, np.int32)
        most = _write_indices(self.game.rules, self.features.bundle, rows, views, out, self.inputs)
        if is_reflected is not None:
            _reflect(self.features.bundle, is_reflected, out, self.inputs - 1)
        return np.ascontiguousarray(out[:, : int(most)])


@compiled
def _write_indices(
    game: Bundle, features: Bundle, rows: Any, views: Any, out: Any, inputs: Whole
) -> Whole:
    """Write the indices of all positions; return how many the longest row has."""
    most = 0
    for index in range(len(rows)):
        position = game.load_at(rows, index)
        found = borrow(out, index)
        count = features.active(position, found)
        for place in range(count, len(found)):  # it may have been used as scratch
            found[place] = inputs
        if views[index] == 1:
            for place in range(count):
                found[place] = features.mirror(np.int64(found[place]))
        if game.side(position) == views[index]:
            found[count] = inputs - 1
            count += 1
        most = max(most, count)
    return most


@compiled
def _reflect(features: Bundle, is_reflected: Any, out: Any, pieces: Whole) -> None:
    """Exchange left and right in rows of indices; from `pieces` on these are none of a board."""
    for index in range(len(out)):
        found = borrow(out, index)
        if is_reflected[index] and _may_reflect(features, found, pieces):
            for place in range(len(found)):
                if found[place] < pieces:
                    found[place] = features.reflect(np.int64(found[place]))


@compiled
def _may_reflect(features: Bundle, found: Any, pieces: Whole) -> bool:
    for place in range(len(found)):
        if found[place] < pieces and features.reflect(np.int64(found[place])) < 0:
            return False
    return True
