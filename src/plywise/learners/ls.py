"""`ls`: a genetic algorithm over features of draughts (LS-Draughts).

A gene is a feature. Everybody is trained by `td` and then meets others of its generation and
a network with the 13 features of NeuroDraughts that was trained in the same way; fitness is
the share of points, less what its bits cost. Training depends on nothing but the features,
so a set of features is trained once.

All networks of a run have the inputs of all candidates; the weights of features that are not
chosen are 0 and stay 0. So one compiled evaluator serves all. The champion is cut down to
its own features.
"""

import dataclasses
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Array, Model
from plywise.game import Game
from plywise.games import load_game
from plywise.games.draughts.features import FEATURES, PRESETS
from plywise.learners.configs import LsConfig, TdConfig
from plywise.learners.fitness import random_openings
from plywise.learners.genes import Genes, breed, random_genes
from plywise.learners.genome import Layout, Vector
from plywise.learners.td import Meeting, Training, play_meeting
from plywise.runs import Run, carry_on
from plywise.settings import build
from plywise.system.parallel import Workers, run_all

GAME = "draughts"
RIVAL = PRESETS["neuro"]  # whom everybody meets
OPENING_PLIES = 4
SALT = {"birth": 0, "breed": 1, "meet": 2}  # separate random numbers for each use


class BadSelection(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class Generation:
    """A population, the best first, and all networks that were trained so far."""

    genes: Genes  # [population, features]
    known: Genes  # [networks, features]
    vectors: NDArray[np.float64]  # [networks, numbers]


@dataclass(frozen=True)
class Schooling:
    """What it takes to train a network; plain values, so that it can be sent anywhere."""

    config: TdConfig
    genes: Genes


def plasticity_of(layout: Layout, features: tuple[str, ...], genes: Genes) -> Vector:
    """Return the factors by which a network with some of its features learns."""
    is_used = np.repeat(genes, [FEATURES[name] for name in features]).astype(np.float64)
    faster = len(is_used) / is_used.sum()  # rates are divided by the inputs that are used
    hidden = layout.evaluator.weights["hidden"][1]
    parts = {name: np.ones(shape) for name, shape in layout.evaluator.weights.items()}
    parts["hidden"] = np.repeat(is_used[:, None], hidden, axis=1) * faster
    parts["hidden_bias"] *= faster
    return layout.genome(parts)


def train(schooling: Schooling) -> Vector:
    """Return a network trained by all sets of td: its latest clone."""
    training = Training(GAME, schooling.config)
    features = tuple(training.layout.evaluator.settings["features"])
    plasticity = plasticity_of(training.layout, features, schooling.genes)
    training = Training(GAME, schooling.config, plasticity=plasticity)
    school = training.birth()
    for number in range(schooling.config.sets):
        school, _ = training.advance(school, number)
    return school.clone if len(school.clones) else school.vector


class Selection:
    """A run of the genetic algorithm: the generations one after the other."""

    def __init__(self, config: LsConfig, workers: Workers | None = None) -> None:
        self.config = config
        self.workers = workers or Workers()
        self.features = PRESETS[config.candidates]
        self.bits = np.array([FEATURES[name] for name in self.features])
        self.teaching = TdConfig(
            features=config.candidates,
            hidden=str(config.hidden),
            sets=config.sets,
            games=config.games,
            depth=config.depth,
            quiescence=config.quiescence,
            trace=config.trace,
            rate=config.rate,
            seed=config.seed,
        )
        self.training = Training(GAME, self.teaching)
        if config.population < max(2, config.elites + 1):
            raise BadSelection(f"A population of {config.population} is too small to breed.")
        if config.opponents >= config.population:
            raise BadSelection(f"Nobody can meet {config.opponents} of {config.population} others.")

    @property
    def game(self) -> Game:
        return self.training.game

    def birth(self) -> Generation:
        """Return random sets of features, none of them empty."""
        count, features = self.config.population, len(self.features)
        genes = random_genes(count, features, self._random("birth", 0))
        size = self.training.layout.length
        return Generation(genes, np.zeros((0, features), np.uint8), np.zeros((0, size)))

    def breed(self, parents: Generation, number: int) -> Genes:
        """Return the next population."""
        chance = self.config.mutation or 1 / len(self.features)
        return breed(parents.genes, self.config.elites, chance, self._random("breed", number))

    def educate(self, genes: Genes, before: Generation) -> Generation:
        """Train all whose features are new, and the rival."""
        rival = np.array([name in RIVAL for name in self.features], np.uint8)
        known = {row.tobytes() for row in before.known}
        fresh = {row.tobytes(): row for row in (rival, *genes) if row.tobytes() not in known}
        tasks = [Schooling(self.teaching, row) for row in fresh.values()]
        trained = run_all(train, tasks, self.workers.jobs, self.workers.backend)
        if not trained:
            return Generation(genes, before.known, before.vectors)
        return Generation(
            genes,
            np.concatenate([before.known, list(fresh.values())]),
            np.concatenate([before.vectors, trained]),
        )

    def compete(self, players: Generation, number: int) -> tuple[Generation, dict[str, Any]]:
        """Return the population with the best first, and metrics."""
        generator = self._random("meet", number)
        places = {row.tobytes(): place for place, row in enumerate(players.known)}
        vectors = [players.vectors[places[row.tobytes()]] for row in players.genes]
        rival = players.vectors[0]  # it was trained before all others
        openings = random_openings(self.game, self.config.openings, OPENING_PLIES, generator)
        meetings, sides = [], []
        count = len(vectors)
        for player in range(count):
            others = generator.permutation(np.delete(np.arange(count), player))
            met = [(vectors[other], int(other)) for other in others[: self.config.opponents]]
            for vector, other in [*met, (rival, -1)]:
                for opening in openings:
                    pair = (vectors[player], vector)
                    meetings.append(Meeting(self.training.conditions, pair, opening))
                    sides.append((player, other))
        points = run_all(play_meeting, meetings, self.workers.jobs, self.workers.backend)
        shares, against_rival = _shares(count, sides, points)
        fitness = shares - self.config.cost * (players.genes @ self.bits)
        ranked = np.argsort(-fitness, kind="stable")
        best = players.genes[ranked[0]]
        metrics = {
            "best": float(fitness[ranked[0]]),
            "mean": float(fitness.mean()),
            "rival": float(against_rival.mean()),
            "best_rival": float(against_rival[ranked[0]]),
            "features": int(best.sum()),
            "bits": int(best @ self.bits),
            "trained": len(players.known),
            "games": 2 * len(meetings),
        }
        return dataclasses.replace(players, genes=players.genes[ranked]), metrics

    def vector(self, generation: Generation) -> Vector:
        """Return the network of the best."""
        found = (generation.known == generation.genes[0]).all(axis=1)
        return np.asarray(generation.vectors[int(np.flatnonzero(found)[0])])

    def _random(self, use: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self.config.seed, SALT[use], number])


