"""What the two papers on evolved draughts share: run or resume, measure, write the page."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import report
from experiment import Job
from rerun import choose, console, meet, train
from results import Measured, match_measured

from plywise.arena.statistics import QUANTILE
from plywise.evaluators.model import save_model
from plywise.evaluators.network import random_model
from plywise.learners import champion_model
from plywise.learners.evolve.settings import EvolveSettings
from plywise.reports.plots import running_mean
from plywise.reports.run_report import (
    Scale,
    final_pairings,
    final_tests,
    model_player,
    quarters,
    rate_champions,
    summary,
    test_table,
)
from plywise.runs import Run
from plywise.system.parallel import Workers

GAME = "draughts"
MEASURES = {
    "minute": Scale(depth=2, games=20, champions=4, rating_games=4, playouts=100),
    "hour": Scale(games=200, champions=12, rating_games=20),
    "paper": Scale(games=400, champions=16, rating_games=40),
}


@dataclasses.dataclass(frozen=True)
class Study:
    """An experiment of a paper: its settings, and what the paper says of the outcome."""

    name: str
    title: str
    settings: EvolveSettings
    theirs: list[list[str]]  # rows of what was published


@dataclasses.dataclass(frozen=True)
class Trial:
    """A training and its tests."""

    settings: EvolveSettings
    tests: Scale

    def seeded(self, seed: int) -> "Trial":
        """Return the same with another seed."""
        return Trial(dataclasses.replace(self.settings, seed=seed), self.tests)


def run_study(study: Study, folder: Path, workers: Workers = Workers()) -> Run:
    """Run or resume the experiment."""
    return train(folder, "evolve", GAME, study.settings, workers)


# ---------------------------------------------------------------- for the page of all papers

PARTS = {  # what a test is called there
    "random": "random",
    "pure MCTS": "mcts",
    "half-way ancestor": "half-way",
    "material, equal depth": "material",
}


def measure_trial(name: str, trial: Trial, job: Job) -> dict[str, Measured]:
    """Train, and return how the last champion fares and how ratings rise."""
    chosen = trial.seeded(job.seed)
    run = train(job.folder / name, "evolve", GAME, chosen.settings, job.workers)
    pairings = final_pairings(run, trial.tests)
    found = {}
    for place, (opponent, part) in enumerate(PARTS.items()):
        console.print(f"{name}, seed {job.seed}: champion against {opponent}")
        result = meet(
            GAME, pairings[opponent], trial.tests.games, 100 * job.seed + place, job.workers.jobs
        )
        found[f"{name}-{part}"] = match_measured(result)
    found[f"{name}-rising"] = rising_measured(run, trial.tests, job.seed)
    return found


def rising_measured(run: Run, scale: Scale, seed: int) -> Measured:
    """Return by how much champions of the last quarter are rated above those of the first."""
    rating = rate_champions(run, scale, console.print, seed)
    first, last = quarters(rating, run.champions()[-1]).values()
    gain, error = last[0] - first[0], float(np.hypot(first[1], last[1]))
    curve = sorted((int(r.name), round(r.elo, 1)) for r in rating.ratings if r.name.isdigit())
    games = len(rating.ratings) * (len(rating.ratings) - 1) // 2 * scale.rating_games
    return Measured(gain, gain - error, gain + error, games, curve=tuple(curve))


def ancestors_measured(run: Run) -> Measured:
    """Return the mean of means over all generations: paper 000's measure of learning."""
    lines = [m for m in run.metrics() if m.get("against_ancestors") is not None]
    values = np.array([m["against_ancestors"] for m in lines])
    error = QUANTILE * float(values.std(ddof=1)) / len(values) ** 0.5
    mean = float(values.mean())
    smooth = running_mean(values.tolist(), 21)
    curve = tuple((m["step"], round(v, 3)) for m, v in zip(lines, smooth, strict=True))[::5]
    return Measured(mean, mean - error, mean + error, 30 * len(values), curve=curve)


def untrained_measured(run: Run, scale: Scale, job: Job) -> Measured:
    """Return how a network that has learned nothing fares against random moves."""
    model = champion_model(run)
    blank = random_model(model.evaluator, np.random.default_rng(job.seed))
    player = model_player(dataclasses.replace(blank, card=model.card), "untrained", scale.depth)
    return match_measured(
        meet(GAME, (player, "random"), scale.games, 100 * job.seed + 50, job.workers.jobs)
    )


# ---------------------------------------------------------------- a report page


def rerun(study: Study, size: str, out: Path, save: Path | None) -> None:
    """Rerun an experiment at a scale and write its report page."""
    scale = choose("scale", size, MEASURES)
    out.mkdir(parents=True, exist_ok=True)
    run = run_study(study, out / f"{study.name}-{size}")
    tests = final_tests(run, scale, console.print)
    rating = rate_champions(run, scale, console.print)
    numbers = summary(run, tests, rating)
    (out / f"{study.name}-{size}.json").write_text(json.dumps(numbers, indent=2))
    settings = [[name, str(value)] for name, value in dataclasses.asdict(study.settings).items()]
    first, last = quarters(rating, run.champions()[-1]).values()
    parts = [
        f"<p>Made by <code>python papers/{study.name}.py --scale {size}</code>.</p>",
        "<h2>Published</h2>",
        report.table(["what", "theirs"], study.theirs),
        "<h2>The last champion, ours</h2>",
        f"<p>Alpha-beta of depth {scale.depth}, the champions with the quiescence that they were "
        "trained with, material with quiescence; paired random openings; Elo with 95 % error "
        "bars from pairs.</p>",
        report.table(["against", "W-D-L", "points", "Elo", "test"], test_table(tests)),
        "<h2>Champions rated together</h2>",
        report.rating_plot(rating),
        f"<p>First quarter {first[0]:.0f} &plusmn; {first[1]:.0f}, "
        f"last quarter {last[0]:.0f} &plusmn; {last[1]:.0f} Elo.</p>",
        "<h2>Every champion against the previous five</h2>",
        report.ancestors_plot(run),
        "<h2>Settings</h2>",
        report.table(["setting", "value"], settings),
    ]
    report.write_page(out / f"{study.name}-{size}.html", study.title, parts)
    console.print(f"{out / f'{study.name}-{size}.html'}")
    if save is not None:
        save_model(champion_model(run), save)
