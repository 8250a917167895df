"""What the papers share: the console, options of the command line, training, and matches."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from experiment import Job
from results import Measured
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from plywise.arena import Match, MatchResult, play_match
from plywise.games import load_game
from plywise.learners import learner_of, load_learner
from plywise.players import Player
from plywise.runs import Run, Status, carry_on, start
from plywise.system.parallel import Workers

Key = TypeVar("Key")
Scale = TypeVar("Scale")

console = Console(stderr=True)

OUT = Path("runs/papers")
OPENING_PLIES = 4

Size = Annotated[str, typer.Option("--scale", help="minute, hour or paper.")]
Folder = Annotated[Path, typer.Option("--out", help="Where runs and reports go.")]
Save = Annotated[Path | None, typer.Option("--save", help="Write the champion's model here.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="0: one for every core.")]
Seed = Annotated[int, typer.Option(help="Of trainings and matches.")]


def choose(what: str, name: Key, known: Mapping[Key, Scale]) -> Scale:
    """Return what a name stands for, or raise with all that are known."""
    if name not in known:
        *others, last = map(str, known)
        listed = f"{', '.join(others)} or {last}"
        raise typer.BadParameter(f"The {what} is {listed}, not {name!r}.")
    return known[name]


def train(
    folder: Path, learner: str, game: str, settings: Any, workers: Workers = Workers()
) -> Run:
    """Carry the run of a folder to its end; begin it if there is none yet."""
    if (folder / "config.toml").is_file():
        run = Run(folder)
        made = learner_of(run, workers)
    else:
        made = load_learner(learner)(game, settings, workers)
        run = start(folder, learner, made)
    with Progress(console=console) as bar:
        task = bar.add_task(folder.name, total=made.steps)

        def tell(status: Status) -> None:
            bar.update(task, completed=status.step)

        status = carry_on(run, made, tell)
    if status.state != "finished":
        raise KeyboardInterrupt(f"{folder} was stopped")
    return run


def meet(
    game: str, players: tuple[str | Player, str | Player], games: int, seed: int, jobs: int = 0
) -> MatchResult:
    """Play a match over paired random openings."""
    match = Match(
        load_game(game),
        players,
        games=games,
        openings="random",
        opening_plies=OPENING_PLIES,
        seed=seed,
    )
    return play_match(match, jobs=jobs)


def new_job(name: str, scale: str, seed: int, out: Path, jobs: int) -> Job:
    """Return an experiment to be done by hand, with its folder made."""
    folder = out / f"{name}-{scale}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    return Job(scale, seed, folder, Workers(jobs))


def print_points(heading: tuple[str, str], rows: Mapping[str, Measured]) -> None:
    """Print what matches came to, by what was tried in each."""
    table = Table(*heading, "points")
    for what, one in rows.items():
        table.add_row(what, one.text, f"{one.result:.1%} [{one.low:.1%}, {one.high:.1%}]")
    console.print(table)
