"""Worker processes as the server sees them: bounded in number, replaced when they die or hang."""

import asyncio
import contextlib
import itertools
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from plywise.errors import PlywiseError
from plywise.system.user_files import is_user_file
from plywise.system.watching import CRASHES, STUCK, crash_sentence

Tell = Callable[[dict[str, Any]], None]

LONGEST_LINE = 16 << 20  # bytes that a worker says at once
PATIENCE = 5.0  # seconds for the answer of a task that was told to stop
COMPILING = 120.0  # the same, where what is compiled shall not be lost
MOST_KEYS = 32  # boards and games by which a worker is known


class Busy(PlywiseError):
    """Too much is asked for at once."""


class Broken(PlywiseError):
    """A worker died, hung or went wrong; the task is lost, the server is not."""


class BadRules(Broken):
    """The rules of a user's file crash, fail or do not answer; they would do so again."""


class WorkerProcess:
    """One worker; whoever has it asks one task at a time."""

    def __init__(self, niceness: int, keeps_compiling: bool = False) -> None:
        """With `keeps_compiling`, it is not killed while it compiles for a stopped task."""
        self.niceness = niceness
        self._keeps_compiling, self._is_compiling = keeps_compiling, False
        self.keys: list[str] = []  # what it has at hand
        self._numbers = itertools.count(1)
        self._asked = 0  # the number of the present task
        self.since = 0.0  # when it began
        self._process: asyncio.subprocess.Process | None = None
        self._file = ""  # of the user's rules that the present task is about

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the process."""
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "plywise.web.worker", str(self.niceness), str(STUCK)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C is for the server, which then ends its workers
        )

    async def ask(self, task: str, given: dict[str, Any], tell: Tell | None) -> dict[str, Any]:
        """Return the answer to a task; cancelling asks for an answer at once and waits for it."""
        number = self._asked = next(self._numbers)
        self.since = time.monotonic()
        self._is_compiling = False
        source = str(given.get("source", ""))
        self._file = source.partition(":")[0] if is_user_file(source) else ""
        await self._say({"id": number, "task": task, "with": given})
        waiting = asyncio.ensure_future(self._hear(number, tell))
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            await self._stop(number, waiting)
            raise

    async def hurry(self) -> None:
        """Ask for the answer of the present task at once."""
        await self._say({"stop": self._asked})

    async def _stop(self, number: int, waiting: "asyncio.Future[dict[str, Any]]") -> None:
        try:
            await self._say({"stop": number})
            is_kept = self._keeps_compiling and self._is_compiling
            await asyncio.wait_for(waiting, COMPILING if is_kept else PATIENCE)
        except (TimeoutError, Broken):
            await self.end()
        except PlywiseError:
            pass  # nobody wants to know any more

    async def _say(self, message: dict[str, Any]) -> None:
        if not self.is_alive:
            await self.start()
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        with contextlib.suppress(ConnectionError):  # the answer tells that it is dead
            await self._process.stdin.drain()

    async def _hear(self, number: int, tell: Tell | None) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            if message["id"] != number:
                continue  # the end of something that nobody waits for
            if "answer" in message:
                answer: dict[str, Any] = message["answer"]
                return answer
            if "error" in message:
                raise PlywiseError(message["error"])
            if "rules" in message:
                raise BadRules(message["rules"])
            if "stuck" in message:
                await self.end()
                raise BadRules(message["stuck"])
            if "fault" in message:
                print(message["fault"], file=sys.stderr)
                raise Broken("That went wrong here; the server's terminal tells where.")
            self._is_compiling = "compiling" in message["news"]
            if tell is not None:
                tell(message["news"])
        raise await self._death()

    async def _death(self) -> Broken:
        """Return what to say of a worker that has died."""
        assert self._process is not None
        code = await self._process.wait()
        await self.end()
        if self._file and -code in CRASHES:
            return BadRules(crash_sentence(self._file))
        return Broken("A worker process has died over this; the next try gets a new one.")

    async def end(self) -> None:
        """Kill the process."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        self.keys.clear()


class Pool:
    """Some workers; tasks wait for one that is free, and prefer one that knows their subject."""

    def __init__(
        self, size: int, niceness: int, most_waiting: int = 200, share: float | None = None
    ) -> None:
        """With a share, whoever has had that many seconds answers when others wait.

        Tasks of such a pool come and go with every click. What one of them has compiled serves the
        next, and is not thrown away with it.
        """
        self._share = share
        self._idle = [WorkerProcess(niceness, share is not None) for _ in range(size)]
        self._all = list(self._idle)
        self._free = asyncio.Semaphore(size)
        self._waiting, self._most_waiting = 0, most_waiting

    @property
    def waiting(self) -> int:
        """How many tasks wait for a worker."""
        return self._waiting

    async def start(self, count: int) -> None:
        """Start some workers before they are asked for anything."""
        for worker in self._idle[:count]:
            await worker.start()

    async def run(
        self,
        task: str,
        given: dict[str, Any],
        tell: Tell | None = None,
        *,
        keys: tuple[str, ...] = (),
        seconds: float = 180.0,
    ) -> dict[str, Any]:
        """Return the answer to a task, within so many seconds once a worker is free."""
        if self._waiting >= self._most_waiting:
            raise Busy("Too many are waiting for an answer; try again in a moment.")
        self._waiting += 1
        hurrying = asyncio.create_task(self._hurry_others())
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
            hurrying.cancel()
        worker = self._take(keys)
        try:
            return await asyncio.wait_for(worker.ask(task, given, tell), seconds)
        except TimeoutError:
            await worker.end()
            raise Broken(f"This took longer than {seconds:g} seconds and was ended.") from None
        finally:
            self._idle.append(worker)
            self._free.release()

    async def _hurry_others(self) -> None:
        """Have the worker answer that is busy longest, once it has had its share."""
        while self._share is not None:
            busy = [worker for worker in self._all if worker not in self._idle]
            if busy and self._free.locked():
                oldest = min(busy, key=lambda worker: worker.since)
                if time.monotonic() - oldest.since >= self._share:
                    await oldest.hurry()
            await asyncio.sleep(self._share / 5)

    def _take(self, keys: tuple[str, ...]) -> WorkerProcess:
        """Return an idle worker: one that knows the most of the keys, in their order."""

        def rank(worker: WorkerProcess) -> tuple[list[bool], bool]:
            return [key in worker.keys for key in keys], worker.is_alive

        worker = max(self._idle, key=rank)
        self._idle.remove(worker)
        worker.keys = [*(key for key in worker.keys if key not in keys), *keys][-MOST_KEYS:]
        return worker

    async def close(self) -> None:
        """End all workers."""
        for worker in self._all:
            await worker.end()
