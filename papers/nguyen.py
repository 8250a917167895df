"""Paper 000, "Playing Draughts using Neural Networks and Genetic Algorithms", rerun.

python papers/nguyen.py --scale hour
"""

import dataclasses
from pathlib import Path
from typing import Annotated, Literal, cast

import evolution
import typer
from evolution import Folder, Save, Size, Study

from plywise.learners.configs import EvolveConfig

THEIRS = [
    ["mean champion score against the previous five, 100 generations at 1 ply", "0.217"],
    ["the same with 32 inputs", "0.135"],
    ["the same with sampling search", "0.062"],
    ["200 generations at 6 plies", "about 20 hours on 128 cores"],
]


def main(
    decision: Annotated[
        str, typer.Option(help="alphabeta or mcts (EPT at 6 plies).")
    ] = "alphabeta",
    scale: Size = "minute",
    out: Folder = Path("runs/papers"),
    save: Save = None,
) -> None:
    """Rerun the genetic algorithm and write a report page."""
    if decision not in ("alphabeta", "mcts"):
        raise typer.BadParameter(f"The decision is alphabeta or mcts, not {decision!r}.")
    config = EvolveConfig(
        evaluator="subsquares",
        method="ga",
        generations=200,
        decision=cast(Literal["alphabeta", "mcts"], decision),
        depth=6 if scale == "paper" else 4,
        max_plies=100,
        reach=1.0,
    )
    if scale == "minute":
        config = dataclasses.replace(config, generations=8, depth=2, simulations=30)
    name = "nguyen" if decision == "alphabeta" else "nguyen-mcts"
    evolution.rerun(Study(name, "Paper 000, rerun", config, THEIRS), scale, out, save)


if __name__ == "__main__":
    typer.run(main)
