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
from collections.abc import Callable

CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL)
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BY_A_PROCESS = 0  # si_code of a signal that a process sent, not the terminal
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
ENOUGH = 3  # times that Ctrl-C is pressed
ROOM = 1024  # bytes that a note may have

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
        return _ending(_wait(child), crashed)
    parent = os.getppid()
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return work()


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
