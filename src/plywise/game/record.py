"""A record: a game as it is played, from its first position on, with all that it passed through."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from plywise.game.game import DRAW, ONGOING, Game, Row


@dataclass(frozen=True)
class Ending:
    """How a game ended: `score` is 1, 0 or -1 for side 0; `reason` is a short phrase."""

    score: int
    reason: str


class Record:
    """Positions and moves of one game; `play` and `undo` change it."""

    def __init__(
        self, game: Game, start: Row | None = None, moves: Iterable[int | np.uint64] = ()
    ) -> None:
        self.game = game
        self.positions: list[Row] = [game.initial() if start is None else start]
        self.moves: list[int] = []
        self.keys: list[int] = [game.hash(self.positions[0])]
        for move in moves:
            self.play(move)

    @property
    def start(self) -> Row:
        return self.positions[0]

    @property
    def position(self) -> Row:
        return self.positions[-1]

    @property
    def side(self) -> int:
        """The side to move."""
        return self.game.side(self.position)

    def legal_moves(self) -> Row:
        """Return the legal moves, none if the game is over."""
        if self.result() != ONGOING:
            return np.zeros(0, np.uint64)
        return self.game.legal_moves(self.position)

    def play(self, move: int | np.uint64) -> None:
        """Add a legal move."""
        after = self.game.apply(self.position, move)
        self.moves.append(int(move))
        self.positions.append(after)
        self.keys.append(self.game.hash(after))

    def undo(self) -> None:
        """Take back the last move."""
        self.moves.pop()
        self.positions.pop()
        self.keys.pop()

    def is_repeated(self) -> bool:
        """Return whether the position has occurred as often as the rules allow."""
        limit = self.game.repetitions
        return limit > 0 and self.keys.count(self.keys[-1]) >= limit

    def result(self) -> int:
        """Return ONGOING, or LOSS / DRAW / WIN for the side to move; repetition counts."""
        result = self.game.result(self.position)
        return DRAW if result == ONGOING and self.is_repeated() else result

    def ending(self) -> Ending | None:
        """Return how the game has ended by its rules, or None while it goes on."""
        result = self.result()
        if result == ONGOING:
            return None
        if result == DRAW:
            by_rule = self.game.result(self.position) == DRAW
            return Ending(0, "draw" if by_rule else "repetition")
        return Ending(result if self.side == 0 else -result, "win")

    def texts(self) -> list[str]:
        """Return the moves as texts."""
        return self.game.format_line(self.start, self.moves)
