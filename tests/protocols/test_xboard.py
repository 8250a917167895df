"""xboard, with polyglot between, plays our engine on a screen that nobody sees."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import INTERPRETED
from plywise.protocols.process import GAMES_FOLDERS
from protocols.programs import needs

PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
PATIENCE = 240.0


@pytest.fixture
def display() -> Iterator[str]:
    """A screen that nobody sees."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as pipe:
            yield f":{pipe.readline().strip()}"
        server.terminate()


@pytest.mark.skipif(INTERPRETED, reason="too slow")
@needs("Xvfb")
@needs("polyglot")
@needs("sjeng")
@needs("xboard")
def test_xboard_plays_a_game_with_our_engine(display: str, tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.write_text(f"#!/bin/sh\nexec {sys.executable} -m plywise uci chess alphabeta\n")
    ours.chmod(0o755)
    words = [
        "xboard", "-fcp", str(ours), "-fUCI", "-scp", "sjeng", "-searchDepth", "2",
        "-matchGames", "1", "-timeControl", "5:00", "-saveGameFile", "games.pgn",
        "-soundProgram", "true", "-xexit", "-noGUI",
    ]  # fmt: skip
    environment = {**os.environ, "PATH": PATH, "DISPLAY": display, "HOME": str(tmp_path)}
    environment["PLYWISE_CACHE_DIR"] = _cache_folder()
    subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, timeout=PATIENCE, check=False
    )
    game = (tmp_path / "games.pgn").read_text()
    assert '[White "Plywise' in game
    assert re.search(r'^.Result "(1-0|0-1|1/2-1/2)".$', game, re.M)
    assert not any(word in game for word in ("forfeits", "illegal", "exited", "resigns"))


def _cache_folder() -> str:
    """Return where compiled code is kept, which a home of its own would hide."""
    from plywise.kernel.cache import cache_root

    return str(cache_root())
