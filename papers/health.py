"""How an evolved network fares over its generations: weights, saturation, strength.

python papers/health.py runs/anaconda --champions 8 --games 200
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from plywise.arena import Match, play_match
from plywise.games.draughts.activity import activity
from plywise.learners import champion_model
from plywise.learners.evolve.sensitivity import archive_inputs
from plywise.learners.shared.layout import Layout, Vector
from plywise.reports.run_report import OPENING_PLIES, model_player
from plywise.runs import Run

SATURATED = 0.9  # a unit beyond this in either direction hardly moves any more
HEADER = (
    "generation",
    "weights",
    "saturated: windows",
    "wide",
    "narrow",
    "judgement",
    "against material",
)


def condition(layout: Layout, genome: Vector) -> list[str]:
    """Return root mean square of the weights, shares of saturated units, spread of the judgement.

    The judgement is what the upper layers add to the piece difference, in men; its spread is the
    standard deviation over archived positions.
    """
    weights = {name: genome[layout.places(name)] for name in layout.names}
    evaluator = layout.evaluator
    state = activity(evaluator.name, weights, archive_inputs(evaluator.game))
    layers = (state.below, state.wide, state.narrow)
    shares = [f"{(np.abs(layer) > SATURATED).mean():.0%}" for layer in layers]
    if evaluator.name != "anaconda":  # what is below is no layer of units
        shares[0] = "-"
    size = float(np.sqrt((genome[: layout.size] ** 2).mean()))
    return [f"{size:.2f}", *shares, f"{state.judged.std():.2f}"]


def main(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    champions: Annotated[int, typer.Option(min=2, help="How many, evenly over the run.")] = 8,
    depth: Annotated[int, typer.Option(help="Plies of both players.")] = 4,
    games: Annotated[int, typer.Option(help="Games of each against material.")] = 200,
) -> None:
    """Print a row for champions of the whole run."""
    opened = Run(run)
    steps = opened.champions()
    table = Table(*HEADER)
    for step in sorted({steps[int(i)] for i in np.linspace(0, len(steps) - 1, champions)}):
        model = champion_model(opened, step)
        players = model_player(model, f"{step}", depth), f"alphabeta,eval=material,depth={depth}"
        match = Match(model.game, players, games, "random", OPENING_PLIES, seed=5)
        result = play_match(match)
        estimate = result.estimate
        elo = f"{estimate.elo:+.0f} [{estimate.low:+.0f}, {estimate.high:+.0f}]"
        state = condition(Layout(model.evaluator), opened.champion(step)["genome"])
        table.add_row(f"{step}", *state, f"{result.score.mean:.1%}, {elo}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
