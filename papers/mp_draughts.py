"""Paper 001, "MP-Draughts": four systems trained by temporal differences, and their tournament.

python papers/mp_draughts.py --scale hour
"""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import report
import typer
from experiment import Job
from rerun import OUT, Folder, Jobs, Size, choose, console, meet, train
from results import Measured, match_measured, share_measured
from rich.progress import track
from rich.table import Table

from plywise.arena import MatchResult
from plywise.errors import PlywiseError
from plywise.evaluators.experts import HANDOVERS
from plywise.evaluators.model import save_model
from plywise.games import load_game
from plywise.learners import champion_model
from plywise.learners.ls.settings import LsSettings
from plywise.learners.mp.settings import MpSettings
from plywise.learners.td.settings import TdSettings
from plywise.reports.map_page import clusters_page
from plywise.reports.plots import plot_run
from plywise.reports.weights_plot import weights_plot
from plywise.runs import Run
from plywise.system.parallel import Workers

# Table I: wins, draws and losses of the first player in 20 games (7 for LS), and endgame loops
TABLE_1 = {
    ("vision", "neuro"): (10, 9, 1, 5),
    ("mp", "neuro"): (14, 3, 3, 0),
    ("mp", "vision"): (10, 4, 6, 2),
    ("ls", "neuro"): (2, 5, 0, None),
}
TITLES = {
    "neuro": "NeuroDraughts",
    "ls": "LS-Draughts",
    "vision": "VisionDraughts",
    "mp": "MP-Draughts",
}
GAME = "draughts"


@dataclass(frozen=True)
class Scale:
    """How much is trained and played."""

    sets: int = 10
    games: int = 250  # of a set
    depth: int = 4
    few: int = 20  # games of a match as the paper plays it
    many: int = 400  # games of a match over paired openings
    seconds: float = 0.02  # of a move in the match at equal time
    time_games: int = 100
    ls: LsSettings = field(default_factory=LsSettings)
    mp: MpSettings = field(default_factory=MpSettings)
    neuro: str = "neuro"  # the features of NeuroDraughts


QUICK_MP = MpSettings(boards=60, units=4)
SCALES = {
    "minute": Scale(
        2, 20, 2, 4, 20, 0.005, 2, LsSettings(generations=2, population=3, opponents=1), QUICK_MP
    ),
    "hour": Scale(),
    "paper": Scale(many=2000, time_games=400, ls=LsSettings(generations=30, population=50)),
}


# ---------------------------------------------------------------- training


def train_all(
    scale: Scale, out: Path, workers: Workers = Workers(), seed: int = 1
) -> dict[str, Run]:
    """Train the four systems; each model is written beside its run."""
    td = TdSettings(sets=scale.sets, games=scale.games, depth=scale.depth, seed=seed)
    runs = {
        "neuro": train(
            out / "neuro",
            "td",
            GAME,
            dataclasses.replace(td, features=scale.neuro, search="minimax"),
            workers,
        ),
        "vision": train(
            out / "vision", "td", GAME, dataclasses.replace(td, features="vision"), workers
        ),
    }
    for name, run in runs.items():
        save_model(champion_model(run), out / f"{name}.safetensors")
    ls = dataclasses.replace(scale.ls, seed=seed)
    genes = train(out / "ls-genes", "ls", GAME, ls, workers)
    chosen = " ".join(champion_model(genes).evaluator.settings["features"])
    mp = dataclasses.replace(
        scale.mp,
        base=str(out / "vision.safetensors"),
        sets=scale.sets,
        games=scale.games,
        depth=scale.depth,
        seed=seed,
    )
    runs["ls"] = train(out / "ls", "td", GAME, dataclasses.replace(td, features=chosen), workers)
    runs["mp"] = train(out / "mp", "mp", GAME, mp, workers)
    for name in ("ls", "mp"):
        save_model(champion_model(runs[name]), out / f"{name}.safetensors")
    return runs


# ---------------------------------------------------------------- the tournament


def player(out: Path, name: str, budget: str) -> str:
    """Return a system as a player; NeuroDraughts searches by plain minimax."""
    search = ",search=minimax" if name == "neuro" else ""
    return f"{out / name}.safetensors{search},{budget}"


def row_of(names: tuple[str, str], result: MatchResult) -> dict[str, Any]:
    """Return what is kept of a match."""
    summary = result.summary()
    kept = ("games", "wins", "draws", "losses", "elo", "elo_low", "elo_high", "p_value", "loops")
    return {"players": list(names), **{key: summary[key] for key in kept}}


def words(row: dict[str, Any]) -> list[str]:
    """Return a match as cells of a table."""
    elo = "beyond measure"
    if row["elo"] is not None:
        low, high = (
            f"{row[end]:+.0f}" if row[end] is not None else "?" for end in ("elo_low", "elo_high")
        )
        elo = f"{row['elo']:+.0f} [{low}, {high}]"
    names = [name.partition(",")[0] for name in row["players"]]
    loops = [f"{count} of {name}" for count, name in zip(row["loops"], names, strict=True)]
    return [
        " x ".join(TITLES.get(name, name) for name in row["players"]),
        f"{row['wins']}-{row['draws']}-{row['losses']}",
        elo,
        f"{row['p_value']:.3f}" if row["p_value"] >= 0.001 else "< 0.001",
        ", ".join(loops),
    ]


