"""What a match between two players proves: Elo with error bars, p-values, sequential tests.

An outcome is a `Score` (single games) or a `Pentanomial` (pairs of games from one opening
with colours reversed), always from the first player's view. Its samples, games or pairs, are
taken as independent. Both list how often each of the evenly spaced scores 0 ... 1 occurred:

    Score          0            1/2            1              losses, draws, wins
    Pentanomial    0     1/4    1/2     3/4    1              LL, LD, WL or DD, WD, WW

Elo's interval, the likelihood of superiority and the p-value are three views of one model (see
`plywise.arena.intervals`), so they cannot contradict each other: zero lies outside of the
interval exactly where p < 0.05, which is where the likelihood is above 0.975 or below 0.025.
Before the first game everything is even and unknown.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import NormalDist
from typing import Literal, TypeAlias

from plywise.arena.intervals import chances_above, mean_interval
from plywise.errors import PlywiseError
from plywise.game.results import LOSS, WIN

Model: TypeAlias = Literal["logistic", "normalised"]
Decision: TypeAlias = Literal["accept", "reject", "continue"]

CONFIDENCE = 0.95
QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
NORMALISED_UNIT = 800 / math.log(10)  # normalised Elo per standard deviation of one game
LOGISTIC_LIMIT = 5000  # beyond it a point is less likely than a number can say
NORMALISED_LIMIT = 200  # up to here every outcome has a likeliest fit that the rounds below find
FEWEST = 1 + math.ceil(-math.log2(1 - CONFIDENCE))  # samples that can prove who is stronger
ROUNDING = 1e-15
UNSEEN = 1e-3  # the count that stands for a category without any games


class BadScore(PlywiseError):
    """Counts or results that no match can have."""


class BadTest(PlywiseError):
    """A statistical test asked for with numbers that make no sense."""


@dataclass(frozen=True, slots=True)
class Score:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        _require_counts(self.counts)

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def counts(self) -> tuple[int, ...]:
        """Return how often each score was made, worst first."""
        return (self.losses, self.draws, self.wins)

    @property
    def samples(self) -> int:
        """Return the number of independent samples: games."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.samples

    @property
    def points(self) -> float:
        """Return the points made: a win is one, a draw one half."""
        return self.wins + self.draws / 2

    @property
    def mean(self) -> float:
        """Return the points per game, one half before the first."""
        return _mean(self.counts)

    @property
    def variance(self) -> float:
        """Return the variance of one game's score."""
        return _variance(self.counts)

    def swapped(self) -> "Score":
        """Return the same games from the second player's view."""
        return Score(self.losses, self.draws, self.wins)


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """Pairs of games by their joint result; a win and a loss count as even like two draws."""

    loss_loss: int = 0
    loss_draw: int = 0
    even: int = 0
    win_draw: int = 0
    win_win: int = 0

    def __post_init__(self) -> None:
        _require_counts(self.counts)

    def __add__(self, other: "Pentanomial") -> "Pentanomial":
        return Pentanomial(
            *(mine + theirs for mine, theirs in zip(self.counts, other.counts, strict=True))
        )

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[int, int]]) -> "Pentanomial":
        """Return the counts of pairs of results, each -1, 0 or 1 for the first player."""
        sums = Counter(_pair_sum(pair) for pair in pairs)
        return cls(*(sums[total] for total in range(2 * LOSS, 2 * WIN + 1)))

    @property
    def counts(self) -> tuple[int, ...]:
        """Return how often each score was made, worst first."""
        return (self.loss_loss, self.loss_draw, self.even, self.win_draw, self.win_win)

    @property
    def samples(self) -> int:
        """Return the number of independent samples: pairs."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Return the number of games, two for each pair."""
        return 2 * self.samples

    @property
    def points(self) -> float:
        """Return the points made: a win is one, a draw one half."""
        return self.games * self.mean

    @property
    def mean(self) -> float:
        """Return the points per game, one half before the first."""
        return _mean(self.counts)

    @property
    def variance(self) -> float:
        """Return the variance of one pair's score, which is its points per game."""
        return _variance(self.counts)

    def swapped(self) -> "Pentanomial":
        """Return the same pairs from the second player's view."""
        return Pentanomial(*reversed(self.counts))


Outcome: TypeAlias = Score | Pentanomial


@dataclass(frozen=True, slots=True)
class Estimate:
    """An Elo difference and its 95 % interval; `error` is half the interval's width.

    Where there are too few samples, even one side winning them all would prove nothing.
    """

    elo: float
    error: float
    low: float
    high: float
    is_too_few: bool = False


