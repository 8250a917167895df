"""What holds paper 000's genetic algorithm back: one thing varied at a time.

python papers/variations.py --scale minute
python papers/variations.py --scale hour --seed 2

Every variation has the paper's settings but one, or two where one needs the other. Its champion
meets that of the paper's own settings and the same seed over paired random openings.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

import typer
from evolution import GAME
from experiment import Job
from nguyen import AS_WRITTEN
from rerun import OUT, Folder, Jobs, Seed, Size, choose, meet, new_job, print_points, train
from results import Measured, match_measured

from plywise.learners import champion_model
from plywise.learners.evolve.settings import EvolveSettings
from plywise.players import SearchPlayer
from plywise.reports.run_report import model_player


@dataclass(frozen=True)
class Variation:
    """Settings that differ from the paper's, and what they mean."""

    what: str
    settings: dict[str, Any]


SOUND = {"games": 10, "colours": "both", "opening_plies": 4, "tournament": "elites"}
VARIATIONS = {
    "games": Variation("25 games of everybody instead of 5", {"games": 25}),
    "colours": Variation("every game also with colours exchanged", {"colours": "both"}),
    "openings": Variation("games begin with 4 random plies", {"opening_plies": 4}),
    "round-robin": Variation("everybody meets everybody", {"tournament": "round_robin"}),
    "elites": Variation(
        "everybody meets the best five, after random openings",
        {"tournament": "elites", "opening_plies": 4},
    ),
    "node": Variation("crossover of all weights into a node", {"crossover": "node"}),
    "uniform": Variation("crossover of half of all weights", {"crossover": "uniform"}),
    "no-crossover": Variation("mutants instead of crossover", {"crossover": "none"}),
    "few": Variation("a tenth of the weights mutates", {"mutation_share": 0.1}),
    "small": Variation("mutations of a fifth of the size", {"mutation_size": 0.2}),
    "start": Variation("first weights up to 0.2 instead of 1", {"reach": 0.2}),
    "network": Variation("Blondie24's network instead of sums", {"evaluator": "blondie"}),
    "sound": Variation("10 paired games against the best five, random openings", SOUND),
    "sound-small": Variation(
        "the same, small first weights and mutations", {**SOUND, "reach": 0.2, "mutation_size": 0.2}
    ),
}


@dataclass(frozen=True)
class Scale:
    """The settings that are varied, and the tests."""

    settings: EvolveSettings
    depth: int  # of the test
    games: int


SCALES = {
    "minute": Scale(dataclasses.replace(AS_WRITTEN, generations=40, depth=2), 2, 100),
    "hour": Scale(AS_WRITTEN, 4, 400),
    "paper": Scale(dataclasses.replace(AS_WRITTEN, depth=6), 6, 400),
}


def champion(job: Job, name: str, scale: Scale, changes: dict[str, Any]) -> SearchPlayer:
    """Return the last champion of a training, as a player."""
    settings = dataclasses.replace(scale.settings, seed=job.seed, **changes)
    run = train(job.folder / name, "evolve", GAME, settings, job.workers)
    return model_player(champion_model(run), name, scale.depth)


def measure(job: Job) -> dict[str, Measured]:
    """Return how every variation does against the paper's own settings."""
    scale = SCALES[job.scale]
    own = champion(job, "as-written", scale, {})
    found = {}
    for number, (name, variation) in enumerate(VARIATIONS.items()):
        player = champion(job, name, scale, variation.settings)
        seed = 100 * job.seed + number
        result = meet(GAME, (player, own), scale.games, seed, job.workers.jobs)
        found[f"vary-{name}"] = match_measured(result)
    return found


def main(scale: Size = "minute", seed: Seed = 1, out: Folder = OUT, jobs: Jobs = 0) -> None:
    """Train all variations and print how they do."""
    choose("scale", scale, SCALES)
    found = measure(new_job("variations", scale, seed, out, jobs))
    rows = {variation.what: found[f"vary-{name}"] for name, variation in VARIATIONS.items()}
    print_points(("variation", "W-D-L against the paper's own"), rows)


if __name__ == "__main__":
    typer.run(main)
