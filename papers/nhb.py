"""Paper 003, "Neural Learning of Heuristic Functions for General Game Playing", rerun.

python papers/nhb.py --scale hour
"""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import report
import typer
from experiment import Job, difference
from rerun import OUT, Folder, Size, choose, console, train
from results import Measured, score_measured
from rich.progress import track
from rich.table import Table

from plywise.arena.statistics import Score, elo_with_error
from plywise.evaluators import make_evaluator
from plywise.evaluators.model import Model
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.nhb.games import meet_untrained, move_limit
from plywise.learners.nhb.settings import NhbSettings
from plywise.runs import Run
from plywise.search.options import Options
from plywise.system.parallel import Workers

# Table 1: (losses, draws, wins) of 200 for every cycle, by move time in seconds
TABLE_1 = {
    0.25: [
        (79, 11, 110), (53, 9, 138), (46, 13, 141), (68, 18, 114), (46, 12, 142),
        (42, 10, 148), (66, 11, 123), (59, 9, 132), (60, 14, 126), (47, 13, 140),
    ],
    0.5: [
        (54, 14, 132), (68, 12, 120), (88, 13, 99), (44, 12, 144), (43, 9, 148),
        (69, 13, 118), (50, 8, 142), (54, 13, 133), (58, 7, 135), (55, 11, 134),
    ],
    1.0: [
        (59, 18, 123), (64, 13, 123), (57, 13, 130), (69, 16, 115), (61, 19, 120),
        (47, 18, 135), (84, 18, 98), (77, 12, 111), (62, 14, 124), (61, 10, 129),
    ],
}  # fmt: skip
# Table 2: the same of 100, by training matches
TABLE_2_GAMES = (50, 100, 150, 200, 250, 300, 350, 400, 550, 600)
TABLE_2 = [
    (36, 5, 59), (24, 4, 72), (39, 2, 59), (36, 0, 64), (30, 6, 64),
    (41, 4, 55), (38, 5, 57), (42, 2, 56), (39, 2, 59), (36, 3, 61),
]  # fmt: skip
TABLE_2_BASELINES = {"pieces": (53, 3, 44), "positional": (26, 2, 72)}


@dataclass(frozen=True)
class Scale:
    """How large a rerun is: nodes for the paper's shortest move time (0: its own seconds)."""

    nodes: int
    cycles: int
    connect4_matches: int  # of a cycle at the shortest move time
    reversi_matches: int
    connect4_games: int  # of a test
    reversi_games: int
    settings: NhbSettings


SCALES = {
    "minute": Scale(
        200, 3, 8, 8, 20, 20, NhbSettings(value_ordering=1, first_matches=8, largest=64)
    ),
    "hour": Scale(1000, 10, 20, 50, 200, 100, NhbSettings(value_ordering=1)),
    "paper": Scale(0, 10, 20, 50, 200, 100, NhbSettings(value_ordering=1)),
}


def budget(scale: Scale, seconds: float, matches: int) -> NhbSettings:
    """Return the settings for one of the paper's move times."""
    return dataclasses.replace(
        scale.settings,
        cycles=scale.cycles,
        matches=matches,
        nodes=max(1, round(scale.nodes * seconds / 0.25)),
        seconds=0.0 if scale.nodes else seconds,
    )


def exam(
    model: Model, games: int, settings: NhbSettings, workers: Workers = Workers(), seed: int = 0
) -> Score:
    """Return the score against untrained opponents at the budget of training."""
    options = Options(value_ordering=settings.value_ordering)
    results = meet_untrained(model, games, move_limit(settings), workers, options, seed)
    return Score(results.count(1), results.count(0), results.count(-1))


def exams(
    run: Run, games: int, settings: NhbSettings, workers: Workers = Workers(), seed: int = 0
) -> list[Score]:
    """Return the scores after every cycle; they are kept in the run's folder."""
    path = run.folder / "exams.json"
    known: dict[str, list[int]] = json.loads(path.read_text()) if path.is_file() else {}
    for step in track(run.champions()[1:], f"{run.name}: tests", console=console):
        if str(step) not in known:
            score = exam(champion_model(run, step), games, settings, workers, seed)
            known[str(step)] = [score.wins, score.draws, score.losses]
            path.write_text(json.dumps(known))
    return [Score(*known[str(step)]) for step in run.champions()[1:]]


