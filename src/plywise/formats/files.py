"""Files of games: the ending of the name says how they are written."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from plywise.formats.jsonlines import format_json, parse_json
from plywise.formats.pdn import format_pdn, game_type, parse_pdn
from plywise.formats.pgn import format_pgn, parse_pgn
from plywise.formats.transcript import BadTranscript, Transcript
from plywise.game import Game
from plywise.system.atomic import require_writable
from plywise.system.source_files import BadFile, plain_name, read_text, reason_of


def _any_game(game: Game) -> None:
    """Accept every game."""


@dataclass(frozen=True)
class Format:
    """A way of writing games in files."""

    format: Callable[[Transcript, Game], str]
    parse: Callable[[str, Game], list[Transcript]]
    check: Callable[[Game], object] = _any_game  # raises BadTranscript for a game without it


FORMATS = {  # by the ending of a file's name; a new format is one file and its line here
    ".pdn": Format(format_pdn, parse_pdn, game_type),
    ".pgn": Format(format_pgn, parse_pgn),
    ".jsonl": Format(format_json, parse_json),
}


def format_games(transcripts: list[Transcript], game: Game, ending: str) -> str:
    """Return games in the format of a file's ending."""
    return "".join(f"{FORMATS[ending].format(one, game)}\n" for one in transcripts)


def parse_games(text: str, game: Game, ending: str) -> list[Transcript]:
    """Return the games in a text in the format of a file's ending."""
    return FORMATS[ending].parse(text, game)


def read_games(path: Path, game: Game) -> list[Transcript]:
    """Return the games in a file, plain or compressed: games.pgn, games.jsonl.gz."""
    ending = ending_of(plain_name(path))
    try:
        text = read_text(path)
    except BadFile as error:
        raise BadTranscript(str(error)) from None
    try:
        return parse_games(text, game, ending)
    except BadTranscript as error:
        raise BadTranscript(f"{path}: {error}") from None


def ending_of(path: Path) -> str:
    """Return the ending of a file of games."""
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise BadTranscript(f"{path} is not named like a file of games: {', '.join(FORMATS)}.")
    return ending


class GameFile:
    """A new file that takes games one by one; what it was given is on disk."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path, self.game, self.ending = path, game, ending_of(path)
        FORMATS[self.ending].check(game)
        try:
            if path.exists() and path.stat().st_size > 0:
                raise BadTranscript(f"{path} holds something already: name a new file for them.")
            require_writable(path)
            self._file = path.open("w", encoding="utf-8")
        except BadTranscript:
            raise
        except BadFile as error:
            raise BadTranscript(str(error)) from None
        except (OSError, ValueError) as error:
            raise BadTranscript(f"{path} cannot be written: {reason_of(error)}.") from None

    def write(self, transcript: Transcript) -> None:
        """Add a game."""
        self._file.write(format_games([transcript], self.game, self.ending))
        self._file.flush()

    def __enter__(self) -> "GameFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
