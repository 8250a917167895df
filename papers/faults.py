"""What the faults of the published draughts programs cost: VisionDraughts trained with and without.

python papers/faults.py --scale minute
"""

import dataclasses
from dataclasses import dataclass
from typing import Literal

import typer
from experiment import Job
from rerun import OUT, Folder, Jobs, Seed, Size, choose, meet, new_job, print_points, train
from results import Measured, match_measured

from plywise.learners import champion_model
from plywise.learners.td.settings import TdSettings
from plywise.players import SearchPlayer
from plywise.reports.run_report import model_player

GAME = "draughts"
Faults = Literal["none", "encoding", "gradient", "both"]
FAULTS: dict[Faults, str] = {
    "encoding": "counts that wrap around",
    "gradient": "a wrong factor in the gradient",
    "both": "both faults",
}


@dataclass(frozen=True)
class Scale:
    """How much is trained and played."""

    settings: TdSettings
    games: int  # of a match


VISION = TdSettings(features="vision")
SCALES = {
    "minute": Scale(dataclasses.replace(VISION, sets=4, games=50, depth=2), 100),
    "hour": Scale(VISION, 400),
    "paper": Scale(VISION, 2000),
}


def champion(job: Job, faults: Faults) -> SearchPlayer:
    """Return the champion of a training with some faults, as a player."""
    settings = dataclasses.replace(SCALES[job.scale].settings, seed=job.seed, faults=faults)
    run = train(job.folder / faults, "td", GAME, settings, job.workers)
    return model_player(champion_model(run), f"faults={faults}", settings.depth)


def measure(job: Job) -> dict[str, Measured]:
    """Return how the network without faults does against those with them, of the same seed."""
    clean = champion(job, "none")
    found = {}
    for number, faults in enumerate(FAULTS):
        seed = 100 * job.seed + number
        games = SCALES[job.scale].games
        result = meet(GAME, (clean, champion(job, faults)), games, seed, job.workers.jobs)
        found[f"faults-{faults}"] = match_measured(result)
    return found


def main(scale: Size = "minute", seed: Seed = 1, out: Folder = OUT, jobs: Jobs = 0) -> None:
    """Train with and without the faults and print how they meet."""
    choose("scale", scale, SCALES)
    found = measure(new_job("faults", scale, seed, out, jobs))
    rows = {what: found[f"faults-{faults}"] for faults, what in FAULTS.items()}
    print_points(("without faults against", "W-D-L"), rows)


if __name__ == "__main__":
    typer.run(main)
