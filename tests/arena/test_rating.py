"""Ratings recover the strengths that made the games, and say how sure they are."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywise.arena.rating import (
    BadResults,
    DrawModel,
    Pair,
    Rating,
    RatingModel,
    Tally,
    UnconnectedPlayers,
    bootstrap_ratings,
    cross_table,
    ratings,
)
from plywise.arena.statistics import Score, elo_of, elo_with_error, mean_of

UNTIMED = settings(deadline=None)
STRENGTHS = {"anchor": 0.0, "beginner": -150.0, "club": 80.0, "expert": 220.0, "master": 300.0}
NO_PRIOR = RatingModel(virtual_draws=0)
DAVIDSON = RatingModel(draws="davidson")


def by_name(table: list[Rating]) -> dict[str, Rating]:
    return {rating.name: rating for rating in table}


def simulated_pairs(
    strengths: dict[str, float], pairs: int, draw_weight: float, seed: int
) -> list[Pair]:
    """Return pairs of every two players by Davidson's model."""
    generator = np.random.default_rng(seed)
    played: list[Pair] = []
    for first, second in combinations(strengths, 2):
        odds = 10 ** ((strengths[first] - strengths[second]) / 800)
        weights = np.array([odds, draw_weight, 1 / odds])
        games = generator.choice([1, 0, -1], size=(pairs, 2), p=weights / weights.sum())
        played += [(first, second, int(one), int(two)) for one, two in games]
    return played


def tallies(pairs: list[Pair]) -> list[Tally]:
    return [
        Tally(first, second, *((one, two).count(result) for result in (1, 0, -1)))
        for first, second, one, two in pairs
    ]


# --- Two players: the closed form ---


@UNTIMED
@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_two_players_differ_by_the_elo_of_their_score(wins: int, draws: int, losses: int) -> None:
    rated = by_name(ratings([Tally("new", "old", wins, draws, losses + 1)], "old"))
    games = wins + draws + losses + 1
    expected = elo_of((wins + draws / 2 + 0.5) / (games + 1))  # with the virtual draw
    assert rated["new"].elo == pytest.approx(expected, abs=1e-6)


def test_without_draws_the_error_is_that_of_the_match() -> None:
    rated = by_name(ratings([Tally("new", "old", 600, 0, 400)], "old", NO_PRIOR))
    match = elo_with_error(Score(wins=600, losses=400))
    assert rated["new"].error == pytest.approx(match.error, rel=0.02)


def test_with_draws_davidson_has_the_error_of_the_match() -> None:
    model = RatingModel(virtual_draws=0, draws="davidson")
    rated = by_name(ratings([Tally("new", "old", 300, 500, 200)], "old", model))
    match = elo_with_error(Score(wins=300, draws=500, losses=200))
    # Davidson's scale is not the logistic one of mean scores, so compare elo / error.
    assert rated["new"].elo / rated["new"].error == pytest.approx(match.elo / match.error, rel=0.02)


def test_the_anchor_stays_where_it_is_put() -> None:
    rated = by_name(ratings([Tally("a", "b", 5, 0, 9)], "b", RatingModel(anchor_elo=1500)))
    assert (rated["b"].elo, rated["b"].error) == (1500, 0)
    assert rated["a"].elo < 1500


def test_a_rating_tells_its_games_and_points_without_the_prior() -> None:
    rated = by_name(ratings([Tally("a", "b", 5, 2, 1), Tally("b", "c", 1, 1, 0)], "b"))
    assert (rated["b"].games, rated["b"].points) == (10, 3.5)


# --- Many players ---


@pytest.mark.parametrize(("draw_weight", "draws"), [(0.0, "half"), (0.8, "davidson")])
def test_simulated_games_give_back_their_strengths(draw_weight: float, draws: DrawModel) -> None:
    pairs = simulated_pairs(STRENGTHS, pairs=1000, draw_weight=draw_weight, seed=3)
    rated = ratings(tallies(pairs), "anchor", RatingModel(draws=draws))
    assert all(abs(each.elo - STRENGTHS[each.name]) <= 1.5 * each.error for each in rated)
    assert all(each.error < 20 for each in rated)
    assert [each.name for each in rated] == ["master", "expert", "club", "anchor", "beginner"]


