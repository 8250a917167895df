"""A transcript is replayed move by move, and nothing wrong in it is overlooked."""

import pytest

from plywise.formats import BadTranscript, Transcript, replay
from plywise.formats.transcript import SCORES, format_result, parse_result
from plywise.games import load_game

WON = ("1", "2", "1", "2", "1", "2", "1")  # four in the first column


def test_a_replay_goes_through_every_position() -> None:
    connect4 = load_game("connect4")
    record = replay(Transcript("connect4", ("a", "b"), WON, score=1), connect4)
    assert record.texts() == list(WON)
    assert len(record.positions) == 8
    assert record.ending() is not None


def test_an_illegal_move_is_told_with_its_ply() -> None:
    broken = Transcript("connect4", ("a", "b"), ("1", "9"), number=4)
    with pytest.raises(BadTranscript, match="Game 4, ply 2: '9' is not a legal move here"):
        replay(broken, load_game("connect4"))


def test_a_move_after_the_end_is_told() -> None:
    broken = Transcript("connect4", ("a", "b"), (*WON, "3"))
    with pytest.raises(BadTranscript, match="The game, ply 8: '3' cannot be played"):
        replay(broken, load_game("connect4"))


def test_a_wrong_result_is_told() -> None:
    broken = Transcript("connect4", ("a", "b"), WON, score=-1)
    with pytest.raises(BadTranscript, match="result 0-1, but its last position is 1-0"):
        replay(broken, load_game("connect4"))


def test_a_game_that_was_given_up_may_have_any_result() -> None:
    for score in (1, 0, -1, None):
        replay(Transcript("connect4", ("a", "b"), WON[:3], score=score), load_game("connect4"))


def test_a_game_of_another_kind_is_told() -> None:
    with pytest.raises(BadTranscript, match="is a game of chess, not connect4"):
        replay(Transcript("chess", ("a", "b")), load_game("connect4"))


def test_results_are_read_and_written() -> None:
    for text, score in SCORES.items():
        assert parse_result(text) == score
        assert format_result(score) == text
    with pytest.raises(BadTranscript, match="'2-0' is no result"):
        parse_result("2-0")


def test_the_score_of_a_player_follows_its_side() -> None:
    transcript = Transcript("connect4", ("a", "b"), score=1, reason="crash: Error: x: y")
    assert (transcript.score_of("a"), transcript.score_of("b")) == (1, -1)
    assert transcript.kind == "crash"
