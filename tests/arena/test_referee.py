"""The referee decides every game, whatever the players do."""

from typing import Any

import pytest

from arena.doubles import (
    Double,
    Staller,
    Time,
    answer,
    crash,
    first_move,
    illegal,
    nothing,
    thinking,
)
from plywise.arena import GameLimits, Referee, parse_clock
from plywise.arena.game_limits import MoveTime, format_clock
from plywise.arena.openings import Opening
from plywise.errors import PlywiseError
from plywise.formats import Transcript, replay
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import Player, make_player
from plywise.search.limits import Clock
from plywise.system.stopping import StopToken

GOOD = Double()


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return load_game("tictactoe")


def played(
    game: Game,
    players: tuple[Player, Player],
    limits: GameLimits | None = None,
    time: Time | None = None,
) -> Transcript:
    referee = Referee(game, limits or GameLimits(), now=(time or Time()).now)
    transcript = referee.play(players, Opening(), seed=5)
    assert transcript is not None
    replay(transcript, game)
    return transcript


def test_a_game_is_played_to_its_end(tictactoe: Game) -> None:
    transcript = played(tictactoe, (Double(name="a"), Double(name="b")))
    assert transcript.players == ("a", "b")
    assert (transcript.score, transcript.reason) == (1, "win")
    assert transcript.plies == 7  # 0 2 4 6 make a diagonal
    assert transcript.nodes == (4, 3)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (illegal, "illegal move: 99"),
        (nothing, "illegal move: None"),
        (lambda record: answer(-1), "illegal move: -1"),
        (lambda record: answer(1 << 70), f"illegal move: {1 << 70}"),
        (lambda record: answer("a1"), "illegal move: namespace(move='a1', nodes=1)"),
        (lambda record: answer(0.0), "illegal move: namespace(move=0.0, nodes=1)"),
        (crash, "crash: RuntimeError: out of ideas"),
    ],
)
def test_a_player_that_goes_wrong_loses(tictactoe: Game, side: int, act: Any, reason: str) -> None:
    bad = Double(act)
    players = (bad, GOOD) if side == 0 else (GOOD, bad)
    transcript = played(tictactoe, players)
    assert transcript.reason == reason
    assert transcript.score == (-1 if side == 0 else 1)
    assert transcript.plies == side


def test_a_player_that_cannot_even_begin_loses(tictactoe: Game) -> None:
    class Broken(Double):
        def new_game(self, seed: int) -> None:
            raise OSError("no disk")

    transcript = played(tictactoe, (GOOD, Broken()))
    assert (transcript.score, transcript.reason) == (1, "crash: OSError: no disk")


def test_an_occupied_square_is_an_illegal_move(tictactoe: Game) -> None:
    transcript = played(tictactoe, (Double(lambda record: answer(4)), GOOD))
    assert (transcript.score, transcript.reason) == (-1, "illegal move: 4")
    assert transcript.plies == 2


def test_a_player_cannot_change_the_game_by_its_record(tictactoe: Game) -> None:
    def meddle(record: Record) -> Any:
        move = first_move(record)
        record.positions[-1][:] = 0
        record.positions.clear()
        record.keys.append(1)
        return move

    honest = played(tictactoe, (Double(name="a"), Double(name="b")))
    assert played(tictactoe, (Double(meddle, "a"), Double(meddle, "b"))) == honest


def test_overtime_loses_whatever_the_move_is(tictactoe: Game) -> None:
    time = Time()
    slow, quick = Double(thinking(time, 1.2)), Double(thinking(time, 1.0))
    limits = GameLimits(move_seconds=1.0, grace=0.1)
    transcript = played(tictactoe, (quick, slow), limits, time)
    assert (transcript.score, transcript.reason) == (1, "overtime: 1.20 s of 1.00 s")
    assert transcript.seconds == (1.0, 1.2)


def test_a_little_overtime_is_overlooked(tictactoe: Game) -> None:
    time = Time()
    slow = Double(thinking(time, 1.2))
    limits = GameLimits(move_seconds=1.0, grace=0.3)
    assert played(tictactoe, (slow, slow), limits, time).reason == "win"


def test_players_are_told_the_time_for_a_move(tictactoe: Game) -> None:
    double = Double()
    played(tictactoe, (double, GOOD), GameLimits(move_seconds=0.5))
    assert set(double.clocks) == {MoveTime(0.5)}
    assert MoveTime(0.5).limit().seconds == 0.5
    untimed = Double()
    played(tictactoe, (untimed, GOOD))
    assert set(untimed.clocks) == {None}


