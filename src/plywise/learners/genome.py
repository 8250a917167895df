"""Genomes: all learned numbers of a network as one vector, and what evolution does to them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Array, Evaluator, Model

Vector = NDArray[np.float64]

KING = "king"  # the weight with a range and a mutation of its own
KING_RANGE = (1.0, 3.0)
KING_START = 2.0
KING_STEP = 0.2  # of a king's value in a mirrored pair
DOMINANT = 0.75  # a weight beyond this in either direction is passed on by crossover


@dataclass(frozen=True)
class Layout:
    """Where in a genome the weights of an evaluator stand; the king's value, if any, is last."""

    evaluator: Evaluator

    @property
    def names(self) -> list[str]:
        return [name for name in self.evaluator.weights if name != KING]

    @property
    def has_king(self) -> bool:
        return KING in self.evaluator.weights

    @property
    def size(self) -> int:
        """The number of weights and biases, without the king's value."""
        return sum(self._count(name) for name in self.names)

    @property
    def length(self) -> int:
        return self.size + self.has_king

    def _count(self, name: str) -> int:
        return int(np.prod(self.evaluator.weights[name]))

    def places(self, name: str) -> NDArray[np.int64]:
        """Return the places of a weight array, in its own shape."""
        before = sum(self._count(other) for other in self.names[: self.names.index(name)])
        span = np.arange(before, before + self._count(name))
        return span.reshape(self.evaluator.weights[name])

    def weights(self, genome: Vector) -> dict[str, Array]:
        """Return the weight arrays of a genome."""
        arrays = {name: genome[self.places(name)].astype(np.float32) for name in self.names}
        if self.has_king:
            arrays[KING] = genome[self.size :].astype(np.float32)
        return {name: arrays[name] for name in self.evaluator.weights}

    def genome(self, weights: dict[str, Array]) -> Vector:
        """Return the genome of weight arrays."""
        out = np.zeros(self.length)
        for name in self.names:
            out[self.places(name)] = weights[name]
        if self.has_king:
            out[self.size :] = weights[KING]
        return out

    def model(self, genome: Vector, card: dict[str, Any] | None = None) -> Model:
        """Return the network of a genome."""
        return Model(self.evaluator, self.weights(genome), card or {})

    def random(self, generator: np.random.Generator, reach: float) -> Vector:
        """Return a genome drawn evenly from [-reach, reach], the king at its start."""
        out = generator.uniform(-reach, reach, self.length)
        if self.has_king:
            out[-1] = KING_START
        return out

    def nodes(self) -> list[NDArray[np.int64]]:
        """Return, for every hidden node above the windows, the places of what feeds into it."""
        found = []
        for name in ("wide", "narrow"):
            rows, bias = self.places(name), self.places(f"{name}_bias")
            found += [np.append(rows[unit], bias[unit]) for unit in range(len(rows))]
        return found


def mutate_evenly(layout: Layout, genome: Vector, generator: np.random.Generator) -> Vector:
    """Return a mutant by paper 000's equation 1: every weight + m / sqrt(2 sqrt K), |m| <= 1."""
    reach = 1 / np.sqrt(2 * np.sqrt(layout.size))
    mutant = genome.copy()
    mutant[: layout.size] += generator.uniform(-1, 1, layout.size) * reach
    return mutant


def cross_over(
    layout: Layout, dominant: Vector, submissive: Vector, generator: np.random.Generator
) -> tuple[Vector, Vector]:
    """Return two reciprocal children: the dominant weights into one random node change places."""
    nodes = layout.nodes()
    places = nodes[generator.integers(len(nodes))]
    swapped = places[np.abs(dominant[places]) > DOMINANT]
    first, second = dominant.copy(), submissive.copy()
    first[swapped], second[swapped] = submissive[swapped], dominant[swapped]
    return first, second


def mutate_adaptively(
    layout: Layout,
    genome: Vector,
    steps: Vector,
    generator: np.random.Generator,
    cap: float,
) -> tuple[Vector, Vector]:
    """Return a child and its step sizes by self-adaptation (Chellapilla & Fogel).

    sigma' = sigma exp(tau N_j), w' = w + sigma' N_j', tau = 1 / sqrt(2 sqrt n);
    king' = king exp(N / sqrt 2) within its range. `cap` bounds sigma (0: no bound).
    """
    tau = 1 / np.sqrt(2 * np.sqrt(layout.size))
    child_steps = steps * np.exp(tau * generator.standard_normal(layout.size))
    if cap > 0:
        child_steps = np.minimum(child_steps, cap)
    child = genome.copy()
    child[: layout.size] += child_steps * generator.standard_normal(layout.size)
    if layout.has_king:
        king = genome[-1] * np.exp(generator.standard_normal() / np.sqrt(2))
        child[-1] = np.clip(king, *KING_RANGE)
    return child, child_steps


def mutate_in_pairs(
    layout: Layout, centre: Vector, pairs: int, step: float, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Return mirrored pairs, one after the other: the centre plus a random step, and minus it."""
    change = generator.standard_normal((pairs, layout.length))
    mutants = np.repeat(centre[None], 2 * pairs, axis=0)
    size = layout.size
    for row, sign in ((0, 1), (1, -1)):
        mutants[row::2, :size] += sign * step * change[:, :size]
        if layout.has_king:
            king = centre[-1] + sign * KING_STEP * change[:, -1]
            mutants[row::2, -1] = np.clip(king, *KING_RANGE)
    return mutants


def recombine(genomes: NDArray[np.float64], scores: NDArray[np.int64], rate: float) -> Vector:
    """Return the mean of genomes in which each counts 1 + rate * score; scores have unit length."""
    length = np.sqrt((scores.astype(np.float64) ** 2).mean())
    shares = (1 + rate * scores / length if length > 0 else np.ones(len(scores))) / len(scores)
    return np.asarray((shares[:, None] * genomes).sum(axis=0))
