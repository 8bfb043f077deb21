"""Web: a server that is reached at a URL, by Streamable HTTP or by the older SSE, as streams of messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from .course import MAX_ANSWER, Course
from .expansion import Expanded
from .tap import Streams

CONNECT_S = 30.0


@asynccontextmanager
async def reached(server: Expanded, course: Course, *, sse: bool) -> AsyncIterator[Streams]:
    """The streams to and from the server."""
    import httpx2
    from mcp.client.sse import sse_client
    from mcp.client.streamable_http import streamable_http_client

    def client(
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={**(headers or {}), **server.headers},
            timeout=timeout or httpx2.Timeout(CONNECT_S, read=None),  # reading is bounded by the whole conversation
            auth=auth,
            event_hooks={"response": [_hook(course)]},
        )

    if sse:
        async with sse_client(server.url, httpx_client_factory=client) as streams:
            yield streams
        return
    async with (
        client() as opened,
        streamable_http_client(server.url, http_client=opened, max_sse_event_size=MAX_ANSWER) as streams,
    ):
        yield streams


def _hook(course: Course) -> Any:
    """Every response is remembered by its status, and read up to the size of a message."""

    async def seen(response: Any) -> None:
        course.status = response.status_code
        response.stream = _bounded(response.stream, course)

    return seen


def _bounded(stream: Any, course: Course) -> Any:
    """A body that ends with an error once it is larger than any message may be."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for chunk in stream:
                read += len(chunk)
                if read > MAX_ANSWER:
                    course.too_large = True
                    raise httpx2.ReadError("larger than any list of tools")
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()
