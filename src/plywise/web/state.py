"""All that the server has: workers, boards, jobs, and who listens."""

import asyncio
from typing import Any

from plywise.errors import PlywiseError, UnknownName
from plywise.web.boards import Boards
from plywise.web.hub import Hub
from plywise.web.jobs import Jobs
from plywise.web.offices import Offices
from plywise.web.options import ServeOptions

LOOK = 1.0  # seconds between two looks at the folder of a job


class State:
    """What requests work on."""

    def __init__(self, options: ServeOptions) -> None:
        self.options = options
        self.offices = Offices(options)
        self.hub = Hub()
        self.boards = Boards(options.boards, self.offices, self.hub)
        self.jobs = Jobs(self.offices)
        self.hub.on_empty = self.boards.left
        self.hub.on_presence = self.boards.looked_at
        self._watching: dict[str, asyncio.Task[None]] = {}

    async def first_news(self, topic: str) -> Any:
        """Return what is to be said of a topic now."""
        kind, _, name = topic.partition(":")
        if kind == "board":
            return (await self.boards.get(name)).view()
        if kind == "run":
            return await self.jobs.ask_runs("run", name)
        if kind == "runs":
            return await self.jobs.ask_runs("list")
        if kind == "contest":
            return self.jobs.contest(name)
        if kind == "contests":
            return {"contests": self.jobs.contests()}
        raise UnknownName("topic", kind, ("board", "run", "runs", "contest", "contests"))

    def watch(self, topic: str) -> None:
        """Look at a job's folder from time to time, as long as somebody listens."""
        if not topic.startswith("board:") and topic not in self._watching:
            self._watching[topic] = asyncio.create_task(self._watch(topic))

    async def _watch(self, topic: str) -> None:
        told = None
        try:
            while self.hub.count(topic):
                news = await self.first_news(topic)
                if news != told:
                    self.hub.publish(topic, news)
                    told = news
                await asyncio.sleep(LOOK)
        except PlywiseError:
            pass  # its folder has gone; whoever asks again hears why
        finally:
            self._watching.pop(topic, None)

    async def close(self) -> None:
        """Stop all that goes on in this process and its workers; jobs go on."""
        for task in list(self._watching.values()):
            task.cancel()
        await self.boards.close()
        await self.offices.close()
