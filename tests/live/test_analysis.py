"""An analysis under way, as a terminal and a page show it."""

import pytest

from plywise.game.record import Record
from plywise.games import load_game
from plywise.live.analysis import LiveAnalysis, is_news
from plywise.players import JudgesNothing, RandomPlayer, make_player
from plywise.search.limits import Analysis, Found, Limit, RootMove


def step(nodes: int, line: tuple[int, ...] = (1,), visits: int = 0) -> Analysis:
    found = Found(line[0], 0.0, line, 1, nodes, 0.0)
    return Analysis((found,), (RootMove(1, visits, 0.0),) if visits else ())


def test_steps_come_while_the_player_thinks_and_the_whole_in_the_end() -> None:
    game = load_game("connect4")
    live = LiveAnalysis(make_player("alphabeta", game), Record(game), Limit(depth=4), lines=2)
    steps = list(live)
    assert [(len(one.lines), one.lines[-1].depth) for one in steps] == [
        (lines, depth) for lines in (1, 2) for depth in (1, 2, 3, 4)
    ]
    assert steps[-1].lines[0] == live.answer().lines[0]
    assert len(live.answer().lines) == 2


def test_an_analysis_is_ended_by_its_token() -> None:
    game = load_game("connect4")
    live = LiveAnalysis(make_player("alphabeta", game), Record(game), Limit(seconds=1000))
    for _ in live:
        live.stop.set()
    assert live.answer().lines[0].move in game.legal_moves(game.initial())


def test_a_player_without_an_opinion_refuses() -> None:
    live = LiveAnalysis(RandomPlayer(), Record(load_game("connect4")))
    assert list(live) == []
    with pytest.raises(JudgesNothing, match="'random' judges nothing"):
        live.answer()


def test_a_step_of_alpha_beta_is_news_if_it_says_something_else_or_took_longer() -> None:
    assert not is_news(step(120), step(100))
    assert is_news(step(130), step(100))
    assert is_news(step(101, (1, 2)), step(100))


def test_a_step_of_a_tree_is_news_when_it_has_doubled() -> None:
    assert not is_news(step(190, (1, 2), visits=9), step(100, (1,), visits=5))
    assert is_news(step(200, (1,), visits=9), step(100, (1,), visits=5))
