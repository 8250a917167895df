"""The board that patterns lie on: a game's cells, or the bits of its words where it has none."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.game import Game, Row
from plywise.kernel.bits import ONE, Position

Function = Callable[..., Any]


@dataclass(frozen=True)
class Board:
    """Numbered places with a code each: 0 empty, above 0 side 0's, below 0 side 1's."""

    game: Game
    size: int
    has_cells: bool  # else every bit of the words is a place, its code 0 or 1
    read: Function  # read(position, out): write the codes, compiled

    def codes(self, position: Row) -> NDArray[np.int64]:
        """Return the codes of a position."""
        if self.has_cells:
            return self.game.cells(position).astype(np.int64)
        return np.unpackbits(position.view(np.uint8), bitorder="little").astype(np.int64)


def board_of(game: Game) -> Board:
    """Return the board of a game."""
    if game.picture is not None:
        return Board(game, game.rules.cell_count, True, game.rules.cells)
    words = game.words

    def read(position: Position, out: Any) -> None:
        for word in range(words):
            for bit in range(64):
                out[64 * word + bit] = np.int32((position[word] >> np.uint64(bit)) & ONE)

    return Board(game, 64 * words, False, read)
