"""`plywise train`, `runs` and `plot`: learners at work, and what became of them."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import err, out, print_json
from plywise.cli.parameters import AsJson, GameName
from plywise.errors import PlywiseError, UnknownName
from plywise.learners.configs import CONFIGS

if TYPE_CHECKING:
    from plywise.learners import Learner
    from plywise.runs import Run
    from plywise.system.parallel import Workers

RUNS = Path("runs")
BACKENDS = {"threads": "threading", "processes": "loky", "ray": "ray"}


def settings_help() -> str:
    """Return all settings of all learners with their defaults, for --help."""
    import dataclasses

    from plywise.settings import choices, field_docs

    parts = []
    for learner, kind in CONFIGS.items():
        docs = field_docs(kind)
        lines = [f"Settings of {learner} (NAME=VALUE):"]
        for field in dataclasses.fields(kind):
            listed = "|".join(choices(kind, field.name))
            default = field.default if field.default != "" else "none"
            lines.append(
                f"{field.name} = {default}{f' ({listed})' if listed else ''}: {docs[field.name]}"
            )
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts)


def train(
    game: GameName,
    settings: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE]...", help="Settings of the learner, see below."),
    ] = None,
    learner: Annotated[str, typer.Option(help=f"One of: {', '.join(CONFIGS)}.")] = "nhb",
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The run's folder. Default: runs/NAME.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run there.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the champion here when the run is over."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="Stop after the step in which so many minutes have passed."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="0: one for every core.")] = 0,
    backend: Annotated[str, typer.Option(help=f"{', '.join(BACKENDS)}.")] = "threads",
    address: Annotated[
        str, typer.Option(help="Address of a Ray cluster; none starts one on this machine.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Learn to play a game; Ctrl-C loses nothing, --resume goes on."""
    if learner not in CONFIGS:
        raise UnknownName("learner", learner, CONFIGS)
    if backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    folder = run or RUNS / f"{learner}-{Path(game).stem}"
    opened = _open(folder, game, learner, _texts(settings or []), resume)
    from plywise.system.parallel import Workers

    last = _learn(opened, Workers(jobs, BACKENDS[backend]), address, minutes, as_json)
    if save is not None:
        from plywise.evaluators.model import save_model

        save_model(_learner_of(opened).champion_model(opened), save)
    if as_json:
        print_json({"run": str(folder), "steps": len(opened.champions()), "last": last})


def _texts(settings: list[str]) -> dict[str, str]:
    texts = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise PlywiseError(f"A setting is written NAME=VALUE, not {setting!r}.")
        texts[name] = value
    return texts


def _open(folder: Path, game: str, learner: str, texts: dict[str, str], resume: bool) -> "Run":
    from plywise.learners import load_learner
    from plywise.runs import Run
    from plywise.settings import with_texts

    if resume:
        if texts:
            raise PlywiseError("A resumed run keeps its settings; leave them out.")
        return Run(folder)
    return load_learner(learner).start(folder, game, with_texts(CONFIGS[learner](), texts))


def _learner_of(run: "Run") -> "Learner":
    from plywise.learners import load_learner

    return load_learner(run.config()["learner"])


