"""Safe mutations: how much a network's output depends on each of its weights.

SM-G-ABS of Lehman, Chen, Clune and Stanley (2017): the mean over archived positions of the
absolute gradient of the output. Steps are divided by it, so that all weights change the
output alike.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.model import Array
from plywise.game import Game
from plywise.game.record import Record
from plywise.learners.shared.layout import Layout, Vector

ARCHIVE = 100
FLOOR = 0.01  # a smaller sensitivity counts as this; none at all as 1


@functools.cache
def archive_inputs(game: Game) -> NDArray[np.float64]:
    """Return the inputs of positions from random games, as the side to move sees them."""
    generator = np.random.default_rng(0)
    rows: list[Array] = []
    while len(rows) < ARCHIVE:
        record = Record(game)
        for _ in range(int(generator.integers(4, 60))):
            moves = record.legal_moves()
            if len(moves) == 0:
                break
            record.play(moves[generator.integers(len(moves))])
        inputs = game.inputs(record.position).astype(np.float64)
        rows.append(inputs if record.side == 0 else -inputs[list(game.mirror)])
    return np.array(rows)


def sensitivity(layout: Layout, genome: Vector, inputs: NDArray[np.float64]) -> Vector:
    """Return what the step of each weight without a range is divided by."""
    evaluator = layout.evaluator
    if evaluator.slopes is None:
        raise PlywiseError(f"The evaluator {evaluator.name!r} has no slopes for safe mutations.")
    weights = {name: genome[layout.places(name)] for name in layout.names}
    mean = np.zeros(layout.size)
    for name, slopes in evaluator.slopes(weights, inputs).items():
        mean[layout.places(name)] = np.abs(slopes).mean(axis=0)
    return np.where(mean == 0, 1.0, np.maximum(mean, FLOOR))
