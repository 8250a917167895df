"""Programs that cannot be trusted: each ends in a forfeit, none hangs, none is left behind."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from plywise.arena.game_limits import GameLimits, MoveTime
from plywise.arena.openings import Opening
from plywise.arena.referee import Referee
from plywise.errors import Forfeit, PlywiseError
from plywise.game.record import Record
from plywise.games import load_game
from plywise.players import Player, RandomPlayer, make_player
from plywise.protocols import engine_player
from plywise.protocols.process import EngineProcess, find_program
from plywise.system.stopping import StopToken

PROGRAM = Path(__file__).with_name("misbehaving.py")
GAME = load_game("tictactoe")
FORFEITS = {
    "crash": "crash: .* ended with code 3: Segmentation fault, as it were",
    "stall": "overtime: .* gives no answer",
    "illegal": "illegal move: z9",
    "nothing": "illegal move: none",
    "garbage": "overtime: .* gives no answer",
    "half-a-line": "overtime: .* gives no answer",
    "endless-lines": "overtime: .* gives no answer",
    "endless-line": "crash: .* writes a line without end",
    "endless-errors": "overtime: .* gives no answer",
    "will-not-die": "overtime: .* gives no answer",
    "child": "overtime: .* gives no answer",
}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_player, "PATIENCE", 0.3)
    monkeypatch.setattr(engine_player, "STOPPING_SECONDS", 0.3)


def misbehaving(way: str) -> Player:
    return make_player(f"uci:{sys.executable} {PROGRAM} {way},seconds=0.1", GAME)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def has_ended(pid: int) -> bool:
    """Return whether a program that was killed is gone soon."""
    deadline = time.monotonic() + 30
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_running(pid)


def running_here() -> list[int]:
    """Return the programs of this file that run, whoever started them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(PROGRAM).encode() in words and is_running(int(path.parent.name)):
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("way", FORFEITS)
def test_a_program_that_misbehaves_forfeits_with_the_reason(way: str) -> None:
    player = misbehaving(way)
    player.new_game(0)
    with pytest.raises(Forfeit, match=FORFEITS[way]):
        player.choose(Record(GAME))
    player.close()
    assert running_here() == []


@pytest.mark.parametrize("way", ["crash", "stall", "illegal", "endless-lines"])
def test_the_referee_gives_the_game_to_the_other(way: str) -> None:
    player = misbehaving(way)
    referee = Referee(GAME, GameLimits())
    played = referee.play((player, RandomPlayer()), Opening(), 0)
    player.close()
    assert played is not None
    assert played.score == -1
    assert played.kind in ("crash", "overtime", "illegal move")


def test_a_clock_ends_the_wait_for_a_program() -> None:
    player = misbehaving("stall")
    referee = Referee(GAME, GameLimits(move_seconds=0.2))
    played = referee.play((player, RandomPlayer()), Opening(), 0)
    player.close()
    assert played is not None
    assert played.reason == "overtime: no move in time"
    assert running_here() == []


def test_a_program_that_does_not_stop_is_killed() -> None:
    player = misbehaving("will-not-die")
    player.new_game(0)
    stop = StopToken()
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(Forfeit, match=r"overtime: .* does not stop"):
        player.choose(Record(GAME), MoveTime(60.0), stop)
    assert running_here() == []


def test_a_program_that_failed_is_started_again_for_the_next_game() -> None:
    player = misbehaving("illegal")
    for _ in range(2):
        player.new_game(0)
        with pytest.raises(Forfeit, match="z9"):
            player.choose(Record(GAME))
    player.close()


def test_a_program_that_repeats_what_it_is_told_is_no_engine() -> None:
    player = make_player("uci:/bin/cat,seconds=0.1", GAME)
    with pytest.raises(Forfeit, match="it speaks no UCI"):
        player.new_game(0)


def test_what_a_program_started_is_killed_with_it() -> None:
    process = EngineProcess(["/bin/sh", "-c", "sleep 600 & echo $!; wait"])
    child = int(process.read(time.monotonic() + 30))
    assert is_running(child)
    process.close()
    process.close()  # again, which does nothing
    assert has_ended(child)


def test_a_program_that_nobody_closed_is_killed() -> None:
    process = EngineProcess(
        [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(600)"]
    )
    process.read(time.monotonic() + 30)
    pid = process._process.pid
    del process
    assert not is_running(pid)


def test_a_program_dies_with_whoever_started_it() -> None:
    code = """
import time
from plywise.protocols.process import EngineProcess
process = EngineProcess(["/bin/sh", "-c", "trap '' TERM HUP; echo $$; sleep 600"])
print(process.read(time.monotonic() + 30), flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        assert is_running(pid)
        starter.kill()
    deadline = time.monotonic() + 30
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(pid)


def test_a_program_that_reads_nothing_does_not_block_who_writes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plywise.protocols.process.WRITING_SECONDS", 0.2)
    process = EngineProcess([sys.executable, "-c", "import time; time.sleep(600)"])
    with pytest.raises(Forfeit, match="takes no more lines"):
        process.write("x" * (1 << 20))
    process.close()


def test_programs_are_found_where_engines_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("plywise.protocols.process.GAMES_FOLDERS", (str(tmp_path),))
    assert find_program("engine --fast 'a b'") == [str(program), "--fast", "a b"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uci:no-such-engine", "no program 'no-such-engine'"),
        ("uci:", "command of an engine is missing"),
        ("uci", "command of an engine is missing"),
        ("uci:'x", "cannot be read"),
        ("uci:cat,depth=0", "from 1 to"),
    ],
)
def test_a_command_that_cannot_work_is_refused_at_once(text: str, sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence):
        make_player(text, GAME)


def test_a_program_that_cannot_be_executed_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(os.urandom(64))
    broken.chmod(0o755)
    with pytest.raises(PlywiseError, match="cannot be started"):
        EngineProcess([str(broken)])
