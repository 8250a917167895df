"""Training examples from games (paper 003, section 4): positions with the value they should have.

All values are for the side to move. An example comes, in the order in which they are trusted,
from a proven result, from consistent values of the network, or from a game that was played:

    PROVEN      the game is over there, or its end follows by force from searched positions
    CONSISTENT  propagated from positions whose value agrees with a search of one ply
    PLAYED      z (t / T)^2 after t of T plies of a game with result z, or another power
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Model
from plywise.game import Game, Rows
from plywise.game.record import Record
from plywise.search.backward import CONSISTENT, PROVEN
from plywise.search.scores import PROVEN as PROVEN_SCORE
from plywise.search.scores import SCALE
from plywise.search.table import EXACT, LOWER, UPPER
from plywise.search.trace import FINISHED, Nodes

PLAYED = 0


@dataclass(frozen=True)
class Examples:
    """Positions, their values and where these come from."""

    positions: Rows  # [examples, words]
    values: NDArray[np.float64]  # [examples]
    kinds: NDArray[np.uint8]  # [examples] PLAYED, CONSISTENT or PROVEN

    def __len__(self) -> int:
        return len(self.values)

    def pick(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Examples":
        """Return some of the examples."""
        return Examples(self.positions[chosen], self.values[chosen], self.kinds[chosen])


def none_of(game: Game) -> Examples:
    """Return no examples."""
    return Examples(np.zeros((0, game.words), np.uint64), np.zeros(0), np.zeros(0, np.uint8))


def join(parts: Sequence[Examples]) -> Examples:
    """Return all examples of all parts."""
    return Examples(
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.kinds for part in parts]),
    )


def without_duplicates(examples: Examples) -> Examples:
    """Return one example for each position: of its most trusted kind, the mean of these."""
    if len(examples) == 0:
        return examples
    _, where = np.unique(examples.positions, axis=0, return_inverse=True)
    where = where.reshape(-1)
    trusted = np.zeros(where.max() + 1, np.uint8)
    np.maximum.at(trusted, where, examples.kinds)
    kept = examples.pick(examples.kinds == trusted[where])
    _, first, place = np.unique(kept.positions, axis=0, return_index=True, return_inverse=True)
    place = place.reshape(-1)
    means = np.bincount(place, kept.values) / np.bincount(place)
    return Examples(kept.positions[first], means, kept.kinds[first])


def played_examples(record: Record, result: int, fading: float = 2.0) -> Examples:
    """Return the positions of a game with `result` for side 0, their value growing with t."""
    plies = len(record.moves)
    shares = (np.arange(plies + 1) / max(1, plies)) ** fading
    signs = np.array([1 - 2 * record.game.side(row) for row in record.positions])
    values = result * shares * signs
    return Examples(np.array(record.positions), values, np.full(plies + 1, PLAYED, np.uint8))


def bootstrapped(played: Examples, found: Mapping[int, float], share: float) -> Examples:
    """Return a game's examples drawn towards what searches `found`, by ply, by a `share`."""
    values = played.values.copy()
    for ply, value in found.items():
        values[ply] += share * (float(np.clip(value, -1, 1)) - values[ply])
    return Examples(played.positions, values, played.kinds)


def proven_examples(nodes: Nodes) -> Examples:
    """Return what a search proved: finished games, and wins and losses that follow by force."""
    scores, bounds = nodes.scores.astype(np.int64), nodes.bounds
    is_finished = nodes.depths == FINISHED
    is_won = (scores >= PROVEN_SCORE) & (bounds & LOWER > 0)
    is_lost = (scores <= -PROVEN_SCORE) & (bounds & UPPER > 0)
    chosen = is_finished | is_won | is_lost
    return Examples(
        nodes.positions[chosen],
        np.clip(scores[chosen] / SCALE, -1, 1),
        np.full(int(chosen.sum()), PROVEN, np.uint8),
    )


def consistent_examples(nodes: Nodes, model: Model, margin: float) -> Examples:
    """Return positions one ply above a search's leaves whose own value agrees with the search."""
    chosen = (nodes.depths == 1) & (nodes.bounds == EXACT)
    chosen &= np.abs(nodes.scores) <= SCALE
    positions = nodes.positions[chosen]
    values = nodes.scores[chosen] / SCALE
    is_near = np.abs(model.values(positions) - values) <= margin
    kinds = np.full(int(is_near.sum()), CONSISTENT, np.uint8)
    return Examples(positions[is_near], values[is_near], kinds)
