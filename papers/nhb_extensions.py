"""What the learner `nhb` has beyond paper 003, each addition measured.

python papers/nhb_extensions.py --scale hour
python papers/nhb_extensions.py --scale hour --part forgetting
"""

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import nhb
import report
import typer
from rerun import OUT, Folder, choose, console, train
from rich.table import Table

from plywise.arena import Match, play_match
from plywise.arena.statistics import Score
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.nhb.settings import NhbSettings
from plywise.learners.nhb.tuning import tune_nodes
from plywise.reports.run_report import model_player
from plywise.runs import Run

FORGETTING = (1.0, 0.999, 0.99, 0.95)  # for every chunk of 200 examples
OPENING_PLIES = 6


@dataclass(frozen=True)
class Scale:
    """How much is trained and played."""

    connect4: NhbSettings  # of a run with one forgetting factor, and of tuning
    seeds: tuple[int, ...]
    candidates: tuple[int, ...]  # nodes for a move that are tried
    total_nodes: int  # that training with each of them may search
    test_nodes: int  # for a move of its test games
    draughts: NhbSettings
    reversi: NhbSettings  # of a run with one kind of target
    games: int  # of every test


SMALL = NhbSettings(
    cycles=2, matches=8, first_matches=8, nodes=100, hidden=32, backward_nodes=500, value_ordering=1
)
LARGE = NhbSettings(cycles=10, matches=10, nodes=500, value_ordering=1)
SCALES = {
    "minute": Scale(SMALL, (1, 2), (50, 200), 100_000, 100, SMALL, SMALL, 20),
    "hour": Scale(
        LARGE,
        (1, 2),
        (250, 500, 1000, 2000, 4000),
        4_000_000,
        1000,
        LARGE,
        dataclasses.replace(
            LARGE,
            matches=50,
            first_matches=100,
            nodes=150,
            hidden=192,
            ridge=1.0,
            examples=5,
            backward_nodes=0,
            consistency=0.0,
        ),
        100,
    ),
}

Numbers = dict[str, list[int]]  # wins, draws and losses by name


def triple(score: Score) -> list[int]:
    """Return wins, draws and losses."""
    return [score.wins, score.draws, score.losses]


def total(scores: list[Score]) -> Score:
    """Return all games together."""
    wins, draws, losses = (sum(column) for column in zip(*map(triple, scores), strict=True))
    return Score(wins, draws, losses)


def trained(out: Path, name: str, game: str, settings: NhbSettings) -> Model:
    """Run or resume a training; return its last network."""
    return champion_model(train(out / f"nhb-extension-{name}", "nhb", game, settings))


def against(model: Model, opponent: str, games: int, depth: int = 4) -> Score:
    """Return the score over paired random openings at a fixed depth."""
    match = Match(
        model.game,
        (model_player(model, "nhb", depth), opponent),
        games=games,
        openings="random",
        opening_plies=OPENING_PLIES,
    )
    return play_match(match).score


def forgetting_part(scale: Scale, out: Path, size: str) -> Numbers:
    """Return how each forgetting factor did in Connect Four, all seeds together."""
    found = {}
    for factor in FORGETTING:
        scores = []
        for seed in scale.seeds:
            settings = dataclasses.replace(scale.connect4, forgetting=factor, seed=seed)
            model = trained(out, f"forgetting-{factor:g}-{seed}-{size}", "connect4", settings)
            scores.append(nhb.exam(model, scale.games, settings))
        found[f"forgetting={factor:g}"] = triple(total(scores))
        found |= {
            f"forgetting={factor:g} seed={seed}": triple(score)
            for seed, score in zip(scale.seeds, scores, strict=True)
        }
    return found


def budget_part(scale: Scale, out: Path, size: str) -> Numbers:
    """Return how training with few or many nodes a move did, for the same total."""
    settings = dataclasses.replace(scale.connect4, value_ordering=0)  # as `plywise tune` has it
    tuned = tune_nodes(
        "connect4",
        settings,
        scale.candidates,
        scale.total_nodes,
        scale.games,
        scale.test_nodes,
        tell=console.print,
    )
    return {
        f"{one.nodes} nodes a move, {one.games} games": [one.wins, one.draws, one.losses]
        for one in tuned
    }


