"""`evolve`: networks for draughts by evolution.

`ga` is the genetic algorithm of paper 000 (population 15, five elites, node-wise crossover),
`ep` the evolutionary programming of Blondie24 and Anaconda (15 parents and 15 children,
self-adaptive step sizes), `es` an evolution strategy (one network, mirrored pairs of mutants,
a step towards the winners). Everything random in a generation comes from the seed and the
generation's number, so that a resumed run is the same to the bit.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Array, Model
from plywise.games import load_game
from plywise.learners import fitness
from plywise.learners.configs import EvolveConfig
from plywise.learners.fitness import Conditions, Round
from plywise.learners.genome import (
    Layout,
    Vector,
    cross_over,
    mutate_adaptively,
    mutate_evenly,
    mutate_in_pairs,
    recombine,
)
from plywise.learners.sensitivity import archive_inputs, sensitivity
from plywise.runs import Run, carry_on
from plywise.settings import build
from plywise.system.parallel import Workers

GAME = "draughts"
POINTS = {"ga": (2, 0, -1), "ep": (1, 0, -2), "es": (1, 0, -1)}  # win, draw, loss
ELITES = 5  # of the genetic algorithm
RIVALS, RIVAL_OPENINGS, RIVAL_PLIES = 5, 3, 4  # growth: against how many ancestors, how
SALT = {"birth": 0, "breed": 1, "meet": 2, "growth": 3}  # separate random numbers for each use


class BadEvolution(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class Generation:
    """A population with what it inherits; the best of the last tournament first."""

    genomes: NDArray[np.float64]  # [players, numbers]
    steps: NDArray[np.float64]  # [players, weights]; unused by ga
    scores: NDArray[np.int64]  # [players] in the tournament that they survived


class Evolution:
    """A run of evolution: the generations one after the other."""

    def __init__(self, config: EvolveConfig, workers: Workers | None = None) -> None:
        self.config = config
        self.workers = workers or Workers()
        self.game = load_game(GAME)
        self.layout = Layout(make_evaluator(config.evaluator, self.game))
        self.curriculum = parse_curriculum(config.curriculum)
        if config.population < {"ga": ELITES, "ep": 2, "es": 1}[config.method]:
            raise BadEvolution(f"A population of {config.population} is too small to breed.")
        if config.method == "ga" and config.population != 15:
            raise BadEvolution("The genetic algorithm of paper 000 has a population of 15.")

    # ------------------------------------------------------------ breeding

    def birth(self) -> Generation:
        """Return the first generation: random networks, of es a single one."""
        generator = self._random("birth", 0)
        count = 1 if self.config.method == "es" else self.config.population
        reach = self.config.reach
        genomes = np.array([self.layout.random(generator, reach) for _ in range(count)])
        steps = np.full((count, self.layout.size), self.config.step_size)
        return Generation(genomes, steps, _no_scores(genomes))

    def breed(self, parents: Generation, number: int) -> Generation:
        """Return the players of a generation's tournament."""
        if self.config.method == "ga":
            return parents if number == 0 else self._breed_ga(parents, number)
        if self.config.method == "es":
            return self._breed_es(parents, number)
        return self._breed_ep(parents, number)

    def _breed_es(self, parents: Generation, number: int) -> Generation:
        config, centre = self.config, parents.genomes[0]
        generator = self._random("breed", number)
        genomes = mutate_in_pairs(
            self.layout, centre, config.population, config.step_size, generator
        )
        safe = np.array([self._made_safe(centre, genome) for genome in genomes])
        return Generation(safe, parents.steps, _no_scores(genomes))

    def _breed_ep(self, parents: Generation, number: int) -> Generation:
        generator = self._random("breed", number)
        children, steps = [], []
        for genome, step in zip(parents.genomes, parents.steps, strict=True):
            child, child_step = mutate_adaptively(
                self.layout, genome, step, generator, self.config.step_cap
            )
            children.append(self._made_safe(genome, child))
            steps.append(child_step)
        genomes = np.concatenate([parents.genomes, children])
        return Generation(genomes, np.concatenate([parents.steps, steps]), _no_scores(genomes))

    def _breed_ga(self, parents: Generation, number: int) -> Generation:
        generator = self._random("breed", number)
        ranked, scores = parents.genomes, parents.scores

        def mutant(place: int) -> Vector:
            return self._made_safe(
                ranked[place], mutate_evenly(self.layout, ranked[place], generator)
            )

        young: list[Vector] = []
        for first, second in ((0, 1), (1, 2)):
            pair = [first, second]
            if scores[first] == scores[second] and generator.integers(2):
                pair.reverse()  # neither is dominant: chance decides
            young += cross_over(self.layout, ranked[pair[0]], ranked[pair[1]], generator)
            young += [mutant(first), mutant(second)]
        young += [mutant(3), mutant(4)]
        genomes = np.concatenate([ranked[:ELITES], young])
        return Generation(genomes, parents.steps, _no_scores(genomes))

    def _made_safe(self, parent: Vector, child: Vector) -> Vector:
        if self.config.mutation == "plain":
            return child
        size = self.layout.size
        weakness = sensitivity(self.layout, parent, archive_inputs(self.game))
        safe = child.copy()
        safe[:size] = parent[:size] + (child[:size] - parent[:size]) / weakness
        return safe

    # ------------------------------------------------------------ the tournament

    def compete(self, players: Generation, number: int) -> tuple[Generation, dict[str, Any]]:
        """Play a generation's games; return the survivors, best first, and its metrics."""
        generator = self._random("meet", number)
        count = len(players.genomes)
        opponents = self._opponents(count, generator)
        conditions = self._conditions(number)
        openings = fitness.tournament_openings(
            self.game, opponents, self.config.opening_plies, generator
        )
        rounds = [
            Round(
                conditions,
                players.genomes[player],
                [players.genomes[other] for other in others],
                openings[player],
                int(generator.integers(1 << 31)),
            )
            for player, others in enumerate(opponents)
        ]
        outcomes = fitness.play_rounds(rounds, self.workers.jobs, self.workers.backend)
        scores = self._scores(count, opponents, outcomes)
        ranked = np.argsort(-scores, kind="stable")
        kept = ranked[: self.config.population]
        survivors = self._survivors(players, scores, kept)
        results = [result for outcome in outcomes for result in outcome.results]
        plies = [length for outcome in outcomes for length in outcome.plies]
        metrics = {
            "games": len(results),
            "draws": results.count(0),
            "plies": float(np.mean(plies)),
            "best": int(scores[ranked[0]]),
            "mean": float(scores.mean()),
            "depth": conditions.depth,
            "rms": float(np.sqrt((survivors.genomes[0, : self.layout.size] ** 2).mean())),
        }
        if self.layout.has_king:
            metrics["king"] = float(survivors.genomes[0, -1])
        if self.config.method == "ep":
            metrics["step_size"] = float(survivors.steps.mean())
            metrics["children"] = int((kept >= self.config.population).sum())
        return survivors, metrics

    def _opponents(self, count: int, generator: np.random.Generator) -> list[NDArray[np.int64]]:
        if self.config.method == "es":
            return fitness.mirrored_opponents(count, self.config.games)
        if self.config.tournament == "round_robin":
            return fitness.all_opponents(count)
        return fitness.random_opponents(count, self.config.games, generator)

    def _survivors(
        self, players: Generation, scores: NDArray[np.int64], kept: NDArray[np.int64]
    ) -> Generation:
        if self.config.method == "es":
            centre = recombine(players.genomes, scores, self.config.rate)
            return Generation(centre[None], players.steps, scores[kept[:1]])
        steps = players.steps[kept] if self.config.method == "ep" else players.steps
        return Generation(players.genomes[kept], steps, scores[kept])

    def _scores(
        self, count: int, opponents: list[NDArray[np.int64]], outcomes: list[fitness.Outcome]
    ) -> NDArray[np.int64]:
        win, draw, loss = POINTS[self.config.method]
        worth = {1: (win, loss), 0: (draw, draw), -1: (loss, win)}
        scores = np.zeros(count, np.int64)
        for player, outcome in enumerate(outcomes):
            for other, result in zip(opponents[player], outcome.results, strict=True):
                scores[player] += worth[result][0]
                scores[other] += worth[result][1]
        return scores

    def _conditions(self, number: int) -> Conditions:
        config = self.config
        return Conditions(
            GAME,
            config.evaluator,
            depth_at(self.curriculum, number, config.depth),
            config.quiescence,
            config.max_plies,
            config.simulations if config.decision == "mcts" else 0,
            config.cap,
        )

    # ------------------------------------------------------------ growth

    def growth(self, champion: Vector, ancestors: list[Vector], number: int) -> float | None:
        """Return the mean of means of the champion against its ancestors, in [-1, 1]."""
        if not ancestors or not self.config.growth:
            return None
        generator = self._random("growth", number)
        openings = fitness.random_openings(self.game, RIVAL_OPENINGS, RIVAL_PLIES, generator)
        conditions = self._conditions(number)
        count = len(openings)
        rounds = [Round(conditions, champion, [a] * count, openings) for a in ancestors]
        rounds += [Round(conditions, a, [champion] * count, openings) for a in ancestors]
        outcomes = fitness.play_rounds(rounds, self.workers.jobs, self.workers.backend)
        half = len(ancestors)
        means = [
            (sum(outcomes[place].results) - sum(outcomes[half + place].results)) / (2 * count)
            for place in range(half)
        ]
        return float(np.mean(means))

    def _random(self, use: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self.config.seed, SALT[use], number])


