"""Learning from positions and targets, by steps that need no rate: temporal coherence.

Every learned number keeps E, the sum of its errors, and A, the sum of their sizes. While errors
agree, |E| / A is near 1 and the number moves as fast as it can; when they begin to contradict
each other it slows down (Beal & Smith 1999).

    w <- w + share * (|E| / A) * error,   E <- E + error,   A <- A + |error|

The numbers of a network serve all positions, so their errors always contradict each other, and
steps of this kind come to rest too early. They keep the mean Q of the squares of what pulls at them
instead, p = error * slope, and move by p in units of its usual size (RMSprop, Tieleman & Hinton
2012).

    n <- n + 1,   Q <- Q + max(1 / n, FORGETTING) * (p^2 - Q),   w <- w + rate * p / sqrt(Q)

so that Q is the mean of all squares at first, which matters where a number is pulled at rarely.
"""

from typing import Any

import numpy as np

from plywise.evaluators.activation import tanh as plain_tanh
from plywise.kernel import Bundle, compiled, part
from plywise.kernel.bits import Whole

tanh = compiled(plain_tanh)
WEIGHT, SUM, SIZE = range(3)  # columns of the numbers that are learned
SQUARE, TIMES = 1, 2  # of those that follow a gradient, the rows after WEIGHT
FORGETTING = 0.001


@compiled
def learn(
    game: Bundle,
    evaluator: Bundle,
    params: Any,
    numbers: Any,
    lessons: tuple[Any, Any],
    scratch: tuple[Any, Any],
    rate: float,
) -> float:
    """Learn from positions in their order; return the sum of the squared errors before that.

    `numbers` has WEIGHT, SUM and SIZE of every entry; `scratch` an accumulator and room for the
    entries of a position.
    """
    rows, targets = lessons
    accumulator, entries = scratch
    squares = 0.0
    for index in range(len(targets)):
        position = game.load_at(rows, index)
        count, further = evaluator.entries(params, accumulator, 0, position, entries)
        total = 0.0
        for place in range(count):
            number = entries[place]
            if evaluator.has_phases:
                total += (1.0 - further) * numbers[number, WEIGHT]
                total += further * numbers[number + 1, WEIGHT]
            else:
                total += numbers[number, WEIGHT]
        error = targets[index] - tanh(total)
        squares += error * error
        step = rate / count
        for place in range(count):
            number = entries[place]
            if evaluator.has_phases:
                move(numbers, number, step, (1.0 - further) * error)
                move(numbers, number + 1, step, further * error)
            else:
                move(numbers, number, step, error)
    return squares


@compiled
def move(numbers: Any, number: Whole, step: float, error: float) -> None:
    """Change an entry by its share of an error."""
    size = numbers[number, SIZE]
    coherence = abs(numbers[number, SUM]) / size if size > 0.0 else 1.0
    numbers[number, WEIGHT] += step * error * coherence
    numbers[number, SUM] += error
    numbers[number, SIZE] += abs(error)


@compiled
def learn_by_gradient(
    game: Bundle,
    evaluator: Bundle,
    numbers: Any,
    rates: Any,
    lessons: tuple[Any, Any],
    scratch: tuple[Any, Any, Any],
) -> float:
    """Learn from positions in their order; return the sum of the squared errors before that.

    `numbers` has WEIGHT, SQUARE and TIMES of all numbers in rows; `scratch` an accumulator, and
    room for the runs and amounts of a gradient.
    """
    rows, targets = lessons
    accumulator, runs, amounts = scratch
    vector = numbers[WEIGHT]
    squares = 0.0
    for index in range(len(targets)):
        position = game.load_at(rows, index)
        value, count = evaluator.gradient(vector, accumulator, 0, position, runs, amounts)
        error = targets[index] - value
        squares += error * error
        done = 0
        for run in range(count):
            first, size = runs[run, 0], runs[run, 1] - runs[run, 0]
            follow(numbers, rates, first, error, part(amounts, done, size))
            done += size
    return squares


@compiled
def follow(numbers: Any, rates: Any, first: Whole, error: float, slopes: Any) -> None:
    """Move the numbers from `first` on along their slopes."""
    for index in range(len(slopes)):
        pull = error * slopes[index]
        if pull == 0.0:
            continue
        place = first + index
        numbers[TIMES, place] += 1.0
        square = numbers[SQUARE, place]
        square += max(1.0 / numbers[TIMES, place], FORGETTING) * (pull * pull - square)
        numbers[SQUARE, place] = square
        numbers[WEIGHT, place] += rates[place] * pull / np.sqrt(square)
