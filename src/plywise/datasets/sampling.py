"""Which positions of a game go into a data set.

Of every decisive game some positions, drawn at random among those from a ply on whose next move is
not noisy: what a position is worth does not show in the middle of an exchange.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.formats import Batch
from plywise.game import Rows
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Whole, mix
from plywise.kernel.random import below

MOST_PLIES = 2048  # later positions of a game are not looked at
mixed = compiled(mix)
RANDOM = np.dtype((np.record, np.dtype([("random", np.uint64)])))


@dataclass(frozen=True)
class Sampling:
    """How positions are drawn."""

    per_game: int = 10
    skip: int = 10  # plies at the beginning of a game: five moves of each side
    seed: int = 1


class Sample(NamedTuple):
    """Some positions and where they are from."""

    positions: Rows  # [positions, words]
    scores: NDArray[np.int8]  # [positions]: 1 or -1, the result for side 0
    games: NDArray[np.int32]  # [positions]: the number of the game among all that were read
    plies: NDArray[np.int16]  # [positions]


def sample_batch(batch: Batch, first: int, sampling: Sampling) -> Sample:
    """Return positions of the decisive games of a batch whose first game has a number."""
    room = len(batch) * sampling.per_game
    sample = Sample(
        np.zeros((room, batch.game.words), np.uint64),
        np.zeros(room, np.int8),
        np.zeros(room, np.int32),
        np.zeros(room, np.int16),
    )
    games = (batch.moves, batch.offsets, batch.starts, batch.scores)
    numbers = (first, sampling.per_game, sampling.skip, sampling.seed)
    random: Any = np.zeros(1, RANDOM)[0]
    plies = np.zeros(MOST_PLIES, np.int64)
    used = int(_sample_games(batch.game.rules, games, numbers, (random, plies), sample))
    positions, scores, numbers_of, plies_of = sample
    return Sample(positions[:used], scores[:used], numbers_of[:used], plies_of[:used])


@compiled
def _sample_games(
    game: Bundle,
    games: tuple[Any, Any, Any, Any],
    numbers: tuple[Whole, Whole, Whole, Whole],
    scratch: tuple[Any, Any],
    sample: Sample,
) -> Whole:
    """Write positions of all games; return how many."""
    moves, offsets, starts, scores = games
    first, per_game, skip, seed = numbers
    random, plies = scratch
    used = 0
    for index in range(len(scores)):
        if scores[index] != 1 and scores[index] != -1:
            continue
        begin, stop = offsets[index], offsets[index + 1]
        random.random = mixed((np.uint64(seed), np.uint64(first + index)))
        found = _find_quiet(game, game.load_at(starts, index), moves, (begin, stop, skip), plies)
        wanted = _draw(random, plies, found, per_game)
        position = game.load_at(starts, index)
        next_one = 0
        for ply in range(stop - begin):
            if next_one == wanted:
                break
            if plies[next_one] == ply:
                game.store_at(position, sample.positions, used)
                sample.scores[used] = scores[index]
                sample.games[used] = first + index
                sample.plies[used] = ply
                used += 1
                next_one += 1
            position = game.apply(position, moves[begin + ply])
    return used


@compiled
def _find_quiet(
    game: Bundle, position: Any, moves: Any, span: tuple[Whole, Whole, Whole], plies: Any
) -> Whole:
    """Write the plies from which a move follows that is not noisy; return how many."""
    begin, stop, skip = span
    found = 0
    for ply in range(min(stop - begin, len(plies))):
        move = moves[begin + ply]
        if ply >= skip and not (game.has_noisy and game.noisy(position, move)):
            plies[found] = ply
            found += 1
        position = game.apply(position, move)
    return found


@compiled
def _draw(random: Any, plies: Any, found: Whole, wanted: Whole) -> Whole:
    """Leave some of the first numbers, drawn at random and still in order; return how many."""
    kept = 0
    for index in range(found):
        if below(random, found - index) < wanted - kept:
            plies[kept] = plies[index]
            kept += 1
    return kept
