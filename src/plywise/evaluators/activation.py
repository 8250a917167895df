"""The activation functions of networks: tanh in arithmetic that vectors do, and a clipped line."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


def _lambert(terms: int) -> tuple[list[int], list[int]]:
    """Return numerator and denominator, in powers of x*x, of tanh(x) / x.

    Lambert's continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))), cut after some terms.
    """
    above, below = [1], [2 * terms - 1]  # the innermost 1 / (2 n - 1)
    for odd in range(2 * terms - 3, 0, -2):
        # 1 / (odd + x^2 * above / below) = below / (odd * below + x^2 * above)
        grown = [odd * number for number in below] + [0] * (len(above) + 1 - len(below))
        for power, number in enumerate(above):
            grown[power + 1] += number
        above, below = below, grown
    return above, below


_ABOVE, _BELOW = _lambert(9)
_SCALE = float(_BELOW[0])
A0, A1, A2, A3, A4 = (np.float32(number / _SCALE) for number in _ABOVE)
B0, B1, B2, B3, B4 = (np.float32(number / _SCALE) for number in _BELOW)


def _bend(lower: float, upper: float) -> np.float32:
    """Return where the fraction reaches 1, by bisection: beyond it the function is flat."""
    for _ in range(60):
        middle = (lower + upper) / 2
        above = sum(number * middle ** (2 * power) for power, number in enumerate(_ABOVE))
        below = sum(number * middle ** (2 * power) for power, number in enumerate(_BELOW))
        lower, upper = (middle, upper) if middle * above < below else (lower, middle)
    return np.float32(lower)


EDGE = _bend(3.0, 12.0)


def tanh(x: Any) -> Any:
    """Return tanh(x) within 1e-5; learners use it as well, so both see the same values."""
    x = x if x < EDGE else EDGE
    x = x if x > -EDGE else -EDGE
    s = x * x
    above = x * (A0 + s * (A1 + s * (A2 + s * (A3 + s * A4))))
    return above / (B0 + s * (B1 + s * (B2 + s * (B3 + s * B4))))


def tanh_slope(y: Any) -> Any:
    """Return the derivative of tanh where its value is y."""
    return 1.0 - y * y


ZERO, ONE = np.float32(0), np.float32(1)


def clipped(x: Any) -> Any:
    """Return x, but no less than 0 and no more than 1."""
    x = x if x > ZERO else ZERO
    return x if x < ONE else ONE


def clipped_slope(y: Any) -> Any:
    """Return the derivative of the clipped line where its value is y."""
    return 1.0 if ZERO < y < ONE else 0.0


class Activation(NamedTuple):
    """What hidden units make of their sums; learners need the slope, by the unit's value."""

    function: Callable[[Any], Any]
    slope: Callable[[Any], Any]


ACTIVATIONS = {"tanh": Activation(tanh, tanh_slope), "clipped": Activation(clipped, clipped_slope)}
