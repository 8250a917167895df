"""Saved games: a JSON text with the game, the first position, the moves and who plays.

A file named like one of games (.pgn, .pdn, .jsonl) is written and read as such instead; it has one
game. Whatever a file says is data: it names players, but no program is started for it.
"""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from plywise.errors import PlywiseError
from plywise.formats import BadTranscript, Transcript, format_games, read_games
from plywise.formats.files import FORMATS
from plywise.game import Game
from plywise.games import built_in_games
from plywise.system.atomic import write_atomically
from plywise.system.source_files import BadFile, plain_name, read_text

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
    _write(path, text)


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode(errors="replace"))
    except BadFile as error:
        raise BadSave(f"The game cannot be saved: {error}") from None


def read_save(path: Path) -> Save:
    """Return the saved game in a file."""
    try:
        data = json.loads(read_text(path))
    except BadFile as error:
        raise BadSave(str(error)) from None
    except (ValueError, RecursionError):
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


def require_game(save: Save, game: Game) -> None:
    """Raise unless a saved game is one of the given game."""
    if save.game != game.name:
        raise BadSave(f"That is a game of {save.game}, not of {game.name}.")


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


# ---------------------------------------------------------------- files of games


def is_game_file(path: Path) -> bool:
    """Return whether a file is named like one of games instead of a save of our own."""
    return plain_name(path).suffix.lower() in FORMATS


def write_transcript(transcript: Transcript, path: Path, game: Game) -> None:
    """Write a game in the format that its file's name says; other files are left alone."""
    if path.exists():
        try:
            is_other = len(read_games(path, game)) > 1
        except BadTranscript:
            is_other = True
        if is_other:
            raise BadSave(f"{path} exists and is not this one game; choose another name.")
    ending = path.suffix.lower()
    FORMATS[ending].check(game)
    _write(path, format_games([transcript], game, ending))


def read_transcript(path: Path, game: Game) -> Save:
    """Return the one game in a file of games, to go on with."""
    found = read_games(path, game)
    if len(found) != 1:
        raise BadSave(f"{path} has {len(found)} games; a game to go on with stands alone.")
    one = found[0]
    players = [HUMAN if name.lower() in (HUMAN, "?", "") else name for name in one.players]
    return Save(game.name, game.name, one.start, one.moves, (players[0], players[1]))


def game_in(path: Path) -> str:
    """Return the name of the game that a file of games is of."""
    ending = plain_name(path).suffix.lower()
    try:
        named = re.search(r'\[Game "([^"]+)"\]|"game": *"([^"]+)"', read_text(path))
    except BadFile as error:
        raise BadSave(str(error)) from None
    if named is not None:
        return str(named[1] or named[2])
    marks = {".pdn": "pdn_type", ".pgn": "epd"}  # what the game says of itself that is meant
    if ending not in marks:
        raise BadSave(f"{path} does not say of which game it is: name the game before --load.")
    return next(game.name for game in built_in_games() if getattr(game.about, marks[ending]))
