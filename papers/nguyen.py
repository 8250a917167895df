"""Paper 000, "Playing Draughts using Neural Networks and Genetic Algorithms", rerun.

python papers/nguyen.py --scale hour
python papers/nguyen.py --compare --scale hour
"""

import dataclasses
from typing import Annotated, Literal, cast, get_args

import decisions
import evolution
import typer
from evolution import MEASURES, Study
from rerun import OUT, Folder, Save, Size, choose

from plywise.learners.evolve.settings import EvolveSettings

Decision = Literal["alphabeta", "mcts"]

THEIRS = [
    ["mean champion score against the previous five, 100 generations at 1 ply", "0.217"],
    ["the same with 32 inputs", "0.135"],
    ["the same with sampling search", "0.062"],
    ["200 generations at 6 plies", "about 20 hours on 128 cores"],
]


def study(decision: Decision, scale: str, generations: int | None = None) -> Study:
    """Return the experiment with one of the paper's two decisions."""
    settings = EvolveSettings(
        evaluator="subsquares",
        method="ga",
        generations=200,
        decision=decision,
        depth=6 if scale == "paper" else 4,
        max_plies=100,
        reach=1.0,
    )
    if scale == "minute":
        settings = dataclasses.replace(settings, generations=8, depth=2, simulations=30)
    if generations:
        settings = dataclasses.replace(settings, generations=generations)
    name = "nguyen" if decision == "alphabeta" else "nguyen-mcts"
    return Study(name, "Paper 000, rerun", settings, THEIRS)


def main(
    decision: Annotated[
        str, typer.Option(help="alphabeta or mcts (EPT at 6 plies).")
    ] = "alphabeta",
    compare: Annotated[
        bool, typer.Option("--compare", help="Train with both decisions and let them meet.")
    ] = False,
    generations: Annotated[
        int, typer.Option(min=0, help="Instead of those of the scale (0: those).")
    ] = 0,
    scale: Size = "minute",
    out: Folder = OUT,
    save: Save = None,
) -> None:
    """Rerun the genetic algorithm and write a report page."""
    choose("scale", scale, MEASURES)
    choose("decision", decision, dict.fromkeys(get_args(Decision)))
    if compare:
        both = study("alphabeta", scale, generations), study("mcts", scale, generations)
        decisions.compare(both, scale, out)
        return
    evolution.rerun(study(cast(Decision, decision), scale, generations), scale, out, save)


if __name__ == "__main__":
    typer.run(main)
