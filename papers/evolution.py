"""What the two papers on evolved draughts share: run or resume, measure, write the page."""

import dataclasses
import json
from pathlib import Path

import report
from rerun import choose, console, train

from plywise.evaluators.model import save_model
from plywise.learners import champion_model
from plywise.learners.evolve.settings import EvolveSettings
from plywise.reports.run_report import (
    Scale,
    final_tests,
    quarters,
    rate_champions,
    summary,
    test_table,
)
from plywise.runs import Run

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


def run_study(study: Study, folder: Path) -> Run:
    """Run or resume the experiment."""
    return train(folder, "evolve", GAME, study.settings)


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
