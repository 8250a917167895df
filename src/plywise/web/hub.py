"""The hub: who wants to hear of what, and what is said to them."""

import asyncio
from collections.abc import Callable
from typing import Any

MOST_NEWS = 64  # that wait for a slow listener; older ones are dropped

Message = dict[str, Any]


class Listener:
    """One page; it hears of its topics in order, and of the newest news if it is slow."""

    def __init__(self) -> None:
        self.topics: set[str] = set()
        self.badges: dict[str, str] = {}  # by which a topic knows whoever looks, if by any
        self._news: asyncio.Queue[Message] = asyncio.Queue(MOST_NEWS)

    def hear(self, message: Message) -> None:
        """Take a message for later; the oldest one goes where there is no room."""
        if self._news.full():
            self._news.get_nowait()
        self._news.put_nowait(message)

    async def next(self) -> Message:
        """Return the next message."""
        return await self._news.get()


class Hub:
    """Listeners by topic."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self.on_empty: Callable[[str], None] = lambda topic: None
        self.on_presence: Callable[[str], None] = lambda topic: None  # a badge came or went

    def count(self, topic: str) -> int:
        """Return how many hear of a topic."""
        return len(self._listeners.get(topic, ()))

    def badges(self, topic: str) -> set[str]:
        """Return by which badges those who hear of a topic are known."""
        known = (listener.badges.get(topic) for listener in self._listeners.get(topic, ()))
        return {badge for badge in known if badge}

    def join(self, topic: str, listener: Listener, badge: str = "") -> None:
        """Let a listener hear of a topic."""
        self._listeners.setdefault(topic, set()).add(listener)
        listener.topics.add(topic)
        if badge and listener.badges.get(topic) != badge:
            listener.badges[topic] = badge
            self.on_presence(topic)

    def leave(self, topic: str, listener: Listener) -> None:
        """Let a listener hear of a topic no more."""
        listener.topics.discard(topic)
        badge = listener.badges.pop(topic, None)
        others = self._listeners.get(topic)
        if others is None or listener not in others:
            return
        others.discard(listener)
        if not others:
            del self._listeners[topic]
            self.on_empty(topic)
        elif badge:
            self.on_presence(topic)

    def leave_all(self, listener: Listener) -> None:
        """Forget a listener."""
        for topic in list(listener.topics):
            self.leave(topic, listener)

    def publish(self, topic: str, data: Any) -> None:
        """Tell everybody who listens."""
        for listener in self._listeners.get(topic, ()):
            listener.hear({"on": topic, "data": data})