def tournament(scale: Scale, out: Path, jobs: int) -> dict[str, list[dict[str, Any]]]:
    """Return all matches: as the paper played them, with more games, and at equal nodes."""
    nodes = f"nodes={nodes_of_neuro(scale, out)}"
    depth = f"depth={scale.depth}"
    plans = {
        "as in the paper": (depth, scale.few),
        "at equal depth": (depth, scale.many),
        f"at equal nodes ({nodes.removeprefix('nodes=')})": (nodes, scale.many),
    }
    tables: dict[str, list[dict[str, Any]]] = {}
    for title, (budget, games) in plans.items():
        tables[title] = []
        for number, names in enumerate(track(TABLE_1, title, console=console)):
            players = (player(out, names[0], budget), player(out, names[1], budget))
            tables[title].append(row_of(names, meet(GAME, players, games, 10 + number, jobs)))
    return tables


def nodes_of_neuro(scale: Scale, out: Path) -> int:
    """Return the nodes that minimax of the training depth takes on average for a move."""
    from visiondraughts import positions

    from plywise.players import make_player

    search = make_player(player(out, "neuro", f"depth={scale.depth}"), load_game(GAME))
    counted = [search.choose(record).nodes for record in positions(50)]
    return max(100, 100 * round(sum(counted) / len(counted) / 100))


def meet_handovers(scale: Scale, out: Path, jobs: int) -> list[dict[str, Any]]:
    """Return the matches of MP-Draughts with VisionDraughts for every way of handing over."""
    budget = f"depth={scale.depth}"
    rows = []
    for handover in track(HANDOVERS, "handover", console=console):
        players = (
            player(out, "mp", f"{budget},handover={handover}"),
            player(out, "vision", budget),
        )
        name = f"mp, handover={handover}"
        rows.append(row_of((name, "vision"), meet(GAME, players, scale.many, 30, jobs)))
    return rows


def meet_anaconda(scale: Scale, out: Path, jobs: int) -> list[dict[str, Any]]:
    """Return the matches of all systems with the evolved anaconda at equal time."""
    budget = f"seconds={scale.seconds:g}"
    rows = []
    for number, name in enumerate(track(TITLES, "anaconda", console=console)):
        players = (player(out, name, budget), f"anaconda,{budget}")
        result = meet(GAME, players, scale.time_games, 50 + number, jobs)
        rows.append(row_of((name, "anaconda"), result))
    return rows


def measure(job: Job) -> dict[str, Measured]:
    """Train all systems with a seed; return Table I at equal depth, with many games."""
    scale = SCALES[job.scale]
    train_all(scale, job.folder, job.workers, job.seed)
    found = {}
    for number, names in enumerate(track(TABLE_1, "Table I", console=console)):
        players = [player(job.folder, name, f"depth={scale.depth}") for name in names]
        seed = 100 * job.seed + number
        result = meet(GAME, (players[0], players[1]), scale.many, seed, job.workers.jobs)
        found["-".join(names)] = match_measured(result)
        if names == ("mp", "vision"):
            of_mp, of_vision = result.loops
            text = f"{of_mp} of MP, {of_vision} of Vision"
            found["loops"] = share_measured(of_vision, of_mp + of_vision, text)
    return found


# ---------------------------------------------------------------- the page


def published() -> list[list[str]]:
    """Return the paper's own figures."""
    return [
        [
            " x ".join(TITLES[name] for name in names),
            f"{wins}-{draws}-{losses}",
            "-" if loops is None else str(loops),
        ]
        for names, (wins, draws, losses, loops) in TABLE_1.items()
    ]


def pictures(runs: dict[str, Run], out: Path) -> list[str]:
    """Draw curves, weights and the map; return the page's part about them."""
    clusters_page(runs["mp"], out / "clusters.html")
    parts = [
        '<p><a href="clusters.html">The map of endgames</a>, a typical board of each unit.</p>'
    ]
    for name, run in runs.items():
        plot_run(run, out / f"{name}-curves.svg")
        parts.append(f'<h3>{TITLES[name]}</h3><img alt="" src="{name}-curves.svg">')
        if name != "mp":
            weights_plot(champion_model(run), out / f"{name}-weights.svg")
            parts.append(f'<img alt="" src="{name}-weights.svg">')
    return parts


def main(
    scale: Size = "minute",
    out: Folder = OUT,
    jobs: Jobs = 0,
) -> None:
    """Train the four systems, play the tournament and write a report page."""
    size, folder = choose("scale", scale, SCALES), out / f"mp-draughts-{scale}"
    folder.mkdir(parents=True, exist_ok=True)
    runs = train_all(size, folder, Workers(jobs))
    tables = tournament(size, folder, jobs)
    tables["ways of handing over, at equal depth"] = meet_handovers(size, folder, jobs)
    if size.time_games:
        tables[f"against anaconda, {size.seconds:g} s a move"] = meet_anaconda(size, folder, jobs)
    (folder / "tables.json").write_text(json.dumps(tables, indent=2))
    header = ["match", "W-D-L", "Elo", "p", "endgame loops"]
    parts = [
        f"<p>Made by <code>python papers/mp_draughts.py --scale {scale}</code>. Every network is "
        f"trained by {size.sets} x {size.games} games at depth {size.depth}. NeuroDraughts "
        "searches by plain minimax, the others by alpha-beta with table and deepening.</p>",
        "<h2>Table I, theirs</h2>",
        report.table(["match", "W-D-L", "endgame loops"], published()),
    ]
    for title, rows in tables.items():
        parts += [f"<h2>{title.capitalize()}</h2>", report.table(header, [words(r) for r in rows])]
        shown = Table(*header, title=title)
        for row in rows:
            shown.add_row(*words(row))
        console.print(shown)
    parts += ["<h2>Pictures</h2>", *pictures(runs, folder)]
    report.write_page(folder / "report.html", "Paper 001, rerun", parts)
    console.print(str(folder / "report.html"))


if __name__ == "__main__":
    try:
        typer.run(main)
    except PlywiseError as error:
        raise SystemExit(f"mp_draughts: {error}") from None
