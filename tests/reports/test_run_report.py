"""The report of a run: what is refused before anything is played, and what its table says."""

import pytest

from plywise.arena.match import MatchResult
from plywise.arena.statistics import Pentanomial, Score, Sprt
from plywise.errors import PlywiseError
from plywise.reports.run_report import TEST, Scale
from plywise.reports.run_report import test_table as table_of_tests


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ({"games": 3}, "the number of games is even, 2 or more, and not 3"),
        ({"rating_games": 5}, "the number of games is even, 2 or more, and not 5"),
        ({"depth": 999_999}, "at most 1000 plies"),
        ({"mcts_depth": 999_999}, "at most 1000 plies"),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(numbers: dict[str, int], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        Scale(**numbers)


def won_everything(sprt: Sprt | None) -> MatchResult:
    score, pairs = Score(100, 0, 0), Pentanomial(0, 0, 0, 0, 50)
    return MatchResult(("champion", "other"), score, pairs, (), sprt, (), 1.0, False)


def test_a_table_of_tests_has_no_infinite_numbers_and_no_empty_fields() -> None:
    tested, untested = table_of_tests(
        {"mcts": won_everything(TEST), "random": won_everything(None)}
    )
    assert tested[1:3] == ["100-0-0", "100.0 %"]
    assert tested[3].startswith("above +")
    assert (tested[4], untested[4]) == ("SPRT(0, 50) accepts", "-")
