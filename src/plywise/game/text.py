"""Games in text: a position and the moves after it, as people type them."""

import re

from plywise.errors import BadMove, BadPosition, PlywiseError
from plywise.game.game import Game, Row
from plywise.game.record import Record


def parse_start(game: Game, text: str) -> Row:
    """Return the position of a text; whatever a game's own parser raises becomes one sentence."""
    try:
        return game.parse_position(text)
    except PlywiseError:
        raise
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        raise BadPosition(f"{text!r} is not a position of {game.name}: {error}.") from None


def parse_record(game: Game, position: str, moves: str) -> Record:
    """Return the game that a position and the moves after it describe; moves may be numbered."""
    record = Record(game, parse_start(game, position))
    for text in re.split(r"[\s,]+", moves.strip()):
        if text and not re.fullmatch(r"\d+\.+", text):  # 1. 2. ... count the moves
            play_text(record, text)
    return record


def play_text(record: Record, text: str) -> None:
    """Play the move that a text names."""
    if len(record.legal_moves()) == 0:
        raise BadMove(f"{text!r} cannot be played: the game is over.")
    try:
        record.play(record.game.parse_move(record.position, text))
    except BadMove as error:
        if not record.moves:
            raise
        raise BadMove(f"After {' '.join(record.texts()[-4:])}: {error}") from None
