"""Make a model that ships from a run: choose among the last champions, test anew, write the card.

python papers/ship.py runs/papers/blondie24-anaconda-hour anaconda
python papers/ship.py runs/nhb-reversi nhb --last
python papers/ship.py runs/patterns-draughts patterns --last --pack
python papers/ship.py runs/deepchess deepchess --last --pack --judge data/games

A model that learned from games of others is judged by pairs of positions instead of by matches.
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rerun import console

from plywise.datasets import open_data_set, open_data_sets
from plywise.evaluators.model import Model, read_card, save_model
from plywise.evaluators.packing import STEP
from plywise.learners import champion_model
from plywise.players.models import MODELS
from plywise.reports.pair_report import leads_by, report_pairs
from plywise.reports.run_report import (
    PURE,
    Scale,
    choose_champion,
    final_tests,
    test_table,
)
from plywise.runs import Run

PAIRS = 20_000
BEST = "best of the last ten champions in a round robin"
LAST = "the last champion"
PLAYED, JUDGED = "tested on fresh openings", "judged by pairs of positions"


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
    judge: Annotated[
        Path | None, typer.Option(help="A data set: judge by its pairs, play no matches.")
    ] = None,
) -> None:
    """Choose, test and save."""
    opened = Run(run)
    scale = Scale(depth=depth, games=games, playouts=playouts, mcts_depth=mcts_depth)
    step = opened.champions()[-1] if last else choose_champion(opened, scale)
    console.print(f"chosen: champion {step}")
    model = champion_model(opened, step)
    found = played(opened, scale, step) if judge is None else judged(model, judge, name)
    closed: dict[str, Any] = read_card(opened.model_path) if opened.model_path.is_file() else {}
    card: dict[str, Any] = {
        **model.card,
        **{key: closed[key] for key in ("search", "closing") if key in closed},
        "name": name,
        "steps": len(opened.champions()),
        "chosen": f"{LAST if last else BEST}, then {PLAYED if judge is None else JUDGED}",
        **found,
    }
    if model.evaluator.name == "comparator":
        card["search"] = "comparison"
    path = MODELS / model.game.name / f"{name}.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    if packed:
        card["packed"] = dict.fromkeys(model.weights, STEP)
    save_model(Model(model.evaluator, model.weights, card), path)
    console.print(json.dumps(found, indent=2))


def played(run: Run, scale: Scale, step: int) -> dict[str, Any]:
    """Return what matches on fresh openings say of a champion, for its card."""
    tests = final_tests(run, scale, console.print, step)
    for row in test_table(tests):
        console.print("  ".join(row))
    kept = ("games", "wins", "draws", "losses", "elo", "elo_low", "elo_high")
    found = {
        opponent: {
            "depth": scale.mcts_depth if opponent == PURE else scale.depth,
            **{key: result.summary()[key] for key in kept},
            "sprt": result.decision if result.sprt else None,
        }
        for opponent, result in tests.items()
    }
    return {"tests": found}


def judged(model: Model, folder: Path, name: str) -> dict[str, Any]:
    """Return what it learned from, and how it orders pairs of a data set, for its card."""
    data = open_data_set(folder, model.game)
    learned = open_data_sets(model.card["config"]["data"], model.game).card
    report = report_pairs(leads_by(model, data), data, PAIRS, is_thorough=False).as_values()
    kept = {key: report[key] for key in ("pairs", "unseen", "error", "leaky")}
    command = f"plywise judge {model.game.name} {name} --data {folder}"
    return {"data": learned, "judged": {"command": command, **kept}}


if __name__ == "__main__":
    typer.run(main)
