"""A process that watches over another one, which may crash.

The rules of a user's file are compiled without checks of bounds: a wild index or a recursion
without end kills the process, and nobody is left to say why. So commands on such a file run in a
child, and what it was at stands in memory that both see. The child hears Ctrl-C from the terminal.
"""

import ctypes
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable

CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL)
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BY_A_PROCESS = 0  # si_code of a signal that a process sent, not the terminal
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
ENOUGH = 3  # times that Ctrl-C is pressed
ROOM = 1024  # bytes that a note may have
STUCK = 15.0  # seconds of its processor that rules may take for an answer, compiling not counted
ASLEEP = 8  # how many times as many seconds of the clock they may

_notes = mmap.mmap(-1, ROOM)  # shared with every process that is forked from this one


def note(text: str) -> None:
    """Note what this process is at, for whoever watches it."""
    data = text.encode(errors="replace")[:ROOM]
    _notes[:] = data.ljust(ROOM, b"\0")


def noted() -> str:
    """Return the last note."""
    return _notes[:].rstrip(b"\0").decode(errors="replace")


def watched(work: Callable[[], int], crashed: Callable[[], int]) -> int:
    """Return work(), done by a child, or crashed() if that is what the child does."""
    if not sys.platform.startswith("linux"):
        return work()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD, *PASSED_ON))
    child = os.fork()
    if child:
        status = _wait(child)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return _ending(status, crashed)
    parent = os.getppid()
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return work()


def done_apart(work: Callable[[], int], crashed: Callable[[], int]) -> int:
    """Return work(), done by a child that does nothing else, or crashed() if the child does."""
    here = os.getpid()
    code = watched(work, crashed)
    if os.getpid() == here:
        return code
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


class Silence:
    """How long rules have been silent, by the processor: on a busy machine all are slow."""

    def __init__(self, patience: float) -> None:
        self.patience = patience  # seconds of the processor
        self.end()

    def end(self) -> None:
        """Begin again: something was heard."""
        self._spent, self._since = time.process_time(), time.monotonic()

    @property
    def is_endless(self) -> bool:
        """Return whether nothing is to be expected any more."""
        spent, passed = time.process_time() - self._spent, time.monotonic() - self._since
        return spent > self.patience or passed > ASLEEP * self.patience

    def sentence(self, file: str = "") -> str:
        """Return what a person needs to hear of rules that do not answer."""
        rules = f"The rules in {file}" if file else "The rules"
        where = f" ({noted()})" if noted() else ""
        return (
            f"{rules} have not answered for {self.patience:g} seconds{where}: a loop in them has "
            "no end, or a function calls itself too often."
        )


def crash_sentence(file: str) -> str:
    """Return what a person needs to hear of rules that have crashed a process."""
    where = f" ({noted()})" if noted() else ""
    cure = "" if where else f"; plywise check {file} tells where"
    return (
        f"The rules in {file} crashed{where}: they read or write outside of an array or a table, "
        f"or a function calls itself without end{cure}."
    )


def _wait(child: int) -> int:
    """Return the status with which a child ends; pass on what other processes tell us.

    A child that is stuck in compiled code is deaf: the third Ctrl-C kills it.
    """
    interrupts = 0
    while True:
        told = signal.sigwaitinfo((signal.SIGCHLD, *PASSED_ON))
        if told.si_signo == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
            continue
        interrupts += told.si_signo == signal.SIGINT
        if told.si_code == BY_A_PROCESS:
            os.kill(child, told.si_signo)
        if interrupts == ENOUGH:
            os.kill(child, signal.SIGKILL)


def _ending(status: int, crashed: Callable[[], int]) -> int:
    """Return the exit code for a child's status; what ended it by a signal ends us."""
    if not os.WIFSIGNALED(status):
        return os.WEXITSTATUS(status)
    number = os.WTERMSIG(status)
    if number in CRASHES:
        return crashed()
    if number == signal.SIGKILL:
        return 128 + number
    signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (number,))
    os.kill(os.getpid(), number)
    return 128 + number
