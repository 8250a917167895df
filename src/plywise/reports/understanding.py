"""What a model understands of chess without search, and where it prefers activity to material."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywise.datasets import DataSet
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.games.chess.understanding import CASTLING, CONCEPTS, pairs_of
from plywise.learners.deepchess.pairs import split
from plywise.search.comparators import as_comparator, leads_of, project_all

BASES = 6000  # positions of games from which pairs are made
SEED = 20163


@dataclass(frozen=True)
class Understood:
    """How a model judges the pairs of a concept."""

    concept: str
    pairs: int
    right: float  # share of pairs
    lead: float  # the mean one


def understanding(model: Model, data: DataSet, most: int = 300) -> list[Understood]:
    """Return for every concept how often a model prefers the better position."""
    unseen = np.concatenate(split(data, 0.05).unseen)
    chosen = np.random.default_rng(SEED).choice(unseen, size=min(BASES, len(unseen)), replace=False)
    rows, judge = data.positions[chosen], as_comparator(model)
    found = []
    for concept in (*CONCEPTS, CASTLING):
        pairs = list(pairs_of(concept, rows, most))
        if not pairs:
            continue
        leads = _leads(judge, np.array(pairs, np.uint64))
        right = float(((np.sign(leads) + 1) / 2).mean())
        found.append(Understood(concept, len(pairs), right, float(leads.mean())))
    return found


def _leads(judge: Model, pairs: NDArray[np.uint64]) -> NDArray[np.float64]:
    count = len(pairs)
    rows = project_all(judge, np.concatenate([pairs[:, 0], pairs[:, 1]]))
    numbers = np.arange(count, dtype=np.int64)
    return leads_of(judge, rows, np.stack([numbers, numbers + count], axis=1))


@dataclass(frozen=True)
class Sacrifices:
    """Positions of unseen games in which a model prefers the side with less material."""

    looked_at: int  # positions in which one side has less, by at least a pawn
    preferred: int  # of these, where the model prefers that side
    won: int  # of these, where that side won its game
    examples: list[str]  # positions in which it won, those that the model is surest of first


def sacrifices(model: Model, data: DataSet, shown: int = 5) -> Sacrifices:
    """Return how often a model prefers less material, and how often it is right then."""
    unseen = np.concatenate(split(data, 0.05).unseen)
    rows, scores = data.positions[unseen], np.asarray(data.scores)[unseen]
    game = data.game
    pieces = _for_white(Model(make_evaluator("material", game)), rows)
    values = _for_white(model, rows)
    is_behind = pieces != 0
    is_preferred = is_behind & (np.sign(values) == -np.sign(pieces))
    is_won = is_preferred & (np.sign(values) == scores)
    order = np.argsort(-np.abs(values) * is_won)[:shown]
    return Sacrifices(
        int(is_behind.sum()),
        int(is_preferred.sum()),
        int(is_won.sum()),
        [game.format_position(rows[index]) for index in order],
    )


def _for_white(model: Model, rows: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return values for side 0."""
    sides = np.array([model.game.side(row) for row in rows])
    return model.values(rows) * np.where(sides == 0, 1, -1)
