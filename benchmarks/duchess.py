"""Duchess: how fast moves are found, and what the cumulative evaluation of paper 004 is worth.

    python benchmarks/duchess.py --stages 3

Lists of legal moves in a second of processor time, in positions of random games, beside the plain
reference of tests/naive; nodes of alpha-beta in a second with the features of the paper, whose sums
are brought along move by move or computed afresh at every leaf.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Evaluator, Model
from plywise.game import ONGOING, Game, Rows
from plywise.game.record import Record
from plywise.games import load_game
from plywise.kernel import Bundle, compiled
from plywise.kernel.bits import Position, Whole, Word
from plywise.search.limits import Limit
from plywise.search.searchers import AlphaBeta

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from naive import duchess as naive

WANTED = 400_000  # lists of moves a second
DEPTH = 4
REPEATS = 5


def positions_of(game: Game, games: int, plies: int) -> Rows:
    """Return positions of random games in which captures are preferred now and then."""
    generator, rows = np.random.default_rng(1), []
    for _ in range(games):
        position = game.initial()
        for _ in range(plies):
            if game.result(position) != ONGOING:
                break
            rows.append(position)
            moves = game.legal_moves(position)
            noisy = [move for move in moves if game.noisy(position, move)]
            chosen = noisy if noisy and generator.random() < 0.3 else moves
            position = game.apply(position, generator.choice(chosen))
    return np.array(rows)


@compiled
def list_all(game: Bundle, rows: Any, out: Any) -> Any:
    total = 0
    for index in range(len(rows)):
        total += game.moves(game.load_at(rows, index), out)
    return total


def best_rate(work: Callable[[], int]) -> float:
    """Return the best rate of some runs in processor time; the first compiles."""
    work()
    rates = []
    for _ in range(REPEATS):
        started = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - started))
    return max(rates)


def lists_per_second(game: Game) -> float:
    rows, out = positions_of(game, 20, 300), np.zeros(game.max_moves, np.uint64)

    def work() -> int:
        list_all(game.rules, rows, out)
        return len(rows)

    return best_rate(work)


def naive_lists_per_second(game: Game) -> float:
    rows = positions_of(game, 20, 300)[::400]
    states = [naive.parse_position(game.format_position(row)) for row in rows]
    started = time.process_time()
    for state in states:
        naive.moves_of(state, state.mover)
    return len(states) / (time.process_time() - started)


def recomputed(evaluator: Evaluator) -> Evaluator:
    """Return the same evaluator that keeps nothing and sums up at every leaf."""
    members = evaluator.bundle
    refresh, judge = members.refresh, members.value

    def value(params: Any, acc: Any, ply: Whole, position: Position) -> float:
        refresh(params, acc, ply, position)
        return float(judge(params, acc, ply, position))

    def nothing(params: Any, acc: Any, ply: Whole, position: Position) -> None:
        pass

    def update(
        params: Any, acc: Any, ply: Whole, before: Position, move: Word, after: Position
    ) -> None:
        pass

    kept = {"value": value, "refresh": nothing, "update": update, "has_update": False}
    bundle = Bundle("recomputed", {**kept, "width": members.width})
    return replace(evaluator, bundle=bundle)


def nodes_per_second(game: Game, evaluator: Evaluator) -> float:
    """Return the nodes in a second of a search through the middle of a random game."""
    generator = np.random.default_rng(2)
    weights = {
        name: generator.normal(0, 0.02, shape).astype(np.float32)
        for name, shape in evaluator.weights.items()
    }
    model = Model(evaluator, weights)
    rows = positions_of(game, 1, 200)[20::30]

    def work() -> int:
        search = AlphaBeta(model)
        return sum(search.search(Record(game, row), Limit(depth=DEPTH)).nodes for row in rows)

    return best_rate(work)


def main(
    stages: Annotated[str, typer.Option(help="Stages whose features are measured.")] = "123",
) -> None:
    """Measure all and print two tables."""
    console = Console()
    table = Table("lists of legal moves/s", "Plywise", "tests/naive", "ratio", "wanted")
    for name in ("duchess", "duchess6"):
        game = load_game(name)
        ours, theirs = lists_per_second(game), naive_lists_per_second(game)
        table.add_row(
            name, f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:,.0f} x", f"{WANTED:,}"
        )
    console.print(table)
    game = load_game("duchess")
    table = Table(f"nodes/s, depth {DEPTH}", "brought along", "computed afresh", "ratio")
    for stage in stages:
        evaluator = make_evaluator("linear", game, features=f"stage{stage}")
        along = nodes_per_second(game, evaluator)
        afresh = nodes_per_second(game, recomputed(evaluator))
        table.add_row(
            f"stage {stage}", f"{along:,.0f}", f"{afresh:,.0f}", f"{along / afresh:.1f} x"
        )
    console.print(table)


if __name__ == "__main__":
    typer.run(main)
