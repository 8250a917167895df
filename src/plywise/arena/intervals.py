"""What some scores prove of their mean, at every number of samples: Gaffke's bounds.

A sample has one of the evenly spaced scores 0 ... 1; nothing else is assumed. Give every sample,
and one more that nobody saw, a share drawn from a flat Dirichlet law. The mean under these shares
is then a random number: with the unseen sample at 0 its 2.5 % quantile is the lower bound of the
mean, and with the unseen sample at 1 its 97.5 % quantile the upper one. For wins and losses only,
these are the exact bounds of Clopper and Pearson; for wins, draws and losses the test of one half
is the exact sign test. N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis
on the mean of a nonnegative variable" (2005); that the bounds hold for all laws is a conjecture
which every simulation so far bears out, those of `benchmarks/intervals.py` among them.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEP = 1 / 16  # of the integral; its error falls as exp(-60) with it
GRID = np.arange(0, 20 + STEP, STEP)
SINH, WEIGHTS = np.sinh(GRID), np.cosh(GRID) * np.where(GRID > 0, 2.0, 1.0)
PRECISION = 1e-9  # of a bound


class Chances(NamedTuple):
    """How sure it is that the mean lies above a number: at least, and at most."""

    least: float
    most: float


@functools.lru_cache(maxsize=1024)
def chances_above(counts: tuple[int, ...], mean: float) -> Chances:
    """Return how sure it is that scores that occurred so often have a mean above a number."""
    at_0, at_1 = _with_unseen(counts)
    return Chances(_chance_above(at_0, mean), _chance_above(at_1, mean))


def _with_unseen(counts: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the counts with a sample more at 0, and with one more at 1."""
    return (counts[0] + 1, *counts[1:]), (*counts[:-1], counts[-1] + 1)


@functools.lru_cache(maxsize=1024)
def mean_interval(counts: tuple[int, ...], confidence: float) -> tuple[float, float]:
    """Return the interval that holds the mean of scores that occurred so often."""
    tail = (1 - confidence) / 2
    at_0, at_1 = _with_unseen(counts)
    low = _crossing(lambda mean: _chance_above(at_0, mean) - (1 - tail)) if any(counts[1:]) else 0.0
    high = _crossing(lambda mean: _chance_above(at_1, mean) - tail) if any(counts[:-1]) else 1.0
    return low, high


def _crossing(falling: Callable[[float], float]) -> float:
    """Return where a falling function on 0 ... 1 crosses zero, by the Illinois method."""
    low, high = 0.0, 1.0
    at_low, at_high = falling(low), falling(high)
    last = 0
    while high - low > PRECISION:
        middle = low + (high - low) * at_low / (at_low - at_high)
        if not low < middle < high:
            middle = (low + high) / 2
        value = falling(middle)
        if abs(value) < PRECISION:
            return middle
        if value > 0:
            low, at_low = middle, value
            at_high /= 2 if last > 0 else 1
        else:
            high, at_high = middle, value
            at_low /= 2 if last < 0 else 1
        last = 1 if value > 0 else -1
    return (low + high) / 2


# ---------------------------------------------------------------- the mean under Dirichlet's law


def _chance_above(shapes: Sequence[int], mean: float) -> float:
    """Return the chance that scores with Dirichlet's shares have a mean above a number.

    Shares are Gamma variables over their sum, so that is the chance of a sum of them, each with
    the distance of its score as weight, to be positive.
    """
    top = len(shapes) - 1
    terms = [(place / top - mean, shape) for place, shape in enumerate(shapes) if shape]
    weights = [weight for weight, _ in terms if weight]
    if not any(weight > 0 for weight in weights):
        return 0.0
    if not any(weight < 0 for weight in weights):
        return 1.0
    if sum(weight * shape for weight, shape in terms) < 0:
        return _positive_chance(terms)
    return 1 - _positive_chance([(-weight, shape) for weight, shape in terms])


def _positive_chance(terms: Sequence[tuple[float, int]]) -> float:
    """Return the chance that a sum of weighted Gamma variables, negative on average, is positive.

    It is the integral of exp(K(s)) / s over a line parallel to the imaginary axis, K the cumulant
    generating function of the sum. Through the saddle point nothing cancels, so that even a chance
    of 1e-300 has its digits.
    """
    saddle = _saddle(terms)
    curvature = sum(n * (w / (1 - w * saddle)) ** 2 for w, n in terms) + 1 / saddle**2
    width = 1 / math.sqrt(curvature)
    line = saddle + 1j * width * SINH
    exponent = -np.log(line)
    for weight, shape in terms:
        exponent -= shape * np.log(1 - weight * line)
    return float(STEP * width / (2 * math.pi) * (np.exp(exponent).real @ WEIGHTS))


def _saddle(terms: Sequence[tuple[float, int]]) -> float:
    """Return where K(s) - log s is least, between 0 and the first pole of K."""
    low, high = 0.0, 1 / max(weight for weight, _ in terms)
    for _ in range(50):
        middle = (low + high) / 2
        slope = sum(w * n / (1 - w * middle) for w, n in terms) - 1 / middle
        low, high = (middle, high) if slope < 0 else (low, middle)
    return (low + high) / 2
