"""Intervals of a match's mean score: how often they hold the truth, and how wide they are.

    python benchmarks/intervals.py
    python benchmarks/intervals.py --matches 20000

Simulated matches of pairs of games, with several draw rates and differences in Elo. An interval of
95 % should hold the true mean in at least 95 % of the matches, whatever their length. The table
has, for each number of pairs, the worst coverage over all draw rates and differences, and the mean
width for equal players.
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.table import Table

from plywise.arena.intervals import mean_interval
from plywise.arena.statistics import CONFIDENCE, mean_of

PAIRS = (1, 2, 3, 5, 10, 30, 100)
DRAWS = (0.0, 0.3, 0.6, 0.9)
ELOS = (0.0, 100.0, 400.0)
SCORES = np.arange(5) / 4
QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
RESAMPLES = 999
DRAWN = 4000  # from a posterior

Counts = tuple[int, ...]
Interval = tuple[float, float]


# ---------------------------------------------------------------- candidates


def normal(counts: Counts) -> Interval:
    """Mean +- 1.96 standard errors; without any spread the bound of so many equal scores."""
    total, mean = sum(counts), float(SCORES @ counts / sum(counts))
    if max(counts) == total:
        sure = ((1 - CONFIDENCE) / 2) ** (1 / total)
        return sure * mean, 1 - sure * (1 - mean)
    reach = QUANTILE * math.sqrt(float((SCORES - mean) ** 2 @ counts) / total / total)
    return mean - reach, mean + reach


def wilson(counts: Counts) -> Interval:
    """Wilson's interval as if every pair were won or lost."""
    total, mean = sum(counts), float(SCORES @ counts / sum(counts))
    square = QUANTILE**2 / total
    centre = (mean + square / 2) / (1 + square)
    reach = QUANTILE * math.sqrt(mean * (1 - mean) / total + square / 4 / total) / (1 + square)
    return centre - reach, centre + reach


def dirichlet(counts: Counts) -> Interval:
    """The middle 95 % of the posterior with Jeffreys' prior."""
    generator = np.random.default_rng(0)
    means = generator.dirichlet(np.array(counts) + 0.5, DRAWN) @ SCORES
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def bootstrap_t(counts: Counts) -> Interval:
    """The interval by resampled t-values; all of 0 ... 1 without any spread."""
    total, mean = sum(counts), float(SCORES @ counts / sum(counts))
    if max(counts) == total:
        return 0.0, 1.0
    generator = np.random.default_rng(0)
    drawn = generator.multinomial(total, np.array(counts) / total, RESAMPLES)
    means = drawn @ SCORES / total
    spreads = np.sqrt(np.maximum(drawn @ SCORES**2 / total - means**2, 0) / total)
    values = np.where(spreads > 0, (means - mean) / np.maximum(spreads, 1e-12), 0)
    low, high = np.quantile(values, [0.025, 0.975])
    error = math.sqrt(float((SCORES - mean) ** 2 @ counts) / total / total)
    return mean - float(high) * error, mean - float(low) * error


def gaffke(counts: Counts) -> Interval:
    """What `plywise match` prints."""
    return mean_interval(counts, CONFIDENCE)


CANDIDATES: dict[str, Callable[[Counts], Interval]] = {
    "normal": normal,
    "wilson": wilson,
    "dirichlet": dirichlet,
    "bootstrap-t": bootstrap_t,
    "gaffke": gaffke,
}


# ---------------------------------------------------------------- simulation


def pair_shares(draws: float, elo: float) -> NDArray[np.float64]:
    """Return how often a pair has each of its five scores; who begins has 60 Elo more."""
    games = [_game_shares(draws, elo + 60), _game_shares(draws, elo - 60)]
    return np.convolve(*games)


def _game_shares(draws: float, elo: float) -> list[float]:
    mean = mean_of(elo)
    drawn = min(draws, 2 * mean, 2 * (1 - mean))
    return [1 - mean - drawn / 2, drawn, mean - drawn / 2]


def simulate(
    candidate: Callable[[Counts], Interval], pairs: int, shares: NDArray[np.float64], matches: int
) -> tuple[float, float]:
    """Return how often the truth lies in the interval, and the interval's mean width."""
    generator = np.random.default_rng(pairs)
    truth = float(SCORES @ shares)
    kinds, times = np.unique(
        generator.multinomial(pairs, shares / shares.sum(), matches), axis=0, return_counts=True
    )
    held, width = 0, 0.0
    for counts, often in zip(kinds.tolist(), times.tolist(), strict=True):
        low, high = candidate(tuple(counts))
        held += often * (low - 1e-9 <= truth <= high + 1e-9)
        width += often * (min(high, 1) - max(low, 0))
    return held / matches, width / matches


def main(
    matches: Annotated[int, typer.Option(min=1, help="Simulated for each case.")] = 4000,
) -> None:
    """Print the worst coverage of every interval by number of pairs, and its width."""
    cases = [pair_shares(draws, elo) for draws in DRAWS for elo in ELOS]
    table = Table(
        "interval",
        *(f"{pairs} pairs" for pairs in PAIRS),
        box=box.SIMPLE_HEAD,
        title=f"Worst coverage of {len(cases)} cases, {matches} matches each / mean width",
    )
    for name, candidate in CANDIDATES.items():
        cells = []
        for pairs in PAIRS:
            found = [simulate(candidate, pairs, shares, matches) for shares in cases]
            worst, width = min(held for held, _ in found), found[len(ELOS)][1]
            cells.append(f"{100 * worst:.1f} % / {width:.2f}")
        table.add_row(name, *cells)
    Console(width=140).print(table)


if __name__ == "__main__":
    typer.run(main)
