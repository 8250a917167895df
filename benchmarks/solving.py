"""The solver of Connect Four beside BitBully (C++), on the same positions, on one thread.

The positions are the 1000 of tests/data/connect4/middle-medium. Tables are empty before the first
position and kept between positions, on both sides; BitBully solves by its MTD(f), without its
opening book. Seconds are of the processor, best of some runs; both check every score.
"""

import dataclasses
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REPEATS = 3
POSITIONS = Path(__file__).parent.parent / "tests" / "data" / "connect4" / "middle-medium"
HEADER = ("Connect Four solver, 1000 positions", "Plywise", "BitBully", "ratio", "wanted")


@dataclass(frozen=True)
class Solving:
    """What solving all positions took."""

    nodes: int
    seconds: float
    positions: int


def best(run: Callable[[], Solving]) -> Solving:
    """Return the quickest of some runs."""
    return min((run() for _ in range(REPEATS)), key=lambda found: found.seconds)


def ours(lines: list[tuple[str, int]]) -> Solving:
    from plywise.games.connect4.solver import Solver, position_of

    solver = Solver()
    tasks = [(position_of(moves), score) for moves, score in lines]
    solver.solve(tasks[0][0])

    def run() -> Solving:
        solver.forget()
        nodes, started = 0, time.process_time()
        for position, score in tasks:
            solution = solver.solve(position)
            nodes += solution.nodes
            assert solution.score == score
        return Solving(nodes, time.process_time() - started, len(tasks))

    return best(run)


def theirs(lines: list[tuple[str, int]]) -> Solving:
    from bitbully import BitBully, Board

    solver = BitBully(opening_book=None)
    tasks = [(Board.from_moves([int(c) - 1 for c in moves]), score) for moves, score in lines]

    def run() -> Solving:
        solver.reset_transposition_table()
        solver.reset_node_counter()
        started = time.process_time()
        for board, score in tasks:
            assert solver.mtdf(board) == score
        seconds = time.process_time() - started
        return Solving(solver.get_node_counter(), seconds, len(tasks))

    return best(run)


def rows(mine: Solving, peer: Solving) -> list[tuple[str, ...]]:
    """Return the rows of the report."""
    times = [1000 * one.seconds / one.positions for one in (mine, peer)]
    speeds = [one.nodes / one.seconds / 1e6 for one in (mine, peer)]
    counts = [one.nodes / one.positions for one in (mine, peer)]
    return [
        (
            "processor time for a position, ms",
            *(f"{number:.2f}" for number in times),
            f"{times[1] / times[0]:.1f} x",
            "at most 6 ms",
        ),
        (
            "nodes/s",
            *(f"{number:.1f} M" for number in speeds),
            f"{speeds[0] / speeds[1]:.1f} x",
            "7 M",
        ),
        (
            "nodes for a position",
            *(f"{number:,.0f}" for number in counts),
            f"{counts[1] / counts[0]:.1f} x",
            "-",
        ),
    ]


if __name__ == "__main__":  # one side, for a process of its own
    split = [line.split() for line in POSITIONS.read_text().splitlines()]
    known = [(moves, int(score)) for moves, score in split]
    side = {"ours": ours, "theirs": theirs}[sys.argv[1]]
    print(json.dumps(dataclasses.asdict(side(known))))
