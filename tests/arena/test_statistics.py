"""Match statistics against published values and against the laws they must obey."""

import math
import random
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plywise.arena.statistics import (
    LOGISTIC_LIMIT,
    BadScore,
    BadTest,
    Model,
    Outcome,
    Pentanomial,
    Score,
    Sprt,
    elo_of,
    elo_with_error,
    games_needed,
    holm,
    likelihood_of_superiority,
    mean_of,
    normalised_elo,
    p_value,
    share_of,
)

UNTIMED = settings(deadline=None)
COUNTS = st.integers(0, 300)
SCORES = st.builds(Score, COUNTS, COUNTS, COUNTS)
PENTANOMIALS = st.builds(Pentanomial, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS)
OUTCOMES = st.one_of(SCORES, PENTANOMIALS)
MODELS: tuple[Model, Model] = ("logistic", "normalised")

# fastchess, app/tests/elo_test.cpp; pentanomials are LL, LD, WL + DD, WD, WW.
NARROW_LOSS = Score(wins=76, draws=123, losses=89)
CLEAR_WIN = Score(wins=136, draws=111, losses=96)
CLEAR_WIN_IN_PAIRS = Pentanomial(34, 54, 31 + 32, 64, 75)
NARROW_LOSS_IN_PAIRS = Pentanomial(332, 433, 457 + 41, 333, 334)


def scaled(outcome: Outcome, factor: int) -> Outcome:
    return sum([outcome] * (factor - 1), outcome)


# --- Counts ---


def test_a_score_counts_games_and_points() -> None:
    score = Score(wins=3, draws=2, losses=1)
    assert (score.games, score.points, score.mean) == (6, 4.0, 4 / 6)


def test_scores_add() -> None:
    assert Score(1, 2, 3) + Score(10, 20, 30) == Score(11, 22, 33)


def test_pairs_fall_into_five_kinds() -> None:
    pairs = [(-1, -1), (-1, 0), (0, -1), (1, -1), (-1, 1), (0, 0), (1, 0), (1, 1)]
    assert Pentanomial.from_pairs(pairs) == Pentanomial(1, 2, 3, 1, 1)


def test_pairs_of_no_games_are_no_games() -> None:
    assert Pentanomial.from_pairs([]).games == 0


def test_pentanomials_add() -> None:
    assert Pentanomial(1, 2, 3, 4, 5) + Pentanomial(1, 1, 1, 1, 1) == Pentanomial(2, 3, 4, 5, 6)


def test_a_pair_is_two_games_scored_per_game() -> None:
    pairs = Pentanomial(win_draw=2)
    assert (pairs.games, pairs.points, pairs.mean, pairs.variance) == (4, 3.0, 0.75, 0.0)


def test_a_result_other_than_win_draw_and_loss_is_refused() -> None:
    with pytest.raises(BadScore, match="-1, 0 or 1"):
        Pentanomial.from_pairs([(2, 0)])


def test_negative_counts_are_refused() -> None:
    with pytest.raises(BadScore, match="negative"):
        Score(1, -1, 0)


@UNTIMED
@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1))))
def test_pairs_and_single_games_have_the_same_mean(pairs: list[tuple[int, int]]) -> None:
    results = [result for pair in pairs for result in pair]
    score = Score(*(results.count(kind) for kind in (1, 0, -1)))
    pentanomial = Pentanomial.from_pairs(pairs)
    assert pentanomial.games == score.games
    assert pentanomial.mean == pytest.approx(score.mean)


# --- Elo ---


