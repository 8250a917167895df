"""All papers: make what is missing, and write docs/papers.md.

python papers/all.py --list
python papers/all.py --scale minute
python papers/all.py --scale hour --only 001 --only 003-reversi
"""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from claims import CLAIMS
from experiment import SCALES, Claim, Experiment, Job
from page import command, format_seconds, make_rows, write_page
from rerun import OUT, Folder, Jobs, Size, choose, console
from results import FILE, ROOT, Measured, Result, append_results, read_results
from rich.table import Table

from plywise import __version__
from plywise.errors import PlywiseError
from plywise.system.atomic import require_writable
from plywise.system.parallel import Workers

INTERRUPTED = 130  # the exit code after Ctrl-C


@dataclass(frozen=True)
class Task:
    """An experiment to be done at a scale with a seed."""

    experiment: Experiment
    scale: str
    seed: int
    digest: str  # of the code


def chosen_claims(only: Sequence[str]) -> list[Claim]:
    """Return the claims with a name or the begin of one, all if nothing is named."""
    for text in only:
        if not any(_is_named(claim, text) for claim in CLAIMS.values()):
            raise typer.BadParameter(f"No claim is called {text!r} or begins so; see --list.")
    return [c for c in CLAIMS.values() if not only or any(_is_named(c, text) for text in only)]


def _is_named(claim: Claim, text: str) -> bool:
    return claim.name == text or claim.name.startswith(f"{text}-")


def is_made(result: Result, task: Task) -> bool:
    """Return whether a result is what a task would make again."""
    experiment = task.experiment
    return (
        result.experiment == experiment.name
        and (result.scale, result.seed) == (task.scale, task.seed)
        and result.configuration == experiment.configuration(task.scale)
        and result.digest == task.digest
    )


def tasks_of(claims: Sequence[Claim], scale: str) -> list[Task]:
    """Return all that the claims need, seed by seed, so that every claim has one early."""
    wanted = {claim.experiment.name: claim.experiment for claim in claims}
    digests = {name: experiment.digest() for name, experiment in wanted.items()}
    tasks = [
        Task(experiment, scale, seed, digests[name])
        for name, experiment in wanted.items()
        for seed in experiment.seeds_at(scale)
    ]
    return sorted(tasks, key=lambda task: task.experiment.seeds_at(scale).index(task.seed))


def missing_tasks(tasks: Sequence[Task], results: Sequence[Result]) -> list[Task]:
    """Return the tasks of which nothing is there."""
    return [task for task in tasks if not any(is_made(result, task) for result in results)]


def carry_out(task: Task, out: Path, workers: Workers, data: Path | None) -> list[Result]:
    """Do an experiment; return a result for every claim that it answers."""
    experiment, settings = task.experiment, task.experiment.configuration(task.scale)
    stamp = hashlib.sha256(f"{task.digest}{json.dumps(settings)}".encode()).hexdigest()[:8]
    folder = out / "all" / f"{experiment.name}-{task.scale}-{task.seed}-{stamp}"
    folder.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    found = experiment.measure(Job(task.scale, task.seed, folder, workers, data))
    seconds = round(time.perf_counter() - began, 1)
    answered = [claim for claim in CLAIMS.values() if claim.experiment is experiment]
    return [
        Result(
            claim.name,
            experiment.name,
            task.scale,
            settings,
            task.seed,
            __version__,
            task.digest,
            command(claim, task.scale),
            seconds,
            *_figures(found[claim.part]),
        )
        for claim in answered
        if claim.part in found
    ]


def _figures(measured: Measured) -> tuple[int, float, float, Measured]:
    return measured.games, measured.result, measured.interval.width / 2, measured


