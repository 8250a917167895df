"""`plywise train`, `runs`, `plot` and `report`: learners at work, and what became of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from plywise.cli.command import PlainCommand
from plywise.cli.console import INTERRUPTED, err, out, print_json, waiting
from plywise.cli.parameters import AsJson, GameName
from plywise.errors import PlywiseError
from plywise.learners import BUILT_IN

if TYPE_CHECKING:
    from plywise.reports.closing import Closing
    from plywise.runs import Learner, Run, Status
    from plywise.runs.driver import Tell
    from plywise.system.parallel import Workers

RUNS = Path("runs")
DEFAULT = "patterns"
LONGEST = 1e6  # minutes
MODEL_ENDING = ".safetensors"
LINE_SECONDS = 30.0  # between two lines where there is no terminal to draw a bar on
PATIENCE = 3.0  # seconds that a step has to end after Ctrl-C
WORTH_MEASURING = 20.0  # seconds of learning from which on short matches say something
SETTINGS_OF = "plywise_settings_of"  # where the context of a command keeps the learner


# ---------------------------------------------------------------- help


class TrainCommand(PlainCommand):
    """The command `train`, whose help lists the settings of the learner that is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember the learner before help is asked for."""
        ctx.meta[SETTINGS_OF] = named_learner(args)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the example, and either all learners or the settings of one."""
        super().format_epilog(ctx, formatter)
        learner = ctx.meta.get(SETTINGS_OF)
        with formatter.section(f"Settings of {learner}" if learner else "Learners"):
            formatter.write_dl(setting_rows(learner) if learner else list(BUILT_IN.items()))
        if not learner:
            formatter.write_paragraph()
            formatter.write_text("plywise train GAME LEARNER --help lists a learner's settings.")


def named_learner(args: list[str]) -> str | None:
    """Return the learner that arguments name, if any; of two files the first is the game."""
    for place, text in enumerate(args):
        if text.startswith("--learner="):
            return text.partition("=")[2].partition(",")[0]
        if text == "--learner" and place + 1 < len(args):
            return args[place + 1].partition(",")[0]
    has_named_game = bool(args) and not args[0].startswith("-") and not is_file(args[0])
    files = [text for text in args if is_file(text)][0 if has_named_game else 1 :]
    names = [text.partition(",")[0] for text in args]
    return next((name for name in names if name in BUILT_IN or name in files), None)


def is_learner(text: str) -> bool:
    """Return whether a text names a learner that ships, or may be the file of one."""
    return text in BUILT_IN or is_file(text)


def is_file(text: str) -> bool:
    """Return whether a text may be the file of a game or a learner."""
    return text.partition(":")[0].endswith(".py")


def setting_rows(learner: str) -> list[tuple[str, str]]:
    """Return the settings of a learner as a table for --help."""
    from plywise.learners import settings_of
    from plywise.settings import list_settings

    rows = []
    for one in list_settings(settings_of(learner)):
        listed = f" ({', '.join(one.choices)})" if one.choices else ""
        rows.append((f"{one.name}={one.default}", f"{one.help}{listed}"))
    return rows


# ---------------------------------------------------------------- train


