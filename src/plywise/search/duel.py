"""Duels: whole games between two alpha-beta players in compiled code.

Learners play thousands of shallow games; leaving compiled code for every move would cost
more than the moves.
"""

from typing import Any, NamedTuple

import numpy as np

from plywise.evaluators.model import Model
from plywise.game import Game, Row, result_of
from plywise.game.results import DRAW, ONGOING
from plywise.kernel import compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.limits import UNLIMITED_NODES
from plywise.search.negamax import deepen_from
from plywise.search.options import Options
from plywise.search.repetition import is_repeated
from plywise.search.table import make_table
from plywise.search.task import PAST, Task, make_memory

TABLE_BITS = 12


@compiled
def set_root(task: Task, position: Position, keys: Any, played: Whole) -> None:
    """Make a position the root of a search; the game's keys tell it of repetitions."""
    game, memory = task.game, task.memory
    past = min(game.clock(position), min(played, PAST)) if game.repetitions > 0 else 0
    for index in range(past):
        memory.keys[index] = keys[played - past + index]
    memory.past = past
    memory.root_moves = game.moves(position, memory.moves[0])
    memory.best_line[0] = memory.moves[0, 0]


@compiled
def search_root(task: Task, position: Position, depth: Whole) -> None:
    """Search the root to a depth; what was found stays in the memory."""
    for ply in range(depth + 2):
        task.memory.killers[ply, 0] = 0
        task.memory.killers[ply, 1] = 0
    deepen_from(task, position, 1 if task.options.deepening else depth, depth)


@compiled
def choose(task: Task, position: Position, keys: Any, played: Whole, depth: Whole) -> Word:
    """Return the move of alpha-beta at a depth."""
    set_root(task, position, keys, played)
    if task.memory.root_moves > 1:
        search_root(task, position, depth)
    best: Word = task.memory.best_line[0]
    return best


@compiled
def duel(
    tasks: tuple[Task, Task], row: Row, opening: Row, depth: Whole, made: Row
) -> tuple[Whole, Whole]:
    """Play a game from a position; return its result for side 0 and the number of plies.

    The moves of `opening` are made first. All moves are written to `made`; a game that fills
    it is a draw.
    """
    game = tasks[0].game
    position = game.load(row)
    keys = np.empty(len(made) + 1, np.uint64)
    keys[0] = game.hash(position)
    played = np.int64(0)
    while True:
        result = result_of(game, position, tasks[0].memory.moves[0])
        if result != ONGOING:
            return (result if game.side(position) == 0 else -result), played
        repeats = game.repetitions > 0
        if repeats and is_repeated(game, keys, played, 0, game.clock(position)):
            return DRAW, played
        if played >= len(made):
            return DRAW, played
        if played < len(opening):
            move = opening[played]
        elif game.side(position) == 0:
            move = choose(tasks[0], position, keys, played, depth)
        else:
            move = choose(tasks[1], position, keys, played, depth)
        position = game.apply(position, move)
        made[played] = move
        played += 1
        keys[played] = game.hash(position)


def make_task(game: Game, model: Model, options: Options, table_bits: int = TABLE_BITS) -> Task:
    """Return a task of its own memory and a small table for shallow searches."""
    width = model.evaluator.bundle.width
    memory: Any = make_memory(game.max_moves, width)[0]
    memory.node_limit = UNLIMITED_NODES
    table = make_table(table_bits)
    return Task(game.rules, model.evaluator.bundle, model.params, memory, table, options, None)


class Played(NamedTuple):
    """A game between two models: its result for side 0, and what it took."""

    result: int
    moves: Row  # all of them, with those of the opening
    nodes: int
    evaluations: int

    @property
    def plies(self) -> int:
        return len(self.moves)


def play_duel(
    models: tuple[Model, Model],
    options: Options,
    depth: int,
    max_plies: int,
    opening: Row,
    start: Row | None = None,
) -> Played:
    """Return a game between two models, a draw if it has `max_plies` plies after the opening."""
    game = models[0].game
    tasks = (make_task(game, models[0], options), make_task(game, models[1], options))
    made = np.empty(len(opening) + max_plies, np.uint64)
    row = game.initial() if start is None else start
    result, plies = duel(tasks, row, opening, np.int64(depth), made)
    memories = [task.memory for task in tasks]
    nodes, evaluations = (
        sum(int(memory[name]) for memory in memories) for name in ("nodes", "evaluations")
    )
    return Played(int(result), made[:plies], nodes, evaluations)
