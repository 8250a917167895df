"""What all commands share: consoles, JSON, faults in one sentence, news of compiling."""

import functools
import io
import json
import math
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from plywise.errors import Forfeit, PlywiseError

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WORDS = {  # patterns in what Typer says of the value of an option, and what we say
    "Unable to parse input string as an integer, exceeded maximum size": "the number is too large",
    "Input should be a valid integer.*": "it is a whole number",
    "Input should be a valid number.*": "it is a number",
    "Input should be greater than or equal to (.*)": r"it is \1 or more",
    "Input should be less than or equal to (.*)": r"it is at most \1",
    "Input should be": "it should be",
}
TOO_LARGE = re.compile("too (large|big) to convert")  # a number that fits into no word
INTERRUPTED = 130  # what a shell expects of a program that Ctrl-C ended
WRONG_INPUT = 2
PATIENCE, REPEAT = 2.0, 30.0  # seconds of silence before it is said what is going on, and again
PIPE_WIDTH = 200  # a table in a pipe or a file is not cut to the width of a terminal
NARROWEST, USUAL_WIDTH = 40, 80  # columns; a narrower terminal is taken for the usual one
CLOSED_OUTPUT = 1  # the exit code where nobody could read the answer


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
    console = Console(stderr=is_error, width=width, markup=False, highlight=False, emoji=False)
    if console.width < NARROWEST:
        console.width = USUAL_WIDTH
    return console


def has_colour(console: "Console") -> bool:
    """Return whether a console shows colours: a terminal that can, and no NO_COLOR."""
    return console.color_system is not None and not console.no_color


def print_json(value: Any) -> None:
    """Print a value as JSON, for programs; a number that is not finite is null there."""
    text = json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write(text.encode(errors="replace").decode() + "\n")


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


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


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """Say what a person waits for, if it takes longer than a moment; call the result with news.

    On a terminal it is a line that changes, elsewhere a line after two seconds and then now and
    again, so that a log tells that somebody is at work.
    """
    if err().is_terminal:
        with err().status(what) as line:
            yield lambda text: line.update(text)
        return
    words, is_over = [what], threading.Event()

    def repeat() -> None:
        pause = PATIENCE
        while not is_over.wait(pause):
            err().print(f"{words[-1]} ...", soft_wrap=True)
            pause = REPEAT

    speaker = threading.Thread(target=repeat, daemon=True)
    speaker.start()
    try:
        yield words.append
    finally:
        is_over.set()
        speaker.join()


# ---------------------------------------------------------------- faults


def guarded(command: Callable[[], Any]) -> int:
    """Run a command and return its exit code; a fault of the input is told in one sentence."""
    is_heard = _open_streams()
    try:
        code = command()
        sys.stdout.flush()
        done = 0 if is_heard else CLOSED_OUTPUT
        return code or done if isinstance(code, int) else done
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _leave_output()
    except OSError as error:
        complain(_system_sentence(error))
        if error.filename is None:
            _leave_output()
        return WRONG_INPUT
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


def complain_of_crash(file: str) -> int:
    """Say that rules have crashed the program, and return the exit code."""
    from plywise.system.watching import crash_sentence

    complain(crash_sentence(file))
    return WRONG_INPUT


def _sentence(error: Exception) -> str | None:
    """Return what a person needs to hear of an error, or None if it is a fault of this program."""
    if isinstance(error, Forfeit):
        reason = str(error).removeprefix("crash: ").removeprefix("overtime: ")
        return f"The engine fails: {reason}."
    if isinstance(error, PlywiseError):
        return str(error)
    if hasattr(error, "format_message"):  # Typer's own: a wrong command, option or argument
        message = _in_plain_words(error.format_message())
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "plywise"
        end = "" if message.endswith((".", "?")) else "."
        return f"{message}{end} See {where} --help." if message else ""
    if isinstance(error, OverflowError) and TOO_LARGE.search(str(error)):
        return "A number in this line is larger than any that could be meant: ask for less."
    from plywise.conformance import sentence_of

    return sentence_of(error) or None


def _in_plain_words(message: str) -> str:
    """Return a message of Typer about an option without the words of the library that reads it."""
    for words, plain in PLAIN_WORDS.items():
        message = re.sub(words, plain, message)
    return message


def _system_sentence(error: OSError) -> str:
    """Return what the system refused to do."""
    reason = (error.strerror or "the system refuses").lower()
    if error.filename is None:
        return f"The output cannot be written: {reason}."
    return f"{error.filename} cannot be used: {reason}."


def _open_streams() -> bool:
    """Have the three streams of a program, also closed ones; return whether output was open."""
    is_heard = sys.stdout is not None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    return is_heard


def _leave_output() -> int:
    """Let the interpreter flush into nothing: whoever read our output has gone."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_OUTPUT


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