@pytest.mark.parametrize("model", [RatingModel(), DAVIDSON])
def test_equal_players_come_out_even(model: RatingModel) -> None:
    equal = dict.fromkeys("abcdef", 0.0)
    rated = ratings(tallies(simulated_pairs(equal, 300, 0.5, seed=4)), "a", model)
    assert all(abs(each.elo) <= 1.5 * each.error for each in rated)


def test_players_who_drew_every_game_are_equal() -> None:
    games = [Tally("a", "b", 0, 50, 0), Tally("b", "c", 0, 50, 0)]
    for model in (RatingModel(), NO_PRIOR, DAVIDSON):
        assert [each.elo for each in ratings(games, "a", model)] == pytest.approx([0, 0, 0])


def test_expected_points_equal_points() -> None:
    games = tallies(simulated_pairs(STRENGTHS, 20, 0.5, seed=5))
    rated = by_name(ratings(games, "anchor", NO_PRIOR))
    for name in STRENGTHS:
        expected = sum(
            2 * 20 * mean_of(rated[name].elo - rated[other].elo)
            for other in STRENGTHS
            if other != name
        )
        assert expected == pytest.approx(rated[name].points)


def test_a_chain_of_crushing_wins_stays_finite_and_ordered() -> None:
    names = [f"generation {number:02}" for number in range(30)]
    games = [Tally(new, old, 1000, 0, 0) for old, new in pairwise(names)]
    rated = ratings(games, names[0])
    assert [each.name for each in rated] == names[::-1]
    assert all(math.isfinite(each.elo) and math.isfinite(each.error) for each in rated)


RESULTS = st.lists(
    st.builds(
        Tally,
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(["d", "e", "f"]),
        *[st.integers(0, 40)] * 3,
    ),
    max_size=12,
).map(
    lambda found: (
        [Tally("a", name, 1, 1, 1) for name in "def"]
        + found
        + [Tally(name, "d", 1, 1, 1) for name in "bc"]
    )
)


@UNTIMED
@given(RESULTS, st.sampled_from([RatingModel(), NO_PRIOR, DAVIDSON]), st.randoms())
def test_neither_the_order_nor_the_view_of_games_matters(
    games: list[Tally], model: RatingModel, shuffler: np.random.Generator
) -> None:
    mirrored = [Tally(g.second, g.first, g.losses, g.draws, g.wins) for g in games]
    shuffler.shuffle(mirrored)
    mine, theirs = by_name(ratings(games, "a", model)), by_name(ratings(mirrored, "a", model))
    assert {name: (each.elo, each.error) for name, each in mine.items()} == {
        name: pytest.approx((each.elo, each.error), abs=1e-5) for name, each in theirs.items()
    }


@UNTIMED
@given(RESULTS, st.sampled_from([RatingModel(), NO_PRIOR, DAVIDSON]))
def test_results_turned_round_turn_the_ratings_round(
    games: list[Tally], model: RatingModel
) -> None:
    turned = [Tally(g.first, g.second, g.losses, g.draws, g.wins) for g in games]
    mine, theirs = by_name(ratings(games, "a", model)), by_name(ratings(turned, "a", model))
    assert all(
        each.elo == pytest.approx(-theirs[name].elo, abs=1e-5) for name, each in mine.items()
    )


@UNTIMED
@given(RESULTS, st.integers(2, 5))
def test_more_games_make_the_errors_smaller(games: list[Tally], factor: int) -> None:
    few, many = (by_name(ratings(games * times, "a", NO_PRIOR)) for times in (1, factor))
    for name in "bcdef":
        assert many[name].elo == pytest.approx(few[name].elo, abs=1e-5)
        assert many[name].error == pytest.approx(few[name].error / math.sqrt(factor))


def test_the_prior_pulls_towards_the_anchor() -> None:
    games = [Tally("new", "old", 10, 0, 0)]
    elos = [
        by_name(ratings(games, "old", RatingModel(virtual_draws=draws)))["new"].elo
        for draws in (0.5, 1, 2, 4)
    ]
    assert elos == sorted(elos, reverse=True)
    assert elos[-1] > 0


# --- Connection ---


