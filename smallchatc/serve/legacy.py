"""Legacy: the ways in of older clients, beside /mcp, where the operator asks for them.

    POST /       one message of JSON-RPC, one answer, no session; with `Accept: text/event-stream`, progress as events
    GET /sse     a stream that names where to send messages (2024-11-05)

Deprecated by the protocol; the guard stands before them as before the rest.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

_MESSAGES = "/messages"


class Legacy:
    """The routes, and what has to run while they answer."""

    def __init__(self, server: Any, max_body: int) -> None:
        from mcp.server.sse import SseServerTransport
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        self._server = server
        self._streams = SseServerTransport(_MESSAGES, max_request_body_size=max_body)
        self._managers = {
            json_response: StreamableHTTPSessionManager(
                server, stateless=True, json_response=json_response, max_request_body_size=max_body
            )
            for json_response in (True, False)
        }

    def routes(self) -> list[Any]:
        from starlette.routing import Mount, Route

        return [
            Route("/", _Endpoint(self._posted), methods=["POST"]),
            Route("/sse", _Endpoint(self._listened), methods=["GET"]),
            Mount(_MESSAGES, app=self._streams.handle_post_message),
        ]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While this lasts, they answer."""
        async with AsyncExitStack() as stack:
            for manager in self._managers.values():
                await stack.enter_async_context(manager.run())
            yield

    async def _posted(self, scope: Any, receive: Any, send: Any) -> None:
        headers = [(name, value) for name, value in scope["headers"] if name != b"accept"]
        wants_events = any(name == b"accept" and b"text/event-stream" in value for name, value in scope["headers"])
        # Both are accepted by whoever asks for either, since these clients know of no more than one.
        headers.append((b"accept", b"application/json, text/event-stream"))
        await self._managers[not wants_events].handle_request({**scope, "headers": headers}, receive, send)

    async def _listened(self, scope: Any, receive: Any, send: Any) -> None:
        async with self._streams.connect_sse(scope, receive, send) as (read, write):
            await self._server.run(read, write, self._server.create_initialization_options())


class _Endpoint:
    """An ASGI application as a route takes it: not a function, which would be given a request."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._app(scope, receive, send)
