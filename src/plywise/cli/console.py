"""What all commands share: consoles, JSON, faults in one sentence, news of compiling."""

import functools
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plywise.errors import PlywiseError

if TYPE_CHECKING:
    from rich.console import Console

INTERRUPTED = 130  # what a shell expects of a program that Ctrl-C ended
WRONG_INPUT = 2
PIPE_WIDTH = 200  # a table in a pipe or a file is not cut to the width of a terminal


# ---------------------------------------------------------------- consoles


@functools.cache
def out() -> "Console":
    """Return the console on standard output; what is printed there is the command's answer."""
    return _console(is_error=False)


@functools.cache
def err() -> "Console":
    """Return the console on standard error, for everything that is not the answer."""
    return _console(is_error=True)


def _console(*, is_error: bool) -> "Console":
    from rich.console import Console

    stream = sys.stderr if is_error else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")  # a name with a foreign letter stops nothing
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(stderr=is_error, width=width, markup=False, highlight=False, emoji=False)


def has_colour(console: "Console") -> bool:
    """Return whether a console shows colours: a terminal that can, and no NO_COLOR."""
    return console.color_system is not None and not console.no_color


def print_json(value: Any) -> None:
    """Print a value as JSON, for programs."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """Show on standard error how many of many are done; call the result after each with a text."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeLeft())
    console = err()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda text: bar.update(task, advance=1, description=text)


# ---------------------------------------------------------------- faults


def guarded(command: Callable[[], Any]) -> int:
    """Run a command and return its exit code; a fault of the input is told in one sentence."""
    try:
        code = command()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _leave_broken_pipe()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        if sentence:
            complain(sentence)
        return WRONG_INPUT


def complain(sentence: str) -> None:
    """Print one sentence about what is wrong."""
    err().print(f"plywise: {sentence}", soft_wrap=True)


def _sentence(error: Exception) -> str | None:
    """Return what a person needs to hear of an error, or None if it is a fault of this program."""
    if isinstance(error, PlywiseError):
        return str(error)
    if hasattr(error, "format_message"):  # Typer's own: a wrong command, option or argument
        message = error.format_message()
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "plywise"
        end = "" if message.endswith((".", "?")) else "."
        return f"{message}{end} See {where} --help." if message else ""
    if type(error).__module__.startswith("numba."):
        from plywise.conformance import explain_compile_error

        return f"{explain_compile_error(error)} `plywise check` of the game's file tells more."
    return None


def _leave_broken_pipe() -> int:
    """Let the interpreter flush into nothing: whoever read our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


# ---------------------------------------------------------------- compiling


def announce_compiling(subject: str) -> None:
    """Say on standard error, once, when something of a game has to be compiled from now on."""
    from plywise import kernel

    def tell(_: str) -> None:
        kernel.announce_compiling(None)
        err().print(
            f"Compiling {subject}: the first use takes a few seconds, later ones are served "
            "from the cache.",
            style="dim",
            soft_wrap=True,
        )

    kernel.announce_compiling(tell)