def words(score: Score) -> str:
    """Return wins-draws-losses and Elo with its error."""
    estimate = elo_with_error(score)
    return (
        f"{score.wins}-{score.draws}-{score.losses}  "
        f"{estimate.elo:+.0f} [{estimate.low:+.0f}, {estimate.high:+.0f}]"
    )


def theirs(row: tuple[int, int, int]) -> Score:
    """Return a row of the paper, which lists losses first."""
    losses, draws, wins = row
    return Score(wins, draws, losses)


def rerun_table(
    name: str, game: str, settings: NhbSettings, games: int, published: list[tuple[int, int, int]]
) -> tuple[list[list[str]], list[Score], Run]:
    """Return the rows of a table, ours beside theirs."""
    run = train(Path(name), "nhb", game, settings)
    scores = exams(run, games, settings)
    rows = []
    for index, score in enumerate(scores):
        other = words(theirs(published[index])) if index < len(published) else ""
        rows.append([str((index + 1) * settings.matches), words(score), other])
    return rows, scores, run


def curve_plot(curves: dict[str, list[Score]], published: dict[str, list[Score]]) -> str:
    """Return the share of wins after every cycle, ours and theirs."""
    from plywise.reports.plots import pyplot

    figure, axis = pyplot().subplots(figsize=(8, 3.4))
    for (label, scores), colour in zip(curves.items(), ("C0", "C1", "C2"), strict=False):
        shares = [score.mean for score in scores]
        errors = [1.96 * (score.variance / score.samples) ** 0.5 for score in scores]
        cycles = range(1, len(scores) + 1)
        axis.errorbar(cycles, shares, yerr=errors, fmt="o-", color=colour, label=label, capsize=2)
        rows = published[label][: len(scores)]
        axis.plot(range(1, len(rows) + 1), [row.mean for row in rows], "--", color=colour)
    axis.axhline(0.5, color="black", linewidth=0.6)
    axis.set_xlabel("cycle (dashed: the paper)")
    axis.set_ylabel("share of points")
    axis.legend()
    figure.tight_layout()
    return report.picture(figure)


def connect4_part(scale: Scale, out: Path, size: str) -> tuple[list[str], dict[str, Any]]:
    """Return the page's part about Table 1."""
    parts = ["<h2>Table 1: Connect Four against untrained opponents</h2>"]
    curves, numbers = {}, {}
    for seconds, published in TABLE_1.items():
        settings = budget(scale, seconds, matches_at(scale, seconds))
        folder = out / f"nhb-connect4-{seconds:g}-{size}"
        rows, scores, run = rerun_table(
            str(folder), "connect4", settings, scale.connect4_games, published
        )
        label = f"{seconds:g} s"
        given = f"{settings.nodes} nodes" if scale.nodes else f"{seconds:g} seconds"
        hidden = run.metrics()[0]["hidden"]
        parts += [
            f"<h3>{label} in the paper, {given} a move here; {hidden} hidden units</h3>",
            report.table(["training matches", "W-D-L, Elo: ours", "theirs"], rows),
        ]
        curves[label] = scores
        numbers[label] = [[s.wins, s.draws, s.losses] for s in scores]
    published_curves = {f"{s:g} s": [theirs(row) for row in rows] for s, rows in TABLE_1.items()}
    return [*parts, curve_plot(curves, published_curves)], {"table 1": numbers}


def reversi_part(scale: Scale, out: Path, size: str) -> tuple[list[str], dict[str, Any]]:
    """Return the page's part about Table 2."""
    settings = budget(scale, 0.25, scale.reversi_matches)
    rows, scores, _ = rerun_table(
        str(out / f"nhb-reversi-{size}"), "reversi", settings, scale.reversi_games, TABLE_2
    )
    numbers: dict[str, Any] = {"nhb": [[s.wins, s.draws, s.losses] for s in scores]}
    for name, published in TABLE_2_BASELINES.items():
        score = exam(
            Model(make_evaluator(name, load_game("reversi"))), scale.reversi_games, settings
        )
        rows.append([name, words(score), words(theirs(published))])
        numbers[name] = [score.wins, score.draws, score.losses]
    parts = [
        "<h2>Table 2: Reversi against untrained opponents</h2>",
        report.table(["training matches", "W-D-L, Elo: ours", "theirs"], rows),
        curve_plot({"nhb": scores}, {"nhb": [theirs(row) for row in TABLE_2]}),
    ]
    return parts, {"table 2": numbers}


