"""What whoever starts the server decides: address, games, folders, numbers of processes."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_state_path

from plywise.errors import PlywiseError
from plywise.games import BUILT_IN

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SHORTEST_TOKEN = 8
MOST_CORES = 8  # that searches may take at once


def _cores() -> int:
    return min(MOST_CORES, os.cpu_count() or 1)


def default_boards() -> Path:
    """Return where boards are kept unless somebody says otherwise."""
    return user_state_path("plywise") / "boards"


@dataclass(frozen=True)
class ServeOptions:
    """The choices of `plywise serve`."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    games: tuple[str, ...] = ()  # files of games, beside those that are built in
    engines: Mapping[str, str] = field(default_factory=dict)  # players' texts by a short name
    runs: Path = Path("runs")
    contests: Path = Path("contests")  # matches and tournaments
    boards: Path = field(default_factory=default_boards)
    thinkers: int = field(default_factory=_cores)  # processes that choose moves
    analysts: int = field(default_factory=lambda: max(1, _cores() // 2))
    most_jobs: int = field(default_factory=_cores)  # trainings and matches at once

    def __post_init__(self) -> None:
        if self.host not in LOOPBACK and len(self.token) < SHORTEST_TOKEN:
            raise PlywiseError(
                f"Whoever reaches {self.host} could use this machine: say --token with a secret "
                f"of {SHORTEST_TOKEN} letters or more."
            )

    def sources(self) -> dict[str, str]:
        """Return what `load_game` takes for every game, by the name in addresses."""
        own = {Path(text.partition(":")[0]).stem: text for text in self.games}
        for name, text in own.items():
            path = Path(text.partition(":")[0])
            if not path.is_file():
                raise PlywiseError(f"There is no file {path} with a game in it.")
            if name in BUILT_IN:
                raise PlywiseError(f"{path} has the name of a built-in game: call it otherwise.")
        return {**{name: name for name in BUILT_IN}, **own}
