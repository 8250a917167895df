"""`mp`: a player for most of the game, and experts for its endgames (MP-Draughts, paper 001).

The first agent is trained by `td`, or is a model that there is already. In its games the
positions with 12 pieces are collected; a Kohonen map sorts them by their features. Then an
expert for every unit of the map is trained by `td`, in games that begin at the unit's boards.

Steps of the run: the sets of the first agent, if it has to be trained; the map; the sets of
the experts, all experts in each. Everything random follows from the seed and the step's
number, so that a resumed run is the same to the bit.
"""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.classifiers import Classifier, make_classifier
from plywise.evaluators.experts import experts_of
from plywise.evaluators.model import Array, Model
from plywise.game import Rows
from plywise.learners.mp import kohonen
from plywise.learners.mp.boards import GAMES, BoardTask, collect_boards, count_pieces
from plywise.learners.mp.mapgenes import PlayoutTask, select, survey
from plywise.learners.mp.settings import MpSettings
from plywise.learners.shared.features import features_of
from plywise.learners.shared.genes import Genes
from plywise.learners.shared.layout import Vector
from plywise.learners.td.settings import TdSettings
from plywise.learners.td.training import TdState, Training
from plywise.players import find_model
from plywise.runs import Learner, Step
from plywise.settings import require_least
from plywise.system.parallel import run_all

LEAST = {
    1: "sets games depth max_plies map_population least",
    0: "rate final_rate reach map_rate map_factor map_last expert_discount expert_rate",
}
PARTS = 4  # tasks before boards are counted again
PATIENCE = 200  # how often there may be too few boards
SALT = {"boards": 10, "map": 11, "survey": 12, "genes": 13}  # separate random numbers for each use


class BadExperts(PlywiseError):
    """Settings that do not fit together."""


@dataclass(frozen=True)
class ExpertTask:
    """A set of an expert's games; plain values, so that it can be sent anywhere."""

    game: str
    settings: TdSettings
    state: TdState
    starts: Rows
    number: int
    takes_last: bool  # whether the learner is the champion, or one of its clones


def train_expert(task: ExpertTask) -> tuple[TdState, Vector, dict[str, Any]]:
    """Return the expert after a set, its champion so far, and metrics."""
    training = Training(task.game, task.settings, starts=task.starts)
    state, metrics = training.advance(task.state, task.number)
    champion = state.vector if task.takes_last or not len(state.clones) else state.clone
    is_over = task.number == task.settings.sets - 1
    if is_over and not task.takes_last and len(state.clones):
        champion = state.clones[training.choose_champion(state)]
    return state, champion, metrics


@dataclass(frozen=True)
class MpState:
    """What a run knows: the first agent, the boards, the map, the experts."""

    base: TdState
    boards: Rows  # empty until there is a map
    genes: Genes  # [28]: the features that the map sees
    units: NDArray[np.float64]
    experts: list[TdState]
    champions: NDArray[np.float64]  # [units, numbers]

    def arrays(self) -> dict[str, Array]:
        """Return all of it as arrays."""
        clones = [expert.clones for expert in self.experts]
        size = self.base.vector.shape[0]
        return {
            **{f"base_{name}": array for name, array in vars(self.base).items()},
            "boards": self.boards,
            "genes": self.genes,
            "units": self.units,
            "champions": self.champions,
            "vectors": np.array([e.vector for e in self.experts]).reshape(-1, size),
            "opponents": np.array([e.clone for e in self.experts]).reshape(-1, size),
            "clones": np.concatenate([np.zeros((0, size)), *clones]),
            "owners": np.repeat(np.arange(len(clones)), [len(c) for c in clones]),
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Array]) -> "MpState":
        """Return what `arrays` made."""
        experts = [
            TdState(vector, opponent, arrays["clones"][arrays["owners"] == unit])
            for unit, (vector, opponent) in enumerate(
                zip(arrays["vectors"], arrays["opponents"], strict=True)
            )
        ]
        base = TdState(**{name: arrays[f"base_{name}"] for name in TdState.__dataclass_fields__})
        kept = {name: arrays[name] for name in ("boards", "genes", "units", "champions")}
        return cls(base=base, experts=experts, **kept)


