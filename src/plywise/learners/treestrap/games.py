"""Whole games in which every search teaches, compiled; and batches of them as tasks for workers.

    method        what is trained            towards
    TREE          every node of the tree     its value there, or its bound
    ROOT          the root                   what the search found for it
    TD_LEAF       the leaf of the best line  the lambda-return from the next position on
    TD_ROOT       the root                   the same

The first two learn after every move. The last two, and the share `returns` of the first, learn
after the game, from its last position back to the first. With V(t) what the search at ply t found
for the side to move there, and s = -1 where it is another at t + 1, else 1:

    G(end) = result,   G(t) = s ((1 - lambda) V(t + 1) + lambda G(t + 1))

From a ply whose move was random nothing is learned by G. A leaf that is no judgement of the
evaluator (the end of the game, a repetition) has a value but no gradient, and pulls at nothing.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywise.evaluators.model import Array
from plywise.game import Row, result_of
from plywise.game.results import DRAW, ONGOING
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.kernel.random import below, random_word
from plywise.learners.patterns.games import Setup
from plywise.learners.patterns.learning import WEIGHT
from plywise.learners.td.temporal import CHANCES, CLOSE, best_leaf
from plywise.learners.treestrap.pupil import Pupil, Steps, make_pupil, pull, take_step
from plywise.search import table as tables
from plywise.search.duel import TABLE_BITS, make_task, search_root, set_root
from plywise.search.options import PLAIN, Options
from plywise.search.repetition import is_repeated
from plywise.search.scores import SCALE
from plywise.search.table import EXACT
from plywise.search.task import sign_of
from plywise.search.trace import DONE_COUNT, DONE_HALF, FINISHED, make_trace

TREE, ROOT, TD_LEAF, TD_ROOT = range(4)
TRACE_ROOM = 1 << 15  # nodes; of a larger tree the last ones teach, the root among them
DEEP, DEEP_TABLE_BITS = 4, 17  # from this depth on a tree wants a larger table and better order
# No pass, which would be a node of no game; and every node is as deep as its ply says.
ALPHABETA = Options(null_move=False, extensions=False, value_ordering=DEEP)
MINIMAX = PLAIN._replace(repetition=True)


class Rule(NamedTuple):
    """How is played and what teaches."""

    method: int
    fading: float  # for each ply below the root
    decay: float  # lambda
    returns: float  # what a lambda-return counts
    random_plies: int
    exploration: int  # in CHANCES


class Story(NamedTuple):
    """A game as it was played; `plies` is its longest."""

    keys: Any  # [plies + 1]
    roots: Any  # [plies + 1, words]
    leaves: Any  # [plies + 1, words]: where the best line ended
    values: Any  # [plies + 1]: what the search found, at the end the result
    signs: Any  # [plies]: of the move from a ply to the next
    is_own: Any  # [plies]: whether a move was the search's own
    has_leaf: Any  # [plies]: whether the leaf is a judgement of the evaluator
    depths: Any  # [pieces]: plies of the search when so many are on the board


def make_story(words: int, plies: int, depths: NDArray[np.int64]) -> Story:
    """Return room for a game."""
    return Story(
        np.zeros(plies + 1, np.uint64),
        np.zeros((plies + 1, words), np.uint64),
        np.zeros((plies + 1, words), np.uint64),
        np.zeros(plies + 1),
        np.zeros(plies, np.int8),
        np.zeros(plies, np.bool_),
        np.zeros(plies, np.bool_),
        depths,
    )


# ---------------------------------------------------------------- what teaches


@compiled
def learn_from_tree(pupil: Pupil, rule: Rule) -> None:
    """Learn from the nodes that the last search has left in its trace, or from its root."""
    game, trace = pupil.task.game, pupil.trace
    room = len(trace.scores) // 2
    count = trace.state[DONE_COUNT]
    first = trace.state[DONE_HALF] * room
    begin = count - 1 if rule.method == ROOT else max(0, count - room)
    for number in range(begin, count):
        place = first + number % room
        if trace.depths[place] == FINISHED:
            continue
        target = min(1.0, max(-1.0, trace.scores[place] / SCALE))
        mass = rule.fading ** trace.plies[place]
        if rule.method == TREE and trace.plies[place] == 0:
            mass *= 1.0 - rule.returns
        pull(pupil, game.load_at(trace.positions, place), target, trace.bounds[place], mass)
    take_step(pupil, 1.0 - rule.returns if rule.method == ROOT else 1.0)


@compiled
def learn_from_game(pupil: Pupil, rule: Rule, story: Story, opening: Whole, plies: Whole) -> None:
    """Learn from the lambda-returns of a game that is over, a step for each ply after the opening.

    What a random move led to tells nothing of the position before it.
    """
    game = pupil.task.game
    is_alone = rule.method == TD_LEAF or rule.method == TD_ROOT
    share = 1.0 if is_alone else rule.returns
    value = follows = story.values[plies]
    for back in range(plies - opening):
        ply = plies - 1 - back
        target = story.signs[ply] * (value + rule.decay * (follows - value))
        value = story.values[ply]
        follows = target if story.is_own[ply] else value
        if not story.is_own[ply]:
            continue
        if rule.method == TD_LEAF:
            learn_from_leaf(pupil, story, ply, target)
        else:
            pull(pupil, game.load_at(story.roots, ply), target, EXACT, 1.0)
            take_step(pupil, share)


@compiled
def learn_from_leaf(pupil: Pupil, story: Story, ply: Whole, target: float) -> None:
    """Let the leaf of a ply's best line learn what its root should have been worth."""
    game = pupil.task.game
    if not story.has_leaf[ply]:
        return
    leaf = game.load_at(story.leaves, ply)
    if game.side(leaf) != game.side(game.load_at(story.roots, ply)):
        target = -target
    pull(pupil, leaf, target, EXACT, 1.0)
    take_step(pupil, 1.0)


