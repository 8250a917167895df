"""Real and Blair 2015 rerun: Duchess learned by TreeStrap in three stages (paper 004).

python papers/duchess.py --scale minute
python papers/duchess.py --scale quarter --players 6
python papers/duchess.py --scale hour
python papers/duchess.py --scale paper

Stage 1 learns material, pawns, checks and mates from the paper's first weights, stage 2 adds who
attacks or defends whom, stage 3 where pieces stand; each goes on from the stage before. Then they
meet in duplicate pairs after four random moves. Finished runs and matches are kept. All scales but
the first have the paper's numbers of games; `quarter` looks ahead 3, 4 and 6 plies, `hour` 4, 5 and
7, `paper` and `long` 5, 7 and 9 as published.
"""

import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import report
import typer
from experiment import Job
from rerun import OUT, Folder, Jobs, choose, console, meet, train
from results import Measured, match_measured, share_measured

from plywise.arena import Match, MatchResult, play_match
from plywise.evaluators import load_model, make_evaluator
from plywise.evaluators.model import Model, read_card, save_model
from plywise.games import load_game
from plywise.games.duchess.layout import LETTERS, NAMES
from plywise.games.duchess.weights import (
    attack_weights,
    first_weights,
    read_weights,
    square_weights,
)
from plywise.learners import champion_model
from plywise.learners.treestrap.settings import TreestrapSettings
from plywise.reports.plots import pyplot
from plywise.reports.run_report import model_player
from plywise.system.parallel import Workers

GAMES = {4: "duchess", 6: "duchess6"}
STAGES = (1, 2, 3)
RATES = {1: 1e-4, 2: 1e-5, 3: 1e-5}  # the paper's; of stage 3 it says nothing
CLIP, FADING, RANDOM_PLIES = 0.001, 1 / 3, 4
SHIPPED_DEPTH, SHIPPED_GAMES = 2, 100  # of the test against random moves
AT_ONCE = 2  # batches of games, for two cores; whose changes add up
# Weights are half of the paper's, and errors of a value twice those of a probability.
RATE_SCALE, CLIP_SCALE = 1 / 4, 1 / 2
PUBLISHED = {"stage 2 x stage 1": "85-13-2", "stage 3 x stage 2": "53-38-9"}  # win-loss-draw
TABLE_I = {
    "F": 0.12,
    "D": 0.11,
    "W": 0.06,
    "W x 2": 0.05,
    "Q": 0.13,
    "R": 0.09,
    "B": 0.07,
    "N": 0.05,
    "P": 0.06,
    "P1 check": -0.05,
    "P2 check": 0.08,
    "P3 check": -0.04,
    "P4 check": 0.04,
    "P1 checkmate": -0.33,
    "P2 checkmate": 0.26,
    "P3 checkmate": -0.22,
    "P4 checkmate": 0.24,
}


@dataclass(frozen=True)
class Scale:
    """How much is trained and played."""

    games: dict[int, int]  # by stage
    depth: int
    deeper: str
    matches: int  # games between two stages
    round: int = 10  # games of a round, after which a run can be resumed


SCALES = {
    "minute": Scale({1: 2, 2: 2, 3: 2}, 2, "", 4, 2),
    "quarter": Scale({1: 140, 2: 220, 3: 60}, 3, "20:4 8:6", 400),
    "hour": Scale({1: 140, 2: 220, 3: 60}, 4, "20:5 8:7", 400),
    "paper": Scale({1: 140, 2: 220, 3: 60}, 5, "20:7 8:9", 100),
    "long": Scale({1: 140, 2: 220, 3: 60}, 5, "20:7 8:9", 400),
}


