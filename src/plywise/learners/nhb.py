"""`nhb`: the general game player of paper 003, for any game, from nothing but its rules.

First games between players with random values give the first examples, from which the size of
the network's hidden layer is found by cross-validation. Then cycles: games against freshly
random networks (and one against itself) give examples, from which the network learns. All
that is random in a cycle comes from the seed and the cycle's number.
"""

import dataclasses
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.elm import elm, hidden_values, inputs_of, phases_of
from plywise.evaluators.model import Array, Model
from plywise.evaluators.noise import noise_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.learners import examples as sources
from plywise.learners.configs import NhbConfig
from plywise.learners.examples import Examples
from plywise.learners.oselm import OnlineRegression, choose_hidden_layer
from plywise.runs import Run, carry_on
from plywise.search.backward import PROVEN, Backward
from plywise.search.limits import Limit
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta
from plywise.search.trace import make_trace, traced_nodes
from plywise.settings import build
from plywise.system.parallel import Workers, run_all

TABLE_BITS = 14
TRACE_ROOM = 1 << 15
LONGEST_EXAM = 300  # plies, then it is a draw
VALIDATED = 10_000  # examples that the size of the hidden layer is chosen by
SALT = {
    "first": 0,
    "meet": 1,
    "hidden": 2,
    "exam": 3,
    "opening": 4,
}  # separate random numbers for each use


class BadTraining(PlywiseError):
    """Settings that do not fit together."""


# ---------------------------------------------------------------- one game


@dataclass(frozen=True)
class Meeting:
    """A training game: who plays, with what budget, and what is taken from it."""

    game: str
    config: NhbConfig
    weights: dict[str, Array] | None  # of the learner; none: random values
    is_self_play: bool
    learner_side: int
    seed: int
    margin: float | None  # of consistency


@dataclass(frozen=True)
class Lesson:
    """What a training game brought: its examples, and how it went for the learner."""

    examples: Examples
    score: int
    plies: int
    nodes: int


def make_model(game: Game, weights: Mapping[str, Array], view: str) -> Model:
    """Return the network with these weights."""
    phases = len(weights["bounds"]) + 1 if "bounds" in weights else 1
    evaluator = elm(game, hidden=len(weights["hidden_bias"]), view=view, phases=phases)
    return Model(evaluator, {name: array.astype(np.float32) for name, array in weights.items()})


def untrained_model(game: Game, hidden: int, view: str, seed: int) -> Model:
    """Return a network that has learned nothing: all its weights are random."""
    generator = np.random.default_rng(seed)
    inputs = game.rules.input_count
    output = generator.uniform(-1, 1, hidden)
    output = (output - output.mean()) / np.sqrt(hidden)  # keeps values away from the ends
    weights = {
        "hidden": generator.uniform(-1, 1, (inputs, hidden)),
        "hidden_bias": generator.uniform(-1, 1, hidden),
        "output": output,
    }
    return make_model(game, weights, view)


def _models(meeting: Meeting, game: Game) -> list[Model]:
    """Return who plays, the learner on its side."""
    seeds = np.random.default_rng(meeting.seed).integers(1 << 31, size=2)
    if meeting.weights is None:
        return [noise_model(game, int(seed)) for seed in seeds]
    view = view_of(game, meeting.config)
    learner = make_model(game, meeting.weights, view)
    if meeting.is_self_play:
        return [learner, learner]
    opponent = untrained_model(game, len(meeting.weights["hidden_bias"]), view, int(seeds[0]))
    return [learner, opponent] if meeting.learner_side == 0 else [opponent, learner]


def move_limit(config: NhbConfig) -> Limit:
    """Return the budget of a move."""
    if config.seconds > 0:
        return Limit(seconds=config.seconds)
    return Limit(nodes=config.nodes)


