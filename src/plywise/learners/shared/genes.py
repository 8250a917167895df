"""Genetic choice among things, each a gene that is on or off (LS-Draughts)."""

import numpy as np
from numpy.typing import NDArray

Genes = NDArray[np.uint8]  # [individuals, genes], or one individual's

CROSSOVER = 0.9  # how likely two parents mix their genes


def random_genes(count: int, size: int, generator: np.random.Generator) -> Genes:
    """Return random individuals, none of them without a gene."""
    drawn = generator.integers(0, 2, (count, size)).astype(np.uint8)
    return np.array([_filled(row, generator) for row in drawn])


def breed(ranked: Genes, elites: int, chance: float, generator: np.random.Generator) -> Genes:
    """Return as many young ones: the elites, and children of parents that won a draw of two.

    `ranked` has the best first; `chance` is how likely a gene changes.
    """
    count, size = ranked.shape
    young = [*ranked[:elites]]
    while len(young) < count:
        first, second = generator.integers(0, count, (2, 2)).min(axis=1)  # the better of two
        child = ranked[first].copy()
        if generator.random() < CROSSOVER:
            child = np.where(generator.random(size) < 0.5, child, ranked[second])
        child ^= np.asarray(generator.random(size) < chance, np.uint8)
        young.append(_filled(child, generator))
    return np.array(young)


def _filled(genes: Genes, generator: np.random.Generator) -> Genes:
    """Return genes of which one at least is set."""
    if not genes.any():
        genes[generator.integers(len(genes))] = 1
    return genes
