"""Batches of self-play games, and tests between two states, as tasks of plain values."""

import functools
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Array, Evaluator, Model
from plywise.game import Rows
from plywise.game.record import Record
from plywise.games import load_game
from plywise.kernel.random import random_word
from plywise.learners.patterns.selfplay import (
    Lessons,
    Manner,
    Players,
    best_move_at,
    memory_type,
    play_game,
    play_games,
)
from plywise.learners.shared.openings import random_opening
from plywise.search.limits import Limit
from plywise.search.searchers import Mcts

ANCHOR_NODES = 200  # playouts for a move


@functools.cache
def evaluator_of(game: str, name: str, settings: str) -> Evaluator:
    """Return an evaluator, made once; its settings are JSON."""
    return make_evaluator(name, load_game(game), **json.loads(settings))


@dataclass(frozen=True)
class Setup:
    """What all games of a run have in common."""

    game: str  # a name or a file
    evaluator: str
    settings: str  # of the evaluator, as JSON
    max_plies: int

    @classmethod
    def of(cls, game: str, evaluator: Evaluator, max_plies: int) -> "Setup":
        """Return the setup in which an evaluator of a game, a name or a file, plays."""
        return cls(game, evaluator.name, json.dumps(evaluator.settings), max_plies)

    def make(self) -> Evaluator:
        return evaluator_of(self.game, self.evaluator, self.settings)

    def model(self, vector: Array) -> Model:
        """Return the evaluator with these numbers, in the order of its weights."""
        evaluator = self.make()
        weights, begin = {}, 0
        for name, shape in evaluator.weights.items():
            size = int(np.prod(shape))
            weights[name] = vector[begin : begin + size].reshape(shape)
            begin += size
        return Model(evaluator, weights)


@dataclass(frozen=True)
class Batch:
    """Games to be played with the same numbers."""

    setup: Setup
    manner: Manner
    vector: Array
    games: int
    seed: tuple[int, ...]


class Played(NamedTuple):
    """What a batch of games came to."""

    rows: Rows
    targets: NDArray[np.float64]
    results: NDArray[np.int8]  # for side 0
    plies: int


def play_batch(batch: Batch) -> Played:
    """Play a batch of games of self-play."""
    model = batch.setup.model(batch.vector)
    players = _players(model, model, batch.setup.max_plies, batch.seed)
    room = batch.games * batch.setup.max_plies
    lessons = Lessons(np.zeros((room, model.game.words), np.uint64), np.zeros(room))
    results = np.zeros(batch.games, np.int8)
    used, plies = play_games(players, batch.manner, lessons, model.game.initial(), results)
    return Played(lessons.rows[:used].copy(), lessons.targets[:used].copy(), results, int(plies))


@dataclass(frozen=True)
class TrialGames:
    """Games between two states, each opening with both colours."""

    setup: Setup
    manner: Manner
    vectors: tuple[Array, Array]
    games: int  # an even number
    seed: tuple[int, ...]


def play_trial(test: TrialGames) -> list[float]:
    """Return the first player's points of every pair of games."""
    first, second = (test.setup.model(vector) for vector in test.vectors)
    row = first.game.initial()
    points = np.ones(test.games // 2)
    for models, sign in (((first, second), 0.5), ((second, first), -0.5)):
        for pair in range(test.games // 2):
            players = _players(*models, test.setup.max_plies, (*test.seed, pair))
            result, _ = play_game(players, test.manner, row)
            points[pair] += sign * result
    return [float(won) for won in points]


@dataclass(frozen=True)
class AnchorGames:
    """Two games from an opening against plain Monte-Carlo tree search, a look of one ply each."""

    setup: Setup
    random_plies: int
    vector: Array
    seed: tuple[int, ...]


def play_anchor(test: AnchorGames) -> float:
    """Return the points of a pair of games."""
    model = test.setup.model(test.vector)
    game, generator = model.game, np.random.default_rng(test.seed)
    players = _players(model, model, test.setup.max_plies, test.seed)
    plain = Mcts(Model(make_evaluator("none", game)))
    opening = random_opening(game, test.random_plies, generator)
    points = 1.0
    for side, sign in ((0, 0.5), (1, -0.5)):
        record = Record(game, opening.start, opening.moves)
        plain.forget()
        plain.reseed(int(generator.integers(1 << 31)))
        while record.ending() is None and len(record.moves) < test.setup.max_plies:
            if record.side == side:
                record.play(best_move_at(players, record.position))
            else:
                record.play(plain.search(record, Limit(nodes=ANCHOR_NODES)).move)
        ending = record.ending()
        points += sign * ending.score if ending is not None else 0.0
    return points


def _players(first: Model, second: Model, max_plies: int, seed: tuple[int, ...]) -> Players:
    game, bundle = first.game, first.evaluator.bundle
    kind = memory_type(game.max_moves, bundle.width, max_plies, game.words)
    memory: Any = np.zeros(1, kind)[0]
    memory.random = random_word(np.random.default_rng(seed))
    return Players(game.rules, bundle, first.params, second.params, memory)