def test_an_anchor_alone_is_rated() -> None:
    assert ratings([], "a") == [Rating("a", 0.0, 0.0, 0, 0.0)]


def test_unconnected_players_are_named() -> None:
    games = [Tally("a", "b", 1, 1, 1), Tally("c", "d", 5, 0, 5), Tally("b", "e", 0, 0, 0)]
    with pytest.raises(UnconnectedPlayers, match="links the anchor a to c, d, e") as caught:
        ratings(games, "a")
    assert caught.value.players == ("c", "d", "e")
    assert isinstance(caught.value, ValueError)


def test_without_a_prior_an_unbeaten_player_is_unconnected() -> None:
    games = [Tally("a", "b", 3, 0, 3), Tally("c", "a", 5, 0, 0)]
    with pytest.raises(UnconnectedPlayers, match=r"points made and given .* to c"):
        ratings(games, "a", NO_PRIOR)


def test_a_player_cannot_meet_itself() -> None:
    with pytest.raises(BadResults, match="against itself"):
        Tally("a", "a", 1, 0, 0)


# --- Bootstrap ---


@pytest.mark.parametrize(("draw_weight", "draws"), [(0.0, "half"), (0.8, "davidson")])
def test_bootstrap_and_fisher_errors_agree_for_independent_games(
    draw_weight: float, draws: DrawModel
) -> None:
    model = RatingModel(draws=draws)
    pairs = simulated_pairs(STRENGTHS, 150, draw_weight, seed=6)
    resampled = by_name(bootstrap_ratings(pairs, "anchor", 500, np.random.default_rng(7), model))
    for fisher in ratings(tallies(pairs), "anchor", model):
        assert resampled[fisher.name].elo == pytest.approx(fisher.elo, abs=1e-5)
        assert resampled[fisher.name].error == pytest.approx(fisher.error, rel=0.2)


def test_bootstrap_sees_that_games_of_a_pair_depend_on_each_other() -> None:
    pairs: list[Pair] = [("a", "b", 1, -1)] * 90 + [("a", "b", 1, 1)] * 5 + [("a", "b", -1, -1)] * 5
    rated = by_name(bootstrap_ratings(pairs, "a", 300, np.random.default_rng(1)))
    assert rated["b"].error < 0.5 * by_name(ratings(tallies(pairs), "a"))["b"].error


def test_the_same_seed_gives_the_same_errors() -> None:
    pairs = simulated_pairs(STRENGTHS, 10, 0.5, seed=8)
    first, second = (
        bootstrap_ratings(pairs, "club", 20, np.random.default_rng(9)) for _ in range(2)
    )
    assert first == second


def test_a_player_who_won_every_pair_keeps_the_fisher_error() -> None:
    pairs: list[Pair] = [("new", "old", 1, 1)] * 20
    rated = bootstrap_ratings(pairs, "old", 50, np.random.default_rng(1))
    assert rated == ratings(tallies(pairs), "old")
    assert rated[0].error > 100


def test_bootstrap_names_unconnected_players() -> None:
    with pytest.raises(UnconnectedPlayers, match="to c, d"):
        bootstrap_ratings([("a", "b", 1, 0), ("c", "d", 1, 0)], "a", 10, np.random.default_rng(1))


def test_bootstrap_needs_a_prior() -> None:
    with pytest.raises(BadResults, match="virtual draws"):
        bootstrap_ratings([("a", "b", 1, 0)], "a", 10, np.random.default_rng(1), NO_PRIOR)


# --- Cross-table ---


def test_a_cross_table_adds_up_points_and_games() -> None:
    table = cross_table([Tally("a", "b", 1, 2, 3), Tally("b", "a", 1, 0, 0), Tally("c", "b", 2)])
    assert table.names == ("c", "b", "a")
    assert table.points.tolist() == [[0, 2, 0], [0, 0, 5], [0, 2, 0]]
    assert table.games.tolist() == [[0, 2, 0], [2, 0, 7], [0, 7, 0]]


@UNTIMED
@given(RESULTS)
def test_the_points_of_two_players_sum_to_their_games(games: list[Tally]) -> None:
    table = cross_table(games)
    assert (table.points + table.points.T == table.games).all()
