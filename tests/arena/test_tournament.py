"""Tournaments: who meets whom, and how the ratings follow."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from arena.doubles import Double, crash
from plywise.arena import Tournament, play_tournament
from plywise.arena import tournament as tournaments
from plywise.arena.rating import Pair, Tally
from plywise.arena.statistics import mean_of
from plywise.arena.tournament import (
    fixtures_of,
    pairings,
    pairs_of,
    rate,
    safe_ratings,
    tallies_of,
)
from plywise.errors import PlywiseError
from plywise.formats import Transcript, read_games
from plywise.game import Game
from plywise.games import load_game


@pytest.fixture(scope="module")
def connect4() -> Game:
    return load_game("connect4")


def game_of(number: int, first: str, second: str, score: int) -> Transcript:
    return Transcript("connect4", (first, second), score=score, number=number)


def test_everybody_meets_everybody_or_the_first_all_others() -> None:
    assert pairings(3, is_gauntlet=False) == [(0, 1), (0, 2), (1, 2)]
    assert pairings(3, is_gauntlet=True) == [(0, 1), (0, 2)]


def test_all_meetings_share_an_opening_before_the_next_is_used() -> None:
    fixtures = list(fixtures_of([(0, 1), (0, 2)], pairs=2))
    assert [fixture.number for fixture in fixtures] == [*range(1, 9)]
    assert [fixture.opening for fixture in fixtures] == [0] * 4 + [1] * 4
    assert [fixture.sides for fixture in fixtures[:4]] == [(0, 1), (1, 0), (0, 2), (2, 0)]


def test_stronger_players_are_rated_higher(connect4: Game) -> None:
    players = ("random", "alphabeta,depth=5", "alphabeta,depth=1")
    result = play_tournament(Tournament(connect4, players, games=10, anchor="random"))
    assert [rating.name for rating in result.ratings] == [players[1], players[2], players[0]]
    best, middle, anchor = result.ratings
    assert best.elo > middle.elo > anchor.elo == 0
    assert anchor.error == 0 < min(best.error, middle.error)
    assert best.games == middle.games == anchor.games == 20
    assert len(result.records) == 30
    assert result.table.names[0] == players[1]
    assert np.array_equal(result.table.points + result.table.points.T, result.table.games)


def test_the_result_does_not_depend_on_the_number_of_workers(
    connect4: Game, tmp_path: Path
) -> None:
    players = ("random", "mcts,nodes=30", "alphabeta,depth=2")
    tournament = Tournament(connect4, players, games=4, seed=3)
    one = play_tournament(tournament, jobs=1, save=tmp_path / "one.pgn")
    two = play_tournament(tournament, jobs=2, save=tmp_path / "two.pgn")
    assert one.records == two.records
    assert one.ratings == two.ratings
    assert tuple(read_games(tmp_path / "two.pgn", connect4)) == one.records


def test_in_a_gauntlet_only_the_first_player_meets_all(connect4: Game) -> None:
    players = ("alphabeta,depth=2", "random", "random")
    tournament = Tournament(connect4, players, games=2, is_gauntlet=True)
    result = play_tournament(tournament)
    assert tournament.total == len(result.records) == 4
    assert all("alphabeta,depth=2" in record.players for record in result.records)
    assert result.players == ("alphabeta,depth=2", "random", "random #2")


def test_one_sided_results_are_said_to_be_open(connect4: Game) -> None:
    players = (Double(crash, "crasher"), "random", "random")
    result = play_tournament(Tournament(connect4, players, games=4))
    assert result.reasons["crash"] == len(result.faults) == 8
    assert "crasher lost all its games: its distance to the others may be larger." in result.notes
    assert min(rating.error for rating in result.ratings if rating.name != "crasher") > 100


def test_the_summary_is_json(connect4: Game) -> None:
    result = play_tournament(Tournament(connect4, ("random", "random", "random"), games=2))
    summary = json.loads(json.dumps(result.summary(), allow_nan=False))
    assert len(summary["ratings"]) == 3
    assert {"player", "elo", "elo_error", "games", "points"} == set(summary["ratings"][0])
    assert summary["cross_table"]["players"] == list(result.table.names)
    assert summary["games"] == 6


def test_only_complete_pairs_are_rated() -> None:
    records = [
        game_of(1, "a", "b", 1),
        game_of(2, "b", "a", -1),
        game_of(3, "a", "c", 0),
        game_of(6, "c", "b", 1),
    ]
    assert pairs_of(records) == [("a", "b", 1, 1)]
    assert [tally.wins + tally.draws + tally.losses for tally in tallies_of(records)] == [1] * 4


def test_players_without_a_link_to_the_anchor_are_not_rated() -> None:
    assert rate([], "a", seed=0) == (
        [],
        ["No pair of games was finished, so there are no ratings."],
    )
    records = [game_of(1, "b", "c", 1), game_of(2, "c", "b", 1)]
    ratings, notes = rate(records, "a", seed=0)
    assert ratings == []
    assert "links the anchor a to b, c" in notes[0]


def test_what_is_wrong_with_a_tournament_is_told(connect4: Game) -> None:
    with pytest.raises(PlywiseError, match="two players"):
        Tournament(connect4, ("random",))
    with pytest.raises(PlywiseError, match="even"):
        Tournament(connect4, ("random", "random"), games=3)
    with pytest.raises(PlywiseError, match="did you mean random"):
        play_tournament(Tournament(connect4, ("random", "mcts,nodes=10"), anchor="randon"))


# ---------------------------------------------------------------- errors that hold


def simulated(
    elos: dict[str, float], pairs: int, alike: float, generator: np.random.Generator
) -> list[Pair]:
    """Return decided pairs of games, a share of which end alike because of their opening."""
    played: list[Pair] = []
    for first, second in itertools.combinations(elos, 2):
        chance = mean_of(elos[first] - elos[second])
        for _ in range(pairs):
            one, two = (int(won) for won in 2 * (generator.random(2) < chance) - 1)
            is_alike = generator.random() < alike
            played.append((first, second, one, one if is_alike else two))
    return played


@pytest.mark.parametrize("pairs", [1, 2, 3, 10])
def test_errors_hold_at_every_number_of_games(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournaments, "ROUNDS", 50)
    generator = np.random.default_rng(pairs)
    held = total = 0
    for elos in ({"a": 0.0, "b": 0.0, "c": 0.0}, {"a": 0.0, "b": 100.0, "c": 300.0}):
        for _ in range(60):
            played = simulated(elos, pairs, 0.4, generator)
            games = [
                Tally(first, second, *(results.count(kind) for kind in (1, 0, -1)))
                for first, second, *results in played
            ]
            for rating in safe_ratings(played, games, "a", generator):
                if rating.name != "a":
                    total += 1
                    held += abs(rating.elo - elos[rating.name]) <= rating.error
    sampling = 3 * (0.95 * 0.05 / total) ** 0.5
    assert held / total >= 0.95 - sampling
