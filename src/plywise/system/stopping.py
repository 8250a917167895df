"""Stop tokens: how whoever asks for something says that the answer is wanted now."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from plywise.system.background import interruptible

Answer = TypeVar("Answer")


class StopToken:
    """Says whether a request shall be answered at once.

    It belongs to one request. Whoever asks may set it, from any thread and at any time; whoever
    answers hears of it and never clears it.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # Ctrl-C may set it in a thread that holds the lock
        self._is_set = False
        self._listeners: list[Callable[[], None]] = []

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        with self._lock:
            if self._is_set:
                return
            self._is_set = True
            for listener in self._listeners:
                listener()

    @contextmanager
    def heard_by(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call the listener when the token is set inside the block; at once if it is already."""
        with self._lock:
            self._listeners.append(listener)
            if self._is_set:
                listener()
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

    @contextmanager
    def set_after(self, seconds: float | None) -> Iterator[None]:
        """Set the token when so many seconds have passed inside the block; None: never."""
        if seconds is None:
            yield
            return
        timer = threading.Timer(seconds, self.set)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def run_watching(
    byte: Any, work: Callable[[], Answer], seconds: float | None, stop: StopToken | None = None
) -> Answer:
    """Return work(), compiled code that ends early when it sees that its byte is set.

    The asker's token sets the byte, and so does the deadline. Ctrl-C does as well, and is raised
    when the work has ended. What comes too late finds nothing to set.
    """

    def set_byte() -> None:
        byte[0] = 1

    byte[0] = 0
    return run_until(set_byte, work, seconds, stop)


def run_until(
    halt: Callable[[], None],
    work: Callable[[], Answer],
    seconds: float | None,
    stop: StopToken | None = None,
) -> Answer:
    """Return work(), which ends early after `halt`: called where `run_watching` sets its byte."""
    own = StopToken()
    with (
        own.heard_by(halt),
        nullcontext() if stop is None else stop.heard_by(own.set),
        own.set_after(seconds),
    ):
        return interruptible(work, own.set)
