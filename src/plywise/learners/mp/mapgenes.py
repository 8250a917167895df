"""Which features a map of endgames should see: a genetic choice (paper 001's future work).

To train the experts of every choice would take hours, so a choice is judged by experts that
are fitted at once. From every board games are played out. For each cluster of a map, a
linear expert predicts the results of the games that began at the cluster's boards; fitness is
how much smaller its squared error is than that of one expert for all, on boards that neither
was fitted to.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plywise.game import Game, Rows
from plywise.game.record import Record
from plywise.learners.mp.kohonen import Data, Units, nearest
from plywise.learners.shared.duels import DuelSetup
from plywise.learners.shared.features import features_of
from plywise.learners.shared.genes import Genes, breed, random_genes
from plywise.learners.shared.layout import Vector
from plywise.learners.shared.openings import random_opening
from plywise.system.parallel import Workers, run_all

GAMES = 4  # from every board
RANDOM_PLIES = 2  # at their beginning
FOLDS = 5
RIDGE = 10.0  # of the expert for all
TIE = 0.05  # the expert of a cluster is drawn towards it as by this share of all positions
ELITES = 2


@dataclass(frozen=True)
class PlayoutTask:
    """Games of a network against itself from one board; plain values."""

    setup: DuelSetup
    player: Vector
    features: tuple[str, ...]  # what the experts look at
    board: NDArray[np.uint64]
    seed: tuple[int, ...]


@dataclass(frozen=True)
class Sums:
    """Sums over positions, from which a regression follows."""

    squares: NDArray[np.float64]  # inputs by inputs
    products: NDArray[np.float64]  # inputs by results
    results: NDArray[np.float64]  # squared

    def __getitem__(self, chosen: NDArray[np.bool_]) -> "Sums":
        return Sums(*(part[chosen].sum(axis=0) for part in vars(self).values()))


def play_out(task: PlayoutTask) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bits of all positions of a board's games, and their results for who moved."""
    setup, model = task.setup, task.setup.layout().model(task.player)
    game = model.game
    generator = np.random.default_rng(task.seed)
    rows, results = [], []
    for _ in range(GAMES):
        opening = random_opening(game, RANDOM_PLIES, generator, task.board)
        moves = np.array(opening.moves, np.uint64)
        played = setup.play((model, model), moves, task.board)
        for position in Record(game, task.board, played.moves).positions:
            rows.append(position)
            results.append(-played.result if game.side(position) == 0 else played.result)
    return bits_of(game, np.array(rows), task.features), np.array(results, np.float64)


def bits_of(game: Game, positions: Rows, features: tuple[str, ...]) -> NDArray[np.float64]:
    """Return what a network with these features sees of positions, and a constant."""
    offered = features_of(game)
    counts = offered.counts(positions)
    columns = [np.ones(len(positions))]
    for name in features:
        place, bits = offered.names.index(name), offered.bits[name]
        most = (1 << bits) - 1
        codes = np.array([int(offered.code(place, count, most)) for count in counts[:, place]])
        columns += [(codes >> bit & 1).astype(np.float64) for bit in range(bits)]
    return np.stack(columns, axis=1)


def survey(tasks: list[PlayoutTask], workers: Workers) -> Sums:
    """Play out all boards; the first axis of the sums is the board."""
    played = run_all(play_out, tasks, workers)
    return Sums(
        np.array([bits.T @ bits for bits, _ in played]),
        np.array([bits.T @ results for bits, results in played]),
        np.array([results @ results for _, results in played]),
    )


def gain(sums: Sums, clusters: NDArray[np.int64], folds: NDArray[np.int64]) -> float:
    """Return how much of the error on unseen boards an expert for every cluster saves."""
    single = np.zeros_like(clusters)
    return 1 - _error(sums, clusters, folds) / _error(sums, single, folds)


def _error(sums: Sums, clusters: NDArray[np.int64], folds: NDArray[np.int64]) -> float:
    """Return the squared error of linear experts on boards of folds that they were not fitted to.

    An expert is drawn towards the one for all, or else small clusters would do harm: positions
    of one game are alike, so there is less to learn from than it seems.
    """
    total = 0.0
    for fold in range(FOLDS):
        everybody = sums[folds != fold]
        one = np.eye(len(everybody.products))
        common = np.linalg.solve(everybody.squares + RIDGE * one, everybody.products)
        tie = TIE * everybody.squares[0, 0]  # the first input is 1: this counts positions
        for cluster in np.unique(clusters):
            seen = sums[(clusters == cluster) & (folds != fold)]
            unseen = sums[(clusters == cluster) & (folds == fold)]
            weights = np.linalg.solve(seen.squares + tie * one, seen.products + tie * common)
            error = weights @ unseen.squares @ weights - 2 * weights @ unseen.products
            total += float(error + unseen.results)
    return total


def select(
    sums: Sums,
    features: int,
    look: Callable[[Genes], Data],
    draw: Callable[[Data], Units],
    sizes: tuple[int, int],
    generator: np.random.Generator,
) -> tuple[Genes, list[float]]:
    """Return the best choice of so many features, and the best gain of every generation.

    `look` says what a map with some features sees of the boards, `draw` trains it; `sizes` are
    the population and the generations.
    """
    folds = generator.integers(0, FOLDS, len(sums.results))
    known: dict[bytes, float] = {}

    def fitness(genes: Genes) -> float:
        if genes.tobytes() not in known:
            data = look(genes)
            known[genes.tobytes()] = gain(sums, nearest(draw(data), data), folds)
        return known[genes.tobytes()]

    population, generations = sizes
    genes = random_genes(population, features, generator)
    genes[0] = 1  # the paper's own choice is among the first
    curve = []
    for number in range(generations):
        if number > 0:
            genes = breed(genes, ELITES, 1 / features, generator)
        worth = np.array([fitness(row) for row in genes])
        ranked = np.argsort(-worth, kind="stable")
        genes = genes[ranked]
        curve.append(float(worth[ranked[0]]))
    return genes[0], curve
