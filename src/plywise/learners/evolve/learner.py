"""`evolve`: networks by evolution.

`ga` is the genetic algorithm of paper 000 (population 15, five elites, node-wise crossover),
`ep` the evolutionary programming of Blondie24 and Anaconda (15 parents and 15 children,
self-adaptive step sizes), `es` an evolution strategy (one network, mirrored pairs of mutants,
a step towards the winners). Everything random in a generation comes from the seed and the
generation's number, so that a resumed run is the same to the bit.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.model import Array, Model
from plywise.learners.evolve import fitness
from plywise.learners.evolve.fitness import Round
from plywise.learners.evolve.genome import (
    cross_over,
    mutate_adaptively,
    mutate_evenly,
    mutate_in_pairs,
    recombine,
)
from plywise.learners.evolve.sensitivity import archive_inputs, sensitivity
from plywise.learners.evolve.settings import EvolveSettings
from plywise.learners.shared.duels import DuelSetup, layout_of
from plywise.learners.shared.layout import Vector
from plywise.learners.shared.openings import random_openings
from plywise.runs import Learner, Step
from plywise.search.options import Options
from plywise.settings import require_least

LEAST = {
    1: "generations games depth simulations max_plies",
    0: "reach step_size step_cap rate mutation_size",
}
POINTS = {"ga": (2, 0, -1), "ep": (1, 0, -2), "es": (1, 0, -1)}  # win, draw, loss
ELITES = 5  # of the genetic algorithm, and opponents of everybody with tournament=elites
ANCESTORS, ANCESTOR_OPENINGS, ANCESTOR_PLIES = 5, 3, 4  # whom champions meet, and how
SALT = {"birth": 0, "breed": 1, "meet": 2, "ancestors": 3}  # separate random numbers for each use


class BadEvolution(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class Generation:
    """A population with what it inherits; the best of the last tournament first."""

    genomes: NDArray[np.float64]  # [players, numbers]
    steps: NDArray[np.float64]  # [players, weights]; unused by ga
    scores: NDArray[np.int64]  # [players] in the tournament that they survived


@dataclass(frozen=True)
class EvolveState:
    """A generation, and the champions of the last ones."""

    generation: Generation
    ancestors: NDArray[np.float64]  # [at most ANCESTORS, numbers], the oldest first


class Evolve(Learner[EvolveSettings, EvolveState]):
    """Evolution: a step is a generation."""

    settings_type = EvolveSettings

    def prepare(self) -> None:
        settings = self.settings
        require_least(settings, LEAST)
        self.layout = layout_of(self.game_name, settings.evaluator)
        self.curriculum = parse_curriculum(settings.curriculum)
        if settings.population < {"ga": ELITES, "ep": 2, "es": 1}[settings.method]:
            raise BadEvolution(f"A population of {settings.population} is too small to breed.")
        if settings.method == "ga" and settings.population != 15:
            raise BadEvolution("The genetic algorithm of paper 000 has a population of 15.")
        if not 0 < settings.mutation_share <= 1:
            raise BadEvolution(
                f"mutation_share is above 0 and at most 1, not {settings.mutation_share}."
            )

    @property
    def steps(self) -> int:
        return self.settings.generations

    @property
    def options(self) -> dict[str, Any]:
        return {"quiescence": self.settings.quiescence}

    def begin(self) -> EvolveState:
        """Return the first generation, which has no ancestors."""
        return EvolveState(self.birth(), np.zeros((0, self.layout.length)))

    def advance(self, state: EvolveState, number: int) -> Step[EvolveState]:
        """Breed a generation and play its tournament; the winner is the champion."""
        generation, metrics = self.compete(self.breed(state.generation, number), number)
        champion = generation.genomes[0]
        share = self.meet_ancestors(champion, state.ancestors, number)
        metrics["against_ancestors"] = share
        ancestors = np.concatenate([state.ancestors, champion[None]])[-ANCESTORS:]
        return Step(EvolveState(generation, ancestors), metrics, {"genome": champion})

    def to_arrays(self, state: EvolveState) -> dict[str, Array]:
        return {**vars(state.generation), "ancestors": state.ancestors}

    def from_arrays(self, arrays: Mapping[str, Array]) -> EvolveState:
        names = [field.name for field in dataclasses.fields(Generation)]
        generation = Generation(**{name: arrays[name] for name in names})
        return EvolveState(generation, arrays["ancestors"])

    def model(self, champion: Mapping[str, Array]) -> Model:
        return self.layout.model(champion["genome"])

    def describe(self, metrics: Mapping[str, Any]) -> str:
        mean = metrics.get("against_ancestors")
        grown = "" if mean is None else f", {mean:+.2f} against its ancestors"
        return f"{metrics['games'] / metrics['seconds']:.0f} games/s, best {metrics['best']}{grown}"

    # ------------------------------------------------------------ breeding

    def birth(self) -> Generation:
        """Return the first generation: random networks, of es a single one."""
        generator = self._random("birth", 0)
        count = 1 if self.settings.method == "es" else self.settings.population
        reach = self.settings.reach
        genomes = np.array([self.layout.random(generator, reach) for _ in range(count)])
        steps = np.full((count, self.layout.size), self.settings.step_size)
        return Generation(genomes, steps, _no_scores(genomes))

    def breed(self, parents: Generation, number: int) -> Generation:
        """Return the players of a generation's tournament."""
        if self.settings.method == "ga":
            return parents if number == 0 else self._breed_ga(parents, number)
        if self.settings.method == "es":
            return self._breed_es(parents, number)
        return self._breed_ep(parents, number)

    def _breed_es(self, parents: Generation, number: int) -> Generation:
        settings, centre = self.settings, parents.genomes[0]
        generator = self._random("breed", number)
        genomes = mutate_in_pairs(
            self.layout, centre, settings.population, settings.step_size, generator
        )
        safe = np.array([self._made_safe(centre, genome) for genome in genomes])
        return Generation(safe, parents.steps, _no_scores(genomes))

    def _breed_ep(self, parents: Generation, number: int) -> Generation:
        generator = self._random("breed", number)
        children, steps = [], []
        for genome, step in zip(parents.genomes, parents.steps, strict=True):
            child, child_step = mutate_adaptively(
                self.layout, genome, step, generator, self.settings.step_cap
            )
            children.append(self._made_safe(genome, child))
            steps.append(child_step)
        genomes = np.concatenate([parents.genomes, children])
        return Generation(genomes, np.concatenate([parents.steps, steps]), _no_scores(genomes))

    def _breed_ga(self, parents: Generation, number: int) -> Generation:
        generator = self._random("breed", number)
        ranked, scores = parents.genomes, parents.scores

        settings = self.settings

        def mutant(place: int) -> Vector:
            share, size = settings.mutation_share, settings.mutation_size
            changed = mutate_evenly(self.layout, ranked[place], generator, share, size)
            return self._made_safe(ranked[place], changed)

        def children(first: int, second: int) -> tuple[Vector, Vector]:
            if settings.crossover == "none":
                return mutant(first), mutant(second)
            pair = [first, second]
            if scores[first] == scores[second] and generator.integers(2):
                pair.reverse()  # neither is dominant: chance decides
            parents = ranked[pair[0]], ranked[pair[1]]
            return cross_over(self.layout, *parents, generator, settings.crossover)

        young: list[Vector] = []
        for first, second in ((0, 1), (1, 2)):
            young += children(first, second)
            young += [mutant(first), mutant(second)]
        young += [mutant(3), mutant(4)]
        genomes = np.concatenate([ranked[:ELITES], young])
        return Generation(genomes, parents.steps, _no_scores(genomes))

    def _made_safe(self, parent: Vector, child: Vector) -> Vector:
        if self.settings.mutation == "plain":
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
        setup = self._setup(number)
        openings = fitness.tournament_openings(
            self.game, opponents, self.settings.opening_plies, generator
        )
        rounds = [
            Round(
                setup,
                players.genomes[player],
                [players.genomes[other] for other in others],
                openings[player],
                int(generator.integers(1 << 31)),
            )
            for player, others in enumerate(opponents)
        ]
        outcomes = fitness.play_rounds(rounds, self.workers)
        scores = self._scores(count, opponents, outcomes)
        ranked = np.argsort(-scores, kind="stable")
        kept = ranked[: self.settings.population]
        survivors = self._survivors(players, scores, kept)
        results = [result for outcome in outcomes for result in outcome.results]
        plies = [length for outcome in outcomes for length in outcome.plies]
        metrics = {
            "games": len(results),
            "draws": results.count(0),
            "plies": float(np.mean(plies)),
            "best": int(scores[ranked[0]]),
            "mean": float(scores.mean()),
            "depth": setup.depth,
            "rms": float(np.sqrt((survivors.genomes[0, : self.layout.size] ** 2).mean())),
        }
        for name in self.layout.evaluator.ranges:
            metrics[name] = float(survivors.genomes[0, self.layout.places(name)].mean())
        if self.settings.method == "ep":
            metrics["step_size"] = float(survivors.steps.mean())
            metrics["children"] = int((kept >= self.settings.population).sum())
        return survivors, metrics

    def _opponents(self, count: int, generator: np.random.Generator) -> list[NDArray[np.int64]]:
        if self.settings.method == "es":
            return fitness.mirrored_opponents(count, self.settings.games)
        if self.settings.tournament == "round_robin":
            return fitness.all_opponents(count)
        if self.settings.tournament == "elites":
            opponents = fitness.elite_opponents(count, self.settings.games, ELITES)
        else:
            opponents = fitness.random_opponents(count, self.settings.games, generator)
        return fitness.with_returns(opponents) if self.settings.colours == "both" else opponents

    def _survivors(
        self, players: Generation, scores: NDArray[np.int64], kept: NDArray[np.int64]
    ) -> Generation:
        if self.settings.method == "es":
            centre = recombine(players.genomes, scores, self.settings.rate)
            return Generation(centre[None], players.steps, scores[kept[:1]])
        steps = players.steps[kept] if self.settings.method == "ep" else players.steps
        return Generation(players.genomes[kept], steps, scores[kept])

    def _scores(
        self, count: int, opponents: list[NDArray[np.int64]], outcomes: list[fitness.Outcome]
    ) -> NDArray[np.int64]:
        win, draw, loss = POINTS[self.settings.method]
        worth = {1: (win, loss), 0: (draw, draw), -1: (loss, win)}
        scores = np.zeros(count, np.int64)
        for player, outcome in enumerate(outcomes):
            for other, result in zip(opponents[player], outcome.results, strict=True):
                scores[player] += worth[result][0]
                scores[other] += worth[result][1]
        return scores

    def _setup(self, number: int) -> DuelSetup:
        settings = self.settings
        return DuelSetup(
            self.game_name,
            settings.evaluator,
            Options(quiescence=settings.quiescence, deepening=False),
            depth_at(self.curriculum, number, settings.depth),
            settings.max_plies,
            simulations=settings.simulations if settings.decision == "mcts" else 0,
            cap=settings.cap,
        )

    # ------------------------------------------------------------ ancestors

    def meet_ancestors(
        self, champion: Vector, ancestors: NDArray[np.float64], number: int
    ) -> float | None:
        """Return the mean of the champion's mean results against each ancestor, in [-1, 1]."""
        if len(ancestors) == 0 or not self.settings.against_ancestors:
            return None
        generator = self._random("ancestors", number)
        openings = random_openings(self.game, ANCESTOR_OPENINGS, ANCESTOR_PLIES, generator)
        setup, count, half = self._setup(number), len(openings), len(ancestors)
        rounds = [Round(setup, champion, [a] * count, openings) for a in ancestors]
        rounds += [Round(setup, a, [champion] * count, openings) for a in ancestors]
        outcomes = fitness.play_rounds(rounds, self.workers)
        means = [
            (sum(outcomes[place].results) - sum(outcomes[half + place].results)) / (2 * count)
            for place in range(half)
        ]
        return float(np.mean(means))

    def _random(self, use: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self.settings.seed, SALT[use], number])


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