def play_meeting(meeting: Meeting) -> Lesson:
    """Play a training game and take its examples."""
    config, game = meeting.config, load_game(meeting.game)
    models = _models(meeting, game)
    trace = make_trace(game.words, TRACE_ROOM)
    options = Options(value_ordering=config.value_ordering)
    searches = [AlphaBeta(model, options, TABLE_BITS, trace) for model in models]
    limit = move_limit(config)
    record = Record(game)
    _play_randomly(record, meeting)
    opening = len(record.moves)
    found = [sources.none_of(game)]
    values: dict[int, float] = {}  # by ply, of the learner's searches
    nodes = 0
    while record.ending() is None and len(record.moves) < config.max_plies:
        side = record.side
        answer = searches[side].search(record, limit)
        nodes += answer.nodes
        seen = traced_nodes(trace)
        found.append(sources.proven_examples(seen))
        is_learner = meeting.is_self_play or side == meeting.learner_side
        if meeting.margin is not None and is_learner:
            found.append(sources.consistent_examples(seen, models[side], meeting.margin))
        if is_learner and meeting.weights is not None:
            values[len(record.moves)] = answer.value
        record.play(answer.move)
    ending = record.ending()
    if config.backward_nodes > 0 and ending is not None:
        backward = Backward(models[meeting.learner_side], meeting.margin)
        known = backward.search(record, Limit(nodes=config.backward_nodes))
        nodes += known.nodes
        found.append(Examples(known.positions, known.values, known.kinds))
    result = 0 if ending is None else ending.score
    searched = _some(sources.without_duplicates(sources.join(found)), meeting)
    played = sources.played_examples(record, result, config.fading)
    played = sources.bootstrapped(played, values, config.bootstrap)
    played = played.pick(np.arange(opening, len(played)))
    lesson = sources.join([searched, played])
    score = result if meeting.learner_side == 0 else -result
    return Lesson(sources.without_duplicates(lesson), score, len(record.moves), nodes)


def _play_randomly(record: Record, meeting: Meeting) -> None:
    """Begin a game with random plies, as many as its seed says."""
    generator = np.random.default_rng([meeting.seed, SALT["opening"]])
    for _ in range(generator.integers(meeting.config.random_plies + 1)):
        if record.ending() is None:
            record.play(generator.choice(record.legal_moves()))


def _some(searched: Examples, meeting: Meeting) -> Examples:
    """Return at most as many of the searched positions as a game may teach."""
    wanted = meeting.config.examples
    if not 0 < wanted < len(searched):
        return searched
    generator = np.random.default_rng([meeting.seed, len(searched)])
    return searched.pick(generator.permutation(len(searched))[:wanted])


# ---------------------------------------------------------------- measured as the paper does


@dataclass(frozen=True)
class Exam:
    """A test game of a network against a freshly random one."""

    model: Model
    limit: Limit
    options: Options
    side: int
    seed: int


def sit_exam(exam: Exam) -> int:
    """Return the result of a test game for the network: 1, 0 or -1."""
    model, game = exam.model, exam.model.game
    settings = model.evaluator.settings
    is_elm = model.evaluator.name == "elm"
    hidden, view = (settings["hidden"], settings["view"]) if is_elm else (100, "fixed")
    opponent = untrained_model(game, hidden, view, exam.seed)
    pair = (model, opponent) if exam.side == 0 else (opponent, model)
    searches = [AlphaBeta(player, exam.options, TABLE_BITS) for player in pair]
    record = Record(game)
    while record.ending() is None and len(record.moves) < LONGEST_EXAM:
        record.play(searches[record.side].search(record, exam.limit).move)
    ending = record.ending()
    result = 0 if ending is None else ending.score
    return result if exam.side == 0 else -result


def meet_untrained(
    model: Model,
    games: int,
    limit: Limit,
    workers: Workers | None = None,
    options: Options = Options(),
    seed: int = 0,
) -> list[int]:
    """Return the results of games against untrained networks, a new one for each game.

    The protocol of paper 003: equal budgets, sides in turn; the opponents' weights are all
    that is random. `seed` keeps these apart from the ones met in training.
    """
    where = workers or Workers()
    seeds = np.random.default_rng([seed, SALT["exam"]]).integers(1 << 31, size=games)
    exams = [Exam(model, limit, options, i % 2, int(s)) for i, s in enumerate(seeds)]
    return run_all(sit_exam, exams, where.jobs, where.backend)


# ---------------------------------------------------------------- the run


def view_of(game: Game, config: NhbConfig) -> str:
    """Return how the network sees the board, see `evaluators.elm.inputs_of`."""
    if config.view != "auto":
        return config.view
    return "mover" if game.mirror else "fixed"


