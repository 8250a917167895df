"""Blondie24 (Chellapilla & Fogel 1999) and Anaconda (2001), rerun.

python papers/blondie24.py --net anaconda --scale hour
"""

import dataclasses
from typing import Annotated

import evolution
import typer
from evolution import Study, Trial, measure_trial
from experiment import Job
from rerun import OUT, Folder, Save, Size, choose
from results import Measured

from plywise.learners.evolve.settings import EvolveSettings
from plywise.reports.run_report import Scale

GENERATIONS = {"blondie": 250, "anaconda": 850}
THEIRS = {
    "blondie": [
        ["generations", "250"],
        ["network", "32-40-10-1 with piece difference, 1742 weights"],
        ["rating", "Class A over 90 games on the internet"],
    ],
    "anaconda": [
        ["generations", "840"],
        ["network", "91 windows, 5046 weights"],
        ["one generation", "about 65 CPU-seconds in a public Numba re-implementation"],
    ],
}


def trials(settings: EvolveSettings) -> dict[str, Trial]:
    """Return the trials of all scales: at a minute's few generations of two plies."""
    few = min(settings.generations, 40)
    return {
        "minute": Trial(
            dataclasses.replace(settings, generations=few, depth=2),
            Scale(depth=2, games=100, champions=4, rating_games=20, playouts=100),
        ),
        "hour": Trial(settings, Scale(games=400, champions=8, rating_games=40)),
        "paper": Trial(settings, Scale(games=1000, champions=12, rating_games=100)),
    }


PUBLISHED = EvolveSettings(evaluator="blondie", generations=250, max_plies=100)
TRIALS = {
    "blondie": trials(PUBLISHED),
    "anaconda": trials(dataclasses.replace(PUBLISHED, evaluator="anaconda", generations=850)),
    "anaconda-es": trials(
        EvolveSettings(
            method="es",
            generations=850,
            games=2,
            depth=2,
            quiescence=True,
            opening_plies=4,
            max_plies=100,
            step_size=0.1,
            rate=0.03,
        )
    ),
}


def measure(name: str, job: Job) -> dict[str, Measured]:
    """Evolve a network and test its champion."""
    return measure_trial(name, TRIALS[name][job.scale], job)


def main(
    net: Annotated[str, typer.Option(help="blondie or anaconda.")] = "anaconda",
    scale: Size = "minute",
    out: Folder = OUT,
    save: Save = None,
) -> None:
    """Rerun the evolution and write a report page."""
    generations = choose("net", net, GENERATIONS)
    settings = EvolveSettings(
        evaluator=net,  # type: ignore[arg-type]
        generations=generations,
        max_plies=100,
        step_cap=0.5,
    )
    if scale == "minute":
        settings = dataclasses.replace(settings, generations=8, depth=2)
    study = Study(f"blondie24-{net}", f"{net.capitalize()}, rerun", settings, THEIRS[net])
    evolution.rerun(study, scale, out, save)


if __name__ == "__main__":
    typer.run(main)
