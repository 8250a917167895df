"""Worker processes: one that dies, hangs or goes wrong costs one task."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any
from unittest.mock import patch

import pytest

from plywise.errors import PlywiseError
from plywise.web.hub import Hub, Listener
from plywise.web.processes import Broken, Busy, Pool, WorkerProcess

LOOK = {"source": "tictactoe", "moves": ["b2"]}
LONG = {
    "source": "tictactoe",
    "moves": [],
    "player": "mcts",
    "seconds": 50.0,
    "lines": 1,
    "runs": "runs",
    "engines": {},
}


def run(make: Callable[[Pool], Coroutine[Any, Any, Any]], **options: Any) -> Any:
    """Return what a coroutine returns that is given a pool of one worker."""

    async def work() -> Any:
        pool = Pool(1, 0, **options)
        try:
            return await make(pool)
        finally:
            await pool.close()

    return in_a_thread(work())


def in_a_thread(work: Coroutine[Any, Any, Any]) -> Any:
    """Return what a coroutine returns; where Playwright is in use, this thread has a loop."""
    answers: list[Any] = []

    def call() -> None:
        try:
            answers.append(asyncio.run(work))
        except BaseException as error:
            answers.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if isinstance(answers[0], BaseException):
        raise answers[0]
    return answers[0]


def test_a_worker_answers() -> None:
    async def ask(pool: Pool) -> Any:
        return await pool.run("position", LOOK)

    assert run(ask)["side"] == 1


def test_what_is_wrong_with_a_task_is_told() -> None:
    async def ask(pool: Pool) -> Any:
        return await pool.run("position", {**LOOK, "moves": ["z9"]})

    with pytest.raises(PlywiseError, match="'z9' is not a legal move here"):
        run(ask)


def test_a_dead_worker_costs_one_task() -> None:
    async def ask(pool: Pool) -> Any:
        await pool.run("position", LOOK)
        first = asyncio.create_task(pool.run("analyse", LONG))
        await asyncio.sleep(0.5)
        process = pool._all[0]._process
        assert process is not None
        process.kill()
        with pytest.raises(Broken, match="died"):
            await first
        return await pool.run("position", LOOK)

    assert run(ask)["side"] == 1


def test_a_task_that_takes_too_long_is_ended() -> None:
    async def ask(pool: Pool) -> Any:
        with pytest.raises(Broken, match="longer than 1 seconds"):
            await pool.run("analyse", LONG, seconds=1.0)
        return await pool.run("position", LOOK)

    assert run(ask)["side"] == 1


def test_too_many_who_wait_are_refused() -> None:
    async def ask(pool: Pool) -> None:
        first = asyncio.create_task(pool.run("position", LOOK))
        second = asyncio.create_task(pool.run("position", LOOK))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await pool.run("position", LOOK)
        await asyncio.gather(first, second)

    run(ask, most_waiting=1)


def test_a_long_analysis_makes_room_for_others() -> None:
    async def ask(pool: Pool) -> Any:
        first = asyncio.create_task(pool.run("analyse", LONG))
        await asyncio.sleep(0)
        await pool.run("position", LOOK)
        return await first

    assert run(ask, share=0.5)["analysis"]["lines"]


@pytest.mark.parametrize(("share", "is_kept"), [(100.0, True), (None, False)])
def test_a_worker_that_compiles_is_kept_where_clicks_come_and_go(
    share: float | None, is_kept: bool
) -> None:
    async def ask(pool: Pool) -> bool:
        news: list[dict[str, Any]] = []
        first = asyncio.create_task(pool.run("analyse", LONG, news.append))
        while not news:
            await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.wait([first])
        return pool._all[0].is_alive

    compiling = property(lambda worker: True, lambda worker, value: None)
    with (
        patch("plywise.web.processes.PATIENCE", 0.0),
        patch.object(WorkerProcess, "_is_compiling", compiling, create=True),
    ):
        assert run(ask, share=share) is is_kept


def test_a_fault_of_the_program_is_no_stack_trace_for_people(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def ask(pool: Pool) -> None:
        await pool.run("position", {"source": "tictactoe"})  # lacks its moves

    with pytest.raises(Broken, match="terminal tells where"):
        run(ask)
    assert "KeyError" in capfd.readouterr().err


def test_a_slow_listener_hears_the_newest() -> None:
    async def listen() -> list[int]:
        hub, listener = Hub(), Listener()
        hub.join("topic", listener)
        for number in range(100):
            hub.publish("topic", number)
        return [(await listener.next())["data"] for _ in range(64)]

    assert in_a_thread(listen())[-1] == 99
