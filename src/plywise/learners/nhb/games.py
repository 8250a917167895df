"""The games of `nhb`: those that examples are taken from, and tests against untrained networks."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from plywise.evaluators.elm import elm
from plywise.evaluators.model import Array, Model
from plywise.evaluators.noise import noise_model
from plywise.game import Game
from plywise.game.record import Record
from plywise.games import load_game
from plywise.learners.nhb import examples as sources
from plywise.learners.nhb.examples import Examples
from plywise.learners.nhb.settings import NhbSettings
from plywise.search.backward import Backward
from plywise.search.limits import Limit
from plywise.search.options import Options
from plywise.search.searchers import AlphaBeta
from plywise.search.trace import make_trace, traced_nodes
from plywise.system.parallel import Workers, run_all

TABLE_BITS = 14
TRACE_ROOM = 1 << 15
LONGEST_TEST = 300  # plies, then it is a draw
SALT = {"test": 3, "opening": 4}  # separate random numbers for each use, apart from the learner's


# ---------------------------------------------------------------- networks


def view_of(game: Game, settings: NhbSettings) -> str:
    """Return how the network sees the board, see `evaluators.elm.inputs_of`."""
    if settings.view != "auto":
        return settings.view
    return "mover" if game.mirror else "fixed"


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


# ---------------------------------------------------------------- training games


@dataclass(frozen=True)
class TrainingGame:
    """A game to be played: who plays, with what budget, and what is taken from it."""

    game: str
    settings: NhbSettings
    weights: dict[str, Array] | None  # of the learner; none: random values
    is_self_play: bool
    learner_side: int
    seed: int
    margin: float | None  # of consistency


@dataclass(frozen=True)
class GameOutcome:
    """What a training game brought: its examples, and how it went for the learner."""

    examples: Examples
    score: int
    plies: int
    nodes: int


def models_of(task: TrainingGame, game: Game) -> list[Model]:
    """Return who plays, the learner on its side."""
    seeds = np.random.default_rng(task.seed).integers(1 << 31, size=2)
    if task.weights is None:
        return [noise_model(game, int(seed)) for seed in seeds]
    view = view_of(game, task.settings)
    learner = make_model(game, task.weights, view)
    if task.is_self_play:
        return [learner, learner]
    opponent = untrained_model(game, len(task.weights["hidden_bias"]), view, int(seeds[0]))
    return [learner, opponent] if task.learner_side == 0 else [opponent, learner]


def move_limit(settings: NhbSettings) -> Limit:
    """Return the budget of a move."""
    if settings.seconds > 0:
        return Limit(seconds=settings.seconds)
    return Limit(nodes=settings.nodes)


def play_training_game(task: TrainingGame) -> GameOutcome:
    """Play a training game and take its examples."""
    settings, game = task.settings, load_game(task.game)
    models = models_of(task, game)
    trace = make_trace(game.words, TRACE_ROOM)
    options = Options(value_ordering=settings.value_ordering)
    searches = [AlphaBeta(model, options, TABLE_BITS, trace) for model in models]
    limit = move_limit(settings)
    record = Record(game)
    _play_randomly(record, task)
    opening = len(record.moves)
    found = [sources.none_of(game)]
    values: dict[int, float] = {}  # by ply, of the learner's searches
    nodes = 0
    while record.ending() is None and len(record.moves) < settings.max_plies:
        side = record.side
        answer = searches[side].search(record, limit)
        nodes += answer.nodes
        seen = traced_nodes(trace)
        found.append(sources.proven_examples(seen))
        is_learner = task.is_self_play or side == task.learner_side
        if task.margin is not None and is_learner:
            found.append(sources.consistent_examples(seen, models[side], task.margin))
        if is_learner and task.weights is not None:
            values[len(record.moves)] = answer.value
        record.play(answer.move)
    ending = record.ending()
    if settings.backward_nodes > 0 and ending is not None:
        backward = Backward(models[task.learner_side], task.margin)
        known = backward.search(record, Limit(nodes=settings.backward_nodes))
        nodes += known.nodes
        found.append(Examples(known.positions, known.values, known.kinds))
    result = 0 if ending is None else ending.score
    searched = _some(sources.without_duplicates(sources.join(found)), task)
    played = sources.played_examples(record, result, settings.fading)
    played = sources.bootstrapped(played, values, settings.bootstrap)
    played = played.pick(np.arange(opening, len(played)))
    learned = sources.without_duplicates(sources.join([searched, played]))
    score = result if task.learner_side == 0 else -result
    return GameOutcome(learned, score, len(record.moves), nodes)


def _play_randomly(record: Record, task: TrainingGame) -> None:
    """Begin a game with random plies, as many as its seed says."""
    generator = np.random.default_rng([task.seed, SALT["opening"]])
    for _ in range(generator.integers(task.settings.random_plies + 1)):
        if record.ending() is None:
            record.play(generator.choice(record.legal_moves()))


def _some(searched: Examples, task: TrainingGame) -> Examples:
    """Return at most as many of the searched positions as a game may teach."""
    wanted = task.settings.examples
    if not 0 < wanted < len(searched):
        return searched
    generator = np.random.default_rng([task.seed, len(searched)])
    return searched.pick(generator.permutation(len(searched))[:wanted])


# ---------------------------------------------------------------- test games, as the paper has them


@dataclass(frozen=True)
class TestGame:
    """A test game of a network against a freshly random one."""

    model: Model
    limit: Limit
    options: Options
    side: int
    seed: int


def play_test_game(task: TestGame) -> int:
    """Return the result of a test game for the network: 1, 0 or -1."""
    model, game = task.model, task.model.game
    settings = model.evaluator.settings
    is_elm = model.evaluator.name == "elm"
    hidden, view = (settings["hidden"], settings["view"]) if is_elm else (100, "fixed")
    opponent = untrained_model(game, hidden, view, task.seed)
    pair = (model, opponent) if task.side == 0 else (opponent, model)
    searches = [AlphaBeta(player, task.options, TABLE_BITS) for player in pair]
    record = Record(game)
    while record.ending() is None and len(record.moves) < LONGEST_TEST:
        record.play(searches[record.side].search(record, task.limit).move)
    ending = record.ending()
    result = 0 if ending is None else ending.score
    return result if task.side == 0 else -result


def meet_untrained(
    model: Model,
    games: int,
    limit: Limit,
    workers: Workers = Workers(),
    options: Options = Options(),
    seed: int = 0,
) -> list[int]:
    """Return the results of games against untrained networks, a new one for each game.

    The protocol of paper 003: equal budgets, sides in turn; the opponents' weights are all
    that is random. `seed` keeps these apart from the ones met in training.
    """
    seeds = np.random.default_rng([seed, SALT["test"]]).integers(1 << 31, size=games)
    tasks = [TestGame(model, limit, options, i % 2, int(s)) for i, s in enumerate(seeds)]
    return run_all(play_test_game, tasks, workers)