def _no_scores(genomes: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.zeros(len(genomes), np.int64)


def parse_curriculum(text: str) -> list[tuple[int, int]]:
    """Return (depth, first generation beyond) pairs of '2@50 3@100'."""
    found = []
    for part in text.split():
        depth, _, until = part.partition("@")
        if not (depth.isdigit() and until.isdigit() and int(depth) > 0):
            raise BadEvolution(f"A curriculum is written '2@50 3@100', not {text!r}.")
        found.append((int(depth), int(until)))
    return found


def depth_at(curriculum: list[tuple[int, int]], number: int, final: int) -> int:
    """Return the depth of a generation."""
    return next((depth for depth, until in curriculum if number < until), final)


# ---------------------------------------------------------------- the run


def learn(run: Run, workers: Workers | None = None) -> Generator[dict[str, Any]]:
    """Carry a run on from its last checkpoint to its end; yield the metrics of each generation."""
    config = build(EvolveConfig, run.settings())
    evolution = Evolution(config, workers)

    def begin(arrays: Mapping[str, Array] | None) -> Generation:
        return evolution.birth() if arrays is None else Generation(**arrays)

    def advance(
        population: Generation, number: int
    ) -> tuple[Generation, dict[str, Any], dict[str, Array]]:
        population, metrics = evolution.compete(evolution.breed(population, number), number)
        champion = population.genomes[0]
        known = range(max(0, number - RIVALS), number)
        ancestors = [run.champion(step)["genome"] for step in known]
        metrics["growth"] = evolution.growth(champion, ancestors, number)
        return population, metrics, {"genome": champion}

    return carry_on(run, config.generations, begin, advance)


def count_steps(settings: Mapping[str, Any]) -> int:
    """Return how many generations a run has in all."""
    return int(settings["generations"])


def describe_step(metrics: Mapping[str, Any]) -> str:
    """Return a generation's metrics in a few words."""
    growth = metrics.get("growth")
    grown = "" if growth is None else f", growth {growth:+.2f}"
    return f"{metrics['games'] / metrics['seconds']:.0f} games/s, best {metrics['best']}{grown}"


def champion_model(run: Run, step: int | None = None) -> Model:
    """Return the champion of a step, or of the last one, as a model."""
    settings = run.config()
    layout = Layout(make_evaluator(settings["evaluator"], load_game(settings["game"])))
    chosen = run.chosen(step)
    card = {
        "learner": "evolve",
        "step": chosen,
        "config": settings,
        "options": {"quiescence": settings["quiescence"]},
    }
    return layout.model(run.champion(chosen)["genome"], card)


def start(folder: Path, game: str, config: EvolveConfig) -> Run:
    """Create the folder of a new run."""
    if game != GAME:
        raise BadEvolution(f"The learner 'evolve' is for {GAME}, not for {game}.")
    Evolution(config)  # refuses what does not fit together before anything is written
    return Run.create(folder, "evolve", GAME, config)
