"""What a learner is pulled at by positions, and how it steps, compiled.

Nodes of a tree pull at the learned numbers; after the tree there is one step. With v the value of
a node, y what it should be, g the gradient of v and m what the node counts:

    entropy    p = m (y - v) g / (1 - v^2)     v as a probability of winning, through a tanh
    squared    p = m (y - v) g

    one-sided  nothing, where y is a lower bound and v is above it, or an upper one and v below it

    plain      w <- w + rate * sum p                               as published
    coherent   w <- w + rate * (|E| / A) * (sum p / sum m |g|) / L,  then E, A follow the mean error
    even       w <- w + rate * share * P / sqrt(Q),                P the mean pull, Q its square

E and A are sums of mean errors and of their sizes (temporal coherence, Beal & Smith 1999); L is how
much |g| a node has in all numbers that may change, so that a step of all mends the mean error and
no more. Q is RMSprop's, see `patterns.learning`: for networks, whose numbers serve all positions.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.kernel import compiled, part
from plywise.kernel.bits import Position, Whole
from plywise.learners.patterns.learning import SIZE, SUM, WEIGHT, follow
from plywise.search.table import LOWER, UPPER
from plywise.search.task import Task

PLAIN, COHERENT, EVEN = range(3)
STEEP = 1e-4  # the least slope of a tanh that is divided by

STATE = np.dtype(
    (
        np.record,
        [
            ("random", np.uint64),
            ("active", np.int64),  # how many runs have been pulled at
            ("mass", np.float64),  # what the nodes count since the last step
            ("load", np.float64),  # sum of m |g| over all numbers that may change
            ("squares", np.float64),  # of all errors
            ("taught", np.int64),  # how many nodes pulled
            ("seen", np.int64),  # and how many were looked at
        ],
    )
)


class Steps(NamedTuple):
    """How numbers step."""

    kind: int
    rate: float
    clip: float  # the largest change of a number; 0: any
    is_entropy: bool


class Pupil(NamedTuple):
    """A learner at work, with N learned numbers."""

    task: Task
    trace: Any  # of the task, which is not without one
    steps: Steps
    numbers: Any  # [3, N] what is learned, and what steps need: see `patterns.learning`
    vector: Any  # [N] the first row of it
    rates: Any  # [N] factors of the rate; 0: a number that stays
    pulls: Any  # [N] sum p, 0 but for the active runs
    masses: Any  # [N] sum m |g|, likewise
    is_active: Any  # [N] whether an active run begins at a place
    active: Any  # [N, 2] the runs that were pulled at, `state.active` of them
    runs: Any  # [most_runs, 2] the runs of a gradient
    slopes: Any  # [most_amounts] and its amounts
    state: Any  # a record of STATE


def make_pupil(
    task: Task,
    steps: Steps,
    numbers: NDArray[np.float64],
    rates: NDArray[np.float64],
    random: np.uint64,
) -> Pupil:
    """Return a learner that begins with these numbers, which it changes in place."""
    count = numbers.shape[1]
    state: Any = np.zeros(1, STATE)[0]
    state.random = random
    return Pupil(
        task,
        task.trace,
        steps,
        numbers,
        numbers[WEIGHT],
        rates,
        pulls=np.zeros(count),
        masses=np.zeros(count),
        is_active=np.zeros(count, np.bool_),
        active=np.zeros((count, 2), np.int64),
        runs=np.zeros((task.evaluator.most_runs, 2), np.int64),
        slopes=np.zeros(task.evaluator.most_amounts),
        state=state,
    )


@compiled
def pull(pupil: Pupil, position: Position, target: float, bound: Whole, mass: float) -> None:
    """Let a position pull at the numbers; `bound` says what its target is, EXACT or one side."""
    state = pupil.state
    value, count = pupil.task.evaluator.gradient(
        pupil.vector, pupil.task.memory.accumulator, 0, position, pupil.runs, pupil.slopes
    )
    state.mass += mass
    state.seen += 1
    error = target - value
    if (bound == LOWER and error <= 0.0) or (bound == UPPER and error >= 0.0):
        if pupil.steps.kind == PLAIN:  # others count also what is content
            return
        error = 0.0
    else:
        state.taught += 1
        state.squares += error * error
    steepness = max(1.0 - value * value, STEEP) if pupil.steps.is_entropy else 1.0
    weight = mass / steepness
    done = 0
    for run in range(count):
        first, size = pupil.runs[run, 0], pupil.runs[run, 1] - pupil.runs[run, 0]
        activate(pupil, first, first + size)
        pulls, masses = part(pupil.pulls, first, size), part(pupil.masses, first, size)
        slopes = part(pupil.slopes, done, size)
        for index in range(size):
            pulls[index] += weight * error * slopes[index]
            masses[index] += weight * abs(slopes[index])
            if pupil.rates[first + index] > 0.0:
                state.load += weight * abs(slopes[index])
        done += size


@compiled
def activate(pupil: Pupil, first: Whole, end: Whole) -> None:
    """Put a run on the list of those that were pulled at."""
    if not pupil.is_active[first]:
        pupil.is_active[first] = True
        pupil.active[pupil.state.active, 0] = first
        pupil.active[pupil.state.active, 1] = end
        pupil.state.active += 1


@compiled
def take_step(pupil: Pupil, share: float) -> None:
    """Change the numbers by a share of what has pulled at them, and forget it."""
    state, task = pupil.state, pupil.task
    if state.mass > 0.0 and state.load > 0.0:
        for run in range(state.active):
            step_run(pupil, share, pupil.active[run, 0], pupil.active[run, 1])
        task.evaluator.unpack_runs(pupil.vector, task.params, pupil.active, state.active)
    for run in range(state.active):
        pupil.is_active[pupil.active[run, 0]] = False
        for place in range(pupil.active[run, 0], pupil.active[run, 1]):
            pupil.pulls[place] = 0.0
            pupil.masses[place] = 0.0
    state.active = 0
    state.mass = 0.0
    state.load = 0.0


@compiled
def step_run(pupil: Pupil, share: float, first: Whole, end: Whole) -> None:
    """Change the numbers of one run, see `take_step`."""
    steps, state = pupil.steps, pupil.state
    if steps.kind == EVEN:
        follow(
            pupil.numbers,
            pupil.rates,
            first,
            1.0 / state.mass,
            part(pupil.pulls, first, end - first),
        )
        return
    for place in range(first, end):
        if pupil.masses[place] == 0.0 or pupil.rates[place] == 0.0:
            continue
        if steps.kind == PLAIN:
            change = pupil.pulls[place]
        else:
            change = coherent_change(pupil.numbers, place, pupil.pulls[place] / pupil.masses[place])
            change *= state.mass / state.load
        change *= share * steps.rate * pupil.rates[place]
        if steps.clip > 0.0:
            change = min(max(change, -steps.clip), steps.clip)
        pupil.vector[place] += change


@compiled
def coherent_change(numbers: Any, place: Whole, error: float) -> float:
    """Return an error slowed down by how much those before contradict each other; note it."""
    size = numbers[SIZE, place]
    coherence = abs(numbers[SUM, place]) / size if size > 0.0 else 1.0
    numbers[SUM, place] += error
    numbers[SIZE, place] += abs(error)
    return float(coherence * error)
