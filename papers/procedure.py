"""How much of a paper's weakness is its procedure, and how much its network?

python papers/procedure.py --scale minute --network vision

The network of a paper learns by the targets and step sizes of our pattern learner (self-play with a
look of one ply, lambda-returns, even steps) and meets the same network trained as published.
"""

import dataclasses
from dataclasses import dataclass
from typing import Annotated

import blondie24
import faults
import typer
from experiment import Job
from rerun import OUT, Folder, Jobs, Seed, Size, choose, meet, new_job, print_points, train
from results import Measured, match_measured

from plywise.learners import champion_model
from plywise.learners.evolve.settings import EvolveSettings
from plywise.learners.patterns.settings import PatternsSettings
from plywise.learners.td.settings import TdSettings
from plywise.reports.run_report import model_player

GAME = "draughts"


@dataclass(frozen=True)
class Scale:
    """The published training, ours, and the match."""

    learner: str  # of the published one
    published: EvolveSettings | TdSettings
    ours: PatternsSettings
    depth: int
    games: int


def scales(
    learner: str, trainings: dict[str, EvolveSettings] | dict[str, TdSettings], evaluator: str
) -> dict[str, Scale]:
    """Return all scales for a network, given the published trainings."""
    ours = {
        "minute": PatternsSettings(evaluator, rounds=4, games=500, patience=0),
        "hour": PatternsSettings(evaluator, rounds=40, games=2000, patience=0),
        "paper": PatternsSettings(evaluator, rounds=200, games=2000, patience=0),
    }
    games = {"minute": 100, "hour": 400, "paper": 1000}
    return {
        size: Scale(learner, trainings[size], ours[size], trainings[size].depth, games[size])
        for size in ours
    }


SCALES = {
    "blondie": scales(
        "evolve",
        {size: trial.settings for size, trial in blondie24.TRIALS["blondie"].items()},
        "blondie",
    ),
    "vision": scales(
        "td",
        {size: scale.settings for size, scale in faults.SCALES.items()},
        "featuremap:features=vision",
    ),
}


def measure(network: str, job: Job) -> dict[str, Measured]:
    """Return how the network does that learned our way, against the one of the paper's way."""
    scale = SCALES[network][job.scale]
    trainings = {"ours": ("patterns", scale.ours), "published": (scale.learner, scale.published)}
    players = []
    for name, (learner, settings) in trainings.items():
        seeded = dataclasses.replace(settings, seed=job.seed)
        run = train(job.folder / name, learner, GAME, seeded, job.workers)
        players.append(model_player(champion_model(run), name, scale.depth))
    pair = players[0], players[1]
    result = meet(GAME, pair, scale.games, 100 * job.seed, job.workers.jobs)
    return {f"procedure-{network}": match_measured(result)}


def main(
    network: Annotated[str, typer.Option(help="blondie or vision.")] = "vision",
    scale: Size = "minute",
    seed: Seed = 1,
    out: Folder = OUT,
    jobs: Jobs = 0,
) -> None:
    """Train a network both ways and print how they meet."""
    choose("scale", scale, choose("network", network, SCALES))
    found = measure(network, new_job(f"procedure-{network}", scale, seed, out, jobs))
    rows = {network: found[f"procedure-{network}"]}
    print_points(("network", "W-D-L of both ways"), rows)


if __name__ == "__main__":
    typer.run(main)