def settings_of(scale: Scale, stage: int, start: Path, seed: int) -> TreestrapSettings:
    """Return the settings of a stage, as in the paper."""
    return TreestrapSettings(
        evaluator=f"linear:features=stage{stage}",
        depth=scale.depth,
        deeper=scale.deeper,
        quiescence=False,
        fading=FADING,
        steps="plain",
        rate=RATES[stage] * RATE_SCALE,
        final_rate=1.0,
        clip=CLIP * CLIP_SCALE,
        start=str(start),
        rounds=scale.games[stage] // scale.round,
        games=scale.round,
        batch=-(-scale.round // AT_ONCE),
        at_once=AT_ONCE,
        random_plies=RANDOM_PLIES,
        exploration=0.0,
        max_plies=2000,
        seed=seed,
    )


def first_model(players: int) -> Model:
    """Return stage 1 before training."""
    evaluator = make_evaluator("linear", load_game(GAMES[players]), features="stage1")
    weights = first_weights(players, 1).astype(np.float32)
    return Model(evaluator, {"weights": weights, "bias": np.zeros(1, np.float32)})


def train_stages(
    scale: Scale, players: int, out: Path, seed: int, workers: Workers = Workers()
) -> dict[int, Model]:
    """Return the model of every stage; each begins where the one before has ended."""
    game = GAMES[players]
    games = "-".join(str(scale.games[stage]) for stage in STAGES)
    place = out / f"{game}-{games}-{scale.depth}-{seed}"
    start, models = first_file(place, players), {}
    for stage in STAGES:
        models[stage] = train_stage(scale, stage, start, str(stage), seed, workers)
        start = start.with_name(f"{game}-{stage}.safetensors")
    return models


def first_file(place: Path, players: int) -> Path:
    """Write stage 1 before training to a folder; return the file."""
    place.mkdir(parents=True, exist_ok=True)
    save_model(first_model(players), place / "first.safetensors")
    return place / "first.safetensors"


def train_stage(
    scale: Scale, stage: int, start: Path, name: str, seed: int, workers: Workers
) -> Model:
    """Train a stage from what stands in a file; its model is written beside it."""
    game = read_card(start)["game"]
    settings = settings_of(scale, stage, start, seed)
    run = train(start.with_name(f"stage{name}"), "treestrap", game, settings, workers)
    path = start.with_name(f"{game}-{name}.safetensors")
    save_model(champion_model(run), path)
    return load_model(path, load_game(game))


# ---------------------------------------------------------------- matches


def duel(
    models: tuple[Model, Model], names: tuple[str, str], scale: Scale, seed: int, jobs: int = 0
) -> MatchResult:
    """Play two models against each other, in pairs with the same opening."""
    first, second = (
        model_player(model, name, scale.depth) for model, name in zip(models, names, strict=True)
    )
    return meet(models[0].game.name, (first, second), scale.matches, seed, jobs)


def play(models: dict[int, Model], scale: Scale, better: int, seed: int) -> dict[str, Any]:
    """Return how a stage did against the one before."""
    names = (f"stage {better}", f"stage {better - 1}")
    result = duel((models[better], models[better - 1]), names, scale, seed)
    score, estimate = result.score, result.estimate
    counts = f"{score.wins}-{score.losses}-{score.draws}"
    elo = f"{estimate.elo:+.0f} ± {estimate.error:.0f}" if estimate else "-"
    return {"games": score.games, "win-loss-draw": counts, "Elo, 95 %": elo}


# ---------------------------------------------------------------- for the page of all papers


def measure(job: Job) -> dict[str, Measured]:
    """Train the stages, and stage 2 at once from the first weights; return who beats whom."""
    scale = SCALES[job.scale]
    models = train_stages(scale, 4, job.folder, job.seed, job.workers)
    start = first_file(job.folder, 4)
    direct = train_stage(scale, 2, start, "direct", job.seed, job.workers)
    pairs = {
        "stage2": (models[2], models[1]),
        "stage3": (models[3], models[2]),
        "staged": (models[2], direct),
    }
    found = {"order": order_measured(models[1])}
    for number, (part, both) in enumerate(pairs.items()):
        console.print(f"duchess, seed {job.seed}: {part}")
        names = (f"{part} first", f"{part} second")
        result = duel(both, names, scale, 100 * job.seed + number, job.workers.jobs)
        found[part] = match_measured(result)
    return found


def order_measured(model: Model) -> Measured:
    """Return of how many pairs of pieces the dearer one is that of the published Table I."""
    ours = read_weights(model.weights["weights"], 4, 1)
    pairs = [
        (dear, cheap)
        for dear, cheap in itertools.permutations("FDWQRBNP", 2)
        if TABLE_I[dear] > TABLE_I[cheap]
    ]
    right = sum(sum(ours[dear]) > sum(ours[cheap]) for dear, cheap in pairs)
    return share_measured(right, len(pairs), f"{right} of {len(pairs)} pairs")


# ---------------------------------------------------------------- figures


def players_of(model: Model) -> int:
    """Return how many play."""
    return model.game.about.players


def material_rows(model: Model) -> list[list[str]]:
    """Return Table I: our weights for the odd and the even team beside the paper's."""
    found = read_weights(model.weights["weights"], players_of(model), 1)
    rows = []
    for name, (odd, even) in found.items():
        is_published = name in TABLE_I and players_of(model) == 4
        published = f"{TABLE_I[name]:.2f}" if is_published else "-"
        rows.append([name, f"{odd:.3f}", f"{even:.3f}", published])
    return rows


def hinton(model: Model, team: int) -> str:
    """Return the diagram of pairs: the area of a square is the size of a weight."""
    players = players_of(model)
    weights = attack_weights(model.weights["weights"], players, team)
    figure, axis = pyplot().subplots(figsize=(9, 9))
    most = np.abs(weights).max() or 1.0
    for row, column in np.argwhere(weights != 0):
        side = float(np.sqrt(abs(weights[row, column]) / most))
        corner = (column - side / 2, row - side / 2)
        fill = "#1f4e79" if weights[row, column] > 0 else "white"
        axis.add_patch(pyplot().Rectangle(corner, side, side, facecolor=fill, edgecolor="#1f4e79"))
    ticks = range(len(LETTERS) * players)
    labels = [f"P{owner + 1} {letter}" for owner in range(players) for letter in LETTERS]
    axis.set_xticks(ticks, labels, rotation=90, fontsize=6)
    axis.set_yticks(ticks, labels, fontsize=6)
    axis.set_xlim(-1, len(labels))
    axis.set_ylim(len(labels), -1)
    figure.tight_layout()
    return report.picture(figure)


def square_maps(model: Model, team: int) -> str:
    """Return where the mover's own pieces stand well: full circles are good, empty ones bad."""
    picture = model.game.picture
    assert picture is not None
    figure, axes = pyplot().subplots(3, 3, figsize=(11, 11))
    for axis, letter, name in zip(axes.flat, LETTERS, NAMES, strict=True):
        weights = square_weights(model.weights["weights"], players_of(model), team, letter)
        most = np.abs(weights).max() or 1.0
        for cell, weight in zip(picture.seen_from(team).cells, weights, strict=True):
            axis.add_patch(pyplot().Polygon(cell.polygon, facecolor="none", edgecolor="#bbb"))
            size, fill = 60 * abs(weight) / most, "#1f4e79" if weight > 0 else "none"
            axis.scatter(*cell.middle, s=size, facecolor=fill, edgecolor="#1f4e79", linewidth=0.6)
        axis.set_title(name, fontsize=9)
        axis.set_aspect("equal")
        axis.invert_yaxis()
        axis.axis("off")
    figure.tight_layout()
    return report.picture(figure)


def write_report(path: Path, models: dict[int, Model], results: dict[str, Any]) -> None:
    header = ["match", "games", "win-loss-draw", "Elo, 95 %", "the paper, 100 games"]
    rows = [[name, *map(str, found.values()), PUBLISHED[name]] for name, found in results.items()]
    weights = ["weight", "odd team", "even team", "the paper"]
    page = [report.table(header, rows), "<h2>Trained weights of stage 1</h2>"]
    page += [report.table(weights, material_rows(models[1]))]
    page += ["<h2>Attack and defence, stage 2, odd team to move</h2>", hinton(models[2], 0)]
    page += ["<h2>Squares, stage 3, odd team to move</h2>", square_maps(models[3], 0)]
    report.write_page(path, "Duchess in three stages", page)


def write_models(
    models: dict[int, Model], results: dict[str, Any], folder: Path, made_by: str
) -> None:
    """Write the models with cards that tell how they were made and how they did."""
    for stage, model in models.items():
        config = {**model.card["config"], "start": Path(model.card["config"]["start"]).name}
        name = f"duchess-{stage}"
        match = Match(
            model.game,
            (model_player(model, name, SHIPPED_DEPTH), "random"),
            games=SHIPPED_GAMES,
            openings="random",
            opening_plies=RANDOM_PLIES,
            seed=1,
        )
        found = play_match(match).summary()
        test = {key: found[key] for key in ("games", "wins", "draws", "losses")}
        card = {
            **model.card,
            "config": config,
            "name": name,
            "command": made_by,
            "tests": {"random": {"depth": SHIPPED_DEPTH, **test}},
            "matches": results,
        }
        save_model(Model(model.evaluator, model.weights, card), folder / f"{name}.safetensors")
        console.print(name, card["tests"])


def main(
    scale: Annotated[str, typer.Option(help="minute, quarter, hour, paper or long.")] = "minute",
    players: Annotated[int, typer.Option(help="4 or 6.")] = 4,
    out: Folder = OUT,
    seed: Annotated[int, typer.Option(help="Of training and matches.")] = 1,
    jobs: Jobs = 0,
    save: Annotated[Path | None, typer.Option(help="A folder for the models.")] = None,
) -> None:
    """Train the three stages, let them meet, and write a report page."""
    size = choose("scale", scale, SCALES)
    game = choose("number of players", players, GAMES)
    models = train_stages(size, players, out, seed, Workers(jobs))
    path = out / f"{game}-{scale}-{seed}.json"
    results: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    for better in (2, 3):
        name = f"stage {better} x stage {better - 1}"
        if name not in results:
            results[name] = play(models, size, better, seed)
            path.write_text(json.dumps(results, indent=2))
        console.print(name, results[name])
    if save:
        save.mkdir(parents=True, exist_ok=True)
        made_by = f"python papers/duchess.py --scale {scale} --players {players} --seed {seed}"
        write_models(models, results, save, made_by)
    write_report(path.with_suffix(".html"), models, results)
    console.print(str(path.with_suffix(".html")))


if __name__ == "__main__":
    typer.run(main)
