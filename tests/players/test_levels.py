"""Levels: what they settle, and that mistakes repeat with their seed."""

import itertools
import json
import subprocess
import sys

import pytest

from conftest import INTERPRETED, ROOT
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import has_budget, make_player, with_level, with_seconds
from plywise.players.levels import LEVELS, STRONGEST, read_level
from plywise.search.limits import Limit

PLIES = 20


@pytest.fixture
def connect4() -> Game:
    return load_game("connect4")


def played(text: str, game: Game, seed: int) -> list[int]:
    """Return the moves of a game that a player plays with itself."""
    player = make_player(text, game)
    player.new_game(seed)
    record = Record(game)
    while record.ending() is None and len(record.moves) < PLIES:
        record.play(player.choose(record).move)
    return record.moves


def test_every_level_errs_less_or_searches_more_than_the_one_below() -> None:
    assert list(LEVELS) == list(range(1, 11))
    for below, above in itertools.pairwise(LEVELS.values()):
        assert above.mistakes <= below.mistakes
        assert (above.limit.nodes or 1 << 60) >= (below.limit.nodes or 1 << 60)
        assert above != below
    assert LEVELS[1].mistakes > 0.5
    assert LEVELS[STRONGEST].mistakes == 0
    assert LEVELS[STRONGEST].limit == Limit(seconds=1)


@pytest.mark.parametrize("text", ["0", "11", "2.5", "x", "", "-1", "03"])
def test_no_other_level_is_known(text: str) -> None:
    with pytest.raises(ValueError, match="a whole number from 1 to 10"):
        read_level(text)


@pytest.mark.parametrize("text", ["alphabeta,level=4", "mcts,level=4", "minimax,level=4"])
def test_the_same_seed_makes_the_same_mistakes(text: str, connect4: Game) -> None:
    assert played(text, connect4, 3) == played(text, connect4, 3)
    assert len({tuple(played(text, connect4, seed)) for seed in range(4)}) > 1


def test_a_level_is_its_mistakes_and_its_nodes(connect4: Game) -> None:
    level = LEVELS[4]
    said = f"alphabeta,mistakes={level.mistakes},nodes={level.limit.nodes}"
    for seed in range(3):
        assert played("alphabeta,level=4", connect4, seed) == played(said, connect4, seed)


def test_without_mistakes_a_player_is_as_it_was(connect4: Game) -> None:
    plain = played("alphabeta,depth=3", connect4, 0)
    assert played("alphabeta,depth=3,mistakes=0", connect4, 0) == plain
    assert played("alphabeta,depth=3,mistakes=0.5", connect4, 0) != plain


def test_mistakes_are_as_frequent_as_was_said(connect4: Game) -> None:
    player = make_player("alphabeta,depth=1,mistakes=0.3", connect4)
    player.new_game(7)
    record = Record(connect4)
    searched = sum(player.choose(record).depth for _ in range(1000))
    assert 650 < searched < 750


def test_a_twin_makes_mistakes_of_its_own(connect4: Game) -> None:
    player = make_player("alphabeta,level=2", connect4)
    twin = player.twin()
    assert twin.name == player.name == "alphabeta,level=2"
    for one in (player, twin):
        one.new_game(3)
    record = Record(connect4)
    first = [player.choose(record).move for _ in range(10)]
    assert [twin.choose(record).move for _ in range(10)] == first
    player.close()
    twin.close()


def test_a_weak_player_judges_without_mistakes_and_at_full_strength() -> None:
    game = load_game("tictactoe")
    record = Record(game)
    for text in ("alphabeta,level=1", "alphabeta,mistakes=1,depth=9"):
        assert make_player(text, game).analyse(record).lines[0].depth >= 9
    few = make_player("alphabeta,level=1", game).analyse(record, Limit(depth=2))
    assert few.lines[0].depth == 2


def test_a_level_takes_the_place_of_budget_and_mistakes(connect4: Game) -> None:
    assert with_level("mcts,nodes=50,cap=3", 7, connect4) == "mcts,cap=3,level=7"
    assert with_level("alphabeta,mistakes=0.1,depth=3", 7, connect4) == "alphabeta,level=7"
    assert with_seconds("alphabeta,level=3", 2, connect4) == "alphabeta,seconds=2"
    assert with_seconds("mcts,mistakes=0.1", 2, connect4) == "mcts,mistakes=0.1,seconds=2"
    assert not has_budget("alphabeta,level=3", connect4)
    with pytest.raises(PlywiseError, match="'random' has no level"):
        with_level("random", 3, connect4)


@pytest.mark.skipif(INTERPRETED, reason="too slow")
def test_the_benchmark_measures_neighbours() -> None:
    command = ["benchmarks/levels.py", "tictactoe", "--player", "alphabeta", "--last", "2"]
    done = subprocess.run(
        [sys.executable, *command, "--games", "4", "--json"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    answer = json.loads(done.stdout)
    assert [row["players"] for row in answer["levels"]] == [
        ["alphabeta,level=1", "random"],
        ["alphabeta,level=2", "alphabeta,level=1"],
    ]
    assert [row["games"] for row in answer["levels"]] == [4, 4]