def draughts_part(scale: Scale, out: Path, size: str) -> Numbers:
    """Return how a network does in a game whose positions repeat."""
    settings = scale.draughts
    model = trained(out, f"draughts-{size}", "draughts", settings)
    run = Run(out / f"nhb-extension-draughts-{size}")
    longest = max(line["plies"] for line in run.metrics())
    console.print(f"draughts: games of {longest:.0f} plies on average in the longest cycle")
    return {
        "against untrained networks": triple(nhb.exam(model, scale.games, settings)),
        "against random": triple(against(model, "random", scale.games)),
        "against material": triple(against(model, "alphabeta,eval=material,depth=4", scale.games)),
    }


ITSELF = {"fading": 0.0, "opponent": "itself", "random_plies": 20}
TARGETS: dict[str, dict[str, Any]] = {
    "fading=2, untrained opponents": {},
    "fading=0, untrained opponents": {"fading": 0.0},
    "fading=0, against itself": ITSELF,
    "fading=0, against itself, bootstrap=0.5": {**ITSELF, "bootstrap": 0.5},
    "fading=0, against itself, bootstrap=0.5, phases=6": {**ITSELF, "bootstrap": 0.5, "phases": 6},
}


def targets_part(scale: Scale, out: Path, size: str) -> Numbers:
    """Return what other examples do in Reversi: against untrained, and against `positional`."""
    exam_settings = dataclasses.replace(scale.reversi, nodes=scale.test_nodes)
    positional = "alphabeta,eval=positional,depth=4"
    handmade = Model(make_evaluator("positional", load_game("reversi")))
    found = {"eval=positional": triple(nhb.exam(handmade, scale.games, exam_settings))}
    for number, (name, changes) in enumerate(TARGETS.items()):
        settings = dataclasses.replace(scale.reversi, **changes)
        model = trained(out, f"targets-{number}-{size}", "reversi", settings)
        found[name] = triple(nhb.exam(model, scale.games, exam_settings))
        found[f"{name}: positional"] = triple(against(model, positional, scale.games))
    return found


PARTS: dict[str, tuple[str, Callable[[Scale, Path, str], Numbers]]] = {
    "forgetting": ("Connect Four: what is forgotten", forgetting_part),
    "budget": ("Connect Four: nodes for a move of training, the total fixed", budget_part),
    "draughts": ("Draughts", draughts_part),
    "targets": ("Reversi: what played positions should be worth", targets_part),
}


def main(
    scale: Annotated[str, typer.Option(help="minute or hour.")] = "minute",
    part: Annotated[str, typer.Option(help="One of the parts, or all.")] = "all",
    out: Folder = OUT,
) -> None:
    """Measure the extensions and write a report page; finished parts are kept."""
    size = choose("scale", scale, SCALES)
    choose("part", part, {**PARTS, "all": None})
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"nhb-extensions-{scale}.json"
    numbers: dict[str, Numbers] = json.loads(path.read_text()) if path.is_file() else {}
    for name, (_, measure) in PARTS.items():
        if part in ("all", name) and name not in numbers:
            numbers[name] = measure(size, out, scale)
            path.write_text(json.dumps(numbers, indent=2))
    page = [f"<p>Made by <code>python papers/nhb_extensions.py --scale {scale}</code>.</p>"]
    for name, scores in numbers.items():
        rows = [[what, nhb.words(Score(*score))] for what, score in scores.items()]
        page += [f"<h2>{PARTS[name][0]}</h2>", report.table(["", "W-D-L, Elo"], rows)]
        table = Table("", "W-D-L, Elo", title=PARTS[name][0])
        for row in rows:
            table.add_row(*row)
        console.print(table)
    report.write_page(path.with_suffix(".html"), "Beyond paper 003", page)
    console.print(str(path.with_suffix(".html")))


if __name__ == "__main__":
    typer.run(main)
