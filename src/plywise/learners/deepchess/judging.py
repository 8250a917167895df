"""How well a network in training tells positions of won games from positions of lost ones."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from plywise.game import Rows
from plywise.learners.deepchess.networks import Scalar
from plywise.learners.deepchess.pairs import Sides
from plywise.learners.deepchess.stages import Feed, scalar_leads

CHUNK = 4096
TEST_SEED = 20161


def accuracy(network: Any, feed: Feed, sides: Sides, count: int) -> float:
    """Return the share of pairs, always the same ones, that a network orders rightly."""
    won, lost = sides.draw(count, np.random.default_rng(TEST_SEED))
    return float(np.mean(leads(network, feed, feed.positions[won], feed.positions[lost]) > 0))


def leads(network: Any, feed: Feed, first: Rows, second: Rows) -> NDArray[np.float32]:
    """Return the leads of pairs of positions for side 0."""
    found = []
    with torch.no_grad():
        for begin in range(0, len(first), CHUNK):
            pair = first[begin : begin + CHUNK], second[begin : begin + CHUNK]
            views = np.zeros(len(pair[0]), np.int64)
            if isinstance(network, Scalar):
                one, other = (scalar_leads(network, feed, rows, views) for rows in pair)
                found.append((one - other).cpu().numpy())
            else:
                codes = [network.extractor(feed.indices(rows, views)) for rows in pair]
                found.append(network.lead(*codes).cpu().numpy())
    return np.concatenate(found)
