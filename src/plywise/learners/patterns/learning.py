"""Learning from positions and targets, by steps that need no rate: temporal coherence.

Every learned number keeps E, the sum of its errors, and A, the sum of their sizes. While errors
agree, |E| / A is near 1 and the number moves as fast as it can; when they begin to contradict
each other it slows down (Beal & Smith 1999).

    w <- w + share * (|E| / A) * error,   E <- E + error,   A <- A + |error|
"""

from typing import Any

from plywise.evaluators.activation import tanh as plain_tanh
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Whole

tanh = compiled(plain_tanh)
WEIGHT, SUM, SIZE = range(3)  # columns of the numbers that are learned


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
    """Change a number by its share of an error."""
    size = numbers[number, SIZE]
    coherence = abs(numbers[number, SUM]) / size if size > 0.0 else 1.0
    numbers[number, WEIGHT] += step * error * coherence
    numbers[number, SUM] += error
    numbers[number, SIZE] += abs(error)
