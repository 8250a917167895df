"""How a protocol writes the moves and positions of a game, where that is not the game's own way."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from plywise.errors import PlywiseError
from plywise.game.about import resolve
from plywise.game.game import Game, Row
from plywise.game.record import Record


@dataclass(frozen=True)
class Notation:
    """Moves and positions of a game as texts between programs; a move's text has no spaces."""

    game: Game
    format_move: Callable[[Row, int], str]
    format_position: Callable[[Row], str]
    parse_position: Callable[[str], Row]
    variant: str = ""  # what the protocol calls the game, where it is not the game's name

    @property
    def game_name(self) -> str:
        """Return what the protocol calls the game."""
        return self.variant or self.game.name

    def parse_move(self, position: Row, text: str) -> np.uint64:
        """Return the legal move that a text names, in this notation or in the game's own."""
        for move in self.game.legal_moves(position):
            if self.format_move(position, int(move)) == text:
                return np.uint64(move)
        return self.game.parse_move(position, text)

    def format_line(self, position: Row, moves: Iterable[int]) -> list[str]:
        """Return moves, played one after the other, as texts."""
        texts = []
        for move in moves:
            texts.append(self.format_move(position, move))
            position = self.game.apply(position, move)
        return texts

    def format_moves(self, record: Record) -> list[str]:
        """Return the moves of a game as texts."""
        return [
            self.format_move(record.positions[ply], move) for ply, move in enumerate(record.moves)
        ]


def own_notation(game: Game) -> Notation:
    """Return the notation that people read, fit for programs."""

    def format_move(position: Row, move: int) -> str:
        return game.format_move(position, move).replace(" ", "_")

    return Notation(game, format_move, game.format_position, game.parse_position)


def find_notation(game: Game, protocol: str) -> Notation | None:
    """Return the notation that a game has for a protocol, None if it says nothing of it."""
    reference = game.about.notations.get(protocol)
    if reference is None:
        return None
    found = resolve(reference)(game)
    assert isinstance(found, Notation)
    return found


def require_notation(game: Game, protocol: str) -> Notation:
    """Return the notation that a game has for a protocol that is not for every game."""
    found = find_notation(game, protocol)
    if found is None:
        raise PlywiseError(f"{game.name} is not played over the protocol {protocol}: use uci.")
    return found
