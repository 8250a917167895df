"""Random openings, for games that should not all be alike."""

import numpy as np

from plywise.game import Game, Row
from plywise.game.record import Record

PATIENCE = 200  # with a small game's openings running out


def random_opening(
    game: Game, plies: int, generator: np.random.Generator, start: Row | None = None
) -> Record:
    """Return a game of random legal plies that is not over yet; one from `start` may be shorter."""
    for _ in range(PATIENCE):
        record = Record(game, start)
        for _ in range(plies):
            moves = record.legal_moves()
            if len(moves) == 0:
                break
            record.play(moves[generator.integers(len(moves))])
        if record.ending() is None:
            return record
    return Record(game, start)


def random_openings(
    game: Game, count: int, plies: int, generator: np.random.Generator
) -> list[Row]:
    """Return openings of random legal plies, as moves: distinct, as long as there are others."""
    found: list[Row] = []
    seen: set[int] = set()
    repeated = 0  # openings in a row that are there already
    while len(found) < count:
        record = random_opening(game, plies, generator)
        repeated = repeated + 1 if record.keys[-1] in seen else 0
        if repeated == 0 or repeated > PATIENCE:
            seen.add(record.keys[-1])
            found.append(np.array(record.moves, np.uint64))
    return found
