"""Tap: the official client speaks, and what the server answers is kept as it was on the wire.

The client's models drop what they do not know, and refuse a whole list for one malformed tool. So its own view of
a list of tools is empty, and ours is the message itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from ..model import Json
from .course import Course

_KEPT = ("initialize", "server/discover", "tools/list")
_NOTHING_LISTED = {"tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
Streams = tuple[Any, Any]


class Tap:
    """The raw results of one conversation, by method: the latest of each."""

    def __init__(self, course: Course) -> None:
        self.results: dict[str, Json] = {}
        self._course = course
        self._asked: dict[Any, str] = {}

    @asynccontextmanager
    async def on(self, streams: Streams) -> AsyncIterator[Streams]:
        """The same streams, listened to."""
        read, write = streams
        yield _Received(read, self), _Sent(write, self)

    def sent(self, item: Any) -> None:
        """A message goes out."""
        method, number = getattr(item.message, "method", None), getattr(item.message, "id", None)
        if method in _KEPT and number is not None:
            self._asked[number] = method

    def received(self, item: Any) -> Any:
        """A message comes in; what the client should see of it."""
        message = getattr(item, "message", None)
        if message is None:
            return item
        self._course.heard = True
        method = self._asked.pop(getattr(message, "id", None), "")
        result = getattr(message, "result", None)
        if method and result is not None:
            self.results[method] = result
            if method == "tools/list":
                message.result = dict(_NOTHING_LISTED)
        return item


class _Received:
    def __init__(self, stream: Any, tap: Tap) -> None:
        self._stream, self._tap = stream, tap

    async def receive(self) -> Any:
        return self._tap.received(await self._stream.receive())

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> _Received:
        return self

    async def __anext__(self) -> Any:
        return self._tap.received(await anext(self._stream))

    async def __aenter__(self) -> _Received:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *ended: Any) -> Any:
        return await self._stream.__aexit__(*ended)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Sent:
    def __init__(self, stream: Any, tap: Tap) -> None:
        self._stream, self._tap = stream, tap

    async def send(self, item: Any) -> None:
        self._tap.sent(item)
        await self._stream.send(item)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> _Sent:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *ended: Any) -> Any:
        return await self._stream.__aexit__(*ended)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
