"""Analysis in rounds, with players that say what they are told to."""

from typing import Any, cast

from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import Player
from plywise.search.limits import Analysis, Found, Limit, RootMove, TellAnalysis
from plywise.system.stopping import StopToken
from plywise.web.analysing import analyse_in_rounds


class Script:
    """A player whose lines are those of its rounds, told one after the other."""

    def __init__(self, *rounds: Analysis) -> None:
        self.rounds, self.limits = list(rounds), list[float]()

    def analyse(
        self, record: Record, limit: Limit, lines: int, stop: StopToken, tell: TellAnalysis
    ) -> Analysis:
        self.limits.append(limit.seconds or 0.0)
        now = self.rounds[min(len(self.limits), len(self.rounds)) - 1]
        for count in range(1, len(now.lines) + 1):
            tell(Analysis(now.lines[:count], now.moves))
        return now


def line(move: int, value: float, depth: int) -> Found:
    return Found(move, value, (move,), depth, 1000, 0.1)


def analysed(player: Any, seconds: float, lines: int) -> tuple[Analysis, list[list[int]]]:
    told: list[list[int]] = []
    record = Record(load_game("tictactoe"))
    done = analyse_in_rounds(
        cast(Player, player),
        record,
        seconds,
        lines,
        StopToken(),
        lambda step: told.append([one.move for one in step.lines]),
    )
    return done, told


def test_all_lines_stay_while_the_next_round_searches_the_first() -> None:
    player = Script(
        Analysis((line(1, 0.5, 8), line(2, 0.4, 8))), Analysis((line(2, 0.6, 9), line(1, 0.3, 9)))
    )
    done, told = analysed(player, 4.0, 2)
    assert told[0] == [1]
    assert all(sorted(moves) == [1, 2] for moves in told[1:])
    assert [one.move for one in done.lines] == [2, 1]


def test_all_rounds_together_have_the_seconds() -> None:
    player = Script(Analysis((line(1, 0.5, 8), line(2, 0.4, 8), line(3, 0.3, 8))))
    analysed(player, 15.0, 3)
    assert player.limits == sorted(player.limits)
    assert abs(3 * sum(player.limits) - 15.0) < 1e-9
    assert player.limits[0] < 0.5


def test_one_line_is_one_search() -> None:
    player = Script(Analysis((line(1, 0.5, 8),)))
    analysed(player, 15.0, 1)
    assert player.limits == [15.0]


def test_a_tree_has_all_lines_at_once() -> None:
    lines = (line(1, 0.2, 3), line(2, 0.6, 3))  # the one tried most is the first
    player = Script(Analysis(lines, (RootMove(1, 90, 0.2), RootMove(2, 10, 0.6))))
    done, _ = analysed(player, 15.0, 2)
    assert player.limits[1:] == [15.0]
    assert done.lines == lines


def test_a_round_that_knows_less_is_not_told() -> None:
    deep = Analysis((line(1, 0.5, 9), line(2, 0.4, 9)))
    _, told = analysed(Script(deep, Analysis((line(3, 0.1, 2), line(4, 0.1, 9)))), 2.0, 2)
    assert [3] not in told
    assert [3, 1] not in told
