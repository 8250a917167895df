"""Rules of a user's file that crash, hang or raise: told to whoever asked, felt by nobody else."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from web.conftest import PATIENCE, PROGRAM, Api, serving

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="nobody watches")

HASTY = f"from plywise.system import watching; watching.STUCK = 2.0; {PROGRAM}"
RULES = """
from plywise.game import DRAW, ONGOING, Game

def initial():
    return 0, 0  # plies, and the last three moves

def moves(position, out):
    {at_once}
    if position[1] // 16 == 5 * 16 + 7 and position[1] % 16 < 4:
        {trap}
    for move in range(12):
        out[move] = move
    return 12

def apply(position, move):
    return position[0] + 1, position[1] % 256 * 16 + move

def result(position):
    return DRAW if position[0] == 12 else ONGOING

def side(position):
    return position[0] % 2

def format_move(position, move):
    if position[1] == 9 * 16 + 9:
        print(input())
        raise KeyError("no name")
    return str(move)

rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side)
game = Game("{name}", words=2, format_move=format_move, **rules)
"""
LOOP = "while position[0] < 99: out[0] = 0"
CRASH = "out[(position[0] + 1) * 10**13] = 0"  # how long `out` is no compiler knows
RAISE = "if position[0] < 99: raise ValueError('a trap')"
TRAP = ["5", "7", "3"]


def write(folder: Path, name: str, trap: str = "pass", at_once: str = "pass") -> str:
    """Return the file of a game that fails late, or at once."""
    path = folder / f"{name}.py"
    path.write_text(RULES.format(name=name, trap=trap, at_once=at_once))
    return str(path)


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server of three games that fail after three moves, which no first look finds."""
    folder = tmp_path_factory.mktemp("rules")
    traps = {"looping": LOOP, "crashing": CRASH, "raising": RAISE}
    files = [write(folder, name, trap) for name, trap in traps.items()]
    with (
        serving(folder, files=files, program=HASTY) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        yield Api(client)


def require_others_play(api: Api) -> None:
    """Raise unless another game is played as if nothing were wrong."""
    started = time.monotonic()
    assert api.post("/positions", game="tictactoe", moves=["b2"])["side"] == 1
    assert time.monotonic() - started < 1.5


WORDS = {
    "looping": "looping.py have not answered for 2 seconds: a loop in them has no end",
    "crashing": "crashing.py crashed: they read or write outside",
    "raising": "ValueError: a trap",
}


@pytest.mark.parametrize("name", WORDS)
def test_a_position_that_the_rules_cannot_make_is_told(name: str, trapped: Api) -> None:
    api = trapped
    assert api.post("/positions", game=name, moves=TRAP[:2])["side"] == 0
    api.post("/positions", game="tictactoe", moves=["b2"])
    assert WORDS[name] in api.refused("/positions", game=name, moves=TRAP)
    require_others_play(api)
    assert api.post("/positions", game=name, moves=TRAP[:2])["side"] == 0


def test_a_search_that_meets_the_trap_is_told_on_the_board(trapped: Api) -> None:
    api, name = trapped, "looping"
    other = api.post("/boards", game="tictactoe", seats=["human", "random"])
    board = api.post("/boards", game=name, seats=["human", "alphabeta,seconds=1"], moves=["5"])
    seen = wait_for_problem(api, board["id"])
    assert WORDS[name] in seen["problem"]
    assert seen["moves"] == ["5"]
    assert api.post(f"/boards/{other['id']}/moves", move="b2")["moves"] == ["b2"]
    again = api.get(f"/boards/{board['id']}")
    assert (again["is_thinking"], again["problem"]) == (False, seen["problem"])
    require_others_play(api)


def wait_for_problem(api: Api, board: str) -> Any:
    """Return a board when it says what went wrong."""
    for _ in range(int(PATIENCE)):
        seen = api.get(f"/boards/{board}")
        if seen["problem"]:
            return seen
        time.sleep(1.0)
    raise AssertionError("the board says nothing")


def test_an_error_in_plain_python_is_told_with_its_line(trapped: Api) -> None:
    told = trapped.refused("/positions", game="looping", moves=["9", "9"])
    assert "looping.py, line " in told
    assert "EOFError" in told  # nobody reads the pipe of the worker but the worker


def test_a_match_by_rules_that_crash_says_so(trapped: Api) -> None:
    players = ["mcts,nodes=2000", "random"]
    contest = trapped.post("/contests", game="crashing", players=players, games=2)
    for _ in range(int(PATIENCE)):
        standing = trapped.get(f"/contests/{contest['name']}")["standing"]
        if standing["state"] == "failed":
            assert "crashing.py crashed: they read or write outside" in standing["error"]
            return
        time.sleep(1.0)
    raise AssertionError(standing)


@pytest.mark.parametrize(
    ("at_once", "words"),
    [
        (LOOP, "The rules have not answered for 2 seconds"),
        (CRASH, "crashed (position 0.0): they read or write outside"),
        (RAISE, "A function of the rules fails here: ValueError: a trap (position 0.0)"),
    ],
)
def test_rules_that_fail_at_once_are_told_before_the_server_starts(
    at_once: str, words: str, tmp_path: Path
) -> None:
    files = [write(tmp_path, "bad", at_once=at_once)]
    if at_once == CRASH:  # one of several is blamed
        files.insert(0, write(tmp_path, "good"))
    done = subprocess.run(
        [sys.executable, "-c", HASTY, "serve", *files, "--port", "0"],
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (2, "")
    sentences = [line for line in done.stderr.splitlines() if line.startswith("plywise: ")]
    assert len(sentences) == 1
    assert words in sentences[0]
    assert "good.py" not in sentences[0]
    assert "Traceback" not in done.stderr
