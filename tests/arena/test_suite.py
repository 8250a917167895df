"""Test suites: who finds a move, from which step on, and what is kept when it is broken off."""

from plywise.arena.suite import first_right, run_suite
from plywise.formats.epd import EpdPosition, parse_epd
from plywise.games import load_game
from plywise.players import make_player
from plywise.search.limits import Found, Limit
from plywise.system.stopping import StopToken

game = load_game("tictactoe")
WIN = "xx./oo./... x bm c3; id win;"
BLOCK = "xx./o../... o bm c3; id block;"
BLUNDER = "xx./o../... o am a1 b1 c1 b2 c2; id blunder;"


def tasks(*texts: str) -> list[EpdPosition]:
    return [parse_epd(text, game) for text in texts]


def step(move: int, depth: int) -> Found:
    return Found(move, 0.0, (move,), depth, 10 * depth, depth / 10)


def test_a_solution_counts_from_the_step_that_was_never_left() -> None:
    (one,) = tasks(WIN)
    (right,) = one.best
    wrong = right + 1
    moves = (right, wrong, right, right)
    steps = [step(move, depth) for depth, move in enumerate(moves, 1)]
    assert first_right(steps, one) == steps[2]
    assert first_right([*steps, step(wrong, 5)], one) is None


def test_a_search_solves_what_it_can_see() -> None:
    player = make_player("alphabeta,depth=4", game)
    for limit in (None, Limit(depth=4)):
        attempts = list(run_suite(player, game, tasks(WIN, BLOCK, BLUNDER), limit))
        assert [one.is_right for one in attempts] == [True] * 3
        assert all(one.found_at and one.found_at.depth <= 4 for one in attempts)
        assert [one.task.name for one in attempts] == ["win", "block", "blunder"]


def test_a_limit_goes_before_what_the_player_would_spend() -> None:
    player = make_player("alphabeta,depth=4", game)
    (attempt,) = run_suite(player, game, tasks(WIN), Limit(depth=1))
    assert attempt.played.depth == 1


def test_one_who_judges_nothing_is_asked_for_a_move() -> None:
    (attempt,) = run_suite(make_player("random", game), game, tasks(WIN), Limit(seconds=1))
    assert attempt.played.move in game.legal_moves(attempt.task.position)


def test_what_was_broken_off_is_not_told() -> None:
    stop = StopToken()
    attempts = run_suite(make_player("random", game), game, tasks(WIN, BLOCK), None, stop)
    assert next(attempts).task.name == "win"
    stop.set()
    assert list(attempts) == []
