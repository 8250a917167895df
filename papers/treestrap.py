"""Veness et al. 2009 rerun: what a search can teach, by five ways of learning from it.

python papers/treestrap.py --scale minute
python papers/treestrap.py --scale hour --game chess

All begin with the same small random weights and the same features, and have the same number of
games. Everybody then meets everybody at equal depth; untrained players are the zero of the scale.
A run that was stopped goes on where it was, and the ratings of finished seeds are kept.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import report
import typer
from experiment import Job
from rerun import OUT, Folder, Jobs, Size, choose, console, train
from results import Measured
from rich.table import Table

from plywise.arena import Tournament, play_tournament
from plywise.evaluators.model import Model
from plywise.games import load_game
from plywise.learners import champion_model, learner_of
from plywise.learners.treestrap.settings import TreestrapSettings
from plywise.reports.run_report import model_player
from plywise.runs import Run
from plywise.system.parallel import Workers

PUBLISHED = {  # Elo, Table 2 of Veness et al.
    "untrained": 250,
    "tdleaf": 1068,
    "rootstrap": 1362,
    "minimax": 1807,
    "treestrap": 2157,
}
METHODS = tuple(name for name in PUBLISHED if name != "untrained")
OPENING_PLIES = 6
Ratings = dict[str, tuple[float, float]]  # by method: Elo above the untrained, and its error


@dataclass(frozen=True)
class Scale:
    """How much is trained and played."""

    games: tuple[str, ...]
    seeds: tuple[int, ...]
    rounds: int  # of 40 games each
    depth: int  # of training and of matches
    matches: int  # games between any two players


SCALES = {
    "minute": Scale(("draughts",), (1, 2, 3), 10, 3, 20),
    "hour": Scale(("draughts", "chess"), (1, 2, 3, 4, 5), 200, 3, 200),
    "paper": Scale(("draughts", "chess"), (1, 2, 3, 4, 5), 1000, 4, 400),
}


def settings_of(scale: Scale, method: str, seed: int) -> TreestrapSettings:
    """Return the settings of a run: all methods have the same but for their name."""
    common = {"depth": scale.depth, "quiescence": False, "rounds": scale.rounds, "seed": seed}
    given: dict[str, Any] = {"method": method, **common}
    return TreestrapSettings(**given)


def untrained(run: Run) -> Model:
    """Return what a run began with."""
    learner = learner_of(run)
    model = learner.model({"vector": learner.begin()[0]})
    return Model(model.evaluator, model.weights, {"options": learner.options})


def rate(scale: Scale, game: str, seed: int, out: Path, workers: Workers = Workers()) -> Ratings:
    """Return the ratings of all methods with one seed."""
    runs = {
        method: train(
            out / f"treestrap-{game}-{method}-{seed}-{scale.rounds}",
            "treestrap",
            game,
            settings_of(scale, method, seed),
            workers,
        )
        for method in METHODS
    }
    models = {method: champion_model(run) for method, run in runs.items()}
    players = [model_player(untrained(runs["treestrap"]), "untrained", scale.depth)]
    players += [model_player(model, method, scale.depth) for method, model in models.items()]
    tournament = Tournament(
        load_game(game),
        players,
        games=scale.matches,
        anchor="untrained",
        openings="random",
        opening_plies=OPENING_PLIES,
        seed=seed,
    )
    found = play_tournament(tournament, workers.jobs)
    if found.is_interrupted:
        raise KeyboardInterrupt
    return {one.name: (one.elo, one.error) for one in found.ratings}


def measure(job: Job) -> dict[str, Measured]:
    """Return by how much TreeStrap is above its relatives in the scale's first game, in Elo."""
    scale = SCALES[job.scale]
    ratings = rate(scale, scale.games[0], job.seed, job.folder, job.workers)
    games = len(ratings) * (len(ratings) - 1) // 2 * scale.matches
    elo, error = ratings["treestrap"]
    found = {}
    for other in ("untrained", "tdleaf", "rootstrap", "minimax"):
        lead, reach = elo - ratings[other][0], float(np.hypot(error, ratings[other][1]))
        found[f"treestrap-{other}"] = Measured(lead, lead - reach, lead + reach, games)
    return found


def summary(found: Mapping[str, Ratings]) -> list[list[str]]:
    """Return a row for each method: every seed, the mean with its standard error, the paper."""
    rows = []
    for method, published in PUBLISHED.items():
        elos = np.array([ratings[method][0] for ratings in found.values()])
        error = elos.std(ddof=1) / np.sqrt(len(elos)) if len(elos) > 1 else float("nan")
        seeds = ", ".join(f"{r[method][0]:.0f} ± {r[method][1]:.0f}" for r in found.values())
        mean = f"{elos.mean():.0f} ± {error:.0f}"
        rows.append([method, mean, seeds, f"{published - PUBLISHED['untrained']}"])
    return rows


def show(title: str, header: list[str], rows: list[list[str]]) -> None:
    table = Table(*header, title=title)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def main(
    scale: Size = "minute",
    game: Annotated[str, typer.Option(help="One game; by default all of the scale.")] = "",
    out: Folder = OUT,
    jobs: Jobs = 0,
) -> None:
    """Train by every method, rate all together and write a report page."""
    size = choose("scale", scale, SCALES)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"treestrap-{scale}.json"
    numbers: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    header = ["method", "Elo, mean and standard error", "each seed, 95 %", "Veness et al."]
    page = [f"<p>Made by <code>python papers/treestrap.py --scale {scale}</code>.</p>"]
    for name in (game,) if game else size.games:
        load_game(name)
        found = numbers.setdefault(name, {})
        for seed in size.seeds:
            if str(seed) not in found:
                found[str(seed)] = rate(size, name, seed, out, Workers(jobs))
                path.write_text(json.dumps(numbers, indent=2))
        rows = summary(found)
        show(name, header, rows)
        page += [f"<h2>{name}</h2>", report.table(header, rows)]
    report.write_page(path.with_suffix(".html"), "TreeStrap and its relatives", page)
    console.print(str(path.with_suffix(".html")))


if __name__ == "__main__":
    typer.run(main)