def show_claims(claims: Sequence[Claim], scale: str, results: Sequence[Result]) -> None:
    """Print every claim with what there is of it."""
    table = Table(f"{scale}", "seeds", "on the page", "what")
    table.columns[0].no_wrap = True
    told = {row.claim.name: row for row in make_rows(results)}
    made = {
        (task.experiment.name, task.seed)
        for task in tasks_of(claims, scale)
        if any(is_made(result, task) for result in results)
    }
    for claim in claims:
        seeds = claim.experiment.seeds_at(scale)
        there = sum((claim.experiment.name, seed) in made for seed in seeds)
        row = told[claim.name]
        shown = f"{row.verdict} ({row.scale})" if row.results else row.verdict
        table.add_row(claim.name, f"{there} of {len(seeds)}", shown, claim.what)
    console.print(table)


def make(tasks: Sequence[Task], file: Path, out: Path, workers: Workers, data: Path | None) -> None:
    """Do all tasks, one after the other; what is done is in the file at once."""
    for number, task in enumerate(tasks, 1):
        label = f"{task.experiment.name}, {task.scale}, seed {task.seed}"
        console.print(f"[bold]{number} of {len(tasks)}: {label}[/bold]")
        began = time.perf_counter()
        results = carry_out(task, out, workers, data)
        append_results(file, results)
        spent = format_seconds(time.perf_counter() - began)
        console.print(f"{label}: {len(results)} results, {spent}")


def main(
    scale: Size = "minute",
    only: Annotated[
        list[str] | None, typer.Option(help="A claim, or what several begin with; may be repeated.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Only say what there is.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Only write the page.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
    out: Folder = OUT,
    jobs: Jobs = 0,
    backend: Annotated[str, typer.Option(help="threads, processes or ray.")] = "threads",
    address: Annotated[str, typer.Option(help="Of a Ray cluster.")] = "",
    data: Annotated[Path | None, typer.Option(help="A data set of chess, for paper 002.")] = None,
    results: Annotated[Path, typer.Option(help="The file of results.")] = FILE,
    docs: Annotated[Path, typer.Option(help="Where the page goes.")] = ROOT / "docs",
) -> None:
    """Make what is missing at a scale, then write the page."""
    choose("scale", scale, dict.fromkeys(SCALES))
    claims = chosen_claims(only or [])
    known = read_results(results)
    if listed:
        show_claims(claims, scale, known)
    elif not write:
        workers = Workers(jobs, backend, address)
        require_writable(results)
        require_writable(docs / "papers.md")
        tasks = _possible(missing_tasks(tasks_of(claims, scale), known), data, bool(only))
        console.print(f"{len(tasks)} experiments are missing at this scale.")
        _make_all(tasks, results, out, workers, data, docs)
    if not listed:
        console.print(str(write_page(read_results(results), docs)))
    if as_json:
        names = {claim.name for claim in claims}
        rows = [row.as_values() for row in make_rows(read_results(results))]
        print(json.dumps([row for row in rows if row["claim"] in names], indent=2))


def _possible(tasks: Sequence[Task], data: Path | None, is_named: bool) -> list[Task]:
    """Return the tasks that can be done; without data some cannot."""
    lacking = [task for task in tasks if task.experiment.needs_data and data is None]
    if lacking and is_named:
        raise typer.BadParameter("Paper 002 needs a data set of chess: say --data FOLDER.")
    if lacking:
        console.print("Paper 002 is left out: it needs a data set of chess, --data FOLDER.")
    return [task for task in tasks if task not in lacking]


def _make_all(
    tasks: Sequence[Task], file: Path, out: Path, workers: Workers, data: Path | None, docs: Path
) -> None:
    """Do all tasks; after Ctrl-C the page has what was finished, and the exit code tells."""
    try:
        make(tasks, file, out, workers, data)
    except KeyboardInterrupt:
        write_page(read_results(file), docs)
        console.print("Stopped. What is finished is kept; the same command goes on.")
        raise typer.Exit(INTERRUPTED) from None


if __name__ == "__main__":
    try:
        typer.run(main)
    except PlywiseError as error:
        console.print(f"all: {error}", style="red")
        raise SystemExit(2) from None