# ---------------------------------------------------------------- a game


@compiled
def pieces_on(game: Bundle, position: Position) -> Whole:
    """Return how many pieces are on the board; 0 where a game has no cells."""
    if game.has_pieces:
        return np.int64(game.pieces(position))
    codes = np.zeros(game.cell_count, np.int8)
    if game.has_cells:
        game.cells(position, codes)
    count = np.int64(0)
    for code in codes:
        count += np.int64(code != 0)
    return count


@compiled
def think(pupil: Pupil, rule: Rule, story: Story, position: Position, played: Whole) -> Word:
    """Return the move of the search, whose findings are noted; nothing is remembered from before.

    The judgement has changed since the last search.
    """
    task = pupil.task
    depth = story.depths[0]
    if len(story.depths) > 1:
        depth = story.depths[min(pieces_on(task.game, position), len(story.depths) - 1)]
    set_root(task, position, story.keys, played)
    if task.options.table:
        tables.empty(task.table)
    search_root(task, position, depth)
    found = min(1.0, max(-1.0, task.memory.best_score / SCALE))
    story.values[played] = found
    if rule.method == TD_LEAF:
        note_leaf(pupil, story, position, found, played)
    best: Word = task.memory.best_line[0]
    return best


@compiled
def note_leaf(pupil: Pupil, story: Story, position: Position, found: float, played: Whole) -> None:
    """Note where the best line ended, and whether its value is a judgement of the evaluator."""
    task = pupil.task
    leaf = best_leaf(task, position)
    accumulator = task.memory.accumulator
    task.evaluator.refresh(task.params, accumulator, 0, leaf)
    value = task.evaluator.value(task.params, accumulator, 0, leaf)
    if task.game.side(leaf) != task.game.side(position):
        value = -value
    task.game.store_at(leaf, story.leaves, played)
    story.has_leaf[played] = abs(value - found) <= CLOSE