@pytest.mark.parametrize(
    ("outcome", "elo", "error"),
    [
        (CLEAR_WIN, 40.70, 30.43),
        (CLEAR_WIN_IN_PAIRS, 55.58, 27.65),
        (NARROW_LOSS_IN_PAIRS, -8.64, 10.33),
        (Pentanomial(7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95),
    ],
)
def test_long_matches_have_the_published_values(outcome: Outcome, elo: float, error: float) -> None:
    estimate = elo_with_error(outcome)  # theirs are of the normal law, a little too narrow
    assert round(estimate.elo, 2) == elo
    assert error < estimate.error < 1.05 * error


@pytest.mark.parametrize(
    ("outcome", "elo"),
    [
        (NARROW_LOSS, -20.76),
        (CLEAR_WIN, 49.77),
        (Score(wins=34, losses=356), -508.44),
        (CLEAR_WIN_IN_PAIRS, 57.94),
        (NARROW_LOSS_IN_PAIRS, -9.17),
    ],
)
def test_normalised_elo_has_the_published_values(outcome: Outcome, elo: float) -> None:
    assert round(normalised_elo(outcome), 2) == elo


def test_a_mean_of_nothing_or_everything_is_infinite_elo() -> None:
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_infinite_elo_is_a_mean_of_nothing_or_everything() -> None:
    assert (mean_of(-math.inf), mean_of(math.inf)) == (0, 1)


@UNTIMED
@given(st.floats(-2000, 2000))
def test_elo_and_mean_are_inverse(elo: float) -> None:
    assert elo_of(mean_of(elo)) == pytest.approx(elo, abs=1e-6)


@UNTIMED
@given(st.floats(-1e6, 1e6))
def test_the_means_of_both_players_sum_to_one(elo: float) -> None:
    assert mean_of(elo) + mean_of(-elo) == pytest.approx(1)


@UNTIMED
@given(OUTCOMES)
def test_swapping_the_players_mirrors_the_estimate(outcome: Outcome) -> None:
    mine, theirs = elo_with_error(outcome), elo_with_error(outcome.swapped())
    assert (mine.elo, mine.low, mine.high) == pytest.approx(
        (-theirs.elo, -theirs.high, -theirs.low), abs=1e-3
    )


@UNTIMED
@given(OUTCOMES)
def test_an_estimate_lies_in_its_interval(outcome: Outcome) -> None:
    estimate = elo_with_error(outcome)
    assert estimate.low <= estimate.elo <= estimate.high


@UNTIMED
@given(OUTCOMES, st.integers(2, 5))
def test_more_games_make_the_error_smaller(outcome: Outcome, factor: int) -> None:
    error = elo_with_error(outcome).error
    assume(math.isfinite(error))
    assert elo_with_error(scaled(outcome, factor)).error < error


def test_before_the_first_game_any_elo_is_possible() -> None:
    estimate = elo_with_error(Score())
    assert (estimate.elo, estimate.low, estimate.high) == (0, -math.inf, math.inf)


@UNTIMED
@given(st.integers(1, 1000))
def test_winning_every_game_bounds_elo_from_below_only(games: int) -> None:
    estimate = elo_with_error(Score(wins=games))
    assert (estimate.elo, estimate.error, estimate.high) == (math.inf, math.inf, math.inf)
    assert mean_of(estimate.low) ** games == pytest.approx(0.025, rel=1e-4)


@UNTIMED
@given(st.integers(1, 1000))
def test_drawing_every_game_leaves_an_error(games: int) -> None:
    estimate = elo_with_error(Score(draws=games))
    assert estimate.elo == 0
    assert 0 < estimate.error < math.inf


# --- Superiority and p-values ---


@pytest.mark.parametrize(
    ("outcome", "likelihood"),
    [(NARROW_LOSS, 0.1553), (CLEAR_WIN, 0.9960), (NARROW_LOSS_IN_PAIRS, 0.0505)],
)
def test_superiority_is_near_that_of_fastchess(outcome: Outcome, likelihood: float) -> None:
    assert likelihood_of_superiority(outcome) == pytest.approx(likelihood, abs=0.03)


def test_one_won_game_says_nothing_of_superiority() -> None:
    assert likelihood_of_superiority(Score(wins=1)) == pytest.approx(0.5)


@UNTIMED
@given(OUTCOMES)
def test_one_of_two_players_is_superior(outcome: Outcome) -> None:
    both = likelihood_of_superiority(outcome) + likelihood_of_superiority(outcome.swapped())
    assert both == pytest.approx(1)


@pytest.mark.parametrize("outcome", [Score(), Score(5, 7, 5), Pentanomial(3, 8, 9, 8, 3)])
def test_an_even_match_proves_nothing(outcome: Outcome) -> None:
    assert (p_value(outcome), likelihood_of_superiority(outcome)) == pytest.approx((1, 0.5))


def test_five_wins_of_five_are_one_case_in_sixteen() -> None:
    assert p_value(Score(wins=5)) == pytest.approx(2 / 2**5)


def test_draws_do_not_change_the_p_value() -> None:
    drawn = p_value(Score(wins=9, draws=50, losses=1))
    assert drawn == pytest.approx(p_value(Score(wins=9, losses=1)))


@UNTIMED
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_the_p_value_of_games_is_that_of_the_sign_test(wins: int, draws: int, losses: int) -> None:
    decided, most = wins + losses, max(wins, losses)
    tail = sum(math.comb(decided, count) for count in range(most, decided + 1)) / 2**decided
    assert p_value(Score(wins, draws, losses)) == pytest.approx(min(1, 2 * tail))


def test_a_hopeless_case_still_has_a_p_value() -> None:
    assert p_value(Score(wins=300)) == pytest.approx(2 / 2**300, rel=0.01)


@UNTIMED
@given(st.integers(0, 30), st.integers(1, 30))
def test_bounds_without_draws_are_those_of_clopper_and_pearson(wins: int, losses: int) -> None:
    games, low = wins + losses, mean_of(elo_with_error(Score(wins, 0, losses)).low)
    above = sum(math.comb(games, k) * low**k * (1 - low) ** (games - k) for k in range(wins))
    assert 1 - above == pytest.approx(0.025 if wins else 1, abs=1e-6)


@UNTIMED
@given(OUTCOMES)
def test_elo_superiority_and_p_value_agree(outcome: Outcome) -> None:
    estimate, p = elo_with_error(outcome), p_value(outcome)
    superiority = likelihood_of_superiority(outcome)
    assert p == pytest.approx(min(1, 2 * min(superiority, 1 - superiority)), abs=1e-9)
    assume(abs(p - 0.05) > 1e-6)
    assert (p < 0.05) == (not estimate.low <= 0 <= estimate.high)


@pytest.mark.parametrize("outcome", [Score(wins=5), Pentanomial(win_win=5), Score(draws=3)])
def test_five_samples_are_too_few_to_prove_anything(outcome: Outcome) -> None:
    assert elo_with_error(outcome).is_too_few
    assert p_value(outcome) > 0.05


def test_six_won_pairs_prove_something() -> None:
    assert not elo_with_error(Pentanomial(win_win=6)).is_too_few
    assert p_value(Pentanomial(win_win=6)) < 0.05


@UNTIMED
@given(OUTCOMES)
def test_the_p_value_does_not_depend_on_who_is_first(outcome: Outcome) -> None:
    assert p_value(outcome) == pytest.approx(p_value(outcome.swapped()))


def test_equal_players_are_significant_in_one_match_of_twenty_at_most() -> None:
    generator = random.Random(8)
    matches = [simulated_match(0, 100, generator) for _ in range(400)]
    assert sum(p_value(match) < 0.05 for match in matches) <= 30  # 20 expected, deviation 4.4


def test_holm_adjusts_step_by_step() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@UNTIMED
@given(st.lists(st.floats(0, 1)))
def test_holm_keeps_the_order_and_never_lowers_a_value(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(old <= new <= 1 for old, new in zip(p_values, adjusted, strict=True))
    ordered = sorted(zip(p_values, adjusted, strict=True))
    assert [new for _, new in ordered] == sorted(adjusted)


# --- Games needed ---


@pytest.mark.parametrize(
    ("elo", "some_draws", "many_draws"),
    [(20, 1660, 950), (35, 544, 311), (50, 269, 154), (100, 70, 40)],
)
def test_games_needed_follow_the_reference_table(
    elo: float, some_draws: int, many_draws: int
) -> None:
    # The table rounds both normal quantiles, to 2.8 in sum: a fifth of a percent at most.
    assert games_needed(elo, 0.3) == pytest.approx(some_draws, rel=0.002)
    assert games_needed(elo, 0.6) == pytest.approx(many_draws, rel=0.002)


def test_equal_players_cannot_be_told_apart() -> None:
    with pytest.raises(BadTest, match="other than 0"):
        games_needed(0, 0.3)


# --- The sequential test ---


@pytest.mark.parametrize(
    ("sprt", "outcome", "llr"),
    [
        (Sprt(0.5, 2.5), Pentanomial(223, 9863, 20279 + 1000, 10037, 246), -3.07),
        (
            Sprt(0, 2, model="normalised"),
            Pentanomial(365, 16618, 36029 + 200, 16974, 390),
            2.25,
        ),
        (Sprt(0.5, 2.5), Score(wins=21404, draws=40708, losses=21184), -1.57),
    ],
)
def test_the_likelihood_ratio_has_the_published_values(
    sprt: Sprt, outcome: Outcome, llr: float
) -> None:
    assert round(sprt.llr(outcome), 2) == llr


def test_the_bounds_at_five_percent_are_the_usual_ones() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-2.944, 2.944), abs=5e-4)


