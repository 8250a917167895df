"""The word for a claim follows from two intervals."""

import pytest
from experiment import from_score
from verdicts import verdict

from plywise.arena.seeds import Interval

NARROW = Interval(0.55, 0.57, 0.59)
WIDE = Interval(0.30, 0.60, 0.90)


@pytest.mark.parametrize(
    ("theirs", "ours", "word"),
    [
        (Interval(0.6, 0.7, 0.8), NARROW, "reproduced"),
        (Interval(0.4, 0.6, 0.8), NARROW, "reproduced with more games"),
        (None, NARROW, "reproduced"),
        (Interval(0.51, 0.52, 0.53), NARROW, "passed"),
        (Interval(0.6, 0.7, 0.8), WIDE, "too early to say"),
        (None, WIDE, "too early to say"),
        (Interval(0.6, 0.7, 0.8), Interval(0.45, 0.5, 0.55), "not reproduced"),
        (Interval(0.4, 0.52, 0.6), Interval(0.40, 0.45, 0.49), "not reproduced"),
        (None, Interval(0.40, 0.45, 0.49), "not reproduced"),
    ],
)
def test_an_effect_is_judged_by_both_intervals(
    theirs: Interval | None, ours: Interval, word: str
) -> None:
    assert verdict(theirs, ours, even=0.5) == word


@pytest.mark.parametrize(
    ("ours", "word"),
    [
        (Interval(0.75, 0.77, 0.79), "not reproduced"),
        (Interval(0.88, 0.90, 0.92), "reproduced"),
        (Interval(0.70, 0.90, 0.99), "too early to say"),
        (Interval(0.96, 0.97, 0.98), "passed"),
    ],
)
def test_a_figure_is_judged_by_agreement(ours: Interval, word: str) -> None:
    assert verdict(Interval(0.87, 0.91, 0.95), ours) == word


def test_a_short_experiment_confirms_but_does_not_refute() -> None:
    assert verdict(None, Interval(0.1, 0.2, 0.3), 0.5, is_short=True) == "too early to say"
    assert verdict(None, NARROW, 0.5, is_short=True) == "reproduced"


def test_a_claim_needs_a_figure_or_what_would_mean_no_effect() -> None:
    with pytest.raises(ValueError, match="no effect"):
        verdict(None, NARROW)


def test_ten_wins_six_losses_and_four_draws_prove_nothing() -> None:
    assert verdict(from_score(10, 4, 6), NARROW, even=0.5) == "reproduced with more games"
    assert verdict(from_score(14, 3, 3), NARROW, even=0.5) == "reproduced"
