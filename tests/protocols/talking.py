"""Both ends of a conversation without processes: an engine of ours that is talked to, and a wire
whose other end reads from a script."""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

from plywise.protocols.process import Silence

PATIENCE = 60.0


class Runnable(Protocol):
    def run(self, lines: Iterator[str]) -> None: ...


class Talk:
    """A conversation with an engine that runs in a thread."""

    def __init__(self, make: Callable[[Callable[[str], None]], Runnable]) -> None:
        self._told: queue.Queue[str | None] = queue.Queue()
        self._said: queue.Queue[str] = queue.Queue()
        engine = make(self._said.put)
        self._thread = threading.Thread(target=lambda: engine.run(self._lines()), daemon=True)
        self._thread.start()

    def _lines(self) -> Iterator[str]:
        while (line := self._told.get()) is not None:
            yield line

    def tell(self, *lines: str) -> None:
        for line in lines:
            self._told.put(line)

    def until(self, start: str) -> list[str]:
        """Return what the engine says, up to a line that begins like this."""
        heard: list[str] = []
        while not (heard and heard[-1].startswith(start)):
            heard.append(self._said.get(timeout=PATIENCE))
        return heard

    def ask(self, line: str, start: str) -> str:
        """Return the line that answers a line."""
        self.tell(line)
        return self.until(start)[-1]

    def is_silent(self) -> bool:
        return self._said.empty()

    def leave(self) -> None:
        """End the input, as when a program has died."""
        self._told.put(None)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


class ScriptedWire:
    """A wire whose other end answers by a script: for each line that begins so, these lines."""

    def __init__(self, script: dict[str, list[str]]) -> None:
        self.script = script
        self.written: list[str] = []
        self._waiting: list[str] = []

    def write(self, line: str) -> None:
        self.written.append(line)
        for start, answers in self.script.items():
            if line.startswith(start):
                self._waiting += answers

    def read(self, deadline: float) -> str:
        if not self._waiting:
            raise Silence("overtime: the script has nothing more to say")
        return self._waiting.pop(0)
