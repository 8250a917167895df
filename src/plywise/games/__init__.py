"""Games by name. A built-in one is a file or folder and its line here; a user's is a file."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from plywise.errors import PlywiseError, UnknownName
from plywise.system.user_files import load_file

if TYPE_CHECKING:
    from plywise.game import Game

BUILT_IN = {  # name: what it is, for lists that must not compile anything
    "tictactoe": "Tic-tac-toe, 3 x 3",
    "connect4": "Connect Four, 7 x 6",
    "reversi": "Reversi (Othello), 8 x 8",
    "draughts": "English draughts (checkers), 8 x 8",
    "chess": "Chess, 8 x 8",
    "kalah": "Kalah (mancala), 6 pits and 4 seeds",
    "duchess": "Duchess, two against two, 117 squares",
    "duchess6": "Duchess for six, 157 squares",
}


def load_game(name: str) -> "Game":
    """Return a built-in game by name, or the game in a Python file (`mygame.py`).

    A file with several games names the one that is meant: `mygame.py:hex`.
    """
    path, _, wanted = name.partition(":")
    if path.endswith(".py"):
        return _game_in_file(Path(path), wanted)
    if name not in BUILT_IN:
        raise UnknownName("game", name, BUILT_IN)
    game: Game = getattr(importlib.import_module(f"plywise.games.{name}"), name)
    return game


def built_in_games() -> Iterator["Game"]:
    """Yield all built-in games, in the order of their names above."""
    return (load_game(name) for name in BUILT_IN)


def _game_in_file(path: Path, wanted: str) -> "Game":
    from plywise.game import Game

    if not path.is_file():
        raise PlywiseError(f"There is no file {path} with a game in it.")
    module = load_file(path)
    games = {value.name: value for value in vars(module).values() if isinstance(value, Game)}
    if not games:
        raise PlywiseError(f"{path} defines no game: it needs a line like `mygame = Game(...)`.")
    if wanted:
        if wanted not in games:
            raise UnknownName(f"game in {path}", wanted, games)
        return games[wanted]
    if len(games) > 1:
        names = " or ".join(f"{path}:{name}" for name in sorted(games))
        raise PlywiseError(f"{path} defines several games; say {names}.")
    return next(iter(games.values()))
