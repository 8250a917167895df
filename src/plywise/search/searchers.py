"""Searches as objects: memory that lasts from move to move, budgets, and what was found."""

import dataclasses
import time
from typing import Any, Protocol

import numpy as np

from plywise.errors import PlywiseError
from plywise.evaluators.model import Model
from plywise.game import Game, Row
from plywise.game.record import Record
from plywise.kernel.random import random_word
from plywise.search import mcts
from plywise.search.crew import Crew
from plywise.search.limits import (
    UNLIMITED_NODES,
    Analysis,
    Found,
    Limit,
    RootMove,
    Tell,
    TellAnalysis,
)
from plywise.search.negamax import NEGAMAX
from plywise.search.options import Options
from plywise.search.scores import distance, is_proven, value_of_score
from plywise.search.table import NO_MOVE, make_table, stamp_of
from plywise.search.task import PAST, PLIES, Tree, make_memory
from plywise.search.trace import Trace, clear_trace
from plywise.system.stopping import StopToken, run_until, run_watching

# By how many steps have kept the best move: after which share of the planned time none is begun.
PATIENCE = (1.2, 0.9, 0.75, 0.65, 0.55, 0.5)
ALARM = 0.06  # by how much a value falls that is worth more time


class Search(Protocol):
    """Spends a budget on a position and says what it found.

    It has memory, so it answers one request at a time. A request that is stopped, even before it
    begins, is answered with a legal move.
    """

    @property
    def game(self) -> Game: ...

    def search(
        self, record: Record, limit: Limit, stop: StopToken | None = None, tell: Tell | None = None
    ) -> Found:
        """Return the move found; `tell` hears of every step on the way."""
        ...

    def analyse(
        self,
        record: Record,
        limit: Limit,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Return the best lines; `tell` hears what is known after every step."""
        ...

    def forget(self) -> None:
        """Drop what is remembered of earlier searches."""
        ...

    def reseed(self, seed: int) -> None:
        """Begin a new sequence of random numbers, if any are used."""
        ...


def _past_keys(record: Record, room: int) -> list[int]:
    """Return the keys of positions before the last that it may repeat, oldest first."""
    if record.game.repetitions == 0:
        return []
    reach = min(room, record.game.clock(record.position), len(record.keys) - 1)
    return record.keys[len(record.keys) - 1 - reach : -1]


def _own(model: Model) -> Model:
    """Return a model whose parameters nobody else focuses."""
    return model if model.evaluator.focus is None else dataclasses.replace(model)


def _focus(search: Search, model: Model, record: Record) -> None:
    """Let the evaluator look at the game so far; what was remembered is void if it changes."""
    focus = model.evaluator.focus
    if focus is not None and focus(model.params, record.positions):
        search.forget()


def _root_moves(record: Record) -> Row:
    moves = record.game.legal_moves(record.position)
    if len(moves) == 0:
        raise PlywiseError("There is nothing to search: the game is over.")
    return moves


class AlphaBeta:
    """Alpha-beta with a table that lasts for the game.

    What `tree` is searched, is that of `negamax`, or of `comparison` for a comparator. With several
    threads (`Crew`) the same budget need not give the same move twice.
    """

    def __init__(
        self,
        model: Model,
        options: Options = Options(),
        table_bits: int = 20,
        trace: Trace | None = None,
        threads: int = 1,
        tree: Tree = NEGAMAX,
    ) -> None:
        if threads > 1 and tree is not NEGAMAX:
            raise PlywiseError("Only plain alpha-beta searches with several threads.")
        self.game = model.game
        self.model = _own(model)
        self.tree = tree
        width = model.evaluator.bundle.width
        holders = [make_memory(self.game.max_moves, width) for _ in range(threads)]
        self.memory: Any = holders[0][0]
        self._stop_byte = holders[0]["stop"]
        self._helpers: list[Any] = [holder[0] for holder in holders[1:]]
        self._is_warm = False
        self._age = 0
        table = make_table(table_bits)
        self.task = tree.make_task(self.model, self.memory, table, options, trace)

    def forget(self) -> None:
        """Empty the table and the ordering memories."""
        self.task.table.view(np.uint8)[:] = 0
        self.tree.forget(self.task)
        for memory in (self.memory, *self._helpers):
            memory.killers[:] = 0
            memory.history[:] = 0
            memory.counters[:] = NO_MOVE
            memory.memo_keys[:] = 0
            if self.task.options.continuation:
                memory.continuation[:] = 0
        self._age = 0

    def reseed(self, seed: int) -> None:
        """Do nothing: alpha-beta is not random."""

    def search(
        self, record: Record, limit: Limit, stop: StopToken | None = None, tell: Tell | None = None
    ) -> Found:
        """Return the best move and line for the side to move."""
        return self.search_moves(record, _root_moves(record), limit, stop, tell)

    def search_moves(
        self,
        record: Record,
        moves: Row,
        limit: Limit,
        stop: StopToken | None = None,
        tell: Tell | None = None,
    ) -> Found:
        """Return the best of some of the moves."""
        if limit.is_open:
            raise PlywiseError("A search needs a limit: depth, nodes or seconds.")
        _focus(self, self.model, record)
        if not self._is_warm:  # compiling must not count as thinking
            self._set_up(self.memory, record, moves, Limit(nodes=1))
            self.tree.deepen(self.task, record.position, 1, 1)
            self._is_warm = True
        self._age += 1
        for thread, memory in enumerate((self.memory, *self._helpers)):
            self._set_up(memory, record, moves, limit)
            memory.stamp = stamp_of(self._age, thread)
        clear_trace(self.task.trace)
        last = min(limit.depth or PLIES, PLIES)
        if self._helpers:
            return self._search_together(record.position, last, limit, stop, tell)
        return run_watching(
            self._stop_byte,
            lambda: self._deepen(record.position, last, limit.planned, tell),
            limit.seconds,
            stop,
        )

    def analyse(
        self,
        record: Record,
        limit: Limit,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Return the best moves with their lines, each by a full search without those before."""
        left = _root_moves(record)
        found: list[Found] = []

        def hear(step: Found) -> None:
            if tell is not None:
                tell(Analysis((*found, step)))

        for _ in range(min(lines, len(left))):
            best = self.search_moves(record, left, limit, stop, None if tell is None else hear)
            found.append(best)
            left = left[left != np.uint64(best.move)]
            if stop is not None and stop.is_set():
                break
        return Analysis(tuple(found))

    def _set_up(self, memory: Any, record: Record, moves: Row, limit: Limit) -> None:
        past = _past_keys(record, PAST)
        memory.keys[: len(past)] = past
        memory.past = len(past)
        memory.moves[0, : len(moves)] = moves
        memory.root_moves = len(moves)
        memory.nodes = 0
        memory.node_limit = max(1, (limit.nodes or UNLIMITED_NODES) // (1 + len(self._helpers)))
        memory.killers[:] = 0
        memory.best_length = memory.best_depth = 0
        memory.settled_depth = 0
        memory.stop = 0

    def _search_together(
        self, position: Row, last: int, limit: Limit, stop: StopToken | None, tell: Tell | None
    ) -> Found:
        """Deepen in several threads; see `Crew`."""
        started = time.perf_counter()
        memories = (self.memory, *self._helpers)
        tasks = [
            self.task,
            *(self.task._replace(memory=memory, trace=None) for memory in self._helpers),
        ]
        crew = Crew(
            memories,
            lambda thread, depth: int(self.tree.deepen(tasks[thread], position, depth, depth)),
            lambda memory: self._found(memory, started),
            1 if self.task.options.deepening else last,
            last,
        )
        steps: list[Found] = []

        def suffices() -> bool:
            newest = crew.completed
            if newest is None or (steps and steps[-1] is newest):
                return False
            steps.append(newest)
            if tell is not None:
                tell(newest)
            return limit.planned is not None and self._is_settled(steps, limit.planned)

        return run_until(crew.halt, lambda: crew.search(suffices), limit.seconds, stop)

    def _deepen(self, position: Row, last: int, planned: float | None, tell: Tell | None) -> Found:
        started = time.perf_counter()
        first = 1 if self.task.options.deepening else last
        if tell is None and planned is None:
            self.tree.deepen(self.task, position, first, last)
            return self._found(self.memory, started)
        steps: list[Found] = []
        for depth in range(first, last + 1):
            done = self.tree.deepen(self.task, position, depth, depth)
            found = self._found(self.memory, started)
            if not done:
                break
            steps.append(found)
            if tell is not None:
                tell(found)
            if found.is_proven_within(depth):
                break
            if planned is not None and self._is_settled(steps, planned):
                break
        return found

    def _is_settled(self, steps: list[Found], planned: float) -> bool:
        """Return whether no deeper step is begun: time is used up, more of it where all changes.

        A step takes about as long as all before it together.
        """
        if self.memory.root_moves == 1:
            return True
        last = steps[-1]
        stable = 0
        for earlier in reversed(steps[:-1]):
            if earlier.move != last.move:
                break
            stable += 1
        share = PATIENCE[min(stable, len(PATIENCE) - 1)]
        if len(steps) > 1 and last.value < steps[-2].value - ALARM:
            share *= 1.5
        return last.seconds > share * planned

    def _found(self, memory: Any, started: float) -> Found:
        """Return what a thread has found."""
        if memory.best_length == 0:  # stopped before the first move was looked at
            memory.best_line[0] = memory.moves[0, 0]
            memory.best_length, memory.best_score, memory.best_depth = 1, 0, 0
        score = int(memory.best_score)
        line = tuple(int(move) for move in memory.best_line[: memory.best_length])
        return Found(
            move=line[0],
            value=value_of_score(score),
            line=line,
            depth=int(memory.best_depth),
            nodes=sum(int(each.nodes) for each in (self.memory, *self._helpers)),
            seconds=time.perf_counter() - started,
            end=int(distance(score)) if is_proven(score) else None,
            extras=self.tree.report(self.task),
        )


class Mcts:
    """Monte-Carlo tree search that keeps the part of its tree that the game goes into."""

    CAPACITY = 1 << 22
    SLICE = 4096  # simulations between two looks at what to tell

    def __init__(
        self,
        model: Model,
        options: mcts.MctsOptions = mcts.MctsOptions(),
        reuse: bool = True,
    ) -> None:
        self.game = model.game
        width = model.evaluator.bundle.width
        holder = np.zeros(1, mcts.memory_type(self.game.max_moves, width))
        self.memory: Any = holder[0]
        self.memory.widening[:] = np.sqrt(np.log(np.arange(mcts.LOOKED_UP) + 1.0))
        self.reseed(0)
        self._stop_byte = holder["stop"]
        self.reuse = reuse
        self._is_warm = False
        self.options = options
        self.model = _own(model)
        self.tree = mcts.make_tree(1)
        self._root: tuple[list[int], Row] | None = None  # moves and start of the tree's record

    def forget(self) -> None:
        """Drop the tree."""
        self._root = None
        self.tree = mcts.make_tree(1)

    def reseed(self, seed: int) -> None:
        """Begin a new sequence of random numbers."""
        self.memory.random = random_word(np.random.default_rng(seed))

    def search(
        self, record: Record, limit: Limit, stop: StopToken | None = None, tell: Tell | None = None
    ) -> Found:
        """Return the most visited move, or a proven win."""
        _root_moves(record)
        if limit.seconds is None and limit.nodes is None:
            raise PlywiseError("Monte-Carlo tree search needs a limit of nodes or seconds.")
        _focus(self, self.model, record)
        past = _past_keys(record, mcts.PAST)
        self.memory.keys[: len(past) + 1] = [*past, record.keys[-1]]
        self.memory.past = len(past)
        self._plant(record, limit)
        if not self._is_warm:  # compiling must not count as thinking
            mcts.simulate(self._task(), record.position, 0)
            self._is_warm = True
        return run_watching(
            self._stop_byte, lambda: self._simulate(record, limit, tell), limit.seconds, stop
        )

    def analyse(
        self,
        record: Record,
        limit: Limit,
        lines: int = 1,
        stop: StopToken | None = None,
        tell: TellAnalysis | None = None,
    ) -> Analysis:
        """Return the lines of the best moves, and how often each move was tried."""

        def hear(step: Found) -> None:
            if tell is not None:
                tell(self._analysis(step, lines))

        best = self.search(record, limit, stop, None if tell is None else hear)
        return self._analysis(best, lines)

    def _plant(self, record: Record, limit: Limit) -> None:
        """Make the record's last position the root, keeping what is known of it."""
        node = self._find(record) if self.reuse else -1
        if node > 0:
            mcts.keep_subtree(self.tree, self.memory, node)
        elif node < 0:
            self.memory.used = 1
        used = int(self.memory.used)
        wanted = min(used + (limit.nodes or self.CAPACITY) * self.game.max_moves, self.CAPACITY)
        if len(self.tree) < wanted:
            grown = mcts.make_tree(max(wanted, used))
            grown[:used] = self.tree[:used]
            self.tree = grown
        if node < 0:
            mcts.make_node(self.tree, 0, np.uint64(0), np.int64(-1))
        self._root = (list(record.moves), record.start)

    def _find(self, record: Record) -> int:
        """Return the node of the record's last position in the tree, or -1."""
        if self._root is None:
            return -1
        moves, start = self._root
        if record.moves[: len(moves)] != moves or not np.array_equal(record.start, start):
            return -1
        node = 0
        for move in record.moves[len(moves) :]:
            first = int(self.tree[node].first)
            children = range(first, first + int(self.tree[node].count)) if first >= 0 else range(0)
            node = next((c for c in children if int(self.tree[c].move) == move), -1)
            if node < 0:
                return -1
        return node

    def _task(self) -> mcts.MctsTask:
        bundle, params = self.model.evaluator.bundle, self.model.params
        return mcts.MctsTask(self.game.rules, bundle, params, self.tree, self.options, self.memory)

    def _simulate(self, record: Record, limit: Limit, tell: Tell | None) -> Found:
        task = self._task()
        started = time.perf_counter()
        wanted = limit.nodes or UNLIMITED_NODES
        done = 0
        while done < wanted and not self.memory.stop:
            size = min(wanted - done, self.SLICE << 4 if tell is None else self.SLICE)
            finished = int(mcts.simulate(task, record.position, size))
            done += finished
            if tell is not None and finished == size:
                tell(self._found(started, done))
            if finished < size:
                break
        if self.tree[0].first < 0:  # stopped at once, or proven at once
            mcts.expand_root(task, record.position)
        return self._found(started, done)

    def _found(self, started: float, done: int) -> Found:
        seconds = time.perf_counter() - started
        return self._found_by(int(mcts.best_child(self.tree, 0)), done, seconds)

    def _found_by(self, child: int, done: int, seconds: float) -> Found:
        """Return what the tree knows of one of the root's moves."""
        line = [int(self.tree[child].move)]
        node = child
        while self.tree[node].first >= 0:
            node = int(mcts.best_child(self.tree, node))
            if self.tree[node].visits == 0:
                break
            line.append(int(self.tree[node].move))
        node_found = self.tree[child]
        is_proven = int(node_found.proven) != mcts.UNPROVEN
        value = float(mcts.worth_of(node_found)) if is_proven else float(node_found.average)
        return Found(
            move=line[0],
            value=max(-1.0, min(1.0, value)),
            line=tuple(line),
            depth=len(line),
            nodes=done,
            seconds=seconds,
            extras={"visits": int(self.tree[child].visits), "is_proven": is_proven},
        )

    def _analysis(self, best: Found, lines: int) -> Analysis:
        others = [child for child in self._children() if int(self.tree[child].move) != best.move]
        more = [self._found_by(child, best.nodes, best.seconds) for child in others[: lines - 1]]
        return Analysis((best, *more), self.moves())

    def moves(self) -> tuple[RootMove, ...]:
        """Return what the tree thinks of the root's moves, most visited first."""
        nodes = [self.tree[child] for child in self._children()]
        return tuple(RootMove(int(n.move), int(n.visits), float(n.average)) for n in nodes)

    def _children(self) -> list[int]:
        """Return the nodes of the root's moves, most visited first."""
        first = int(self.tree[0].first)
        nodes = range(first, first + int(self.tree[0].count))
        return sorted(nodes, key=lambda node: -int(self.tree[node].visits))
