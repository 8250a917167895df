"""Paper 000, "Playing Draughts using Neural Networks and Genetic Algorithms", rerun.

python papers/nguyen.py --scale hour
python papers/nguyen.py --compare --scale hour
"""

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Literal, cast, get_args

import decisions
import evolution
import typer
from evolution import GAME, MEASURES, Study, Trial, ancestors_measured, measure_trial
from experiment import Job
from rerun import OUT, Folder, Save, Size, choose, train
from results import Measured

from plywise.learners.evolve.settings import EvolveSettings
from plywise.reports.run_report import Scale
from plywise.runs import Run

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


# ---------------------------------------------------------------- for the page of all papers

AS_WRITTEN = EvolveSettings(
    evaluator="subsquares", method="ga", generations=200, depth=4, max_plies=100, reach=1.0
)
TRIALS = {
    "minute": Trial(
        dataclasses.replace(AS_WRITTEN, generations=40, depth=2),
        Scale(depth=2, games=100, champions=4, rating_games=20, playouts=100),
    ),
    "hour": Trial(AS_WRITTEN, Scale(games=400, champions=8, rating_games=40)),
    "paper": Trial(
        dataclasses.replace(AS_WRITTEN, depth=6),
        Scale(depth=6, games=400, champions=12, rating_games=40),
    ),
}


def measure(job: Job) -> dict[str, Measured]:
    """Train by the genetic algorithm as written, and test the champion as the paper plans to."""
    trial = TRIALS[job.scale]
    found = measure_trial("ga", trial, job)
    run = Run(job.folder / "ga")
    return {**found, "ga-untrained": evolution.untrained_measured(run, trial.tests, job)}


@dataclass(frozen=True)
class Archive:
    """The three runs of which the author's archive has the curves."""

    networks: EvolveSettings  # of both networks that decide by alpha-beta
    sampling: EvolveSettings


ONE_PLY = dataclasses.replace(AS_WRITTEN, generations=100, depth=1)
SAMPLING = dataclasses.replace(ONE_PLY, decision="mcts", simulations=30)
ARCHIVES = {
    "minute": Archive(ONE_PLY, dataclasses.replace(SAMPLING, generations=15, simulations=10)),
    "hour": Archive(ONE_PLY, SAMPLING),
    "paper": Archive(ONE_PLY, dataclasses.replace(SAMPLING, simulations=200)),
}


def measure_archive(job: Job) -> dict[str, Measured]:
    """Return how every champion did against the previous five, for the runs of the archive."""
    archive = ARCHIVES[job.scale]
    runs = {
        "subsquares": archive.networks,
        "inputs": dataclasses.replace(archive.networks, evaluator="blondie"),
        "sampling": archive.sampling,
    }
    found = {}
    for name, settings in runs.items():
        seeded = dataclasses.replace(settings, seed=job.seed)
        run = train(job.folder / name, "evolve", GAME, seeded, job.workers)
        found[f"archive-{name}"] = ancestors_measured(run)
    return found


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
