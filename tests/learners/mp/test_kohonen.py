"""Kohonen maps: the paper's rule, and what becomes of small clusters."""

import numpy as np
import pytest

from conftest import seeded
from plywise.errors import PlywiseError
from plywise.learners.mp import kohonen


def blobs(count: int, seed: int = 1) -> np.ndarray:
    """Return points around four corners of a cube."""
    corners = np.array([[0, 0, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1]])
    return corners[np.arange(count) % 4] + seeded(seed).normal(0, 0.05, (count, 3))


def test_a_chain_follows_the_papers_rule() -> None:
    """Written out: the winner and its two neighbours move, and the rate falls by epochs."""
    data, generator = blobs(12), seeded(3)
    units = generator.uniform(0, 1, (5, 3))
    rate = 0.5
    while rate >= 0.2:
        for seen in data[generator.permutation(12)]:
            distances = [np.linalg.norm(unit - seen) for unit in units]
            winner = distances.index(min(distances))
            for unit in (winner - 1, winner, winner + 1):
                if 0 <= unit < 5:
                    units[unit] = units[unit] + rate * (seen - units[unit])
        rate *= 0.7
    assert np.allclose(kohonen.train_chain(data, 5, seeded(3), (0.5, 0.7, 0.2)), units)


@pytest.mark.parametrize("kind", ["chain", "grid"])
def test_points_that_are_alike_come_together(kind: str) -> None:
    data = blobs(200)
    if kind == "chain":
        units = kohonen.train_chain(data, 9, seeded(1))
    else:
        units = kohonen.train_grid(data, 9, 1)
    assert units.shape == (9, 3)
    winners = kohonen.nearest(units, data)
    for corner in range(4):
        others = np.delete(winners, np.arange(corner, 200, 4))
        assert not set(winners[corner::4]) & set(others)
    assert kohonen.quantisation_error(units, data) < 0.3


def test_the_papers_rates_make_44_epochs() -> None:
    rate, epochs = 0.6, 0
    while rate >= 0.1:
        rate, epochs = rate * 0.96, epochs + 1
    assert epochs == 44


def test_small_clusters_borrow_the_nearest_boards() -> None:
    data = np.array([[0.0], [0.1], [0.2], [0.9], [5.0]])
    units = np.array([[0.1], [1.0], [50.0], [5.0]])
    found = [sorted(part.tolist()) for part in kohonen.members(units, data, 2)]
    assert found == [[0, 1, 2], [2, 3], [3, 4], [3, 4]]
    assert [len(part) for part in kohonen.members(units, data, 99)] == [5, 5, 5, 5]
    assert [len(part) for part in kohonen.members(units, data, 0)] == [3, 1, 0, 1]


def test_impossible_maps_are_refused() -> None:
    for rates in ((0.6, 1.0, 0.1), (0.1, 0.9, 0.6), (0.6, 0.9, 0.0), (2.0, 0.9, 0.1)):
        with pytest.raises(PlywiseError, match="rate of a map"):
            kohonen.train_chain(blobs(20), 4, seeded(1), rates)
