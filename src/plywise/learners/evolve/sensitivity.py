"""Safe mutations: how much a network's output depends on each of its weights.

SM-G-ABS of Lehman, Chen, Clune and Stanley (2017): the mean over archived positions of the
absolute gradient of the output. Steps are divided by it, so that all weights change the
output alike.
"""

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Array
from plywise.game import Game
from plywise.game.record import Record
from plywise.games.draughts.windows import MEMBERS, WINDOWS
from plywise.learners.shared.layout import Layout, Vector

Rows = NDArray[np.float64]

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


class Activity(NamedTuple):
    """What every part of a network says to positions, a row for each."""

    board: Rows  # the inputs, kings at the network's own value
    below: Rows  # what the first of the two upper layers sees: squares, sums or windows
    wide: Rows
    narrow: Rows
    judged: NDArray[np.float64]  # by the upper layers: all of the output but the piece difference
    output: NDArray[np.float64]


def activity(layout: Layout, genome: Vector, inputs: Rows) -> Activity:
    """Return what a genome's network says to inputs."""
    weights = {name: genome[layout.places(name)] for name in layout.names}
    board = inputs
    if layout.has_king:
        board = np.where(np.abs(inputs) > 1, np.sign(inputs) * genome[-1], inputs)
    name = layout.evaluator.name
    below = board
    if name == "subsquares":
        below = board @ WINDOWS.T
    elif name == "anaconda":
        first = np.zeros((32, len(WINDOWS)))
        first[MEMBERS[:, 1], MEMBERS[:, 0]] = weights["windows"]
        below = np.tanh(board @ first + weights["windows_bias"])
    wide = np.tanh(below @ weights["wide"].T + weights["wide_bias"])
    narrow = np.tanh(wide @ weights["narrow"].T + weights["narrow_bias"])
    judged = narrow @ weights["output"] + weights["output_bias"][0]
    lead = board.sum(axis=1)
    if name == "blondie":
        output = np.tanh(judged + weights["bypass"][0] * lead)
    elif name == "anaconda":
        output = np.tanh(judged + lead)
    else:
        output = np.tanh(judged)
    return Activity(board, below, wide, narrow, judged, output)


def outputs_and_gradients(
    layout: Layout, genome: Vector, inputs: Rows
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the outputs [positions] and their gradients [positions, weights without king]."""
    weights = {name: genome[layout.places(name)] for name in layout.names}
    name = layout.evaluator.name
    board, below, wide, narrow, _, output = activity(layout, genome, inputs)
    gradients = np.zeros((len(inputs), layout.size))
    at_output = (1 - output**2)[:, None]
    at_narrow = at_output * weights["output"] * (1 - narrow**2)
    at_wide = (at_narrow @ weights["narrow"]) * (1 - wide**2)
    gradients[:, layout.places("output")] = at_output * narrow
    gradients[:, layout.places("output_bias")] = at_output
    gradients[:, layout.places("narrow")] = at_narrow[:, :, None] * wide[:, None, :]
    gradients[:, layout.places("narrow_bias")] = at_narrow
    gradients[:, layout.places("wide")] = at_wide[:, :, None] * below[:, None, :]
    gradients[:, layout.places("wide_bias")] = at_wide
    if name == "blondie":
        gradients[:, layout.places("bypass")] = at_output * board.sum(axis=1)[:, None]
    elif name == "anaconda":
        at_windows = (at_wide @ weights["wide"]) * (1 - below**2)
        gradients[:, layout.places("windows")] = (
            at_windows[:, MEMBERS[:, 0]] * board[:, MEMBERS[:, 1]]
        )
        gradients[:, layout.places("windows_bias")] = at_windows
    return output, gradients


def sensitivity(layout: Layout, genome: Vector, inputs: NDArray[np.float64]) -> Vector:
    """Return what each weight's step is divided by."""
    _, gradients = outputs_and_gradients(layout, genome, inputs)
    mean: Vector = np.abs(gradients).mean(axis=0)
    return np.where(mean == 0, 1.0, np.maximum(mean, FLOOR))
