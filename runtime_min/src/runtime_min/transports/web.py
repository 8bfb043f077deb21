"""Web: an HTTP client that contacts the hosts that were allowed and no other, and reads no more than it should.

The HTTP library is the one that the MCP SDK brings (httpx2). Redirects are never followed to another origin; none of
the environment is read but the proxies and certificates that the user has set for all programs.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator
from typing import Any

from ..access import host_of
from ..errors import NotTrusted
from ..trust import Passed

CONNECT = 30.0
"""Seconds to reach a host; how long a call may be silent is not decided here."""

MAX_BODY = 64 << 20
CONNECTION_CLOSED = -32000  # of JSON-RPC in MCP


def client(passed: Passed, headers: dict[str, str] | None = None, *, rpc: bool = False) -> Any:
    """A client for a provider that passed the gate; `rpc`: a request that fails is answered with a JSON-RPC error, so
    that it fails alone and not with everything that shares its streams."""
    import httpx2

    return (_forgiving() if rpc else httpx2.AsyncClient)(
        headers=headers,
        timeout=httpx2.Timeout(CONNECT, read=None, pool=None),
        limits=httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=30),
        event_hooks={"request": [_gate(passed)]},
    )


@functools.cache
def _forgiving() -> Any:
    import httpx2

    class Stream(httpx2.AsyncByteStream):
        def __init__(self, inner: Any, limit: int | None) -> None:
            self._inner, self._limit = inner, limit

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            try:
                async for chunk in self._inner:
                    size += len(chunk)
                    if self._limit is not None and size > self._limit:
                        raise httpx2.StreamError(f"more than {self._limit >> 20} MB")
                    yield chunk
            except httpx2.TransportError as err:
                raise httpx2.StreamError(f"the answer broke off: {said(err)}") from err

        async def aclose(self) -> None:
            await self._inner.aclose()

    class Client(httpx2.AsyncClient):
        async def send(self, request: Any, **options: Any) -> Any:
            try:
                response = await super().send(request, **options)
            except httpx2.TransportError as err:
                message = f"cannot reach {request.url.host}: {said(err)}"
                error = {"code": CONNECTION_CLOSED, "message": message, "data": {"sent": not was_never_sent(err)}}
                return httpx2.Response(502, request=request, json={"jsonrpc": "2.0", "id": None, "error": error})
            streams = "text/event-stream" in response.headers.get("content-type", "")
            response.stream = Stream(response.stream, None if streams else MAX_BODY)
            return response

    return Client


def was_never_sent(err: BaseException) -> bool:
    """Whether an error of the network came before anything had left."""
    import httpx2

    return isinstance(err, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout))


def said(err: BaseException) -> str:
    """What an error of the network says; some say nothing but their name."""
    return str(err) or type(err).__name__


def _gate(passed: Passed) -> Any:
    async def check(request: Any) -> None:
        """Every request of a client comes through here, redirects too."""
        if host_of(str(request.url)) not in passed.hosts:
            raise NotTrusted(f"{passed.access.provider}: not allowed: contact {request.url.host}")

    return check
