"""Kohonen maps: positions that look alike come to the same unit.

`chain` is the map of paper 001: units in a row; the winner and the units beside it move
towards what they see; the rate falls from epoch to epoch. `grid` is a square of units with
`minisom` (extra `som`).
"""

import math

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError

Data = NDArray[np.float64]  # [positions, features]
Units = NDArray[np.float64]  # [units, features]


def train_chain(
    data: Data,
    units: int,
    generator: np.random.Generator,
    rates: tuple[float, float, float] = (0.6, 0.96, 0.1),
) -> Units:
    """Return a chain; `rates` are the first one, its factor from epoch to epoch, and the last."""
    rate, factor, last = rates
    if not (0 < last <= rate <= 1 and 0 < factor < 1):
        raise PlywiseError(
            f"The rate of a map falls from {rate} by {factor} to {last}: wanted are a first rate "
            f"of at most 1, a factor below 1, and a last rate above 0 and not above the first."
        )
    weights = generator.uniform(0, 1, (units, data.shape[1]))
    while rate >= last:
        for seen in data[generator.permutation(len(data))]:
            winner = int(np.argmin(((weights - seen) ** 2).sum(axis=1)))
            near = slice(max(0, winner - 1), winner + 2)
            weights[near] += rate * (seen - weights[near])
        rate *= factor
    return weights


def train_grid(data: Data, units: int, seed: int, epochs: int = 44) -> Units:
    """Return a square of units, row by row; `units` is a square number."""
    side = math.isqrt(units)
    try:
        from minisom import MiniSom
    except ImportError:
        raise PlywiseError(
            "A square map needs minisom: install it with pip install 'plywise[som]'."
        ) from None
    grid = MiniSom(side, side, data.shape[1], sigma=1.0, learning_rate=0.5, random_seed=seed)
    grid.random_weights_init(data)
    grid.train(data, epochs * len(data), random_order=True)
    return np.asarray(grid.get_weights(), np.float64).reshape(units, -1)


def nearest(weights: Units, data: Data) -> NDArray[np.int64]:
    """Return the unit that each position comes to."""
    return np.asarray(_distances(weights, data).argmin(axis=1))


def members(weights: Units, data: Data, least: int) -> list[NDArray[np.int64]]:
    """Return, for every unit, the positions that come to it, the nearest first.

    A unit with fewer than `least` gets the positions nearest to it besides, whose they may be.
    """
    distances = _distances(weights, data)
    winners = distances.argmin(axis=1)
    found = []
    for unit in range(len(weights)):
        ranked = np.lexsort((distances[:, unit], winners != unit))  # its own first, then the rest
        count = max(int((winners == unit).sum()), min(least, len(data)))
        found.append(ranked[:count])
    return found


def quantisation_error(weights: Units, data: Data) -> float:
    """Return the mean distance of positions to their units."""
    return float(np.sqrt(_distances(weights, data).min(axis=1)).mean())


def _distances(weights: Units, data: Data) -> NDArray[np.float64]:
    """Return squared distances: [positions, units]."""
    squares = (data**2).sum(axis=1)[:, None] + (weights**2).sum(axis=1)
    return np.asarray(np.maximum(0.0, squares - 2 * data @ weights.T))
