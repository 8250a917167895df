"""What several trainings with different seeds say of a method: the mean, and how sure it is.

Games tell how strong one trained player is; how much the next training would differ they do not.
So a method is judged by the spread between trainings (Student's t), never by less than what the
games themselves leave open.
"""

import functools
import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from plywise.arena.statistics import CONFIDENCE
from plywise.errors import PlywiseError

STEPS = 2000  # of the integral over Student's density


class Interval(NamedTuple):
    """A number and the 95 % interval around it."""

    low: float
    value: float
    high: float

    @property
    def width(self) -> float:
        """Return how far its ends are apart."""
        return self.high - self.low


def mean_over_seeds(found: Sequence[Interval]) -> Interval:
    """Return the mean of what trainings came to, with its 95 % interval.

    One training has the interval of its own games. For several, the half-width is the larger one
    of two: Student's for the spread between them, and that of all their games together.
    """
    if not found:
        raise PlywiseError("A mean over seeds needs at least one of them.")
    if len(found) == 1:
        return found[0]
    count = len(found)
    values = [one.value for one in found]
    spread = student_quantile(count - 1) * stdev(values) / math.sqrt(count)
    sampling = math.hypot(*(one.width / 2 for one in found)) / count
    mean, reach = fmean(values), max(spread, sampling)
    return Interval(mean - reach, mean, mean + reach)


@functools.cache
def student_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors Student's interval reaches, with so many degrees of freedom.

    4.30 for 2, 2.78 for 4, and 1.96 for very many.
    """
    low, high = 0.0, 1.0
    while _student_within(high, freedom) < confidence:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        if _student_within(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _student_within(reach: float, freedom: int) -> float:
    """Return the chance that Student's variable lies within +-reach, by Simpson's rule.

    With t = sqrt(freedom) tan(a) its density becomes a power of cos(a), on a finite stretch.
    """
    end = math.atan(reach / math.sqrt(freedom))
    angles = (end * step / STEPS for step in range(STEPS + 1))
    heights = [math.cos(angle) ** (freedom - 1) for angle in angles]
    total = heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2])
    half = (freedom + 1) / 2
    scale = math.exp(math.lgamma(half) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    return 2 * scale * total * end / STEPS / 3
