"""A live game: seats, programs, saving, advice."""

import pytest

from arena.doubles import Double
from plywise.errors import PlywiseError
from plywise.game import Game
from plywise.games import load_game
from plywise.live.live_game import LiveGame
from plywise.live.saves import BadSave
from plywise.players import make_player


@pytest.fixture
def tictactoe() -> Game:
    return load_game("tictactoe")


def test_any_player_may_be_the_opponent_and_its_twins_play(tictactoe: Game) -> None:
    double = Double(name="engine")
    live = LiveGame(tictactoe, "tictactoe", double)
    live.seed = 5
    assert live.engine(1) is live.engine(1) is double.twins[0]
    assert double.twins[0].seeds == [6]
    live.begin(tictactoe.initial())
    assert double.twins[0].is_closed
    live.engine(1)
    live.close()
    assert [twin.is_closed for twin in double.twins] == [True, True]
    assert not double.is_closed
    assert live.save().players == ("human", "engine")


def test_the_opponent_advises(tictactoe: Game) -> None:
    live = LiveGame(tictactoe, "tictactoe", make_player("alphabeta,depth=3", tictactoe))
    live.begin(tictactoe.parse_position("xx./oo./... x"))
    assert live.advise().end == 1


def test_a_good_player_advises_in_place_of_one_without_an_opinion(tictactoe: Game) -> None:
    double = Double(name="engine")
    live = LiveGame(tictactoe, "tictactoe", double)
    live.begin(tictactoe.parse_position("xx./oo./... x"))
    assert tictactoe.format_move(live.record.position, live.advise().move) == "c3"
    assert double.twins[0].is_closed


def test_a_level_or_a_time_makes_new_programs(tictactoe: Game) -> None:
    live = LiveGame(tictactoe, "tictactoe", make_player("alphabeta,depth=3", tictactoe))
    before = live.engine(1)
    live.set_level(3)
    assert live.opponent.name == "alphabeta,level=3"
    assert live.engine(1) is not before
    live.set_seconds(0.25)
    assert live.opponent.name == "alphabeta,seconds=0.25"
    with pytest.raises(PlywiseError, match="above 0"):
        live.set_seconds(0)


def test_a_weak_opponent_advises_as_well_as_it_can(tictactoe: Game) -> None:
    live = LiveGame(tictactoe, "tictactoe", make_player("alphabeta,level=1", tictactoe))
    assert len(live.advise().line) == 9  # seen to the end, which its moves are not


def test_a_saved_game_is_restored(tictactoe: Game) -> None:
    live = LiveGame(tictactoe, "tictactoe", make_player("alphabeta,depth=3", tictactoe))
    live.record.play(4)
    live.switch()
    other = LiveGame(tictactoe, "tictactoe", make_player("random", tictactoe))
    other.restore(live.save())
    assert (other.record.moves, other.humans, other.opponent.name) == (
        [4],
        {1},
        "alphabeta,depth=3",
    )
    with pytest.raises(BadSave, match="a game of tictactoe, not of connect4"):
        LiveGame(load_game("connect4"), "connect4", make_player("random", tictactoe)).restore(
            live.save()
        )