class Mp(Learner[MpSettings, MpState]):
    """The first agent, the map, the experts."""

    settings_type = MpSettings

    def prepare(self) -> None:
        require_least(self.settings, LEAST)
        self.first = Training(self.game_name, self._td(self.settings.seed), self.workers)
        self.layout = self.first.layout
        self.features = features_of(self.game)
        self.given = self._given_base()
        self._refuse_nonsense()

    @property
    def base_sets(self) -> int:
        """How many steps it takes to train the first agent."""
        return 0 if self.given is not None else self.settings.sets

    @property
    def steps(self) -> int:
        return self.base_sets + 1 + self.settings.sets

    @property
    def options(self) -> dict[str, Any]:
        return {"quiescence": self.settings.quiescence}

    def begin(self) -> MpState:
        """Return what there is before the first step."""
        base = self.first.begin()
        if self.given is not None:
            base = TdState(self.given, self.given, self.given[None])
        nothing = np.zeros((0, self.layout.length))
        genes = np.zeros(len(self.features.names), np.uint8)
        boards = np.zeros((0, self.game.words), np.uint64)
        return MpState(base, boards, genes, np.zeros((0, 0)), [], nothing)

    def advance(self, state: MpState, number: int) -> Step[MpState]:
        """Do a set of the first agent, the map, or a set of all experts."""
        state, metrics = self._advance(state, number)
        return Step(state, metrics, self.champion(state))

    def _advance(self, state: MpState, number: int) -> tuple[MpState, dict[str, Any]]:
        if number < self.base_sets:
            return self.train_base(state, number)
        if number == self.base_sets:
            return self.draw_map(state)
        return self.train_experts(state, number - self.base_sets - 1)

    def to_arrays(self, state: MpState) -> dict[str, Array]:
        return state.arrays()

    def from_arrays(self, arrays: Mapping[str, Array]) -> MpState:
        return MpState.of_arrays(arrays)

    def describe(self, metrics: Mapping[str, Any]) -> str:
        if metrics["phase"] == "map":
            return f"{metrics['boards']} boards, {metrics['empty']} units empty"
        return f"{metrics['phase']}: test {metrics['test']:.2f}, clones {metrics['clones']}"

    def train_base(self, state: MpState, number: int) -> tuple[MpState, dict[str, Any]]:
        """Play a set of the first agent."""
        base, metrics = self.first.advance(state.base, number)
        if number == self.settings.sets - 1 and len(base.clones):
            champion = base.clones[self.first.choose_champion(base)]
            base = TdState(base.vector, champion, base.clones)
        return dataclasses.replace(state, base=base), {"phase": "first agent", **metrics}

    def base_vector(self, state: MpState) -> Vector:
        """Return the first agent: its clone, or what it has become if it never passed a test."""
        return state.base.clone if len(state.base.clones) else state.base.vector

    def draw_map(self, state: MpState) -> tuple[MpState, dict[str, Any]]:
        """Collect boards from the first agent's games, and sort them by a map."""
        boards = self.collect(self.base_vector(state))
        genes, curve = self.map_genes(self.base_vector(state), boards)
        data = self.seen(boards, genes)
        units = self.train_map(data)
        sizes = np.bincount(kohonen.nearest(units, data), minlength=len(units))
        experts = [self._new_expert(state, unit) for unit in range(len(units))]
        metrics = {
            "phase": "map",
            "boards": len(boards),
            "features": [
                name for name, gene in zip(self.features.names, genes, strict=True) if gene
            ],
            "gains": curve,
            "sizes": sizes.tolist(),
            "empty": int((sizes == 0).sum()),
            "distance": kohonen.quantisation_error(units, data),
        }
        champions = np.array([expert.clone for expert in experts])
        return MpState(state.base, boards, genes, units, experts, champions), metrics

    def collect(self, player: Vector) -> Rows:
        """Return distinct positions from games of a network against itself."""
        settings = self.settings
        found: dict[int, Array] = {}
        for number in range(PATIENCE):
            tasks = [
                BoardTask(
                    self.first.setup,
                    player,
                    settings.pieces,
                    (settings.seed, SALT["boards"], number, part),
                )
                for part in range(PARTS)
            ]
            for boards in run_all(collect_boards, tasks, self.workers):
                found |= {self.game.hash(board): board for board in boards}
            if len(found) >= settings.boards:
                return np.array(list(found.values())[: settings.boards])
        raise BadExperts(
            f"After {PARTS * GAMES * PATIENCE} games there are {len(found)} boards of "
            f"{settings.pieces} pieces, not {settings.boards}."
        )

    def map_genes(self, base: Vector, boards: Rows) -> tuple[Genes, list[float]]:
        """Return the features that the map sees; if they are bred, also how that went."""
        settings = self.settings
        if settings.map_features != "chosen":
            chosen = self.features.choose(settings.map_features)
            return np.array([name in chosen for name in self.features.names], np.uint8), []
        seen = self.features.choose(settings.features)
        setup = self.first.setup
        tasks = [
            PlayoutTask(setup, base, seen, board, (settings.seed, SALT["survey"], number))
            for number, board in enumerate(boards)
        ]
        return select(
            survey(tasks, self.workers),
            len(self.features.names),
            lambda genes: self.seen(boards, genes),
            self.train_map,
            (settings.map_population, settings.map_generations),
            np.random.default_rng([settings.seed, SALT["genes"]]),
        )

    def map_features(self, genes: Genes) -> list[str]:
        """Return the names of the features that the map sees."""
        return [name for name, gene in zip(self.features.names, genes, strict=True) if gene]

    def seen(self, boards: Rows, genes: Genes) -> NDArray[np.float64]:
        """Return what the map sees of boards."""
        counts = self.features.counts(boards)[:, genes.astype(bool)]
        return (counts > 0 if self.settings.reading == "presence" else counts).astype(np.float64)

    def train_map(self, data: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the units of a map of what was seen."""
        settings = self.settings
        if settings.map == "grid":
            return kohonen.train_grid(data, settings.units, settings.seed)
        rates = (settings.map_rate, settings.map_factor, settings.map_last)
        generator = np.random.default_rng([settings.seed, SALT["map"]])
        return kohonen.train_chain(data, settings.units, generator, rates)

    def train_experts(self, state: MpState, number: int) -> tuple[MpState, dict[str, Any]]:
        """Play a set of every expert."""
        data = self.seen(state.boards, state.genes)
        starts = kohonen.members(state.units, data, self.settings.least)
        takes_last = self.settings.champion == "last"
        tasks = [
            ExpertTask(
                self.game_name,
                self._expert_td(unit),
                expert,
                state.boards[starts[unit]],
                number,
                takes_last,
            )
            for unit, expert in enumerate(state.experts)
        ]
        trained = run_all(train_expert, tasks, self.workers)
        experts, champions, all_metrics = (list(part) for part in zip(*trained, strict=True))
        metrics = {
            "phase": "experts",
            "games": sum(m["games"] for m in all_metrics),
            "test": float(np.mean([m["test"] for m in all_metrics])),
            "error": float(np.mean([m["error"] for m in all_metrics])),
            "draws": sum(m["draws"] for m in all_metrics),
            "clones": sum(len(expert.clones) for expert in experts),
            "tests": [m["test"] for m in all_metrics],
        }
        changed = dataclasses.replace(state, experts=experts, champions=np.array(champions))
        return changed, metrics

    def classifier(self, genes: Genes) -> Classifier:
        """Return what sorts positions."""
        return make_classifier(
            self.game,
            "map",
            units=self.settings.units,
            pieces=self.settings.pieces,
            features=self.map_features(genes),
            reading=self.settings.reading,
        )

    def model(self, champion: Mapping[str, Array]) -> Model:
        """Return the player of a step: the first agent, with its experts if there are any."""
        if len(champion["experts"]) == 0:
            return self.layout.model(champion["base"])
        vectors = [champion["base"], *champion["experts"]]
        evaluator = experts_of(
            self.classifier(champion["genes"]),
            [self.layout.evaluator] * len(vectors),
            self.settings.handover,
        )
        weights: dict[str, Array] = {"classifier.units": champion["units"].astype(np.float32)}
        for place, vector in enumerate(vectors):
            parts = self.layout.weights(vector)
            weights |= {f"{place}.{name}": array for name, array in parts.items()}
        return Model(evaluator, weights)

    def champion(self, state: MpState) -> dict[str, Array]:
        """Return what a step is worth keeping: the player, and the boards of its map."""
        return {
            "base": self.base_vector(state),
            "boards": state.boards,
            "genes": state.genes,
            "units": state.units,
            "experts": state.champions,
        }

    def _new_expert(self, state: MpState, unit: int) -> TdState:
        """Return an expert before its first set."""
        if self.settings.first == "random":
            return Training(self.game_name, self._expert_td(unit)).begin()
        vector = self.base_vector(state)
        return TdState(vector, vector, vector[None])  # the first agent is its first clone

    def _given_base(self) -> Vector | None:
        if not self.settings.base:
            return None
        model = find_model(self.settings.base, self.game)
        if model.evaluator.settings != self.layout.evaluator.settings:
            raise BadExperts(
                f"{self.settings.base} has the settings {model.evaluator.settings}, the experts "
                f"{self.layout.evaluator.settings}; they must be the same."
            )
        return self.layout.vector(model.weights)

    def _td(self, seed: int) -> TdSettings:
        """Return the settings by which the first agent is trained."""
        settings = self.settings
        names = {field.name for field in dataclasses.fields(TdSettings)}
        shared = {k: value for k, value in vars(settings).items() if k in names}
        return TdSettings(**{**shared, "seed": seed})

    def _expert_td(self, unit: int) -> TdSettings:
        settings = self.settings
        return dataclasses.replace(
            self._td(settings.seed * 1000 + unit + 1),
            opening_plies=settings.expert_plies,
            discount=settings.expert_discount,
            rate=settings.expert_rate,
        )

    def _refuse_nonsense(self) -> None:
        settings, most = self.settings, count_pieces(self.game, self.game.initial())
        if settings.units < 2:
            raise BadExperts(f"A map has 2 units or more, not {settings.units}.")
        if settings.boards < settings.units:
            raise BadExperts(f"{settings.boards} boards are too few for {settings.units} units.")
        if settings.map == "grid" and math.isqrt(settings.units) ** 2 != settings.units:
            raise BadExperts(f"A square map has 4, 9, 16, 25 ... units, not {settings.units}.")
        if settings.map_features != "chosen":
            self.features.choose(settings.map_features)
        if not 2 <= settings.pieces < most:
            raise BadExperts(
                f"Experts take over at 2 to {most - 1} pieces, not at {settings.pieces}."
            )
