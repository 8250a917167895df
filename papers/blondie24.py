"""Blondie24 (Chellapilla & Fogel 1999) and Anaconda (2001), rerun.

python papers/blondie24.py --net anaconda --scale hour
"""

import dataclasses
from typing import Annotated

import evolution
import typer
from evolution import Study
from rerun import OUT, Folder, Save, Size, choose

from plywise.learners.evolve.settings import EvolveSettings

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