@pytest.mark.parametrize(
    ("outcome", "decision"),
    [
        (Pentanomial(10, 20, 40, 60, 70), "accept"),
        (Pentanomial(70, 60, 40, 20, 10), "reject"),
        (Pentanomial(4, 4, 8, 5, 5), "continue"),
        (Pentanomial(), "continue"),
    ],
)
def test_the_test_ends_at_its_bounds(outcome: Outcome, decision: str) -> None:
    assert Sprt(0, 30).decide(outcome) == decision


@pytest.mark.parametrize("model", MODELS)
@UNTIMED
@given(outcome=OUTCOMES)
def test_swapping_players_and_hypotheses_negates_the_ratio(outcome: Outcome, model: Model) -> None:
    mine = Sprt(-5, 40, model=model).llr(outcome)
    theirs = Sprt(-40, 5, model=model).llr(outcome.swapped())
    assert mine == pytest.approx(-theirs, rel=1e-4, abs=1e-4)


@UNTIMED
@given(PENTANOMIALS)
def test_close_hypotheses_follow_the_quick_form(outcome: Pentanomial) -> None:
    """LLR = n (s1 - s0) (2 s - s0 - s1) / (2 variance), near the observed mean."""
    assume(min(outcome.counts) >= 20)
    elo = elo_of(outcome.mean)
    low, high = mean_of(elo - 4), mean_of(elo + 2)
    quick = outcome.samples * (high - low) * (2 * outcome.mean - low - high) / 2 / outcome.variance
    assert Sprt(elo - 4, elo + 2).llr(outcome) == pytest.approx(quick, rel=0.1)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("elos", [(-200, 200), (0, 5), (0, 200), (-200, -150)])