def test_the_referee_keeps_the_clocks(tictactoe: Game) -> None:
    time = Time()
    slow, quick = Double(thinking(time, 4)), Double(thinking(time, 0))
    limits = GameLimits(clock=Clock(10, 1), grace=0)
    transcript = played(tictactoe, (slow, quick), limits, time)
    left = [clock.remaining for clock in slow.clocks if clock is not None]
    assert left == [10, 7, 4, 1]
    assert (transcript.score, transcript.reason) == (-1, "overtime: 4.00 s of 1.00 s")
    assert [clock.remaining for clock in quick.clocks if clock is not None] == [10, 11, 12]


def test_a_player_that_stalls_is_stopped_and_loses(tictactoe: Game) -> None:
    staller = Staller()
    transcript = played(tictactoe, (staller, GOOD), GameLimits(move_seconds=0.01, grace=0))
    assert (transcript.score, transcript.reason) == (-1, "overtime: no move in time")
    assert staller.is_told.is_set()


def test_a_long_game_is_a_draw() -> None:
    draughts = load_game("draughts")
    transcript = played(draughts, (Double(), Double()), GameLimits(max_plies=12))
    assert (transcript.score, transcript.reason, transcript.plies) == (0, "too long", 12)


def test_a_stopped_game_is_no_game(tictactoe: Game) -> None:
    stopping = StopToken()

    def stop(record: Record) -> Any:
        stopping.set()
        return first_move(record)

    referee = Referee(tictactoe, GameLimits(), stopping)
    assert referee.play((GOOD, Double(stop)), Opening(), seed=0) is None
    assert referee.play((GOOD, GOOD), Opening(), seed=0) is None


def test_the_seed_of_a_game_gives_each_player_its_own(tictactoe: Game) -> None:
    players = Double(), Double()
    referee = Referee(tictactoe, GameLimits())
    for seed in (1, 1, 2):
        referee.play(players, Opening(), seed)
    assert players[0].seeds[0] == players[0].seeds[1] != players[0].seeds[2]
    assert players[0].seeds[0] != players[1].seeds[0]


def test_players_of_the_package_can_play() -> None:
    connect4 = load_game("connect4")
    players = make_player("alphabeta,depth=3", connect4), make_player("random", connect4)
    transcript = played(connect4, players, GameLimits(clock=Clock(60)))
    assert transcript.reason in ("win", "draw")
    assert min(transcript.nodes) > 0


@pytest.mark.parametrize(
    ("text", "clock"), [("60+0.5", Clock(60, 0.5)), ("5", Clock(5)), ("0.1+0", Clock(0.1))]
)
def test_clocks_are_read_and_written(text: str, clock: Clock) -> None:
    assert parse_clock(text) == clock
    assert parse_clock(format_clock(clock)) == clock


@pytest.mark.parametrize("text", ["", "x", "0", "60+", "60+-1", "-5", "nan", "inf+1", "60+1+1"])
def test_a_bad_clock_is_told_with_a_good_one(text: str) -> None:
    with pytest.raises(PlywiseError, match=r"60\+0\.5"):
        parse_clock(text)


def test_limits_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(PlywiseError, match="not both"):
        GameLimits(move_seconds=1, clock=Clock(60))
    with pytest.raises(PlywiseError, match="more than 0 seconds"):
        GameLimits(move_seconds=0)
    with pytest.raises(PlywiseError, match="1 ply or more"):
        GameLimits(max_plies=0)
    with pytest.raises(PlywiseError, match="grace"):
        GameLimits(grace=-1)


def shuttle(record: Record) -> Any:
    """Move a king to and fro."""
    moves = [int(move) for move in record.legal_moves()]
    texts = {record.game.format_move(record.position, move): move for move in moves}
    wanted = ("1-6", "6-1") if record.side == 0 else ("32-27", "27-32")
    return answer(next(texts[text] for text in wanted if text in texts))


@pytest.mark.parametrize(
    ("start", "side"),
    [("B:WK32:BK1,K5,K12", 0), ("B:WK32,K28,21:BK1", 1), ("B:WK32:BK1", None)],
)
def test_a_lead_that_ends_in_repetition_is_a_loop(start: str, side: int | None) -> None:
    referee = Referee(load_game("draughts"), GameLimits())
    players = (Double(shuttle, "a"), Double(shuttle, "b"))
    transcript = referee.play(players, Opening(start=start), seed=1)
    assert transcript is not None
    assert transcript.reason == "repetition"
    assert transcript.looping_side == side


def test_a_game_that_ends_by_itself_is_no_loop(tictactoe: Game) -> None:
    assert played(tictactoe, (GOOD, GOOD)).looping_side is None
