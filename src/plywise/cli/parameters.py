"""Parameters that several commands have, and what they become: a game, a record, a limit."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.errors import BadMove, BadPosition, PlywiseError
from plywise.games import BUILT_IN

if TYPE_CHECKING:
    from plywise.game import Game, Row
    from plywise.game.record import Record
    from plywise.players import Player
    from plywise.search.limits import Limit


def complete_game(incomplete: str) -> list[str]:
    """Return the games, and the Python files here, that begin like this."""
    files = sorted(path.name for path in Path().glob("*.py"))
    return [name for name in [*BUILT_IN, *files] if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A built-in game (see plywise games), or the file of your own: mygame.py.",
        autocompletion=complete_game,
    ),
]
PositionText = Annotated[
    str, typer.Option("--position", "-p", metavar="TEXT", help="The position to start from.")
]
MovesText = Annotated[
    str, typer.Option("--moves", "-m", metavar="TEXTS", help="Moves to play first, with spaces.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def open_game(name: str) -> "Game":
    """Return a game by name or file; what has to be compiled from now on is announced."""
    from plywise.cli.console import announce_compiling
    from plywise.games import load_game

    game = load_game(name)
    announce_compiling(game.name)
    return game


def parse_start(game: "Game", text: str) -> "Row":
    """Return the position of a text; whatever a game's own parser raises becomes one sentence."""
    try:
        return game.parse_position(text)
    except PlywiseError:
        raise
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        raise BadPosition(f"{text!r} is not a position of {game.name}: {error}.") from None


def make_record(game: "Game", position: str, moves: str) -> "Record":
    """Return the record that a position and moves after it describe."""
    from plywise.game.record import Record

    record = Record(game, parse_start(game, position))
    for text in re.split(r"[\s,]+", moves.strip()):
        if text and not re.fullmatch(r"\d+\.+", text):  # 1. 2. ... count the moves
            play_text(record, text)
    return record


def play_text(record: "Record", text: str) -> None:
    """Play the move that a text names."""
    if len(record.legal_moves()) == 0:
        raise BadMove(f"{text!r} cannot be played: the game is over.")
    try:
        record.play(record.game.parse_move(record.position, text))
    except BadMove as error:
        if not record.moves:
            raise
        raise BadMove(f"After {' '.join(record.texts()[-4:])}: {error}") from None


def make_limit(depth: int | None, nodes: int | None, seconds: float | None) -> "Limit | None":
    """Return the budget that options name, None if they name none."""
    from plywise.search.limits import Limit

    limit = Limit(depth, nodes, seconds)
    return None if limit.is_open else limit


def warm_up(player: "Player", record: "Record", seed: int) -> None:
    """Have everything compiled or loaded that a search needs, before its time runs."""
    from plywise.search.limits import Limit

    player.search.search(record, Limit(depth=1, nodes=1))
    player.new_game(seed)