@compiled
def outcome(pupil: Pupil, story: Story, position: Position, played: Whole) -> Whole:
    """Return the result for the side to move, or ONGOING; a game too long is a draw."""
    game = pupil.task.game
    result = np.int64(result_of(game, position, pupil.task.memory.moves[0]))
    if result != ONGOING:
        return result
    if game.repetitions > 0:
        if is_repeated(game, story.keys, played, 0, game.clock(position)):
            return np.int64(DRAW)
    return np.int64(DRAW) if played >= len(story.signs) else result


@compiled
def any_move(pupil: Pupil, position: Position) -> Word:
    """Return a random legal move."""
    memory = pupil.task.memory
    count = pupil.task.game.moves(position, memory.moves[0])
    move: Word = memory.moves[0, below(pupil.state, count)]
    return move


@compiled
def play_and_learn(pupil: Pupil, rule: Rule, story: Story, row: Row) -> tuple[Whole, Whole]:
    """Play a game against itself, learning; return its result for side 0, and its plies."""
    game = pupil.task.game
    position = game.load(row)
    learns_at_once = rule.method == TREE or rule.method == ROOT
    played = np.int64(0)
    while True:
        story.keys[played] = game.hash(position)
        game.store_at(position, story.roots, played)
        result = outcome(pupil, story, position, played)
        if result != ONGOING:
            break
        is_own = bool(played >= rule.random_plies)
        if is_own:
            move = think(pupil, rule, story, position, played)
            if learns_at_once:
                learn_from_tree(pupil, rule)
            is_own = bool(below(pupil.state, CHANCES) >= rule.exploration)
        if not is_own:
            move = any_move(pupil, position)
        story.is_own[played] = is_own
        after = game.apply(position, move)
        story.signs[played] = sign_of(game, position, after)
        position = after
        played += 1
    story.values[played] = float(result)
    if rule.returns > 0.0 or not learns_at_once:
        learn_from_game(pupil, rule, story, min(played, rule.random_plies), played)
    return (result if game.side(position) == 0 else -result), played


# ---------------------------------------------------------------- batches


@dataclass(frozen=True)
class Batch:
    """Games to be played one after the other, beginning with the same numbers as others."""

    setup: Setup
    rule: Rule
    options: Options
    steps: Steps
    depths: tuple[int, ...]
    numbers: Array  # [3, N]
    rates: Array  # [N]
    games: int
    seed: tuple[int, ...]


class Changes(NamedTuple):
    """Which of many numbers have changed, and to what: most of a large table do not."""

    places: NDArray[np.int64]
    numbers: Array  # [3, places]

    @classmethod
    def between(cls, before: Array, after: Array) -> "Changes":
        """Return what is not as it was."""
        places = np.flatnonzero((before != after).any(axis=0))
        return cls(places, after[:, places])


class Taught(NamedTuple):
    """What a batch of games came to."""

    changes: Changes
    results: list[int]  # for side 0
    plies: int
    nodes: int  # of all searches
    seen: int  # nodes that were looked at
    taught: int  # and those that were not on the right side of their bound
    squares: float  # of their errors


def teach_batch(batch: Batch) -> Taught:
    """Play a batch of games and learn from them."""
    model = batch.setup.model(batch.numbers[WEIGHT])
    game, numbers = model.game, batch.numbers.copy()
    trace = make_trace(game.words, TRACE_ROOM)
    bits = DEEP_TABLE_BITS if max(batch.depths) >= DEEP else TABLE_BITS
    task = make_task(game, model, batch.options, bits)._replace(trace=trace)
    random = random_word(np.random.default_rng(batch.seed))
    pupil = make_pupil(task, batch.steps, numbers, batch.rates, random)
    story = make_story(game.words, batch.setup.max_plies, np.array(batch.depths))
    row, results, plies = game.initial(), [], 0
    for _ in range(batch.games):
        result, length = play_and_learn(pupil, batch.rule, story, row)
        results.append(int(result))
        plies += int(length)
    state, nodes = pupil.state, int(task.memory.nodes)
    counts = (plies, nodes, int(state.seen), int(state.taught))
    changes = Changes.between(batch.numbers, numbers)
    return Taught(changes, results, *counts, float(state.squares))
