"""How well somebody tells positions of won games from positions of lost ones.

The pairs are of games that no network has learned from, and beside them of the leaky split; see
`plywise.learners.deepchess.pairs`. Whoever judges gives positions numbers or compares them.
"""

import itertools
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.datasets import DataSet
from plywise.evaluators.model import Model
from plywise.game import Rows
from plywise.learners.deepchess.pairs import Sides, split
from plywise.players import Player
from plywise.players.judges import values_by
from plywise.search.comparators import as_comparator, leads_of, one_way_leads, project_all

Leads = Callable[[Rows, NDArray[np.int64]], NDArray[np.float64]]  # of pairs of positions
BANDS = (10, 20, 40, 60, 80, 120, 10_000)  # plies
TRIPLES = 20_000
SEED = 20162


@dataclass(frozen=True)
class PairReport:
    """What pairs have shown; shares are of 1, a tie counts half."""

    pairs: int
    unseen: float
    error: float  # of `unseen`: two standard errors
    leaky: float
    by_ply: dict[str, float] = field(default_factory=dict)  # both positions of these plies
    intransitive: float | None = None  # share of triples a > b > c > a
    turned: float | None = None  # share of pairs whose order decides, for a network's raw outputs

    def as_values(self) -> dict[str, Any]:
        """Return all numbers, for JSON."""
        return asdict(self)


def leads_by(judge: Model | Player, data: DataSet) -> Leads:
    """Return a function that compares positions by a model, or by a player's opinion of them."""
    if isinstance(judge, Model):
        model = as_comparator(judge)
        return lambda rows, pairs: leads_of(model, project_all(model, rows), pairs)

    def leads(rows: Rows, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
        values = values_by(judge, data.game, rows)
        return np.asarray(values[pairs[:, 0]] - values[pairs[:, 1]])

    return leads


def report_pairs(
    leads: Leads, data: DataSet, pairs: int, held_out: float = 0.05, *, is_thorough: bool = True
) -> PairReport:
    """Return how well positions are told apart; thoroughly: by ply, and whether triples are."""
    parts = split(data, held_out)
    right, plies = _judge(leads, data, parts.unseen, pairs)
    leaky, _ = _judge(leads, data, parts.leaky, pairs)
    share = float(right.mean())
    error = 2 * float(np.sqrt(share * (1 - share) / pairs))
    if not is_thorough:
        return PairReport(pairs, share, error, float(leaky.mean()))
    return PairReport(
        pairs,
        share,
        error,
        float(leaky.mean()),
        _by_ply(right, plies),
        _intransitive(leads, data, parts.unseen),
    )


def turned_pairs(model: Model, data: DataSet, pairs: int, held_out: float = 0.05) -> float | None:
    """Return the share of pairs for which a network's answer depends on their order.

    None where it cannot, for a number for each position has no order.
    """
    if not hasattr(model.evaluator.bundle, "one_way"):
        return None
    won, lost = split(data, held_out).unseen.draw(pairs, np.random.default_rng(SEED))
    rows = project_all(model, np.concatenate([data.positions[won], data.positions[lost]]))
    numbers = np.arange(pairs, dtype=np.int64)
    forth = np.stack([numbers, numbers + pairs], axis=1)
    answers = (one_way_leads(model, rows, order) for order in (forth, forth[:, ::-1].copy()))
    return float(np.mean(np.multiply(*answers) > 0))


def _judge(
    leads: Leads, data: DataSet, sides: Sides, count: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return what each pair is worth, 1, a half or 0, and the plies of its positions."""
    won, lost = sides.draw(count, np.random.default_rng(SEED))
    rows = np.concatenate([data.positions[won], data.positions[lost]])
    numbers = np.arange(count, dtype=np.int64)
    found = leads(rows, np.stack([numbers, numbers + count], axis=1))
    plies = np.stack([data.plies[won], data.plies[lost]], axis=1).astype(np.int64)
    return (np.sign(found) + 1) / 2, plies


def _by_ply(right: NDArray[np.float64], plies: NDArray[np.int64]) -> dict[str, float]:
    """Return the shares by bands of plies in which both positions are."""
    shares = {}
    for low, high in itertools.pairwise(BANDS):
        inside = ((plies >= low) & (plies < high)).all(axis=1)
        if inside.any():
            name = f"{low}-{high - 1}" if high < BANDS[-1] else f"{low}-"
            shares[name] = float(right[inside].mean())
    return shares


def _intransitive(leads: Leads, data: DataSet, sides: Sides) -> float:
    """Return the share of random triples of positions of which each beats the next."""
    generator = np.random.default_rng(SEED)
    rows = data.positions[generator.choice(np.concatenate(sides), size=3000)]
    triples = generator.integers(len(rows), size=(TRIPLES, 3))
    pairs = np.concatenate([triples[:, [0, 1]], triples[:, [1, 2]], triples[:, [2, 0]]])
    signs = np.sign(leads(rows, pairs.astype(np.int64))).reshape(3, TRIPLES)
    return float((np.abs(signs.sum(axis=0)) == 3).mean())