# ---------------------------------------------------------------- for the page of all papers

ROWS = {  # with the paper's numbers of training games at every scale, so that rows compare
    **SCALES,
    "minute": Scale(
        100, 10, 20, 50, 40, 40, NhbSettings(value_ordering=1, largest=64, backward_nodes=2000)
    ),
}


def matches_at(scale: Scale, seconds: float) -> int:
    """Return the training games of a cycle in Connect Four: fewer where a move has more time."""
    return max(1, round(scale.connect4_matches * 0.25 / seconds))


def measure_connect4(seconds: float, job: Job) -> dict[str, Measured]:
    """Return the scores of a column of Table 1, cycle by cycle."""
    scale = ROWS[job.scale]
    settings = budget(scale, seconds, matches_at(scale, seconds))
    scores = _trained_scores(job, "connect4", settings, scale.connect4_games)
    return {
        f"connect4-{seconds:g}s-{cycle}": score_measured(score, words(score).split()[0])
        for cycle, score in enumerate(scores, 1)
    }


def measure_reversi(job: Job) -> dict[str, Measured]:
    """Return the scores of Table 2, cycle by cycle, and those of the handmade heuristics."""
    scale = ROWS[job.scale]
    settings = budget(scale, 0.25, scale.reversi_matches)
    longer = dataclasses.replace(settings, cycles=scale.cycles * 12 // 10)  # to 600 games
    scores = _trained_scores(job, "reversi", longer, scale.reversi_games)
    games = [scale.reversi_matches * cycle for cycle in range(1, len(scores) + 1)]
    found = {f"reversi-{count}": score for count, score in zip(games, scores, strict=True)}
    for name in TABLE_2_BASELINES:
        model = Model(make_evaluator(name, load_game("reversi")))
        found[f"reversi-{name}"] = exam(
            model, scale.reversi_games, settings, Workers(job.workers.jobs), 100 + job.seed
        )
    told = {name: score_measured(score, words(score).split()[0]) for name, score in found.items()}
    last = told[f"reversi-{games[-1]}"].interval
    lead = difference(last, told["reversi-positional"].interval)
    played = 2 * scale.reversi_games
    return {**told, "reversi-lead": Measured(lead.value, lead.low, lead.high, played)}


def _trained_scores(job: Job, game: str, settings: NhbSettings, games: int) -> list[Score]:
    """Train with the job's seed; return the scores against untrained opponents after each cycle."""
    seeded = dataclasses.replace(settings, seed=job.seed)
    run = train(job.folder / game, "nhb", game, seeded, job.workers)
    return exams(run, games, seeded, Workers(job.workers.jobs), 100 + job.seed)


PARTS = {"connect4": connect4_part, "reversi": reversi_part}


def main(
    scale: Size = "minute",
    game: Annotated[str, typer.Option(help="connect4, reversi or both.")] = "both",
    out: Folder = OUT,
) -> None:
    """Rerun Tables 1 and 2 and write a report page."""
    size = choose("scale", scale, SCALES)
    choose("game", game, {**PARTS, "both": None})
    out.mkdir(parents=True, exist_ok=True)
    page = [f"<p>Made by <code>python papers/nhb.py --scale {scale}</code>.</p>"]
    numbers: dict[str, Any] = {}
    for name, part in PARTS.items():
        if game in ("both", name):
            made, found = part(size, out, scale)
            page += made
            numbers |= found
    stem = f"nhb-{scale}" if game == "both" else f"nhb-{game}-{scale}"
    (out / f"{stem}.json").write_text(json.dumps(numbers, indent=2))
    report.write_page(out / f"{stem}.html", "Paper 003, rerun", page)
    show(numbers)
    console.print(str(out / f"{stem}.html"))


def show(numbers: dict[str, Any]) -> None:
    """Print the tables."""
    for title, columns in numbers.items():
        table = Table("player", "W-D-L after every cycle", title=title)
        for name, scores in columns.items():
            rows = scores if isinstance(scores[0], list) else [scores]
            table.add_row(name, "  ".join("-".join(map(str, row)) for row in rows))
        console.print(table)


if __name__ == "__main__":
    typer.run(main)