def train(
    game: GameName,
    settings: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LEARNER] [NAME=VALUE]", help="The learner and its settings."),
    ] = None,
    learner: Annotated[
        str,
        typer.Option(
            help=f"Another way to name the learner: {', '.join(BUILT_IN)}, or the file of your "
            f"own: mylearner.py. Default: {DEFAULT}."
        ),
    ] = "",
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
        typer.Option(
            help="Stop after the step in which so many minutes have passed. Default: 2 for "
            f"{DEFAULT}, else all steps."
        ),
    ] = None,
    closing: Annotated[
        bool,
        typer.Option(help="Let short matches tell in the end how strong the model is."),
    ] = True,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="0: one for every core.")] = 0,
    backend: Annotated[str, typer.Option(help="threads, processes or ray.")] = "threads",
    address: Annotated[
        str, typer.Option(help="Address of a Ray cluster; none starts one on this machine.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Learn to play a game; Ctrl-C loses nothing, --resume goes on."""
    from plywise.cli.training_end import print_ending
    from plywise.runs import discard_unless_begun
    from plywise.system.atomic import write_atomically
    from plywise.system.parallel import Workers

    name, texts = _read_settings(settings or [], learner)
    workers = Workers(jobs, backend, address)
    folder = run or RUNS / f"{_stem(name)}-{_stem(game)}"
    _require_possible(minutes, save)
    if resume and texts:
        raise PlywiseError("A resumed run keeps its settings; leave them out.")
    named = name if settings or learner else None
    opened, made = (
        _resume(folder, game, named, workers)
        if resume
        else _start(folder, name, game, texts, workers)
    )
    limit = minutes if minutes is not None else made.minutes
    try:
        ended = _drive(opened, made, limit, as_json)
    except PlywiseError:
        if not resume:
            discard_unless_begun(opened)
        raise
    played = None
    if closing and not ended.is_stopped and opened.model_path.is_file():
        try:
            played = _close(opened, made, jobs)
        except KeyboardInterrupt:
            ended = ended._replace(is_interrupted=True)
    if save is not None:
        if not opened.model_path.is_file():
            raise PlywiseError(f"{folder} has no champion yet, so there is nothing to save.")
        write_atomically(save, opened.model_path.read_bytes())
    if as_json:
        values = {"run": str(folder), "steps": ended.status.step, "last": ended.status.last}
        print_json({**values, "closing": played.as_values() if played else None})
    else:
        print_ending(opened, game, ended.status, played, save)
    if ended.is_interrupted:
        raise typer.Exit(INTERRUPTED)


def _read_settings(words: list[str], option: str) -> tuple[str, dict[str, str]]:
    """Return the learner and its settings; the learner is the first word or an option.

    Settings are words of their own, or follow the learner as those of a player do: td,depth=2.
    """
    from plywise.settings import parse_options

    is_first_named = bool(words) and is_learner(words[0].partition(",")[0])
    first = words[0] if is_first_named else ""
    if words and not first and "=" not in words[0]:
        raise PlywiseError(
            f"{words[0]!r} is no learner ({', '.join(BUILT_IN)}), and a setting is written "
            "NAME=VALUE."
        )
    name, texts = parse_options(first or option or DEFAULT)
    if first and option and name != option:
        raise PlywiseError(f"A run has one learner, not both {name} and {option}.")
    for word in words[1:] if first else words:
        key, equals, value = word.partition("=")
        if not equals:
            raise PlywiseError(f"A setting is written NAME=VALUE, not {word!r}.")
        if key in texts:
            raise PlywiseError(f"The setting {key!r} is given twice.")
        texts[key] = value
    return name, texts


def _stem(name: str) -> str:
    """Return the name of a game or a learner, or of its file, for a folder."""
    return Path(name.partition(":")[0]).stem


def _start(
    folder: Path, name: str, game: str, texts: dict[str, str], workers: "Workers"
) -> "tuple[Run, Learner[Any, Any]]":
    """Return a new run and its learner; nothing is written if they do not fit together."""
    from plywise import runs
    from plywise.cli.looking import open_game
    from plywise.evaluators.lookup import OtherGame
    from plywise.learners import load_learner, settings_of
    from plywise.runs.run import require_new
    from plywise.settings import with_texts

    settings = with_texts(settings_of(name)(), texts)
    require_new(folder)  # before anything is compiled
    open_game(game)
    try:
        learner = load_learner(name)(game, settings, workers)
    except OtherGame as error:
        if not hasattr(settings, "evaluator"):
            raise PlywiseError(f"The learner {name} is not for this game. {error}") from None
        raise PlywiseError(f"{error} Name another, as in {name} evaluator=mlp.") from None
    return runs.start(folder, name, learner), learner


def _require_possible(minutes: float | None, save: Path | None) -> None:
    """Raise for what would only come out when the training is over."""
    from plywise.system.atomic import require_writable

    if minutes is not None and not 0 <= minutes < LONGEST:
        raise PlywiseError(f"--minutes is a number from 0 to {LONGEST:g}, not {minutes}.")
    if save is not None:
        require_writable(save)
        if save.suffix != MODEL_ENDING:
            raise PlywiseError(f"A model is saved as FILE{MODEL_ENDING}, not as {save.name}.")


def _resume(
    folder: Path, game: str, learner: str | None, workers: "Workers"
) -> "tuple[Run, Learner[Any, Any]]":
    """Return the run in a folder, which is one of the game and the learner that were named."""
    from plywise.games import load_game
    from plywise.learners import learner_of, load_learner
    from plywise.runs import Run, require_free

    opened = Run(folder)
    config = opened.config()
    if _stem(game) != _stem(config["game"]) and not is_file(game):
        raise PlywiseError(f"{folder} is a run of {_stem(config['game'])}, not of {game}.")
    if learner is not None and _stem(learner) != _stem(config["learner"]):
        raise PlywiseError(f"{folder} is a run of {_stem(config['learner'])}, not of {learner}.")
    if learner is not None and is_file(learner):
        load_learner(learner)  # whoever names a file lets it run, so the run may, too
    require_free(opened)
    name = load_game(game).name
    if is_file(game) and not is_file(config["game"]):
        raise PlywiseError(f"{folder} is a run of {config['game']}, not of {game}.")
    made = learner_of(opened, workers, game)
    known = _game_of_model(opened)
    if known is not None and known != name:
        raise PlywiseError(f"{folder} is a run of {known}, not of {name}.")
    if config.get("rules", made.game.rules.meaning) != made.game.rules.meaning:
        err().print(
            f"The rules of {name} have changed since this run began: what it learned by the old "
            "ones goes on under the new.",
            soft_wrap=True,
        )
    return opened, made


def _game_of_model(run: "Run") -> str | None:
    """Return the name of the game that a run has made a model for, if it has."""
    from plywise.evaluators.model import BadModel, read_card

    try:
        return str(read_card(run.model_path)["game"])
    except BadModel:
        return None


class _Ended(NamedTuple):
    """How a training came to its end."""

    status: "Status"
    is_stopped: bool = False  # somebody wanted that, so that nobody waits for matches
    is_interrupted: bool = False  # by Ctrl-C


def _drive(
    run: "Run", learner: "Learner[Any, Any]", minutes: float | None, is_silent: bool
) -> _Ended:
    """Carry the run on until it ends or is stopped."""
    from plywise.cli.console import announce_compiling
    from plywise.runs import carry_on, keep_model, read_status
    from plywise.system.background import on_interrupt
    from plywise.system.stopping import StopToken

    announce_compiling("the search for this evaluator")
    stop, interrupted = StopToken(), StopToken()

    def interrupt() -> None:
        interrupted.set()
        stop.set()
        err().print(
            f"Stopping: this step may end within {PATIENCE:g} seconds, or is dropped; Ctrl-C again "
            "stops at once.",
            soft_wrap=True,
        )

    try:
        with _progress(is_silent, minutes) as tell, on_interrupt(interrupt, PATIENCE):
            status = carry_on(run, learner, tell, stop, minutes)
    except KeyboardInterrupt:  # the step is lost, all others are kept
        keep_model(run, learner)
        return _Ended(read_status(run), is_stopped=True, is_interrupted=True)
    return _Ended(status, stop.is_set(), interrupted.is_set())


def _close(run: "Run", learner: "Learner[Any, Any]", jobs: int) -> "Closing | None":
    """Play the closing matches; None where so little was learned that nothing is worth a match."""
    from plywise.reports.closing import Terms, close_model, measure_model

    if learner.has_closing_match:
        with waiting("closing matches") as tell:
            return close_model(run.model_path, learner.game, tell, Terms(jobs=jobs))
    if sum(line.get("seconds", 0) for line in run.metrics()) < WORTH_MEASURING:
        return None
    with waiting("closing matches") as tell:
        return measure_model(run.model_path, learner.game, tell, Terms(jobs=jobs))


def _words(status: "Status") -> str:
    """Return in a few words how far a run is."""
    return f"step {status.step}: {status.words}" if status.words else "in the first step"


@contextmanager
def _progress(is_silent: bool, minutes: float | None) -> "Iterator[Tell]":
    """Show on standard error how far a run is."""
    if is_silent:
        yield lambda status: None
        return
    with _bar(minutes) if err().is_terminal else _lines() as tell:
        yield tell


@contextmanager
def _lines() -> "Iterator[Tell]":
    """Write a line now and again, in a long step as well, so that a log tells of life."""
    import threading
    import time

    started, is_over, words = time.monotonic(), threading.Event(), ["starting"]

    def write() -> None:
        err().print(f"{time.monotonic() - started:.0f} s: {words[-1]}", soft_wrap=True)

    def repeat() -> None:
        while not is_over.wait(LINE_SECONDS):
            write()

    write()
    writer = threading.Thread(target=repeat, daemon=True)
    writer.start()
    try:
        yield lambda status: words.append(_words(status))
    finally:
        is_over.set()
        writer.join()


@contextmanager
def _bar(minutes: float | None) -> "Iterator[Tell]":
    """Draw a bar of the steps, or of the time that they may take."""
    import time

    from rich.progress import BarColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (BarColumn(), TextColumn("{task.description}"), TimeLeft())
    started = time.monotonic()
    with Progress(*columns, console=err()) as bar:
        task = bar.add_task("starting", total=None)

        def tell(status: "Status") -> None:
            done: float = status.step
            total: float | None = status.of
            if minutes is not None:
                done, total = time.monotonic() - started, 60 * minutes
            bar.update(task, completed=done, total=total, description=_words(status))

        yield tell


# ---------------------------------------------------------------- runs


def runs(
    folder: Annotated[Path, typer.Argument(help="Where the runs are.")] = RUNS,
    stop: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Ask a running training to stop after its step."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List all runs, what they are doing, how far they are and what they last measured."""
    from plywise.runs import Run, list_runs, request_stop

    if stop is not None:
        request_stop(Run(stop))
        out().print(f"{stop} stops after its step.", soft_wrap=True)
        return
    if folder.exists() and not folder.is_dir():
        raise PlywiseError(f"{folder} is no folder with runs in it.")
    if folder != RUNS and not folder.exists():
        raise PlywiseError(f"There is no folder {folder}.")
    rows = [_run_row(run) for run in list_runs(folder)]
    if as_json:
        print_json(rows)
        return
    if not rows:
        out().print(f"There are no runs in {folder}.")
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("run", "learner", "game", "state", "steps", "hours"):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        steps = f"{row['steps']}/{row['of'] or '?'}"
        names = [row["run"], _stem(row["learner"]), _stem(row["game"]), row["state"]]
        table.add_row(*names, steps, f"{row['hours']:.2f}")
    out().print(table)
    for row in rows:
        if row["error"] or row["words"]:
            out().print(f"{row['run']}: {row['error'] or row['words']}", soft_wrap=True)


def _run_row(run: "Run") -> dict[str, Any]:
    """Return what is listed of a run; one that is damaged is listed as such."""
    from plywise.runs import read_status

    status = read_status(run)
    row = {"run": str(run.folder), "steps": status.step, "of": status.of, "last": status.last}
    try:
        config = run.config()
        seconds = [line.get("seconds") for line in run.metrics()]
    except PlywiseError as error:
        unknown = {"learner": "?", "game": "?", "state": "damaged", "hours": 0.0, "words": ""}
        return {**row, **unknown, "error": str(error)}
    return {
        **row,
        "learner": config["learner"],
        "game": config["game"],
        "state": status.state,
        "hours": sum(one for one in seconds if isinstance(one, int | float)) / 3600,
        "words": status.words,
        "error": status.error,
    }


# ---------------------------------------------------------------- plot and report


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
        from plywise.learners import champion_model
        from plywise.reports.weights_plot import weights_plot

        shown = weights_plot(champion_model(opened), weights)
        out().print(f"{weights}: {', '.join(shown)}", soft_wrap=True)
    if clusters is not None:
        from plywise.reports.map_page import clusters_page

        out().print(f"{clusters}: {clusters_page(opened, clusters)} units", soft_wrap=True)
    if output is not None or (weights is None and clusters is None):
        from plywise.reports.plots import plot_run

        path = output or run / "curves.png"
        out().print(f"{path}: {', '.join(plot_run(opened, path))}", soft_wrap=True)


def report(
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
    with waiting("measuring") as tell:
        tests = final_tests(opened, scale, tell)
        rating = rate_champions(opened, scale, tell)
    if as_json:
        print_json(summary(opened, tests, rating))
        return
    from rich.table import Table

    table = Table("against", "W-D-L", "points", "Elo", "test")
    for row in test_table(tests):
        table.add_row(*row)
    out().print(table)
    out().print(rating_table(rating))
