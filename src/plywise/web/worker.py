"""A worker: a process that does one task at a time for the server, over a pair of pipes.

    ► {"id": 7, "task": "choose", "with": {...}}      a line of JSON each
    ► {"stop": 7}                                      the answer is wanted now
    ◄ {"id": 7, "news": {...}}                         on the way
    ◄ {"id": 7, "answer": {...}}   or   {"id": 7, "error": "One sentence."}
                                   or   {"id": 7, "fault": "where this program went wrong"}
                                   or   {"id": 7, "rules": "What is wrong with the rules."}
                                   or   {"id": 7, "stuck": "The rules have not answered."}

The last word of a worker is that it is stuck: the rules of a user's file are silent, though
nothing is compiled and no player has time left. When its input ends, the server has gone and so
does the worker.
"""

import importlib
import json
import os
import queue
import sys
import threading
import time
import traceback
from typing import Any, TextIO

from plywise.errors import PlywiseError
from plywise.system.stopping import StopToken
from plywise.system.user_files import is_user_file
from plywise.system.watching import STUCK, Silence

BEAT = 0.5  # seconds between two looks at rules that may be stuck


class Worker:
    """Hears of tasks in the main thread and does them in another."""

    def __init__(self, heard: TextIO, said: TextIO, patience: float = STUCK) -> None:
        """Patience is how many seconds of the processor the rules of a user may be silent."""
        self._heard, self._said = heard, said
        self._tasks: queue.SimpleQueue[tuple[int, str, dict[str, Any]]] = queue.SimpleQueue()
        self._tokens: dict[int, StopToken] = {}
        self._lock = threading.Lock()
        self._doing = 0  # the number of the present task
        self._file = ""  # of the user's rules that it is about
        self._silence, self._patient_until = Silence(patience), 0.0

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
        threading.Thread(target=self._watch, daemon=True).start()
        while True:
            number, task, given = self._tasks.get()
            source = str(given.get("source", ""))
            self._doing, self._patient_until = number, 0.0
            self._silence.end()
            self._file = source.partition(":")[0] if is_user_file(source) else ""
            outcome = self._outcome(number, task, given)
            self._file = ""
            self._say({"id": number, **outcome})
            with self._lock:
                self._tokens.pop(number, None)

    def _watch(self) -> None:
        """Tell the server when rules are stuck."""
        from plywise.kernel import compile_seconds

        compiled = 0.0
        while True:
            time.sleep(BEAT)
            seconds = compile_seconds()
            is_busy = seconds != compiled or time.monotonic() < self._patient_until
            compiled = seconds
            if is_busy or not self._file:
                self._silence.end()
            elif self._silence.is_endless:
                self._say({"id": self._doing, "stuck": self._silence.sentence(self._file)})

    def _outcome(self, number: int, task: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a task, or what is wrong with it."""
        try:
            from plywise.web.tasks import do_task

            def tell(news: dict[str, Any]) -> None:
                self._silence.end()
                if "within" in news:
                    self._patient_until = time.monotonic() + news["within"]
                self._say({"id": number, "news": news})

            return {"answer": do_task(task, given, tell, self._token(number))}
        except PlywiseError as error:
            return {"error": str(error)}
        except Exception as error:
            from plywise.conformance import sentence_of

            sentence = sentence_of(error)
            if sentence:
                return {"rules": sentence}
            return {"fault": "".join(traceback.format_exception(error))}

    def _say(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, allow_nan=False)
        with self._lock:
            self._said.write(f"{line}\n")
            self._said.flush()


def main() -> None:
    """Serve the process that started this one; the pipes are for this conversation alone.

    Whatever else is printed goes to standard error, and whoever else reads finds nothing.
    """
    heard = os.fdopen(os.dup(0), encoding="utf-8")
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.nice(int(sys.argv[1]))
    Worker(heard, said, float(sys.argv[2])).run()
    os._exit(0)  # a task may be under way that nobody waits for


if __name__ == "__main__":
    main()
