"""What a search may spend, and how it is stopped: by a flag that compiled code watches."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from plywise.errors import PlywiseError

Answer = TypeVar("Answer")

UNLIMITED_NODES = 1 << 60


@dataclass(frozen=True)
class Limit:
    """A budget: whichever part is used up first ends the search."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "seconds"):
            amount = getattr(self, name)
            if amount is not None and not (amount > 0 and math.isfinite(amount)):
                raise PlywiseError(f"A limit of {name} is a number above 0, not {amount}.")

    @property
    def is_open(self) -> bool:
        """Return whether nothing is limited."""
        return self.depth is None and self.nodes is None and self.seconds is None


@dataclass(frozen=True)
class Clock:
    """A playing clock as a player sees it: what is left, and what each move adds."""

    remaining: float
    increment: float = 0.0

    def seconds_for_move(self) -> float:
        """Return a share of what is left that never runs out."""
        share = self.remaining / 25 + 0.75 * self.increment
        return max(0.001, min(share, 0.8 * self.remaining - 0.02))


@dataclass(frozen=True)
class Found:
    """What a search found: all values are for the side to move at the root."""

    move: int
    value: float  # in [-1, 1]
    line: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    end: int | None = None  # plies to the proven end of the game
    extras: dict[str, Any] = field(default_factory=dict, compare=False)


class StopFlag:
    """One byte that a deadline, Ctrl-C or another thread sets and compiled code watches."""

    def __init__(self, byte: Any) -> None:
        self._byte = byte  # a uint8 array of one element

    def set(self) -> None:
        self._byte[0] = 1

    def clear(self) -> None:
        self._byte[0] = 0

    def is_set(self) -> bool:
        return bool(self._byte[0])

    @contextmanager
    def after(self, seconds: float | None) -> Iterator[None]:
        """Set the flag when so many seconds have passed inside the block."""
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


def interruptible(flag: StopFlag, work: Callable[[], Answer]) -> Answer:
    """Return work(), stopping it by the flag on Ctrl-C.

    Python handles signals only between its own instructions, in the main thread; so the
    main thread hands compiled work to another one and waits.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    answers: list[Answer] = []
    errors: list[BaseException] = []
    is_done = threading.Event()  # Ctrl-C inside `join` can make a running thread look finished

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            is_done.set()

    threading.Thread(target=run, daemon=True).start()
    try:
        while not is_done.wait(0.5):
            pass
    except KeyboardInterrupt:
        flag.set()
        is_done.wait()
        raise
    if errors:
        raise errors[0]
    return answers[0]
