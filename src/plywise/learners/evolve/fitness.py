"""The games of a generation: who plays whom, and playing them many at once.

A round is all that one player plays as side 0. It carries what it needs and changes nothing,
so it can be lost with its worker and run again, anywhere, with the same outcome.
"""

import dataclasses
import functools
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Model
from plywise.game import Game, Row
from plywise.game.record import Record
from plywise.games import load_game
from plywise.learners.shared.duels import DuelSetup, layout_of
from plywise.learners.shared.layout import Vector
from plywise.learners.shared.openings import random_opening
from plywise.search.limits import Limit
from plywise.search.mcts import MctsOptions
from plywise.search.searchers import Mcts
from plywise.system.parallel import Workers, run_all, worker_count

SEEDS = 2  # of a game of MCTS: one for each side
PARTS = 32  # for every worker: when one ends, the others have little left to do
PREPARED = 256  # networks kept ready for their next game


@dataclass(frozen=True)
class Round:
    """The games of one player as side 0."""

    setup: DuelSetup
    player: Vector
    opponents: list[Vector]
    openings: list[Row]
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """Results (1, 0, -1 for side 0) and lengths of a round's games."""

    results: list[int]
    plies: list[int] = field(default_factory=list)


@functools.lru_cache(PREPARED)
def prepared(game: str, evaluator: str, settings: str, numbers: bytes) -> Model:
    """Return the network of a genome's bytes, ready to play."""
    return layout_of(game, evaluator, settings).model(np.frombuffer(numbers))


def _model(setup: DuelSetup, genome: Vector) -> Model:
    """Return a genome's network, made once: making it holds Python's lock, playing does not."""
    return prepared(setup.game, setup.evaluator, setup.settings, genome.tobytes())


def play_round(round_: Round) -> Outcome:
    """Play all games of a round."""
    setup = round_.setup
    player = _model(setup, round_.player)
    results, plies = [], []
    for index, (genome, opening) in enumerate(zip(round_.opponents, round_.openings, strict=True)):
        models = (player, _model(setup, genome))
        if setup.simulations:
            searches = tuple(_mcts(model, setup) for model in models)
            for side, search in enumerate(searches):
                search.reseed(round_.seed + SEEDS * index + side)
            result, length = _play_with_mcts(searches, setup, opening)
        else:
            played = setup.play(models, opening)
            result, length = played.result, played.plies
        results.append(result)
        plies.append(length)
    return Outcome(results, plies)


def _mcts(model: Model, setup: DuelSetup) -> Mcts:
    return Mcts(model, MctsOptions(cap=setup.cap), reuse=True)


def _play_with_mcts(searches: tuple[Mcts, ...], setup: DuelSetup, opening: Row) -> tuple[int, int]:
    record = Record(load_game(setup.game), moves=opening)
    limit = Limit(nodes=setup.simulations)
    while (ending := record.ending()) is None:
        if len(record.moves) >= len(opening) + setup.max_plies:
            return 0, len(record.moves)
        record.play(searches[record.side].search(record, limit).move)
    return ending.score, len(record.moves)


def play_rounds(rounds: list[Round], workers: Workers) -> list[Outcome]:
    """Play all rounds, many at once; the outcomes come in the order of the rounds."""
    games = sum(len(round_.opponents) for round_ in rounds)
    size = max(1, games // (PARTS * worker_count(workers.jobs)))
    parts = [split_round(round_, size) for round_ in rounds]
    outcomes = iter(run_all(play_round, [part for row in parts for part in row], workers))
    return [join_outcomes([next(outcomes) for _ in row]) for row in parts]


def split_round(round_: Round, size: int) -> list[Round]:
    """Return rounds of at most so many games that together have the same outcome."""
    return [
        dataclasses.replace(
            round_,
            opponents=round_.opponents[first : first + size],
            openings=round_.openings[first : first + size],
            seed=round_.seed + SEEDS * first,
        )
        for first in range(0, len(round_.opponents), size)
    ]


def join_outcomes(outcomes: list[Outcome]) -> Outcome:
    """Return the outcome of a round that was split."""
    return Outcome(
        [result for outcome in outcomes for result in outcome.results],
        [length for outcome in outcomes for length in outcome.plies],
    )


# ---------------------------------------------------------------- who plays whom


def random_opponents(
    players: int, games: int, generator: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Return for every player whom it meets as side 0: any other, with repetition."""
    drawn = generator.integers(0, players - 1, (players, games))
    return [np.where(row >= player, row + 1, row) for player, row in enumerate(drawn)]


def all_opponents(players: int) -> list[NDArray[np.int64]]:
    """Return for every player all others: a round robin in which each pair plays both colours."""
    return [np.delete(np.arange(players), player) for player in range(players)]


def elite_opponents(players: int, games: int, elites: int) -> list[NDArray[np.int64]]:
    """Return for every player the first few others in turn, so many games in all."""
    first = np.arange(min(elites + 1, players))
    return [np.resize(first[first != player][:elites], games) for player in range(players)]


def with_returns(opponents: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Return for every player also those whom it met as side 1: all games have their return."""
    return [
        np.concatenate(
            [others, *(np.full((met == player).sum(), o) for o, met in enumerate(opponents))]
        )
        for player, others in enumerate(opponents)
    ]


def mirrored_opponents(players: int, games: int) -> list[NDArray[np.int64]]:
    """Return for every player its neighbour, so many times: 0 meets 1, 2 meets 3, and so on."""
    return [np.full(games, player ^ 1) for player in range(players)]


def tournament_openings(
    game: Game, opponents: list[NDArray[np.int64]], plies: int, generator: np.random.Generator
) -> list[list[Row]]:
    """Return an opening for every game; the n-th games of two players in both colours share it."""
    none = np.zeros(0, np.uint64)
    if plies == 0:
        return [[none] * len(others) for others in opponents]
    chosen: dict[tuple[int, int, int], Row] = {}

    def between(player: int, other: int, time: int) -> Row:
        key = (min(player, other), max(player, other), time)
        if key not in chosen:
            chosen[key] = np.array(random_opening(game, plies, generator).moves, np.uint64)
        return chosen[key]

    return [
        [
            between(player, int(other), int((others[:place] == other).sum()))
            for place, other in enumerate(others)
        ]
        for player, others in enumerate(opponents)
    ]
