"""What the evolved networks of draughts do with boards, layer by layer, in NumPy.

The same networks as compiled ones in `windows`; here every part can be looked at, and the
derivatives by all weights but the king's value are found, also of the network without compiled
gradient.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Array
from plywise.games.draughts.squares import MEMBERS, WINDOWS

Rows = NDArray[np.float64]


class Activity(NamedTuple):
    """What every part of a network says to boards, a row for each."""

    board: Rows  # the inputs, kings at the network's own value
    below: Rows  # what the first of the two upper layers sees: squares, sums or windows
    wide: Rows
    narrow: Rows
    judged: NDArray[np.float64]  # by the upper layers: all of the output but the piece difference
    output: NDArray[np.float64]


def activity(name: str, weights: Mapping[str, Array], inputs: Rows) -> Activity:
    """Return what the network of a name says to inputs as the side to move sees them."""
    board = inputs
    if "king" in weights:
        board = np.where(np.abs(inputs) > 1, np.sign(inputs) * weights["king"][0], inputs)
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


def slopes_of(name: str, weights: Mapping[str, Array], inputs: Rows) -> dict[str, Array]:
    """Return the derivatives of the output by the weights: [boards, ...] each."""
    board, below, wide, narrow, _, output = activity(name, weights, inputs)
    at_output = (1 - output**2)[:, None]
    at_narrow = at_output * weights["output"] * (1 - narrow**2)
    at_wide = (at_narrow @ weights["narrow"]) * (1 - wide**2)
    slopes = {
        "output": at_output * narrow,
        "output_bias": at_output,
        "narrow": at_narrow[:, :, None] * wide[:, None, :],
        "narrow_bias": at_narrow,
        "wide": at_wide[:, :, None] * below[:, None, :],
        "wide_bias": at_wide,
    }
    if name == "blondie":
        slopes["bypass"] = at_output * board.sum(axis=1)[:, None]
    elif name == "anaconda":
        at_windows = (at_wide @ weights["wide"]) * (1 - below**2)
        slopes["windows"] = at_windows[:, MEMBERS[:, 0]] * board[:, MEMBERS[:, 1]]
        slopes["windows_bias"] = at_windows
    return slopes
