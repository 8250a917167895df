"""VisionDraughts (Caixeta & Julia 2008): what alpha-beta, table and deepening save of minimax.

python papers/visiondraughts.py --depth 8
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer
from experiment import Job
from results import Measured
from rich.console import Console
from rich.table import Table

from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.evaluators.network import random_model
from plywise.game.record import Record
from plywise.games import load_game
from plywise.learners.shared.openings import random_opening
from plywise.search.limits import Limit
from plywise.search.options import PLAIN, Options
from plywise.search.searchers import AlphaBeta

MINIMAX = PLAIN._replace(repetition=True)
SEARCHES = {
    "minimax": MINIMAX,
    "alpha-beta": MINIMAX._replace(pruning=True),
    "with table and deepening": MINIMAX._replace(pruning=True, table=True, deepening=True),
    "with everything": Options(quiescence=False),
}
TABLE_BITS = 18
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Scale:
    """How deep is searched, and in how many positions."""

    depth: int
    positions: int


SCALES = {"minute": Scale(6, 30), "hour": Scale(8, 30), "paper": Scale(8, 100)}


@dataclass(frozen=True)
class Cost:
    """What a search of some positions took, and what it found."""

    nodes: int
    seconds: float
    values: tuple[float, ...]


def positions(count: int, seed: int = 2) -> list[Record]:
    """Return random games of 6 to 39 plies in which there is a choice."""
    game, generator = load_game("draughts"), np.random.default_rng(seed)
    found: list[Record] = []
    while len(found) < count:
        record = random_opening(game, int(generator.integers(6, 40)), generator)
        if len(record.legal_moves()) > 1:
            found.append(record)
    return found


def cost(model: Model, options: Options, records: list[Record], depth: int) -> Cost:
    """Search all positions, each from an empty table."""
    search = AlphaBeta(model, options, TABLE_BITS)
    search.search(records[0], Limit(depth=1))  # compiling is no part of it
    found = []
    for record in records:
        search.forget()
        found.append(search.search(record, Limit(depth=depth)))
    return Cost(
        sum(f.nodes for f in found), sum(f.seconds for f in found), tuple(f.value for f in found)
    )


def savings(model: Model, records: list[Record], depth: int) -> dict[str, Cost]:
    """Return the cost of every search, which all find the same values."""
    costs = {name: cost(model, options, records, depth) for name, options in SEARCHES.items()}
    for name, other in costs.items():
        if not np.allclose(other.values, costs["minimax"].values, atol=TOLERANCE):
            raise AssertionError(f"{name} does not find the values of minimax at depth {depth}")
    return costs


def untrained_model() -> Model:
    """Return a random network of VisionDraughts."""
    evaluator = make_evaluator("featuremap", load_game("draughts"), features="vision")
    return random_model(evaluator, np.random.default_rng(1))


def measure(job: Job) -> dict[str, Measured]:
    """Return the share of the time that alpha-beta, table and deepening save of minimax."""
    scale = SCALES[job.scale]
    costs = savings(untrained_model(), positions(scale.positions, job.seed), scale.depth)
    whole, part = costs["minimax"], costs["with table and deepening"]
    saved = 1 - part.seconds / whole.seconds
    text = f"{1 - part.nodes / whole.nodes:.1%} of the nodes at depth {scale.depth}"
    return {"saving": Measured(saved, saved, saved, text=text)}


def main(
    depth: Annotated[int, typer.Option(min=2, help="The deepest search, in steps of 2.")] = 6,
    count: Annotated[int, typer.Option(min=1, help="How many positions are searched.")] = 30,
) -> None:
    """Print what is saved at every depth; paper 001 reports 95 % without naming the depth."""
    model, records = untrained_model(), positions(count)
    table = Table("depth", "search", "nodes", "seconds", "nodes saved", "time saved")
    for plies in range(2, depth + 1, 2):
        costs = savings(model, records, plies)
        whole = costs["minimax"]
        for name, part in costs.items():
            shares = (1 - part.nodes / whole.nodes, 1 - part.seconds / whole.seconds)
            texts = [f"{100 * share:.1f} %" for share in shares]
            table.add_row(str(plies), name, str(part.nodes), f"{part.seconds:.3f}", *texts)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
