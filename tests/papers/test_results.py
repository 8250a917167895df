"""The file of results: lines are added, never changed, and know which code made them."""

from pathlib import Path

import pytest
from results import (
    BadResult,
    Measured,
    Result,
    append_results,
    code_digest,
    match_measured,
    read_results,
    score_measured,
    share_measured,
)

from plywise.arena import Match, play_match
from plywise.arena.statistics import Score
from plywise.games import load_game

MEASURED = Measured(0.6, 0.5, 0.7, 40, (10, 4, 26), ((0.0, 1.5), (10.0, 2.5)), "26-4-10")
RESULT = Result(
    "001-mp-vision", "mp", "minute", {"a": [1]}, 1, "0.1", "d", "c", 2.5, 40, 0.6, 0.1, MEASURED
)


def test_what_is_added_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    assert read_results(path) == []
    append_results(path, [RESULT])
    append_results(path, [RESULT])
    assert read_results(path) == [RESULT, RESULT]


def test_a_line_that_a_crash_left_unfinished_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    append_results(path, [RESULT])
    with path.open("a") as file:
        file.write('{"claim": "001-mp')
    assert read_results(path) == [RESULT]
    append_results(path, [RESULT])
    assert read_results(path) == [RESULT, RESULT]


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"claim": "001-mp-vision"}'])
def test_a_line_that_is_no_result_is_pointed_out(tmp_path: Path, line: str) -> None:
    path = tmp_path / "results.jsonl"
    append_results(path, [RESULT])
    with path.open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(BadResult, match="Line 2 of"):
        read_results(path)


def test_comments_and_docstrings_are_no_part_of_the_code(tmp_path: Path) -> None:
    file = tmp_path / "code.py"

    def digest(text: str) -> str:
        file.write_text(text)
        return code_digest(["code.py"], tmp_path)

    first = digest('"""Old."""\n\n\ndef f(x):\n    """Return x."""\n    return x\n')
    assert digest('"""New."""\ndef f(x):  # why\n    """Return it."""\n    return x\n') == first
    assert digest('"""New."""\ndef f(x):\n    """Return it."""\n    return -x\n') != first
    with pytest.raises(BadResult, match="no source"):
        code_digest(["other.py"], tmp_path)


def test_scores_and_shares_have_the_intervals_of_the_arena() -> None:
    found = score_measured(Score(10, 4, 6))
    assert found.low < 0.5 < found.result == 0.6 < found.high
    assert found.games == 20
    share = share_measured(10, 10)
    assert (share.result, share.high) == (1.0, 1.0)
    assert 0.7 < share.low < 0.75


def test_a_match_that_was_broken_off_is_no_result() -> None:
    import dataclasses

    result = play_match(Match(load_game("tictactoe"), ("random", "random"), games=4), jobs=1)
    assert match_measured(result).games == 4
    with pytest.raises(KeyboardInterrupt):
        match_measured(dataclasses.replace(result, is_interrupted=True))
