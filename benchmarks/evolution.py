"""What evolution costs: one generation of strict Anaconda, and the gain from a second core."""

import os
import time
from dataclasses import dataclass

import numpy as np

from plywise.learners.evolve import fitness
from plywise.learners.evolve.learner import Evolve
from plywise.learners.evolve.settings import EvolveSettings
from plywise.search.duel import play_duel
from plywise.search.options import Options
from plywise.system.parallel import Workers

GAME = "draughts"
STRICT = EvolveSettings(evaluator="anaconda", max_plies=100)  # 15 + 15 players, 5 games, 4 plies
SAMPLE = 20  # games on one thread, for the rates
REPEATS = 3  # of a generation with one and with two workers; the fastest of each counts
WANTED_CPU_SECONDS = 8.0
WANTED_SPEED_UP = 1.8


@dataclass(frozen=True)
class Cost:
    """What was measured."""

    cpu_seconds: float  # of one generation
    games: int  # in it
    games_per_second: float  # on one thread
    nodes_per_second: float
    evaluations_per_second: float
    speed_up: float  # of two workers over one, wall clock

    def rows(self) -> list[tuple[str, str, str]]:
        """Return (what, measured, wanted)."""
        return [
            (
                f"CPU-seconds of a generation of strict Anaconda ({self.games} games)",
                f"{self.cpu_seconds:.2f}",
                f"at most {WANTED_CPU_SECONDS:.0f}",
            ),
            ("games/s on one thread", f"{self.games_per_second:.0f}", "-"),
            ("nodes/s", f"{self.nodes_per_second / 1e6:.2f} M", "-"),
            ("evaluations/s", f"{self.evaluations_per_second / 1e6:.2f} M", "-"),
            ("two workers over one", f"{self.speed_up:.2f} x", f"{WANTED_SPEED_UP} x"),
        ]


def measure() -> Cost:
    """Play a first generation with one and with two workers, and some games by themselves."""
    evolution = Evolve(GAME, STRICT, Workers(jobs=1))
    players = evolution.breed(evolution.birth(), 0)
    evolution.compete(players, 0)  # compile, or load
    pair = Evolve(GAME, STRICT, Workers(jobs=2))
    alone, together, cpu_seconds = [], [], []
    for _ in range(REPEATS):
        fitness.prepared.cache_clear()  # a new generation has new networks
        before = os.times()
        started = time.perf_counter()
        _, metrics = evolution.compete(players, 0)
        alone.append(time.perf_counter() - started)
        after = os.times()
        cpu_seconds.append(after.user + after.system - before.user - before.system)
        fitness.prepared.cache_clear()
        started = time.perf_counter()
        pair.compete(players, 0)
        together.append(time.perf_counter() - started)
    models = [evolution.layout.model(genome) for genome in players.genomes]
    options = Options(quiescence=False, deepening=False)
    none = np.zeros(0, np.uint64)
    started = time.perf_counter()
    games = [
        play_duel((models[i], models[i + 1]), options, STRICT.depth, STRICT.max_plies, none)
        for i in range(SAMPLE)
    ]
    seconds = time.perf_counter() - started
    return Cost(
        cpu_seconds=min(cpu_seconds),
        games=metrics["games"],
        games_per_second=SAMPLE / seconds,
        nodes_per_second=sum(game.nodes for game in games) / seconds,
        evaluations_per_second=sum(game.evaluations for game in games) / seconds,
        speed_up=min(alone) / min(together),
    )
