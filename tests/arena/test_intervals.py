"""Intervals hold what they promise at every length of a match.

For few pairs the coverage is summed over all matches that there can be, for many it is simulated.
"""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from plywise.arena.intervals import chances_above, mean_interval
from plywise.arena.statistics import CONFIDENCE, mean_of

TAIL = (1 - CONFIDENCE) / 2
SCORES = np.arange(5) / 4
MATCHES = 1000
DRAWS = (0.0, 0.3, 0.6, 0.9)
ELOS = (0.0, 150.0, 500.0)  # between players; who begins has 60 more


def game_shares(draws: float, elo: float) -> list[float]:
    mean = mean_of(elo)
    drawn = min(draws, 2 * mean, 2 * (1 - mean))
    return [1 - mean - drawn / 2, drawn, mean - drawn / 2]


def pair_shares(draws: float, elo: float) -> NDArray[np.float64]:
    """Return how often a pair has each of its scores."""
    return np.convolve(game_shares(draws, elo + 60), game_shares(draws, elo - 60))


def is_held(counts: tuple[int, ...], truth: float) -> bool:
    """Return whether the interval of a match holds the truth, without looking for its ends."""
    chances = chances_above(counts, truth)
    return chances.least <= 1 - TAIL + 1e-12 and chances.most >= TAIL - 1e-12


def all_counts(pairs: int, kinds: int = 5) -> Iterator[tuple[int, ...]]:
    if kinds == 1:
        yield (pairs,)
        return
    for first in range(pairs + 1):
        for others in all_counts(pairs - first, kinds - 1):
            yield (first, *others)


def chance_of(counts: tuple[int, ...], shares: NDArray[np.float64]) -> float:
    ways = math.factorial(sum(counts)) / math.prod(math.factorial(count) for count in counts)
    powers = (share**count for share, count in zip(shares.tolist(), counts, strict=True))
    return float(ways * math.prod(powers))


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("elo", ELOS)
@pytest.mark.parametrize("pairs", [1, 2, 3, 5])
def test_few_pairs_have_their_95_percent(pairs: int, elo: float, draws: float) -> None:
    shares = pair_shares(draws, elo)
    truth = float(SCORES @ shares)
    matches = [(counts, chance_of(counts, shares)) for counts in all_counts(pairs)]
    held = sum(chance for counts, chance in matches if chance and is_held(counts, truth))
    assert held >= CONFIDENCE


@pytest.mark.parametrize("draws", DRAWS)
@pytest.mark.parametrize("elo", ELOS)
@pytest.mark.parametrize("pairs", [10, 30, 100])
def test_many_pairs_have_their_95_percent(pairs: int, elo: float, draws: float) -> None:
    shares = pair_shares(draws, elo)
    truth = float(SCORES @ shares)
    drawn = np.random.default_rng(pairs).multinomial(pairs, shares / shares.sum(), MATCHES)
    held = np.mean([is_held(tuple(counts), truth) for counts in drawn.tolist()])
    assert held >= CONFIDENCE - 2.5 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / MATCHES)


@pytest.mark.parametrize("pairs", [1, 2, 3, 5])
def test_equal_players_are_told_apart_in_one_match_of_twenty_at_most(pairs: int) -> None:
    for draws in DRAWS:
        shares = pair_shares(draws, 0)
        wrong = sum(
            chance_of(counts, shares) for counts in all_counts(pairs) if not is_held(counts, 0.5)
        )
        assert wrong <= 1 - CONFIDENCE


def test_the_ends_of_an_interval_are_where_the_chances_say() -> None:
    counts = (3, 1, 9, 4, 7)
    low, high = mean_interval(counts, CONFIDENCE)
    assert chances_above(counts, low).least == pytest.approx(1 - TAIL, abs=1e-6)
    assert chances_above(counts, high).most == pytest.approx(TAIL, abs=1e-6)


def test_chances_are_those_of_dirichlets_law() -> None:
    counts = (2, 3, 4, 5, 7)
    drawn = np.random.default_rng(1).dirichlet([3, 3, 4, 5, 7], 200_000) @ SCORES
    assert chances_above(counts, 0.55).least == pytest.approx((drawn > 0.55).mean(), abs=0.005)


def test_without_games_every_mean_is_possible() -> None:
    assert mean_interval((0, 0, 0), CONFIDENCE) == (0, 1)
