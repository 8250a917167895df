"""Files of games as batches, whatever the game: by compiled code where it can read moves."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from plywise.formats import Batch, Transcript, read_batches, read_games, replay
from plywise.formats.scanning import NO_SCORE
from plywise.game import Game
from plywise.system.source_files import plain_name

BATCH = 500  # games


def read_source(path: Path, game: Game) -> Iterator[Batch]:
    """Yield the games of a file, some hundreds at a time."""
    is_scanned = plain_name(path).suffix.lower() not in (".jsonl", ".pdn")
    if game.rules.has_read_move and is_scanned:
        yield from read_batches(path, game)
        return
    games = iter(read_games(path, game))
    while some := list(islice(games, BATCH)):
        yield batch_of(some, game)


def batch_of(transcripts: Sequence[Transcript], game: Game) -> Batch:
    """Return transcripts as a batch; their moves are checked."""
    records = [replay(one, game) for one in transcripts]
    moves = [np.array(record.moves, np.uint64) for record in records]
    scores = [NO_SCORE if one.score is None else one.score for one in transcripts]
    return Batch(
        game,
        np.concatenate([np.zeros(0, np.uint64), *moves]),
        np.concatenate([[0], np.cumsum([len(each) for each in moves])]).astype(np.int64),
        np.array(scores, np.int8),
        np.array([record.start for record in records], np.uint64),
        np.zeros(len(records), np.int64),
        {},
    )
