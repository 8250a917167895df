"""A program at the other end of a pair of pipes, which is trusted in nothing.

Every line is waited for until a deadline. Whatever a program does, this end neither hangs nor
grows: a program that writes without end is held up by its full pipe. It runs in a process group
of its own, which is killed as a whole. The group belongs to a guard that does nothing but wait for
the end of its input: it kills the group if this process is gone without having done so.
"""

import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from plywise.errors import Forfeit, PlywiseError

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian has engines, often not on PATH
CHUNK = 1 << 16
LONGEST_LINE = 1 << 20
KEPT_ERRORS = 400  # bytes of what a program complained of last
DYING_SECONDS = 5.0
WRITING_SECONDS = 5.0


GUARD = ["/bin/sh", "-c", "read line; kill -KILL 0"]


class Silence(Forfeit):
    """A program has not answered in time."""


class Wire(Protocol):
    """Whatever carries lines to an engine and back."""

    def write(self, line: str) -> None:
        """Send a line; raise Forfeit if nobody can take it."""
        ...

    def read(self, deadline: float) -> str:
        """Return the next line; raise Silence if none comes by a time of `time.monotonic`."""
        ...


def find_program(command: str) -> list[str]:
    """Return the words of a command, the first of them the path of a program that exists."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PlywiseError(f"The command {command!r} cannot be read: {error}.") from None
    if not words:
        raise PlywiseError("The command of an engine is missing: write uci:stockfish, for example.")
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    program = shutil.which(words[0], path=path)
    if program is None:
        raise PlywiseError(f"There is no program {words[0]!r} that could be started.")
    return [str(Path(program).absolute()), *words[1:]]


class EngineProcess:
    """A program that runs, and its lines."""

    def __init__(self, words: list[str]) -> None:
        self.label = Path(words[0]).name
        nothing = subprocess.DEVNULL
        self._guard = subprocess.Popen(
            GUARD, stdin=subprocess.PIPE, stdout=nothing, stderr=nothing, process_group=0
        )
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                process_group=self._guard.pid,
            )
        except OSError as error:
            _end(self._guard)
            raise PlywiseError(f"{words[0]} cannot be started: {error.strerror}.") from None
        self._pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in self._pipes if pipe)
        os.set_blocking(self._in, False)
        self._received = bytearray()
        self._errors = b""
        self._reading, self._writing = threading.Lock(), threading.Lock()
        self._ending = weakref.finalize(self, _end, self._guard, self._process)

    def is_alive(self) -> bool:
        """Return whether the program still runs."""
        return self._process.poll() is None

    def write(self, line: str) -> None:
        """Send a line; may be called from any thread."""
        with self._writing:
            left = f"{line}\n".encode()
            deadline = time.monotonic() + WRITING_SECONDS
            while left:
                left = left[self._write_some(left, deadline) :]

    def _write_some(self, data: bytes, deadline: float) -> int:
        try:
            _, ready, _ = select.select([], [self._in], [], _left_until(deadline))
            if not ready:
                raise Forfeit(f"overtime: {self.label} takes no more lines")
            return os.write(self._in, data)
        except OSError:  # it has closed its end, or somebody closed ours
            raise self._gone() from None

    def read(self, deadline: float) -> str:
        """Return the next line, without what ends it."""
        with self._reading:
            while True:
                if time.monotonic() > deadline:  # lines may come without end
                    raise Silence(f"overtime: {self.label} gives no answer")
                end = self._received.find(b"\n")
                if end >= 0:
                    line = self._received[:end].decode("utf-8", "replace")
                    del self._received[: end + 1]
                    return line.rstrip("\r")
                if len(self._received) > LONGEST_LINE:
                    raise Forfeit(f"crash: {self.label} writes a line without end")
                self._receive(deadline)

    def _receive(self, deadline: float) -> None:
        """Wait for what the program writes, and keep it."""
        try:
            ready, _, _ = select.select(
                [self._out, *([self._err] if self._err >= 0 else [])], [], [], _left_until(deadline)
            )
            if not ready:
                raise Silence(f"overtime: {self.label} gives no answer")
            if self._err in ready:
                self._receive_errors()
            if self._out in ready:
                data = os.read(self._out, CHUNK)
                if not data:
                    raise self._gone()
                self._received += data
        except OSError:
            raise self._gone() from None

    def _receive_errors(self) -> None:
        data = os.read(self._err, CHUNK)
        self._errors = (self._errors + data)[-KEPT_ERRORS:]
        if not data:
            self._err = -1

    def _gone(self) -> Forfeit:
        """Return what is to be said of a program that is no longer there."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with code {code}"
        last = self._errors.decode("utf-8", "replace").strip().splitlines()[-1:]
        return Forfeit(": ".join([f"crash: {self.label} {how}", *last]))

    def close(self) -> None:
        """Kill the program and all that it started; may be called from any thread, and again."""
        if not self._ending.alive:
            return
        _kill_group(self._guard)
        # Whoever reads or writes hears of the end; a number of a pipe is given back only then.
        with _held(self._reading), _held(self._writing):
            self._ending()


@contextlib.contextmanager
def _held(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock, if it can be had soon."""
    has_it = lock.acquire(timeout=DYING_SECONDS)
    try:
        yield
    finally:
        if has_it:
            lock.release()


def _kill_group(guard: "subprocess.Popen[bytes]") -> None:
    """Kill a guard and its group, whose number is its own as long as nobody has waited for it."""
    if guard.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(guard.pid, signal.SIGKILL)


def _end(guard: "subprocess.Popen[bytes]", *members: "subprocess.Popen[bytes]") -> None:
    """Kill a whole group, and give back what it held."""
    _kill_group(guard)
    for process in (*members, guard):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(DYING_SECONDS)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _left_until(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())
