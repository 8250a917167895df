"""The one WebSocket of a page: what it wants to hear of, and the searches that end with it.

► {"join": "board:ID", "key": KEY}                   the key shows that a seat's browser is here
► {"join": "run:NAME"}   {"leave": "run:NAME"}       also runs, contest:NAME, contests
► {"analyse": {...}, "as": "analysis:1"}             also "review"
► {"cancel": "analysis:1"}
◄ {"on": "board:ID", "data": {...}}
◄ {"on": "analysis:1", "data": {...}}   ...   {"on": "analysis:1", "data": {"is_over": true}}
"""

import asyncio
import contextlib
import json
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from plywise.errors import PlywiseError
from plywise.web.forms import AnalyseForm
from plywise.web.hub import Listener
from plywise.web.seating import FREE, badge_of, is_key
from plywise.web.state import State

LONGEST = 200_000  # letters of a message
MOST_TOPICS = 32
MOST_SEARCHES = 2  # of a page
REVIEW = 900.0  # seconds for judging a whole game
COMPILING = 180.0  # seconds that may pass before a search begins
MISTAKES = 20  # messages that cannot be read before the page is sent away


class Page:
    """One page at the other end of a socket."""

    def __init__(self, socket: WebSocket, state: State) -> None:
        self._socket, self._state = socket, state
        self._listener = Listener()
        self._searches: dict[str, asyncio.Task[None]] = {}
        self._mistakes = 0

    async def serve(self) -> None:
        """Talk until the page is closed; then its searches stop."""
        await self._socket.accept()
        talking = asyncio.create_task(self._talk())
        try:
            while self._mistakes < MISTAKES:
                await self._obey(await self._socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass  # the page has gone
        finally:
            talking.cancel()
            for search in self._searches.values():
                search.cancel()
            self._state.hub.leave_all(self._listener)
            with contextlib.suppress(RuntimeError):
                await self._socket.close()

    async def _talk(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(json.dumps(await self._listener.next()))

    async def _obey(self, text: str) -> None:
        try:
            said = json.loads(text) if len(text) <= LONGEST else None
        except ValueError:
            said = None
        try:
            if not isinstance(said, dict):
                raise PlywiseError("A message is a JSON object.")
            await self._do(said)
        except PlywiseError as error:
            self._mistakes += 1
            self._listener.hear({"on": "error", "data": {"error": str(error)}})

    async def _do(self, said: dict[str, Any]) -> None:
        if "join" in said:
            await self._join(str(said["join"]), said.get("key"))
        elif "leave" in said:
            self._state.hub.leave(str(said["leave"]), self._listener)
        elif "cancel" in said:
            search = self._searches.pop(str(said["cancel"]), None)
            if search is not None:
                search.cancel()
        elif "analyse" in said or "review" in said:
            task = "analyse" if "analyse" in said else "review"
            self._begin(task, said[task], str(said.get("as", task))[:80])
        else:
            raise PlywiseError("A message says join, leave, analyse, review or cancel.")

    async def _join(self, topic: str, key: object) -> None:
        if len(self._listener.topics) >= MOST_TOPICS:
            raise PlywiseError(f"A page hears of at most {MOST_TOPICS} things.")
        first = await self._state.first_news(topic)
        badge = badge_of(topic.removeprefix("board:"), str(key)) if is_key(key) else FREE
        self._state.hub.join(topic, self._listener, badge)
        self._listener.hear({"on": topic, "data": first})
        self._state.watch(topic)

    def _begin(self, task: str, asked: Any, name: str) -> None:
        """Start a search; another one of the same name ends."""
        try:
            form = AnalyseForm.model_validate(asked)
        except ValidationError as error:
            raise PlywiseError(sentence_of(error.errors()[0])) from None
        earlier = self._searches.pop(name, None)
        if earlier is not None:
            earlier.cancel()
        if len(self._searches) >= MOST_SEARCHES:
            raise PlywiseError(f"A page has at most {MOST_SEARCHES} searches at once.")
        self._searches[name] = asyncio.create_task(self._search(task, form, name))

    async def _search(self, task: str, form: AnalyseForm, name: str) -> None:
        def tell(data: dict[str, Any]) -> None:
            self._listener.hear({"on": name, "data": data})

        seconds = REVIEW if task == "review" else COMPILING + form.seconds
        try:
            await self._state.offices.game(form.game)
            found = await self._state.offices.analyse(task, form.model_dump(), tell, seconds)
            tell({**found, "is_over": True})
        except PlywiseError as error:
            tell({"error": str(error), "is_over": True})
        finally:
            if self._searches.get(name) is asyncio.current_task():
                del self._searches[name]


def sentence_of(fault: Any) -> str:
    """Return what is wrong with a form, in a sentence."""
    where = ".".join(str(part) for part in fault["loc"] if part != "body")
    message = str(fault["msg"])
    return f"{where}: {message}." if where else f"{message}."