class Training:
    """A run of training: the cycles one after the other."""

    def __init__(self, game: str, config: NhbConfig, workers: Workers | None = None) -> None:
        self.name = game
        self.game = load_game(game)
        self.config = config
        self.workers = workers or Workers()
        self.view = view_of(self.game, config)
        if config.seconds < 0 or config.nodes < 1:
            raise BadTraining("A move needs a budget: seconds above 0, or nodes from 1 on.")
        if not 0 < config.forgetting <= 1:
            raise BadTraining(f"The forgetting factor is in (0, 1], not {config.forgetting}.")
        if config.matches < 1 or config.first_matches < 1:
            raise BadTraining("A cycle needs a match, and so does the beginning.")
        if config.opponent == "itself" and config.random_plies < 1:
            raise BadTraining("Games against itself are all alike without random_plies.")
        if config.fading < 0 or config.random_plies < 0:
            raise BadTraining("Neither fading nor random_plies can be below 0.")
        if config.phases < 1:
            raise BadTraining(f"A game has one phase or more, not {config.phases}.")
        if not 0 <= config.bootstrap <= 1:
            raise BadTraining(f"The share of bootstrap is in [0, 1], not {config.bootstrap}.")

    def play(
        self, weights: dict[str, Array] | None, cycle: int, count: int
    ) -> tuple[Examples, dict[str, Any]]:
        """Play the games of a cycle; return their examples and metrics."""
        config = self.config
        use = SALT["first"] if weights is None else SALT["meet"]
        generator = np.random.default_rng([config.seed, use, cycle])
        is_trusted = weights is not None and cycle > config.consistent_after
        margin = config.consistency if config.consistency > 0 and is_trusted else None
        meetings = [
            Meeting(
                self.name,
                config,
                weights,
                weights is not None and self._is_self_play(index, count),
                index % 2,
                int(generator.integers(1 << 31)),
                margin,
            )
            for index in range(count)
        ]
        self._warm_up(meetings[0])
        lessons = run_all(play_meeting, meetings, self.workers.jobs, self.workers.backend)
        matches = [x.score for x, m in zip(lessons, meetings, strict=True) if not m.is_self_play]
        learned = sources.without_duplicates(sources.join([x.examples for x in lessons]))
        metrics = {
            "games": count,
            "wins": matches.count(1),
            "draws": matches.count(0),
            "losses": matches.count(-1),
            "plies": float(np.mean([lesson.plies for lesson in lessons])),
            "nodes": sum(lesson.nodes for lesson in lessons),
            "examples": len(learned),
            "proven": int((learned.kinds == PROVEN).sum()),
        }
        return learned, metrics

    def _is_self_play(self, index: int, count: int) -> bool:
        """Return whether a game of a cycle is against itself."""
        is_last = index == count - 1
        return self.config.opponent == "itself" or (self.config.self_play and is_last)

    def _warm_up(self, meeting: Meeting) -> None:
        """Compile what the games need, before many threads want it at once."""
        short = dataclasses.replace(self.config, nodes=1, seconds=0.0, max_plies=1)
        play_meeting(dataclasses.replace(meeting, config=short))
        for model in _models(meeting, self.game):
            Backward(model).search(Record(self.game), Limit(nodes=1))
            model.value(self.game.initial())

    def regression_data(self, learned: Examples) -> tuple[Any, Any]:
        """Return what the network sees of examples, and what it should answer."""
        inputs, signs = inputs_of(self.game, learned.positions, self.view)
        return inputs, signs * learned.values

    def begin(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """Play the first games and build the network on them."""
        config = self.config
        learned, metrics = self.play(None, 0, config.first_matches)
        inputs, targets = self.regression_data(learned)
        generator = np.random.default_rng([config.seed, SALT["hidden"]])
        if config.hidden > 0:
            weights = generator.uniform(
                -config.reach, config.reach, (inputs.shape[1], config.hidden)
            )
            bias = generator.uniform(-config.reach, config.reach, config.hidden)
        else:
            some = generator.permutation(len(inputs))[:VALIDATED]
            layer = choose_hidden_layer(
                inputs[some],
                targets[some],
                generator,
                reach=config.reach,
                ridge=config.ridge,
                largest=config.largest,
            )
            weights, bias = layer.weights, layer.bias
            metrics["validation_error"] = layer.error
        metrics["hidden"] = len(bias)
        state = {"hidden": weights, "hidden_bias": bias}
        if config.phases > 1:
            filled = np.count_nonzero(inputs, axis=1)
            shares = np.arange(1, config.phases) / config.phases
            state["bounds"] = np.ceil(np.quantile(filled, shares))
        hidden = hidden_values(inputs, weights, bias)
        parts = [
            OnlineRegression.begin(hidden[chosen], targets[chosen], config.ridge)
            for chosen in self._by_phase(state, inputs)
        ]
        state |= self._stacked(parts)
        metrics["error"] = self._error(state, inputs, hidden, targets)
        return state, metrics

    def cycle(
        self, state: dict[str, Array], number: int
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Play the games of a cycle and learn from them."""
        learned, metrics = self.play(weights_of(state), number, self.config.matches)
        inputs, targets = self.regression_data(learned)
        hidden = hidden_values(inputs, state["hidden"], state["hidden_bias"])
        metrics["error"] = self._error(state, inputs, hidden, targets)
        parts = [
            OnlineRegression(inverse, output).learn(
                hidden[chosen], targets[chosen], self.config.forgetting
            )
            for inverse, output, chosen in zip(
                self._each_phase(state["inverse"]),
                self._each_phase(state["output"]),
                self._by_phase(state, inputs),
                strict=True,
            )
        ]
        return {**state, **self._stacked(parts)}, metrics

    def _by_phase(self, state: Mapping[str, Array], inputs: Any) -> list[Array]:
        """Return which examples belong to each phase."""
        phase = phases_of(inputs, state.get("bounds", np.zeros(0)))
        return [np.flatnonzero(phase == number) for number in range(self.config.phases)]

    def _each_phase(self, array: Array) -> list[Array]:
        """Return an array of the state for each phase; a single one is kept as it is."""
        return [array] if self.config.phases == 1 else list(array)

    def _stacked(self, parts: list[OnlineRegression]) -> dict[str, Array]:
        """Return the regressions of all phases as arrays of the state."""
        if len(parts) == 1:
            return {"inverse": parts[0].inverse, "output": parts[0].weights}
        return {
            "inverse": np.stack([part.inverse for part in parts]),
            "output": np.stack([part.weights for part in parts]),
        }

    def _error(self, state: Mapping[str, Array], inputs: Any, hidden: Any, targets: Any) -> float:
        """Return the mean squared error of the network on examples."""
        outputs = self._each_phase(state["output"])
        squares = sum(
            float(np.sum((hidden[chosen] @ output - targets[chosen]) ** 2))
            for output, chosen in zip(outputs, self._by_phase(state, inputs), strict=True)
        )
        return squares / len(targets)


def weights_of(state: Mapping[str, Array]) -> dict[str, Array]:
    """Return the network's weights out of a training's state."""
    names = ("hidden", "hidden_bias", "output", "bounds")
    return {name: state[name] for name in names if name in state}


def learn(run: Run, workers: Workers | None = None) -> Generator[dict[str, Any]]:
    """Carry a run on from its last checkpoint to its end; yield the metrics of each cycle."""
    config = build(NhbConfig, run.settings())
    training = Training(run.config()["game"], config, workers)

    def begin(arrays: Mapping[str, Array] | None) -> dict[str, Array]:
        return dict(arrays or {})

    def advance(
        state: dict[str, Array], number: int
    ) -> tuple[dict[str, Array], dict[str, Any], dict[str, Array]]:
        state, metrics = training.begin() if number == 0 else training.cycle(state, number)
        return state, metrics, weights_of(state)

    return carry_on(run, config.cycles + 1, begin, advance, dict)


def count_steps(settings: Mapping[str, Any]) -> int:
    """Return how many steps a run has in all: the first games, and the cycles."""
    return int(settings["cycles"]) + 1


def describe_step(metrics: Mapping[str, Any]) -> str:
    """Return a cycle's metrics in a few words."""
    score = f"{metrics['wins']}-{metrics['draws']}-{metrics['losses']}"
    rate = metrics["games"] / metrics["seconds"]
    met = "" if score == "0-0-0" else f"{score} against untrained, "
    return f"{rate:.1f} games/s, {met}error {metrics['error']:.3f}"


def champion_model(run: Run, step: int | None = None) -> Model:
    """Return the network after a cycle, or after the last one, as a model."""
    settings = run.config()
    game = load_game(settings["game"])
    chosen = run.chosen(step)
    model = make_model(game, run.champion(chosen), view_of(game, build(NhbConfig, run.settings())))
    card = {
        "learner": "nhb",
        "step": chosen,
        "config": settings,
        "options": {"value_ordering": settings["value_ordering"]},
    }
    return Model(model.evaluator, model.weights, card)


def start(folder: Path, game: str, config: NhbConfig) -> Run:
    """Create the folder of a new run."""
    Training(game, config)  # refuses what does not fit together before anything is written
    return Run.create(folder, "nhb", game, config)
