"""Threads that deepen one search together ("lazy SMP").

They share a table, so that what one finds spares the others work. From a depth on every second
thread looks a ply further than the first, whose next depth is then half done. Whoever completes a
depth sends on all that are not deeper: the table knows what they would find.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from plywise.search.limits import Found

AHEAD_FROM = 5  # the first depth at which every second thread looks a ply further


@dataclass
class Crew:
    """The threads of one search, each with a memory of its own."""

    memories: Sequence[Any]
    deepen: Callable[[int, int], int]  # (thread, depth) -> whether the depth was completed
    report: Callable[[Any], Found]  # what a memory holds that no kernel writes to
    first: int  # depth
    last: int
    completed: Found | None = None  # by the deepest search that went to its end
    _score: int = 0  # of that
    _finisher: int = 0  # whose it was
    _is_over: bool = False
    _lock: Any = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._depth = self.first - 1  # below which all is completed
        self._depths = [0] * len(self.memories)  # at which every thread is

    def halt(self) -> None:
        """End the search, from any thread and at any time."""
        self._is_over = True
        for memory in self.memories:
            memory.stop = 1

    def search(self, suffices: Callable[[], bool]) -> Found:
        """Return the best that this thread and others find; ask after its steps if it suffices."""
        helpers = [
            threading.Thread(target=self._work, args=(number, lambda: False), daemon=True)
            for number in range(1, len(self.memories))
        ]
        for helper in helpers:
            helper.start()
        try:
            self._work(0, suffices)
        finally:
            self.halt()
            for helper in helpers:
                helper.join()
        return self.report(max(enumerate(self.memories), key=self._how_far)[1])

    def _how_far(self, numbered: tuple[int, Any]) -> tuple[int, bool]:
        """Return how deep a thread's best line is; of equals, one is of a completed search."""
        number, memory = numbered
        return int(memory.best_depth), number == self._finisher

    def _work(self, thread: int, suffices: Callable[[], bool]) -> None:
        memory = self.memories[thread]
        while self._begin(thread):
            if self.deepen(thread, self._depths[thread]):
                self._complete(thread)
            elif memory.nodes >= memory.node_limit:
                return
            if suffices():
                return

    def _begin(self, thread: int) -> bool:
        """Choose the next depth of a thread; return whether it shall be searched."""
        memory = self.memories[thread]
        with self._lock:
            if self._depth >= self.last:
                return False
            depth = self._depth + 1
            if depth >= AHEAD_FROM and thread % 2 == 1:
                depth = min(depth + 1, self.last)
            self._depths[thread] = depth
            if self.completed is not None:
                memory.settled_depth, memory.settled_score = depth - 1, self._score
            memory.stop = 0  # `halt` says that it is over before it sets this, so nothing is missed
            return not self._is_over

    def _complete(self, thread: int) -> None:
        """Note what a thread has completed, and send on those that are not deeper."""
        depth = self._depths[thread]
        with self._lock:
            if depth <= self._depth:
                return
            memory = self.memories[thread]
            self.completed = self.report(memory)
            self._depth, self._score, self._finisher = depth, int(memory.settled_score), thread
            if self.completed.is_proven_within(depth):
                self.halt()
            for other, its_memory in enumerate(self.memories):
                if other != thread and self._depths[other] <= depth:
                    its_memory.stop = 1
