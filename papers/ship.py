"""Make a model that ships from a run: choose among the last champions, test anew, write the card.

python papers/ship.py runs/papers/blondie24-anaconda-hour anaconda
"""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from plywise.growth import Scale, choose_champion, final_tests, test_table
from plywise.learners.evolve import champion_model
from plywise.model import Model, save_model
from plywise.players import MODELS
from plywise.runs import Run

console = Console(stderr=True)


def main(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    name: Annotated[str, typer.Argument(help="The model's name.")],
    depth: Annotated[int, typer.Option(help="Plies of the tests.")] = 4,
    games: Annotated[int, typer.Option(help="Games of each test.")] = 200,
) -> None:
    """Choose, test and save."""
    opened = Run(run)
    scale = Scale(depth=depth, games=games)
    step = choose_champion(opened, scale)
    console.print(f"chosen: champion {step}")
    tests = final_tests(opened, scale, console.print, step)
    for row in test_table(tests):
        console.print("  ".join(row))
    model = champion_model(opened, step)
    card = {
        **model.card,
        "name": name,
        "generations": len(opened.champions()),
        "chosen": "best of the last ten champions in a round robin, then tested on fresh openings",
        "tests": {
            opponent: {
                "depth": depth,
                **{
                    key: result.summary()[key]
                    for key in ("games", "wins", "draws", "losses", "elo", "elo_low", "elo_high")
                },
                "sprt": result.decision if result.sprt else None,
            }
            for opponent, result in tests.items()
        },
    }
    MODELS.mkdir(exist_ok=True)
    save_model(Model(model.evaluator, model.weights, card), MODELS / f"{name}.safetensors")
    console.print(json.dumps(card["tests"], indent=2))


if __name__ == "__main__":
    typer.run(main)