def test_every_outcome_has_a_finite_ratio(elos: tuple[float, float], model: Model) -> None:
    sprt = Sprt(*elos, model=model)
    outcomes = [Pentanomial(*counts) for counts in product((0, 1, 200), repeat=5)]
    assert all(math.isfinite(sprt.llr(outcome)) for outcome in outcomes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 5), "below"),
        ((math.nan, 5), "not nan"),
        ((0, math.inf), "not inf"),
        ((-9000, 5), "not -9000"),
        ((0, 5, 0.0), "positive"),
        ((0, 5, 0.6, 0.5), "less than 1"),
        ((0, 5, 0.05, 0.05, "bayesian"), "logistic or normalised"),
        ((0, 300, 0.05, 0.05, "normalised"), "200"),
    ],
)
def test_senseless_tests_are_refused(arguments: tuple[float, float], message: str) -> None:
    with pytest.raises(BadTest, match=message):
        Sprt(*arguments)


def test_the_largest_difference_that_can_be_tested_has_a_finite_ratio() -> None:
    sprt = Sprt(-LOGISTIC_LIMIT, LOGISTIC_LIMIT)
    outcomes = [Pentanomial(*counts) for counts in product((0, 1, 200), repeat=5)]
    assert all(math.isfinite(sprt.llr(outcome)) for outcome in outcomes)


def simulated_match(elo: float, pairs: int, generator: random.Random) -> Pentanomial:
    return Pentanomial.from_pairs(simulated_pair(elo, generator) for _ in range(pairs))


def simulated_pair(elo: float, generator: random.Random) -> tuple[int, int]:
    """Return two games with 30 % draws; whoever starts has 60 Elo more."""
    return simulated_game(elo + 60, generator), simulated_game(elo - 60, generator)


def simulated_game(elo: float, generator: random.Random) -> int:
    win = mean_of(elo) - 0.15
    return generator.choices((1, 0, -1), (win, 0.3, 0.7 - win))[0]


def acceptance_rate(elo: float, sprt: Sprt, matches: int, generator: random.Random) -> float:
    accepted = 0
    for _ in range(matches):
        outcome = Pentanomial()
        while (decision := sprt.decide(outcome)) == "continue":
            outcome += simulated_match(elo, 4, generator)
        accepted += decision == "accept"
    return accepted / matches


def test_a_worthless_change_is_accepted_in_one_match_of_twenty_at_most() -> None:
    rate = acceptance_rate(0, Sprt(0, 60), 300, random.Random(1))
    assert rate <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 300)


def test_a_worthy_change_is_rejected_in_one_match_of_twenty_at_most() -> None:
    rate = acceptance_rate(60, Sprt(0, 60), 300, random.Random(2))
    assert rate >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / 300)


# ---------------------------------------------------------------- shares


def test_wilsons_interval_is_that_of_the_books() -> None:
    found = share_of(81, 263)  # Newcombe 1998, table I: 0.2553 to 0.3662
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)
    found = share_of(15, 148)  # 0.0624 to 0.1605
    assert (round(found.low, 4), round(found.high, 4)) == (0.0624, 0.1605)


def test_an_interval_is_not_empty_where_all_trials_agree() -> None:
    assert share_of(0, 20).low == 0
    assert round(share_of(0, 20).high, 4) == 0.1611  # Newcombe 1998
    assert (round(share_of(10, 10).low, 2), share_of(10, 10).high) == (0.72, 1)
    assert (share_of(0, 0).low, share_of(0, 0).high) == (0, 1)


def test_more_successes_than_trials_are_refused() -> None:
    with pytest.raises(BadScore):
        share_of(3, 2)
