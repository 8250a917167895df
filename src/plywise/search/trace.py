"""A trace: every inner node of the last completed iteration, for learners.

Two halves of one memory: an iteration writes into the one, and when it is complete the halves
change places. So a search that is stopped leaves the iteration before. A half is a ring: where
an iteration has more nodes than there is room for, the last ones stay, the root among them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Position, Whole

FINISHED = -1  # the depth by which a trace marks a position in which the game is over
DONE_HALF, DONE_COUNT, OPEN_COUNT = range(3)  # places of `state`


class Trace(NamedTuple):
    """The memory of a trace; a node stands at half * room + its number modulo room."""

    positions: Any  # [2 * room, words]
    scores: Any  # [2 * room] int32
    bounds: Any  # [2 * room] uint8: UPPER, LOWER or EXACT
    plies: Any  # [2 * room] int16: distance from the root
    depths: Any  # [2 * room] int16: what was left to search, or FINISHED
    state: Any  # [3] int64: the half of the last completed iteration, its nodes, those of the next


class Nodes(NamedTuple):
    """Nodes in the order in which they were left: the root is the last one."""

    positions: NDArray[np.uint64]  # [nodes, words]
    scores: NDArray[np.int32]
    bounds: NDArray[np.uint8]
    plies: NDArray[np.int16]
    depths: NDArray[np.int16]


def make_trace(words: int, room: int) -> Trace:
    """Return memory for the last `room` nodes of an iteration."""
    return Trace(
        np.zeros((2 * room, words), np.uint64),
        np.zeros(2 * room, np.int32),
        np.zeros(2 * room, np.uint8),
        np.zeros(2 * room, np.int16),
        np.zeros(2 * room, np.int16),
        np.zeros(3, np.int64),
    )


def clear_trace(trace: Trace | None) -> None:
    """Forget all nodes, before a new search."""
    if trace is not None:
        trace.state[:] = 0


def traced_nodes(trace: Trace) -> Nodes:
    """Return the nodes of the last completed iteration; none if there was none."""
    room = len(trace.scores) // 2
    half, count = int(trace.state[DONE_HALF]), int(trace.state[DONE_COUNT])
    numbers = np.arange(max(0, count - room), count)
    places = half * room + numbers % room
    return Nodes(*(field[places] for field in trace[:5]))


@compiled
def leave_trace(
    trace: Trace | None,
    game: Bundle,
    position: Position,
    at: tuple[Whole, Whole],
    found: tuple[Whole, Whole],
) -> None:
    """Note a node at (ply, depth) left with (score, bound); without a trace this is nothing."""
    if trace is not None:
        room = len(trace.scores) // 2
        number = trace.state[OPEN_COUNT]
        trace.state[OPEN_COUNT] = number + 1
        index = (1 - trace.state[DONE_HALF]) * room + number % room
        game.store_at(position, trace.positions, index)
        trace.scores[index] = found[0]
        trace.bounds[index] = found[1]
        trace.plies[index] = at[0]
        trace.depths[index] = at[1]


@compiled
def begin_iteration(trace: Trace | None) -> None:
    """Make room for the nodes of an iteration."""
    if trace is not None:
        trace.state[OPEN_COUNT] = 0


@compiled
def complete_iteration(trace: Trace | None) -> None:
    """Make the iteration's nodes those of the last completed one."""
    if trace is not None:
        trace.state[DONE_HALF] = 1 - trace.state[DONE_HALF]
        trace.state[DONE_COUNT] = trace.state[OPEN_COUNT]
