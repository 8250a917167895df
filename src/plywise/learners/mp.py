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
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError
from plywise.evaluators.classifiers import Classifier, make_classifier
from plywise.evaluators.experts import experts_of
from plywise.evaluators.model import Array, Model
from plywise.game import Rows
from plywise.game.record import Record
from plywise.game.results import ONGOING
from plywise.games import load_game
from plywise.games.draughts.features import NAMES, chosen_features, feature_counts
from plywise.learners import kohonen
from plywise.learners.configs import MpConfig, TdConfig
from plywise.learners.fitness import random_opening
from plywise.learners.genes import Genes
from plywise.learners.genome import Vector
from plywise.learners.mapgenes import Playing, select, survey
from plywise.learners.td import Conditions, School, Training
from plywise.players import find_model
from plywise.runs import Run, carry_on
from plywise.search.duel import play_duel
from plywise.settings import build
from plywise.system.parallel import Workers, run_all

GAME = "draughts"
OPENING_PLIES = 6  # random ones, of the games in which boards are collected
CHUNK, PARTS = 50, 4  # games of a task, and tasks before boards are counted again
PATIENCE = 200  # how often there may be too few boards
SALT = {"boards": 10, "map": 11, "survey": 12, "genes": 13}  # separate random numbers for each use


class BadExperts(PlywiseError):
    """Settings that do not fit together."""


# ---------------------------------------------------------------- boards


@dataclass(frozen=True)
class Chunk:
    """Games of a network against itself; plain values, so that they can be sent anywhere."""

    conditions: Conditions
    player: Vector
    pieces: int
    seed: tuple[int, ...]


def play_chunk(chunk: Chunk) -> list[Array]:
    """Return the first position with so many pieces of every game that comes to one."""
    how, model = chunk.conditions, chunk.conditions.layout().model(chunk.player)
    game = model.game
    generator = np.random.default_rng(chunk.seed)
    found = []
    for _ in range(CHUNK):
        opening = np.array(random_opening(game, OPENING_PLIES, generator).moves, np.uint64)
        played = play_duel((model, model), how.options, how.depth, how.max_plies, opening)
        for position in Record(game, moves=played.moves).positions:
            if count_pieces(position) <= chunk.pieces:
                if count_pieces(position) == chunk.pieces and game.result(position) == ONGOING:
                    found.append(position)
                break
    return found


def count_pieces(position: Array) -> int:
    """Return the pieces of both sides."""
    return int(position[0] | position[1]).bit_count()


# ---------------------------------------------------------------- experts


@dataclass(frozen=True)
class Lesson:
    """A set of an expert's games; plain values, so that it can be sent anywhere."""

    config: TdConfig
    school: School
    starts: Rows
    number: int
    takes_last: bool  # whether the learner is the champion, or one of its clones


def teach_expert(lesson: Lesson) -> tuple[School, Vector, dict[str, Any]]:
    """Return the expert after a set, its champion so far, and metrics."""
    training = Training(GAME, lesson.config, starts=lesson.starts)
    school, metrics = training.advance(lesson.school, lesson.number)
    champion = school.vector if lesson.takes_last or not len(school.clones) else school.clone
    is_over = lesson.number == lesson.config.sets - 1
    if is_over and not lesson.takes_last and len(school.clones):
        champion = school.clones[training.choose_champion(school)]
    return school, champion, metrics


@dataclass(frozen=True)
class Faculty:
    """What a run knows: the first agent, the boards, the map, the experts."""

    base: School
    boards: Rows  # empty until there is a map
    genes: Genes  # [28]: the features that the map sees
    units: NDArray[np.float64]
    schools: list[School]
    champions: NDArray[np.float64]  # [units, numbers]

    def arrays(self) -> dict[str, Array]:
        """Return all of it as arrays."""
        clones = [school.clones for school in self.schools]
        size = self.base.vector.shape[0]
        return {
            **{f"base_{name}": array for name, array in vars(self.base).items()},
            "boards": self.boards,
            "genes": self.genes,
            "units": self.units,
            "champions": self.champions,
            "vectors": np.array([s.vector for s in self.schools]).reshape(-1, size),
            "opponents": np.array([s.clone for s in self.schools]).reshape(-1, size),
            "clones": np.concatenate([np.zeros((0, size)), *clones]),
            "owners": np.repeat(np.arange(len(clones)), [len(c) for c in clones]),
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Array]) -> "Faculty":
        """Return what `arrays` made."""
        schools = [
            School(vector, opponent, arrays["clones"][arrays["owners"] == unit])
            for unit, (vector, opponent) in enumerate(
                zip(arrays["vectors"], arrays["opponents"], strict=True)
            )
        ]
        base = School(**{name: arrays[f"base_{name}"] for name in School.__dataclass_fields__})
        kept = {name: arrays[name] for name in ("boards", "genes", "units", "champions")}
        return cls(base=base, schools=schools, **kept)