def format_estimate(estimate: Estimate) -> str:
    """Return an Elo difference with its interval, or the end of it that is not infinite."""
    if estimate.is_too_few:
        return "too few games"
    if math.isfinite(estimate.error):
        return f"{estimate.elo:+.0f} ({estimate.low:+.0f} to {estimate.high:+.0f})"
    if math.isfinite(estimate.low):
        return f"above {estimate.low:+.0f}"
    return f"below {estimate.high:+.0f}" if math.isfinite(estimate.high) else "unknown"


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some trials succeeded, as a share with its 95 % interval."""

    successes: int
    trials: int
    share: float
    low: float
    high: float


def share_of(successes: int, trials: int) -> Share:
    """Return a share of independent trials with Wilson's interval (1927).

    Unlike share +- 1.96 standard errors it stays within 0 ... 1 and is not empty where all
    trials succeeded: 10 of 10 leaves 0.72 ... 1.
    """
    _require_counts((successes, trials - successes))
    if trials == 0:
        return Share(0, 0, 0.0, 0.0, 1.0)
    share, square = successes / trials, QUANTILE**2 / trials
    centre = (share + square / 2) / (1 + square)
    spread = share * (1 - share) / trials + square / (4 * trials)
    reach = QUANTILE * math.sqrt(spread) / (1 + square)
    low = centre - reach if successes else 0.0
    high = centre + reach if successes < trials else 1.0
    return Share(successes, trials, share, low, high)


def elo_of(mean: float) -> float:
    """Return the Elo difference that predicts a mean score; infinite from 0 down and 1 up."""
    if mean <= 0:
        return -math.inf
    if mean >= 1:
        return math.inf
    return 400 * math.log10(mean / (1 - mean))


def mean_of(elo: float) -> float:
    """Return the mean score that an Elo difference predicts."""
    odds = 10 ** (-abs(elo) / 400)
    return (1 if elo >= 0 else odds) / (1 + odds)


def elo_with_error(outcome: Outcome) -> Estimate:
    """Return the Elo difference with its 95 % interval, which holds at every number of samples.

    An end is infinite where everything was won, or lost: ten wins in a row are worth at least
    +140 Elo.
    """
    low, high = mean_interval(outcome.counts, CONFIDENCE)
    ends = elo_of(low), elo_of(high)
    is_too_few = outcome.samples < FEWEST
    return Estimate(elo_of(outcome.mean), (ends[1] - ends[0]) / 2, *ends, is_too_few)


def normalised_elo(outcome: Outcome) -> float:
    """Return the difference measured in standard deviations of a game, scaled to look like Elo.

    Infinite where all samples had one score other than one half.
    """
    excess = outcome.mean - 0.5
    if outcome.variance == 0:
        return math.copysign(math.inf, excess) if excess else 0.0
    return excess / math.sqrt(outcome.variance) / _games_root(outcome) * NORMALISED_UNIT


def likelihood_of_superiority(outcome: Outcome) -> float:
    """Return how sure it is that the first player is the stronger one.

    One half where nothing speaks for either; one won game is no evidence yet.
    """
    chances = chances_above(outcome.counts, 0.5)
    return max(chances.least, min(chances.most, 0.5))


def p_value(outcome: Outcome) -> float:
    """Return the two-sided p-value of the hypothesis that both players are equally strong.

    For single games it is that of the exact sign test: draws say nothing.
    """
    chances = chances_above(outcome.counts, 0.5)
    against = chances_above(outcome.swapped().counts, 0.5)  # 1 - least would lose its digits
    return min(1.0, 2 * chances.most, 2 * against.most)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given, for one list of planned tests."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    scaled = (min(1.0, (len(order) - rank) * p_values[index]) for rank, index in enumerate(order))
    adjusted = dict(zip(order, accumulate(scaled, max), strict=True))
    return [adjusted[index] for index in range(len(order))]


def games_needed(
    elo: float, draw_rate: float, power: float = 0.8, significance: float = 0.05
) -> int:
    """Return how many single games tell an Elo difference from zero, to the nearest game.

    Two-sided at the given significance, with the variance (1 - draw_rate) / 4 of equal players.
    """
    if elo == 0 or not 0 <= draw_rate < 1 or not 0 < power < 1 or not 0 < significance < 1:
        raise BadTest(
            "An Elo difference other than 0, a draw rate from 0 to below 1, and a power and "
            "a significance between 0 and 1 are needed."
        )
    distance = NormalDist().inv_cdf(1 - significance / 2) + NormalDist().inv_cdf(power)
    return round((distance / (mean_of(elo) - 0.5)) ** 2 * (1 - draw_rate) / 4)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of "worth `elo1`" against "worth `elo0`". It decides, it does not measure.

    `alpha` is the chance to accept `elo1` where `elo0` is true, `beta` the chance to reject it
    where it is true. The likelihood ratio is the generalised one: the likeliest distribution of
    scores under each hypothesis (Van den Bergh, "Comments on Normalized Elo").
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        for elo in (self.elo0, self.elo1):
            if not -LOGISTIC_LIMIT <= elo <= LOGISTIC_LIMIT:
                raise BadTest(
                    f"elo0 and elo1 are numbers from -{LOGISTIC_LIMIT} to {LOGISTIC_LIMIT}, "
                    f"not {elo:g}."
                )
        if not self.elo0 < self.elo1:
            raise BadTest(f"elo0 must be below elo1, but {self.elo0} is not below {self.elo1}.")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise BadTest("alpha and beta must be positive and sum to less than 1.")
        if self.model == "normalised" and max(-self.elo0, self.elo1) > NORMALISED_LIMIT:
            raise BadTest(f"Normalised Elo must lie within +-{NORMALISED_LIMIT} to be tested.")
        if self.model not in ("logistic", "normalised"):
            raise BadTest(f"The model must be logistic or normalised, not {self.model!r}.")

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which the test ends: reject, accept."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, outcome: Outcome) -> float:
        """Return the log-likelihood ratio of `elo1` to `elo0`."""
        if outcome.samples == 0:
            return 0.0
        counts = [count or UNSEEN for count in outcome.counts]
        seen = [count / sum(counts) for count in counts]
        root = _games_root(outcome)
        first, second = (self._likeliest(seen, elo, root) for elo in (self.elo0, self.elo1))
        ratios = (math.log(new / old) for old, new in zip(first, second, strict=True))
        return sum(count * ratio for count, ratio in zip(counts, ratios, strict=True))

    def decide(self, outcome: Outcome) -> Decision:
        """Return "accept" (elo1), "reject" (elo0) or "continue"."""
        low, high = self.bounds
        llr = self.llr(outcome)
        if llr >= high:
            return "accept"
        return "reject" if llr <= low else "continue"

    def _likeliest(self, seen: Sequence[float], elo: float, games_root: float) -> list[float]:
        if self.model == "logistic":
            return _likeliest_with_mean(seen, mean_of(elo))
        return _likeliest_with_effect(seen, elo * games_root / NORMALISED_UNIT)


def _require_counts(counts: Sequence[int]) -> None:
    if min(counts) < 0:
        raise BadScore(f"Numbers of games must not be negative, as in {tuple(counts)}.")


def _pair_sum(pair: tuple[int, int]) -> int:
    if not all(LOSS <= result <= WIN for result in pair):
        raise BadScore(f"The results of a pair must be -1, 0 or 1, not {pair}.")
    return pair[0] + pair[1]


def _scores(categories: int) -> list[float]:
    return [index / (categories - 1) for index in range(categories)]


def _mean(counts: Sequence[float]) -> float:
    total = sum(counts)
    if total == 0:
        return 0.5
    weighted = sum(index * count for index, count in enumerate(counts))
    return weighted / ((len(counts) - 1) * total)


def _variance(counts: Sequence[float]) -> float:
    if sum(count > 0 for count in counts) < 2:
        return 0.0  # exactly, whatever the rounding of the mean
    mean = _mean(counts)
    squares = ((score - mean) ** 2 for score in _scores(len(counts)))
    return sum(count * square for count, square in zip(counts, squares, strict=True)) / sum(counts)


def _games_root(outcome: Outcome) -> float:
    """Return the square root of the games in one sample."""
    return math.sqrt(2) if isinstance(outcome, Pentanomial) else 1.0


def _likeliest_with_mean(seen: Sequence[float], mean: float) -> list[float]:
    return _tilted(seen, [score - mean for score in _scores(len(seen))])


def _likeliest_with_effect(seen: Sequence[float], effect: float) -> list[float]:
    """Return the likeliest probabilities whose (mean - 1/2) / deviation is `effect`.

    Each round makes the constraint linear about the last answer (Van den Bergh, section 4.1).
    """
    scores = _scores(len(seen))
    fit = [1 / len(seen)] * len(seen)
    for _ in range(100):
        mean, deviation = _mean(fit), math.sqrt(_variance(fit))
        offsets = [
            score - 0.5 - effect * (deviation + (score - mean) ** 2 / deviation) / 2
            for score in scores
        ]
        last, fit = fit, _tilted(seen, offsets)
        if max(abs(new - old) for new, old in zip(fit, last, strict=True)) < 1e-7:
            break
    return fit


def _tilted(seen: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """Return the likeliest probabilities, having `seen` these, whose mean offset is zero.

    They are seen / (1 + tilt * offset), with the tilt that makes that mean zero.
    """

    def mean_offset(tilt: float) -> tuple[float, float]:
        terms = [offset / (1 + tilt * offset) for offset in offsets]
        value = sum(share * term for share, term in zip(seen, terms, strict=True))
        slope = -sum(share * term * term for share, term in zip(seen, terms, strict=True))
        return value, slope

    tilt = _falling_root(mean_offset, -1 / max(offsets), -1 / min(offsets))
    return [share / (1 + tilt * offset) for share, offset in zip(seen, offsets, strict=True)]


def _falling_root(
    function: Callable[[float], tuple[float, float]], low: float, high: float
) -> float:
    """Return the root between two poles, +inf at `low` and -inf at `high`, of a falling function.

    The function gives its value and slope: Newton's steps, halving where one leaves the bracket.
    """
    root = 0.0
    for _ in range(200):
        value, slope = function(root)
        low, high = (root, high) if value > 0 else (low, root)
        nearer = root - value / slope
        if abs(nearer - root) <= ROUNDING * (1 + abs(root)):
            return root
        root = nearer if low < nearer < high else (low + high) / 2
    return root
