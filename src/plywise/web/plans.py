"""What a contest is to play, and the names that folders may have; light enough for the server."""

import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from plywise.errors import PlywiseError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


def require_name(name: str) -> str:
    """Return a name that cannot lead out of its folder."""
    if not NAME.fullmatch(name) or ".." in name:
        raise PlywiseError("A name has letters, digits, dots and dashes only, at most 80.")
    return name


@dataclass(frozen=True)
class Plan:
    """What is to be played: two players are a match, more a tournament."""

    game: str  # what `load_game` takes
    name: str  # of the game
    players: list[str]
    games: int = 20
    sprt: list[float] | None = None
    is_gauntlet: bool = False
    seed: int = 0
    runs: str = "runs"
    engines: dict[str, str] = field(default_factory=dict)
    created: float = field(default_factory=time.time)


def read_plan(folder: Path) -> Plan:
    """Return what is to be played in a folder."""
    return Plan(**json.loads((folder / "contest.json").read_text(encoding="utf-8")))


def is_running(folder: Path) -> bool:
    """Return whether a process plays in a folder."""
    lock = FileLock(folder / "lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return True
    lock.release()
    return False