class Academy:
    """A run of `mp`: the first agent, the map, the experts."""

    def __init__(self, config: MpConfig, workers: Workers | None = None) -> None:
        self.config = config
        self.workers = workers or Workers()
        self.game = load_game(GAME)
        self.first = Training(GAME, self._td(config.seed), self.workers)
        self.layout = self.first.layout
        self.given = self._given_base()
        _refuse_nonsense(config)

    @property
    def base_sets(self) -> int:
        """How many steps it takes to train the first agent."""
        return 0 if self.given is not None else self.config.sets

    def birth(self) -> Faculty:
        """Return what there is before the first step."""
        base = self.first.birth()
        if self.given is not None:
            base = School(self.given, self.given, self.given[None])
        nothing = np.zeros((0, self.layout.length))
        genes = np.zeros(len(NAMES), np.uint8)
        boards = np.zeros((0, self.game.words), np.uint64)
        return Faculty(base, boards, genes, np.zeros((0, 0)), [], nothing)

    def advance(self, faculty: Faculty, step: int) -> tuple[Faculty, dict[str, Any]]:
        """Do one step of the run."""
        if step < self.base_sets:
            return self.teach_base(faculty, step)
        if step == self.base_sets:
            return self.draw_map(faculty)
        return self.teach_experts(faculty, step - self.base_sets - 1)

    def teach_base(self, faculty: Faculty, number: int) -> tuple[Faculty, dict[str, Any]]:
        """Play a set of the first agent."""
        school, metrics = self.first.advance(faculty.base, number)
        if number == self.config.sets - 1 and len(school.clones):
            champion = school.clones[self.first.choose_champion(school)]
            school = School(school.vector, champion, school.clones)
        return dataclasses.replace(faculty, base=school), {"phase": "first agent", **metrics}

    def base_vector(self, faculty: Faculty) -> Vector:
        """Return the first agent: its clone, or what it has become if it never passed a test."""
        return faculty.base.clone if len(faculty.base.clones) else faculty.base.vector

    def draw_map(self, faculty: Faculty) -> tuple[Faculty, dict[str, Any]]:
        """Collect boards from the first agent's games, and sort them by a map."""
        boards = self.collect(self.base_vector(faculty))
        genes, curve = self.map_genes(self.base_vector(faculty), boards)
        data = self.seen(boards, genes)
        units = self.train_map(data)
        sizes = np.bincount(kohonen.nearest(units, data), minlength=len(units))
        schools = [self._enrol(faculty, unit) for unit in range(len(units))]
        metrics = {
            "phase": "map",
            "boards": len(boards),
            "features": [name for name, gene in zip(NAMES, genes, strict=True) if gene],
            "gains": curve,
            "sizes": sizes.tolist(),
            "empty": int((sizes == 0).sum()),
            "distance": kohonen.quantisation_error(units, data),
        }
        champions = np.array([school.clone for school in schools])
        return Faculty(faculty.base, boards, genes, units, schools, champions), metrics

    def collect(self, player: Vector) -> Rows:
        """Return distinct positions from games of a network against itself."""
        config = self.config
        found: dict[int, Array] = {}
        for number in range(PATIENCE):
            tasks = [
                Chunk(
                    self.first.conditions,
                    player,
                    config.pieces,
                    (config.seed, SALT["boards"], number, part),
                )
                for part in range(PARTS)
            ]
            for boards in run_all(play_chunk, tasks, self.workers.jobs, self.workers.backend):
                found |= {self.game.hash(board): board for board in boards}
            if len(found) >= config.boards:
                return np.array(list(found.values())[: config.boards])
        raise BadExperts(
            f"After {PARTS * CHUNK * PATIENCE} games there are {len(found)} boards of "
            f"{config.pieces} pieces, not {config.boards}."
        )

    def map_genes(self, base: Vector, boards: Rows) -> tuple[Genes, list[float]]:
        """Return the features that the map sees; if they are bred, also how that went."""
        config = self.config
        if config.map_features != "chosen":
            chosen = chosen_features(config.map_features)
            return np.array([name in chosen for name in NAMES], np.uint8), []
        features = chosen_features(config.features)
        conditions = self.first.conditions
        tasks = [
            Playing(conditions, base, features, board, (config.seed, SALT["survey"], number))
            for number, board in enumerate(boards)
        ]
        return select(
            survey(tasks, self.workers),
            lambda genes: self.seen(boards, genes),
            self.train_map,
            (config.map_population, config.map_generations),
            np.random.default_rng([config.seed, SALT["genes"]]),
        )

    def seen(self, boards: Rows, genes: Genes) -> NDArray[np.float64]:
        """Return what the map sees of boards."""
        counts = feature_counts(boards)[:, genes.astype(bool)]
        return (counts > 0 if self.config.reading == "presence" else counts).astype(np.float64)

    def train_map(self, data: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the units of a map of what was seen."""
        config = self.config
        if config.map == "grid":
            return kohonen.train_grid(data, config.units, config.seed)
        rates = (config.map_rate, config.map_factor, config.map_last)
        generator = np.random.default_rng([config.seed, SALT["map"]])
        return kohonen.train_chain(data, config.units, generator, rates)

    def teach_experts(self, faculty: Faculty, number: int) -> tuple[Faculty, dict[str, Any]]:
        """Play a set of every expert."""
        data = self.seen(faculty.boards, faculty.genes)
        starts = kohonen.members(faculty.units, data, self.config.least)
        takes_last = self.config.champion == "last"
        lessons = [
            Lesson(self._expert_td(unit), school, faculty.boards[starts[unit]], number, takes_last)
            for unit, school in enumerate(faculty.schools)
        ]
        taught = run_all(teach_expert, lessons, self.workers.jobs, self.workers.backend)
        schools, champions, all_metrics = (list(part) for part in zip(*taught, strict=True))
        metrics = {
            "phase": "experts",
            "games": sum(m["games"] for m in all_metrics),
            "test": float(np.mean([m["test"] for m in all_metrics])),
            "error": float(np.mean([m["error"] for m in all_metrics])),
            "draws": sum(m["draws"] for m in all_metrics),
            "clones": sum(len(school.clones) for school in schools),
            "tests": [m["test"] for m in all_metrics],
        }
        changed = dataclasses.replace(faculty, schools=schools, champions=np.array(champions))
        return changed, metrics

    def classifier(self, genes: Genes) -> Classifier:
        """Return what sorts positions."""
        return make_classifier(
            self.game,
            "map",
            units=self.config.units,
            pieces=self.config.pieces,
            features=[name for name, gene in zip(NAMES, genes, strict=True) if gene],
            reading=self.config.reading,
        )

    def model(self, champion: Mapping[str, Array], card: dict[str, Any]) -> Model:
        """Return the player of a step: the first agent, with its experts if there are any."""
        if len(champion["experts"]) == 0:
            return self.layout.model(champion["base"], card)
        vectors = [champion["base"], *champion["experts"]]
        evaluator = experts_of(
            self.classifier(champion["genes"]),
            [self.layout.evaluator] * len(vectors),
            self.config.handover,
        )
        weights: dict[str, Array] = {"classifier.units": champion["units"].astype(np.float32)}
        for place, vector in enumerate(vectors):
            parts = self.layout.weights(vector)
            weights |= {f"{place}.{name}": array for name, array in parts.items()}
        return Model(evaluator, weights, card)

    def champion(self, faculty: Faculty) -> dict[str, Array]:
        """Return what a step is worth keeping: the player, and the boards of its map."""
        return {
            "base": self.base_vector(faculty),
            "boards": faculty.boards,
            "genes": faculty.genes,
            "units": faculty.units,
            "experts": faculty.champions,
        }

    def _enrol(self, faculty: Faculty, unit: int) -> School:
        """Return an expert before its first set."""
        if self.config.first == "random":
            return Training(GAME, self._expert_td(unit)).birth()
        vector = self.base_vector(faculty)
        return School(vector, vector, vector[None])  # the first agent is its first clone

    def _given_base(self) -> Vector | None:
        if not self.config.base:
            return None
        model = find_model(self.config.base, self.game)
        if model.evaluator.settings != self.layout.evaluator.settings:
            raise BadExperts(
                f"{self.config.base} has the settings {model.evaluator.settings}, the experts "
                f"{self.layout.evaluator.settings}; they must be the same."
            )
        return self.layout.genome(model.weights)

    def _td(self, seed: int) -> TdConfig:
        """Return the settings by which the first agent is trained."""
        config = self.config
        names = {field.name for field in dataclasses.fields(TdConfig)}
        shared = {k: value for k, value in vars(config).items() if k in names}
        return TdConfig(**{**shared, "seed": seed})

    def _expert_td(self, unit: int) -> TdConfig:
        config = self.config
        return dataclasses.replace(
            self._td(config.seed * 1000 + unit + 1),
            opening_plies=config.expert_plies,
            discount=config.expert_discount,
            rate=config.expert_rate,
        )


def _refuse_nonsense(config: MpConfig) -> None:
    if config.units < 2:
        raise BadExperts(f"A map has 2 units or more, not {config.units}.")
    if config.boards < config.units:
        raise BadExperts(f"{config.boards} boards are too few for {config.units} units.")
    if config.map == "grid" and math.isqrt(config.units) ** 2 != config.units:
        raise BadExperts(f"A square map has 4, 9, 16, 25 ... units, not {config.units}.")
    if config.map_features != "chosen":
        chosen_features(config.map_features)
    if not 2 <= config.pieces < 24:
        raise BadExperts(f"Experts take over at 2 to 23 pieces, not at {config.pieces}.")


# ---------------------------------------------------------------- the run


def learn(run: Run, workers: Workers | None = None) -> Generator[dict[str, Any]]:
    """Carry a run on from its last checkpoint to its end; yield the metrics of each step."""
    academy = Academy(build(MpConfig, run.settings()), workers)

    def begin(arrays: Mapping[str, Array] | None) -> Faculty:
        return academy.birth() if arrays is None else Faculty.of_arrays(arrays)

    def advance(faculty: Faculty, number: int) -> tuple[Faculty, dict[str, Any], dict[str, Array]]:
        faculty, metrics = academy.advance(faculty, number)
        return faculty, metrics, academy.champion(faculty)

    return carry_on(run, count_steps(run.settings()), begin, advance, Faculty.arrays)


def count_steps(settings: Mapping[str, Any]) -> int:
    """Return how many steps a run has in all."""
    base = 0 if settings["base"] else int(settings["sets"])
    return base + 1 + int(settings["sets"])


def describe_step(metrics: Mapping[str, Any]) -> str:
    """Return a step's metrics in a few words."""
    if metrics["phase"] == "map":
        return f"{metrics['boards']} boards, {metrics['empty']} units empty"
    return f"{metrics['phase']}: test {metrics['test']:.2f}, clones {metrics['clones']}"


def champion_model(run: Run, step: int | None = None) -> Model:
    """Return the champion of a step, or of the last one, as a model."""
    settings = run.config()
    chosen = run.chosen(step)
    academy = Academy(build(MpConfig, run.settings()))
    card = {
        "learner": "mp",
        "step": chosen,
        "config": settings,
        "options": {"quiescence": settings["quiescence"]},
    }
    return academy.model(run.champion(chosen), card)


def start(folder: Path, game: str, config: MpConfig) -> Run:
    """Create the folder of a new run."""
    if game != GAME:
        raise BadExperts(f"The learner 'mp' is for {GAME}, not for {game}.")
    Academy(config)  # refuses what does not fit together before anything is written
    return Run.create(folder, "mp", GAME, config)
