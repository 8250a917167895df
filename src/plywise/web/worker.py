"""A worker: a process that does one task at a time for the server, over a pair of pipes.

    ► {"id": 7, "task": "choose", "with": {...}}      a line of JSON each
    ► {"stop": 7}                                      the answer is wanted now
    ◄ {"id": 7, "news": {...}}                         on the way
    ◄ {"id": 7, "answer": {...}}   or   {"id": 7, "error": "One sentence."}
                                   or   {"id": 7, "fault": "where this program went wrong"}

When its input ends, the server has gone and so does the worker.
"""

import importlib
import json
import os
import queue
import sys
import threading
import traceback
from typing import Any, TextIO

from plywise.errors import PlywiseError
from plywise.system.stopping import StopToken


class Worker:
    """Hears of tasks in the main thread and does them in another."""

    def __init__(self, heard: TextIO, said: TextIO) -> None:
        self._heard, self._said = heard, said
        self._tasks: queue.SimpleQueue[tuple[int, str, dict[str, Any]]] = queue.SimpleQueue()
        self._tokens: dict[int, StopToken] = {}
        self._lock = threading.Lock()

    def run(self) -> None:
        """Work until the input ends."""
        threading.Thread(target=self._work, daemon=True).start()
        for line in self._heard:
            message = json.loads(line)
            if "stop" in message:
                self._token(message["stop"]).set()
            else:
                self._token(message["id"])
                self._tasks.put((message["id"], message["task"], message["with"]))

    def _token(self, number: int) -> StopToken:
        with self._lock:
            return self._tokens.setdefault(number, StopToken())

    def _work(self) -> None:
        importlib.import_module("plywise.web.tasks")  # slow, so before anybody waits for it
        while True:
            number, task, given = self._tasks.get()
            self._say({"id": number, **self._outcome(number, task, given)})
            with self._lock:
                self._tokens.pop(number, None)

    def _outcome(self, number: int, task: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a task, or what is wrong with it."""
        try:
            from plywise.web.tasks import do_task

            def tell(news: dict[str, Any]) -> None:
                self._say({"id": number, "news": news})

            return {"answer": do_task(task, given, tell, self._token(number))}
        except PlywiseError as error:
            return {"error": str(error)}
        except Exception as error:
            sentence = _compile_sentence(error)
            if sentence:
                return {"error": sentence}
            return {"fault": "".join(traceback.format_exception(error))}

    def _say(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, allow_nan=False)
        with self._lock:
            self._said.write(f"{line}\n")
            self._said.flush()


def _compile_sentence(error: Exception) -> str:
    """Return what a person needs to hear of rules that do not compile; else nothing."""
    if not type(error).__module__.startswith("numba."):
        return ""
    from plywise.conformance import explain_compile_error

    return f"{explain_compile_error(error)} `plywise check` of the game's file tells more."


def main() -> None:
    """Serve the process that started this one; whatever else is printed goes to standard error."""
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.nice(int(sys.argv[1]))
    Worker(sys.stdin, said).run()
    os._exit(0)  # a task may be under way that nobody waits for


if __name__ == "__main__":
    main()
