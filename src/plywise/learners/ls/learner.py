"""`ls`: a genetic algorithm over the features of a game (LS-Draughts).

A gene is a feature. Everybody is trained by `td` and then meets others of its generation and
a network with the 13 features of NeuroDraughts that was trained in the same way; fitness is
the share of points, less what its bits cost. Training depends on nothing but the features,
so a set of features is trained once.

All networks of a run have the inputs of all candidates; the weights of features that are not
chosen are 0 and stay 0. So one compiled evaluator serves all. The champion is cut down to
its own features.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Array, Model
from plywise.learners.ls.settings import LsSettings
from plywise.learners.shared.duels import Pair, play_pair
from plywise.learners.shared.features import features_of
from plywise.learners.shared.genes import Genes, breed, random_genes
from plywise.learners.shared.layout import Layout, Vector
from plywise.learners.shared.openings import random_openings
from plywise.learners.td.settings import TdSettings
from plywise.learners.td.training import Training
from plywise.runs import Learner, Step
from plywise.settings import require_least
from plywise.system.parallel import run_all

LEAST = {
    1: "generations opponents openings hidden sets games depth",
    0: "mutation cost rate",
}
RIVAL = "neuro"  # the set of features that everybody meets
OPENING_PLIES = 4
SALT = {"birth": 0, "breed": 1, "meet": 2}  # separate random numbers for each use


class BadSelection(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class LsState:
    """A population, the best first, and all networks that were trained so far."""

    genes: Genes  # [population, features]
    known: Genes  # [networks, features]
    vectors: NDArray[np.float64]  # [networks, numbers]


@dataclass(frozen=True)
class TrainingTask:
    """What it takes to train a network; plain values, so that it can be sent anywhere."""

    game: str
    settings: TdSettings
    genes: Genes


def plasticity_of(layout: Layout, bits: NDArray[np.int64], genes: Genes) -> Vector:
    """Return the factors by which a network with some of its features, of so many bits, learns."""
    is_used = np.repeat(genes, bits).astype(np.float64)
    faster = len(is_used) / is_used.sum()  # rates are divided by the inputs that are used
    hidden = layout.evaluator.weights["hidden"][1]
    parts = {name: np.ones(shape) for name, shape in layout.evaluator.weights.items()}
    parts["hidden"] = np.repeat(is_used[:, None], hidden, axis=1) * faster
    parts["hidden_bias"] *= faster
    return layout.vector(parts)


def train(task: TrainingTask) -> Vector:
    """Return a network trained by all sets of td: its latest clone."""
    training = Training(task.game, task.settings)
    names = training.layout.evaluator.settings["features"]
    bits = np.array([features_of(training.game).bits[name] for name in names])
    plasticity = plasticity_of(training.layout, bits, task.genes)
    training = Training(task.game, task.settings, plasticity=plasticity)
    state = training.begin()
    for number in range(task.settings.sets):
        state, _ = training.advance(state, number)
    return state.clone if len(state.clones) else state.vector


class Ls(Learner[LsSettings, LsState]):
    """The genetic algorithm: a step is a generation."""

    settings_type = LsSettings

    def prepare(self) -> None:
        settings = self.settings
        require_least(settings, LEAST)
        self.td_settings = TdSettings(
            features=settings.candidates,
            hidden=str(settings.hidden),
            sets=settings.sets,
            games=settings.games,
            depth=settings.depth,
            quiescence=settings.quiescence,
            trace=settings.trace,
            rate=settings.rate,
            seed=settings.seed,
        )
        self.training = Training(self.game_name, self.td_settings)
        offered = features_of(self.game)
        self.features = offered.presets[settings.candidates]
        self.rival = offered.presets[RIVAL]
        self.bits = np.array([offered.bits[name] for name in self.features])
        if settings.population < max(2, settings.elites + 1):
            raise BadSelection(f"A population of {settings.population} is too small to breed.")
        if settings.opponents >= settings.population:
            raise BadSelection(
                f"Nobody can meet {settings.opponents} of {settings.population} others."
            )

    @property
    def steps(self) -> int:
        return self.settings.generations

    @property
    def options(self) -> dict[str, Any]:
        return {"quiescence": self.settings.quiescence}

    def begin(self) -> LsState:
        """Return random sets of features, none of them empty."""
        count, features = self.settings.population, len(self.features)
        genes = random_genes(count, features, self._random("birth", 0))
        size = self.training.layout.length
        return LsState(genes, np.zeros((0, features), np.uint8), np.zeros((0, size)))

    def advance(self, state: LsState, number: int) -> Step[LsState]:
        """Breed a generation, train whoever is new and let all compete; the best is champion."""
        genes = state.genes if number == 0 else self.breed(state, number)
        state, metrics = self.compete(self.train_new(genes, state), number)
        return Step(state, metrics, {"genes": state.genes[0], "vector": self.vector(state)})

    def to_arrays(self, state: LsState) -> dict[str, Array]:
        return dict(vars(state))

    def from_arrays(self, arrays: Mapping[str, Array]) -> LsState:
        return LsState(**arrays)

    def model(self, champion: Mapping[str, Array]) -> Model:
        """Return a champion with its own features only."""
        names = [n for n, gene in zip(self.features, champion["genes"], strict=True) if gene]
        weights = dict(self.training.layout.weights(champion["vector"]))
        is_used = np.repeat(champion["genes"], self.bits).astype(bool)
        weights["hidden"] = weights["hidden"][is_used]
        settings = {"features": names, "hidden": self.settings.hidden}
        return Model(make_evaluator("featuremap", self.game, **settings), weights)

    def describe(self, metrics: Mapping[str, Any]) -> str:
        best = f"best {metrics['best']:.2f} with {metrics['features']} features"
        rival = f"{metrics['best_rival']:.2f} against {RIVAL}"
        return f"{best}, {metrics['trained']} trained, {rival}"

    def breed(self, parents: LsState, number: int) -> Genes:
        """Return the next population."""
        chance = self.settings.mutation or 1 / len(self.features)
        return breed(parents.genes, self.settings.elites, chance, self._random("breed", number))

    def train_new(self, genes: Genes, before: LsState) -> LsState:
        """Train all whose features are new, and the rival."""
        rival = np.array([name in self.rival for name in self.features], np.uint8)
        known = {row.tobytes() for row in before.known}
        fresh = {row.tobytes(): row for row in (rival, *genes) if row.tobytes() not in known}
        tasks = [TrainingTask(self.game_name, self.td_settings, row) for row in fresh.values()]
        trained = run_all(train, tasks, self.workers)
        if not trained:
            return LsState(genes, before.known, before.vectors)
        return LsState(
            genes,
            np.concatenate([before.known, list(fresh.values())]),
            np.concatenate([before.vectors, trained]),
        )

    def compete(self, players: LsState, number: int) -> tuple[LsState, dict[str, Any]]:
        """Return the population with the best first, and metrics."""
        generator = self._random("meet", number)
        places = {row.tobytes(): place for place, row in enumerate(players.known)}
        vectors = [players.vectors[places[row.tobytes()]] for row in players.genes]
        rival = players.vectors[0]  # it was trained before all others
        openings = random_openings(self.game, self.settings.openings, OPENING_PLIES, generator)
        pairs, sides = [], []
        count = len(vectors)
        for player in range(count):
            others = generator.permutation(np.delete(np.arange(count), player))
            met = [(vectors[other], int(other)) for other in others[: self.settings.opponents]]
            for vector, other in [*met, (rival, -1)]:
                for opening in openings:
                    pairs.append(Pair(self.training.setup, (vectors[player], vector), opening))
                    sides.append((player, other))
        points = run_all(play_pair, pairs, self.workers)
        shares, against_rival = _shares(count, sides, points)
        fitness = shares - self.settings.cost * (players.genes @ self.bits)
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
            "games": 2 * len(pairs),
        }
        return dataclasses.replace(players, genes=players.genes[ranked]), metrics

    def vector(self, generation: LsState) -> Vector:
        """Return the network of the best."""
        found = (generation.known == generation.genes[0]).all(axis=1)
        return np.asarray(generation.vectors[int(np.flatnonzero(found)[0])])

    def _random(self, use: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self.settings.seed, SALT[use], number])


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
