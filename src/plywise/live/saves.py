"""Saved games: a JSON text with the game, the first position, the moves and who plays."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from plywise.errors import PlywiseError

FORMAT = "plywise-game-1"
HUMAN = "human"


class BadSave(PlywiseError):
    """A file that holds no saved game."""


@dataclass(frozen=True)
class Save:
    """A game to go on with."""

    game: str
    source: str  # a built-in name, or the path of the game's file
    start: str
    moves: tuple[str, ...]
    players: tuple[str, str]  # HUMAN, or the text of a player


def autosave_path(game_name: str) -> Path:
    """Return the file that keeps the last game of its kind."""
    return user_state_path("plywise") / f"{game_name}.json"


def write_save(save: Save, path: Path) -> None:
    """Write a saved game, all or nothing; a file that is something else is left alone."""
    if path.exists():
        try:
            read_save(path)
        except BadSave:
            raise BadSave(f"{path} exists and is not a saved game; choose another name.") from None
    text = json.dumps({"format": FORMAT, **asdict(save)}, indent=2, ensure_ascii=False) + "\n"
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise BadSave(f"The game cannot be saved to {path}: {error.strerror}.") from None


def read_save(path: Path) -> Save:
    """Return the saved game in a file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSave(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise BadSave(f"{path} is not a saved game: it is not JSON.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadSave(f"{path} is not a saved game: it lacks the line `format: {FORMAT}`.")
    return Save(
        _text(data, "game", path),
        _text(data, "source", path),
        _text(data, "start", path),
        _texts(data, "moves", path),
        _pair(data, path),
    )


def _text(data: dict[str, Any], name: str, path: Path) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise BadSave(f"{path} is not a saved game: `{name}` must be a text, not {value!r}.")
    return value


def _texts(data: dict[str, Any], name: str, path: Path) -> tuple[str, ...]:
    value = data.get(name)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadSave(f"{path} is not a saved game: `{name}` must be a list of texts.")
    return tuple(value)


def _pair(data: dict[str, Any], path: Path) -> tuple[str, str]:
    players = _texts(data, "players", path)
    if len(players) != 2:
        raise BadSave(f"{path} is not a saved game: `players` must name two.")
    return players[0], players[1]
