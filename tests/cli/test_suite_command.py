"""`plywise suite`: the table, JSON, and what is refused before anything is searched."""

import json
import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.conftest import Plywise
from conftest import INTERPRETED
from plywise.arena.suite import first_right
from plywise.formats import EpdPosition
from plywise.search.limits import Found

pytestmark = pytest.mark.skipif(INTERPRETED, reason="too slow")

SUITE = 'xx./oo./... x bm c3; id "win in 1";\nxx./oo./... x am c3; c0 "cannot be right";\n'


@pytest.fixture
def epd(tmp_path: Path) -> str:
    path = tmp_path / "suite.epd"
    path.write_text(SUITE)
    return str(path)


def test_a_table_tells_what_was_found(plywise: Plywise, epd: str) -> None:
    done = plywise("suite", epd, "alphabeta", "--game", "tictactoe", "--depth", "3")
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert ["win", "in", "1", "c3", "c3", "right", "0.00", "1"] in [row[:8] for row in rows]
    assert ["line", "2", "not", "c3", "c3", "wrong"] in rows
    assert "1 right of 2" in done.out


def test_json_tells_the_same(plywise: Plywise, epd: str) -> None:
    done = plywise("suite", epd, "alphabeta,depth=3", "--game", "tictactoe", "--json")
    told = json.loads(done.out)
    assert (told["positions"], told["tried"], told["right"]) == (2, 2, 1)
    first, second = told["attempts"]
    assert (first["id"], first["best"], first["played"]) == ("win in 1", ["c3"], "c3")
    assert first["to_solution"]["depth"] == 1
    assert (second["avoid"], second["is_right"], second["to_solution"]) == (["c3"], False, None)


def test_any_player_may_try(plywise: Plywise, epd: str) -> None:
    for player in ("random", "mcts,nodes=50", "minimax,depth=2"):
        done = plywise("suite", epd, player, "--game", "tictactoe")
        assert done.code == 0, done.err
        assert "of 2" in done.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["no_such_file.epd"], "^plywise: .*cannot be read: No such file"),
        (["{epd}", "alphabeta", "--game", "chess"], "line 1: .* is no FEN"),
        (["{epd}", "nobody", "--game", "tictactoe"], "no player called 'nobody'"),
        (["{epd}", "alphabeta", "--game", "tictactoe", "--depth", "0"], "a number above 0, not 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    plywise: Plywise, epd: str, arguments: list[str], complaint: str
) -> None:
    done = plywise("suite", *(one.format(epd=epd) for one in arguments))
    assert (done.code, done.out) == (2, "")
    assert re.search(complaint, done.err)


def test_ctrl_c_keeps_what_was_found(
    plywise: Plywise, epd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(steps: Sequence[Found], task: EpdPosition) -> Found | None:
        os.kill(os.getpid(), signal.SIGINT)
        return first_right(steps, task)

    monkeypatch.setattr("plywise.arena.suite.first_right", interrupt)
    done = plywise("suite", epd, "alphabeta", "--game", "tictactoe", "--depth", "3")
    assert done.code == 130
    assert "1 right of 1 tried, of 2 in the suite" in done.out
