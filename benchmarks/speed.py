"""Speed beside OpenSpiel, in one run on one thread: `make bench` writes RESULTS.md.

Both sides do the same thing on the same position; what counts is the ratio.

perft     leaves per second at the given depth, the last ply counted and not made, on both
          sides. OpenSpiel has no perft: its C++ states are driven by the shortest Python loop.
MCTS      simulations per second, one playout each, 10,000 per search from the start;
          OpenSpiel's tree and rollouts in C++ (MCTSBot, RandomRolloutEvaluator), solver on.
"""

import dataclasses
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel

from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game import Game
from plywise.game.perft import perft
from plywise.game.record import Record
from plywise.games import load_game
from plywise.search.limits import Limit
from plywise.search.searchers import AlphaBeta, Mcts

PEERS = {"draughts": "checkers", "connect4": "connect_four", "reversi": "othello"}
PERFT_DEPTHS = {"draughts": (10, 6), "connect4": (9, 6), "reversi": (8, 6)}  # ours, theirs
SIMULATIONS = 10_000
REPEATS = 5


@dataclass(frozen=True)
class Row:
    """One measurement: ours and theirs per second, and the ratio that the project wants."""

    what: str
    game: str
    ours: float
    theirs: float | None
    wanted: float  # a ratio, or a rate where there is no peer

    @property
    def reached(self) -> float:
        return self.ours / self.theirs if self.theirs else self.ours


def best_rate(work: Callable[[], int], repeats: int = REPEATS) -> float:
    """Return the best rate of some runs: the one that other programs disturbed least."""
    rates = []
    for _ in range(repeats):
        started = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - started))
    return max(rates)


def peer_perft(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(peer_perft(state.child(action), depth - 1) for action in actions)


def measure_perft(name: str, wanted: float) -> Row:
    game = load_game(name)
    our_depth, their_depth = PERFT_DEPTHS[name]
    perft(game, game.initial(), 2)
    ours = best_rate(lambda: perft(game, game.initial(), our_depth))
    state = pyspiel.load_game(PEERS[name]).new_initial_state()
    theirs = best_rate(lambda: peer_perft(state, their_depth), 2)
    return Row(
        f"perft, leaves/s (depth {our_depth}; theirs {their_depth})", name, ours, theirs, wanted
    )


def measure_mcts(name: str, wanted: float) -> Row:
    game = load_game(name)
    search = Mcts(Model(make_evaluator("none", game)), reuse=False)
    search.search(Record(game), Limit(nodes=10))
    ours = best_rate(lambda: search.search(Record(game), Limit(nodes=SIMULATIONS)).nodes)
    peer = pyspiel.load_game(PEERS[name])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(peer, evaluator, 1.0, SIMULATIONS, 1000, True, 1, False)

    def theirs() -> int:
        bot.mcts_search(peer.new_initial_state())
        return SIMULATIONS

    return Row("MCTS, simulations/s", name, ours, best_rate(theirs, 2), wanted)


def measure_alphabeta(model: Model, label: str, depth: int, wanted: float) -> Row:
    record = Record(model.game)
    search = AlphaBeta(model)
    search.search(record, Limit(depth=2))

    def work() -> int:
        search.forget()
        return search.search(record, Limit(depth=depth)).nodes

    return Row(
        f"alpha-beta, nodes/s ({label}, depth {depth})", "draughts", best_rate(work), None, wanted
    )


def draughts_network(game: Game) -> Model:
    return random_model(make_evaluator("mlp", game, hidden=(40, 10)), np.random.default_rng(1))


def measurements() -> list[Callable[[], Row]]:
    """Return all measurements, to be run one after the other."""
    draughts = load_game("draughts")
    material = Model(make_evaluator("material", draughts))
    return [
        lambda: measure_perft("draughts", 60),
        lambda: measure_perft("connect4", 50),
        lambda: measure_perft("reversi", 100),
        lambda: measure_mcts("draughts", 30),
        lambda: measure_mcts("connect4", 15),
        lambda: measure_mcts("reversi", 30),
        lambda: measure_alphabeta(material, "material", 17, 5e6),
        lambda: measure_alphabeta(draughts_network(draughts), "network 32-40-10-1", 13, 2.5e6),
    ]


if __name__ == "__main__":  # one measurement by its number, for a process of its own
    print(json.dumps(dataclasses.asdict(measurements()[int(sys.argv[1])]())))
