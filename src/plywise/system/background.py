"""Work in a thread of its own, so that the thread that waits hears Ctrl-C and keeps deadlines.

Python handles signals only in the main thread and between its own instructions: a main thread
inside compiled code is deaf. One that waits for another thread is not.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Background(Generic[Answer]):
    """Work that has begun in a thread of its own; a program that ends does not wait for it.

    Waiting is done on an event: Ctrl-C inside `join` makes Python 3.11 take a running thread
    for a finished one.
    """

    def __init__(self, work: Callable[[], Answer]) -> None:
        self._work = work
        self._is_done = threading.Event()
        self._answers: list[Answer] = []
        self._error: BaseException | None = None
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._answers.append(self._work())
        except BaseException as error:
            self._error = error
        finally:
            self._is_done.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Return whether the work ends within so many seconds, or None: when it has ended."""
        return self._is_done.wait(seconds)

    def answer(self) -> Answer:
        """Wait for the work's end and return its answer, or raise its error."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._answers[0]


def interruptible(work: Callable[[], Answer], stop: Callable[[], None]) -> Answer:
    """Return work(); Ctrl-C calls stop(), and is raised when the work has ended."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    running: Background[Answer] | None = None
    try:
        running = Background(work)
        return running.answer()
    except KeyboardInterrupt:
        stop()
        if running is not None:  # else it has hardly begun, and ends by itself
            running.wait()
        raise


@contextmanager
def on_interrupt(stop: Callable[[], None], patience: float | None = None) -> Iterator[None]:
    """Let the first Ctrl-C inside the block call stop() and nothing else; a second one raises.

    If the block has not ended so many seconds after the first, the second comes by itself. Only a
    main thread hears of Ctrl-C; in any other one nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    main = threading.get_ident()
    lock, timers = threading.Lock(), list[threading.Timer]()  # a timer that is too late is not in

    def interrupt() -> None:
        with lock:
            if timers:
                signal.pthread_kill(main, signal.SIGINT)

    def handle(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        if patience is not None:
            timers.append(threading.Timer(patience, interrupt))
            timers[0].daemon = True
            timers[0].start()
        stop()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        with lock:
            timers.clear()
