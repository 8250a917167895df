"""Make a model that ships from a run: choose among the last champions, test anew, write the card.

python papers/ship.py runs/papers/blondie24-anaconda-hour anaconda
python papers/ship.py runs/nhb-reversi nhb --last
python papers/ship.py runs/patterns-draughts patterns --last --pack
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rerun import console

from plywise.evaluators.model import Model, read_card, save_model
from plywise.evaluators.packing import STEP
from plywise.learners import champion_model
from plywise.players.models import MODELS
from plywise.reports.run_report import (
    Scale,
    choose_champion,
    final_tests,
    test_table,
)
from plywise.runs import Run

BEST = "best of the last ten champions in a round robin, then tested on fresh openings"
LAST = "the last champion, tested on fresh openings"


def main(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    name: Annotated[str, typer.Argument(help="The model's name.")],
    depth: Annotated[int, typer.Option(help="Plies of the tests.")] = 4,
    games: Annotated[int, typer.Option(help="Games of each test.")] = 200,
    playouts: Annotated[int, typer.Option(help="Playouts of pure MCTS.")] = 1000,
    mcts_depth: Annotated[int, typer.Option(help="Plies against pure MCTS.")] = 8,
    last: Annotated[
        bool, typer.Option("--last", help="Take the last champion, not the best of ten.")
    ] = False,
    packed: Annotated[
        bool, typer.Option("--pack", help="Write tables rounded and compressed.")
    ] = False,
) -> None:
    """Choose, test and save."""
    opened = Run(run)
    scale = Scale(depth=depth, games=games, playouts=playouts, mcts_depth=mcts_depth)
    step = opened.champions()[-1] if last else choose_champion(opened, scale)
    console.print(f"chosen: champion {step}")
    tests = final_tests(opened, scale, console.print, step)
    for row in test_table(tests):
        console.print("  ".join(row))
    model = champion_model(opened, step)
    closed: dict[str, Any] = read_card(opened.model_path) if opened.model_path.is_file() else {}
    card: dict[str, Any] = {
        **model.card,
        **{key: closed[key] for key in ("search", "closing") if key in closed},
        "name": name,
        "steps": len(opened.champions()),
        "chosen": LAST if last else BEST,
        "tests": {
            opponent: {
                "depth": mcts_depth if opponent == "pure MCTS" else depth,
                **{
                    key: result.summary()[key]
                    for key in ("games", "wins", "draws", "losses", "elo", "elo_low", "elo_high")
                },
                "sprt": result.decision if result.sprt else None,
            }
            for opponent, result in tests.items()
        },
    }
    path = MODELS / model.game.name / f"{name}.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    if packed:
        card["packed"] = dict.fromkeys(model.weights, STEP)
    save_model(Model(model.evaluator, model.weights, card), path)
    console.print(json.dumps(card["tests"], indent=2))


if __name__ == "__main__":
    typer.run(main)