def _shares(
    count: int, sides: list[tuple[int, int]], points: list[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return everybody's share of the points, and its share against the rival (other = -1)."""
    won, met = np.zeros((2, count)), np.zeros((2, count))
    for (player, other), gained in zip(sides, points, strict=True):
        won[0, player] += gained
        met[0, player] += 2
        if other >= 0:
            won[0, other] += 2 - gained
            met[0, other] += 2
        else:
            won[1, player] += gained
            met[1, player] += 2
    return won[0] / met[0], won[1] / met[1]


# ---------------------------------------------------------------- the run


def learn(run: Run, workers: Workers | None = None) -> Generator[dict[str, Any]]:
    """Carry a run on from its last checkpoint to its end; yield the metrics of each generation."""
    config = build(LsConfig, run.settings())
    selection = Selection(config, workers)

    def begin(arrays: Mapping[str, Array] | None) -> Generation:
        return selection.birth() if arrays is None else Generation(**arrays)

    def advance(
        population: Generation, number: int
    ) -> tuple[Generation, dict[str, Any], dict[str, Array]]:
        genes = population.genes if number == 0 else selection.breed(population, number)
        population = selection.educate(genes, population)
        population, metrics = selection.compete(population, number)
        champion = {"genes": population.genes[0], "vector": selection.vector(population)}
        return population, metrics, champion

    return carry_on(run, config.generations, begin, advance)


def count_steps(settings: Mapping[str, Any]) -> int:
    """Return how many generations a run has in all."""
    return int(settings["generations"])


def describe_step(metrics: Mapping[str, Any]) -> str:
    """Return a generation's metrics in a few words."""
    best = f"best {metrics['best']:.2f} with {metrics['features']} features"
    return f"{best}, {metrics['trained']} trained, {metrics['best_rival']:.2f} against neuro"


def champion_model(run: Run, step: int | None = None) -> Model:
    """Return the champion of a step, or of the last one, as a model with its own features only."""
    settings = run.config()
    chosen = run.chosen(step)
    selection = Selection(build(LsConfig, run.settings()))
    arrays = run.champion(chosen)
    names = [n for n, gene in zip(selection.features, arrays["genes"], strict=True) if gene]
    weights = dict(selection.training.layout.weights(arrays["vector"]))
    is_used = np.repeat(arrays["genes"], selection.bits).astype(bool)
    weights["hidden"] = weights["hidden"][is_used]
    card = {
        "learner": "ls",
        "step": chosen,
        "config": settings,
        "options": {"quiescence": settings["quiescence"]},
    }
    evaluator = make_evaluator(
        "featuremap", load_game(GAME), features=names, hidden=settings["hidden"]
    )
    return Model(evaluator, weights, card)


def start(folder: Path, game: str, config: LsConfig) -> Run:
    """Create the folder of a new run."""
    if game != GAME:
        raise BadSelection(f"The learner 'ls' is for {GAME}, not for {game}.")
    Selection(config)  # refuses what does not fit together before anything is written
    return Run.create(folder, "ls", GAME, config)