def _learn(
    run: "Run", workers: "Workers", address: str, minutes: float | None, is_silent: bool
) -> dict[str, Any] | None:
    """Carry the run on to its end; return the metrics of its last step."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    from plywise.cli.console import announce_compiling
    from plywise.system.parallel import cluster

    learner = _learner_of(run)
    total = learner.count_steps(run.config())
    announce_compiling("the search for this evaluator")
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeLeft())
    last = None
    started = time.monotonic()
    with (
        cluster(address if workers.backend == "ray" else None),
        Progress(*columns, console=err(), disable=is_silent or not err().is_terminal) as bar,
    ):
        task = bar.add_task("starting", total=total, completed=_done(run))
        for last in learner.learn(run, workers):
            bar.update(task, completed=_done(run), description=learner.describe_step(last))
            if minutes is not None and time.monotonic() - started >= 60 * minutes:
                break
    if not is_silent:
        done = f"{run.folder}: {_done(run)} of {total} steps"
        out().print(f"{done}; draw it with plywise plot {run.folder}", soft_wrap=True)
    return last


def _done(run: "Run") -> int:
    return max(run.champions(), default=-1) + 1


def runs(
    folder: Annotated[Path, typer.Argument(help="Where the runs are.")] = RUNS,
    as_json: AsJson = False,
) -> None:
    """List all runs, how far they are and what they last measured."""
    from rich.table import Table

    from plywise.learners import load_learner
    from plywise.runs import list_runs

    rows = []
    for run in list_runs(folder):
        config, metrics = run.config(), run.metrics()
        rows.append(
            {
                "run": str(run.folder),
                "learner": config["learner"],
                "game": config["game"],
                "steps": _done(run),
                "of": _learner_of(run).count_steps(config),
                "hours": sum(line["seconds"] for line in metrics) / 3600,
                "last": metrics[-1] if metrics else None,
            }
        )
    if as_json:
        print_json(rows)
        return
    if not rows:
        out().print(f"There are no runs in {folder}.")
        return
    table = Table("run", "learner", "game", "steps", "hours", "last step")
    for row in rows:
        describe = load_learner(row["learner"]).describe_step
        table.add_row(
            row["run"],
            row["learner"],
            row["game"],
            f"{row['steps']}/{row['of']}",
            f"{row['hours']:.2f}",
            describe(row["last"]) if row["last"] else "",
        )
    out().print(table)


def plot(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder.")],
    output: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="PNG or SVG. Default: in the run.")
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw what features are worth to the champion instead."),
    ] = None,
    clusters: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with the clusters of an mp run instead."),
    ] = None,
) -> None:
    """Draw the curves of a run, the weights of its features, or the clusters of its map."""
    from plywise.runs import Run

    opened = Run(run)
    if weights is not None:
        from plywise.reports.map_page import weights_plot
        from plywise.reports.run_report import champion_model

        shown = weights_plot(champion_model(opened), weights)
        out().print(f"{weights}: {', '.join(shown)}", soft_wrap=True)
    if clusters is not None:
        from plywise.reports.map_page import clusters_page

        out().print(f"{clusters}: {clusters_page(opened, clusters)} units", soft_wrap=True)
    if output is not None or (weights is None and clusters is None):
        from plywise.reports.plots import plot_run

        path = output or run / "curves.png"
        out().print(f"{path}: {', '.join(plot_run(opened, path))}", soft_wrap=True)


def growth(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run's folder.")],
    depth: Annotated[int, typer.Option(min=1, help="Plies of every alpha-beta player.")] = 4,
    games: Annotated[int, typer.Option("--games", "-n", help="Games of each test.")] = 100,
    champions: Annotated[int, typer.Option(min=2, help="How many champions are rated.")] = 8,
    rating_games: Annotated[int, typer.Option(help="Games between any two of these.")] = 10,
    playouts: Annotated[int, typer.Option(min=1, help="Playouts of pure MCTS.")] = 1000,
    mcts_depth: Annotated[
        int, typer.Option(min=0, help="Plies against pure MCTS; 0: as against all others.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Measure what a run's champions are worth, with error bars."""
    from plywise.cli.console import announce_compiling
    from plywise.cli.standings import rating_table
    from plywise.reports.run_report import Scale, final_tests, rate_champions, summary, test_table
    from plywise.runs import Run

    opened = Run(run)
    if not opened.champions():
        raise PlywiseError(f"{run} has no champion yet.")
    announce_compiling("the search for this evaluator")
    scale = Scale(depth, games, champions, rating_games, playouts, mcts_depth)
    with err().status("") as status:
        tests = final_tests(opened, scale, status.update)
        rating = rate_champions(opened, scale, status.update)
    if as_json:
        print_json(summary(opened, tests, rating))
        return
    from rich.table import Table

    table = Table("against", "W-D-L", "points", "Elo", "test")
    for row in test_table(tests):
        table.add_row(*row)
    out().print(table)
    out().print(rating_table(rating))
