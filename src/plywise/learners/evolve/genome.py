"""Genomes: the vectors of networks, and what evolution does to them."""

import numpy as np
from numpy.typing import NDArray

from plywise.learners.shared.layout import Layout, Vector

DOMINANT = 0.75  # a weight beyond this in either direction is passed on by crossover


def hidden_nodes(layout: Layout) -> list[NDArray[np.int64]]:
    """Return, for every hidden node above the windows, the places of what feeds into it."""
    found = []
    for name in ("wide", "narrow"):
        rows, bias = layout.places(name), layout.places(f"{name}_bias")
        found += [np.append(rows[unit], bias[unit]) for unit in range(len(rows))]
    return found


def mutate_evenly(
    layout: Layout,
    genome: Vector,
    generator: np.random.Generator,
    share: float = 1.0,
    size: float = 1.0,
) -> Vector:
    """Return a mutant by paper 000's equation 1: weight + m / sqrt(2 sqrt K), |m| <= 1.

    The paper changes every weight; `share` leaves others as they are, `size` is a factor.
    """
    reach = size / np.sqrt(2 * np.sqrt(layout.size))
    steps = generator.uniform(-1, 1, layout.size) * reach
    if share < 1:
        steps *= generator.random(layout.size) < share
    mutant = genome.copy()
    mutant[: layout.size] += steps
    return mutant


def cross_over(
    layout: Layout,
    dominant: Vector,
    submissive: Vector,
    generator: np.random.Generator,
    kind: str = "dominant",
) -> tuple[Vector, Vector]:
    """Return two reciprocal children: some of their parents' weights have changed places.

    `dominant`, the paper's way: large weights of the dominant parent into one random node;
    `node`: all weights into it; `uniform`: every number with a chance of one half.
    """
    if kind == "uniform":
        swapped = np.flatnonzero(generator.random(len(dominant)) < 0.5)
    else:
        nodes = hidden_nodes(layout)
        places = nodes[generator.integers(len(nodes))]
        swapped = places if kind == "node" else places[np.abs(dominant[places]) > DOMINANT]
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
    w' = w exp(N / sqrt 2) where it has a range, such as the value of a king, and within it. `cap`
    bounds sigma (0: no bound).
    """
    tau = 1 / np.sqrt(2 * np.sqrt(layout.size))
    child_steps = steps * np.exp(tau * generator.standard_normal(layout.size))
    if cap > 0:
        child_steps = np.minimum(child_steps, cap)
    child = genome.copy()
    child[: layout.size] += child_steps * generator.standard_normal(layout.size)
    factors = np.exp(generator.standard_normal(layout.length - layout.size) / np.sqrt(2))
    child[layout.size :] = within_ranges(layout, genome[layout.size :] * factors)
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
        ranged = centre[size:] + sign * layout.ranges("step") * change[:, size:]
        mutants[row::2, size:] = within_ranges(layout, ranged)
    return mutants


def within_ranges(layout: Layout, numbers: Vector) -> Vector:
    """Return the numbers of a vector that have a range, cut off at its ends."""
    return np.clip(numbers, layout.ranges("low"), layout.ranges("high"))


def recombine(genomes: NDArray[np.float64], scores: NDArray[np.int64], rate: float) -> Vector:
    """Return the mean of genomes in which each counts 1 + rate * score; scores have unit length."""
    length = np.sqrt((scores.astype(np.float64) ** 2).mean())
    shares = (1 + rate * scores / length if length > 0 else np.ones(len(scores))) / len(scores)
    return np.asarray((shares[:, None] * genomes).sum(axis=0))
