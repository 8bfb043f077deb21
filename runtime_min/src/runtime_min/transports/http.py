"""HTTP: a provider that is an API, each tool an operation of it (docs/format.md: Calls).

Pages, waiting for long jobs and the like are the caller's: one call is one request, and what it may be repeated for
is decided in steady.py. No message quotes a query or a header, which may hold a credential.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from ..access import host_of
from ..errors import NotBound, ToolFailed, Unreachable
from ..trust import Passed
from .answer import answer_of, piece_of, streams_events, streams_lines
from .credentials import credentials
from .link import Link
from .request import Request, build_request
from .web import MAX_BODY, client, said, was_never_sent

if TYPE_CHECKING:
    from ..proxy import ToolProxy

_BUSY = frozenset((429, 502, 503, 504))
_REDIRECTS = 5


class HttpTransport:
    """The operations of one API. `base_url` is the host's own, in place of what is recorded."""

    def __init__(self, opening: Callable[[], Passed], provider: str, base_url: str | None = None) -> None:
        self.provider = provider
        self._base_url = base_url
        self._link = Link(lambda: self._connected(opening()), provider)

    async def execute(self, tool: ToolProxy, args: Mapping[str, Any]) -> Any:
        """The operation's result."""
        from ..execution import execute
        from ..imps import TransportImp

        return await execute(TransportImp(self, tool), args, tool=tool.path)

    async def execute_stream(self, tool: ToolProxy, args: Mapping[str, Any]) -> AsyncGenerator[Any]:
        """The pieces of a body that is a stream, else the whole result."""
        import httpx2

        if not tool.call:
            raise NotBound(
                f"{tool.path}: nothing says which operation of {self.provider} this is",
                tool=tool.path,
                hint="compile the API's OpenAPI description, or bind the tool",
            )
        http_client, passed = await self._link.get()
        request = self._request(http_client, passed, tool, args)
        try:
            response = await _sent(http_client, request)
        except httpx2.TransportError as err:
            message = f"{tool.path}: cannot reach {request.url.host}: {said(err)}"
            raise Unreachable(message, sent=not was_never_sent(err), tool=tool.path) from err
        try:
            async for piece in _pieces(response, tool):
                yield piece
        except httpx2.TransportError as err:
            message = f"{tool.path}: {request.url.host} broke off its answer: {said(err)}"
            raise Unreachable(message, sent=True, tool=tool.path) from err
        except ValueError as err:
            raise ToolFailed(f"{tool.path}: {request.url.host}: {err}", tool=tool.path) from err
        finally:
            await response.aclose()

    async def close(self) -> None:
        """Close the connections."""
        await self._link.close()

    def close_soon(self) -> None:
        """The same without waiting, from any thread."""
        self._link.close_soon()

    def _request(self, http_client: Any, passed: Passed, tool: ToolProxy, args: Mapping[str, Any]) -> Any:
        record, call = passed.record, tool.call
        server = call.get("server") or {}
        base = self._base_url or server.get("base_url") or record["base_url"]
        if not host_of(base) or re.search(r"[{}]", base):
            raise NotBound(
                f"{tool.path}: its description does not say where {self.provider} is: {base or 'no server'}",
                tool=tool.path,
                hint=f"say it: rt.connect(base_urls={{{self.provider!r}: 'https://...'}})",
            )
        built = build_request(call, args, base, tool.path)
        held = credentials(call.get("security") or (), record.get("security") or {}, passed.variables, tool.path)
        headers = [(name, str(value)) for name, value in (record.get("headers") or {}).items()]
        headers += [*built.headers, *held.headers]
        cookies = [*built.cookies, *held.cookies]
        if cookies:
            headers.append(("Cookie", "; ".join(f"{name}={value}" for name, value in cookies)))
        return http_client.build_request(
            built.method,
            _url(built, held.query),
            headers=[(name.encode(), value.encode("utf-8", "surrogatepass")) for name, value in headers],
            content=built.body,
        )

    @asynccontextmanager
    async def _connected(self, passed: Passed) -> AsyncIterator[tuple[Any, Passed]]:
        if self._base_url is not None:
            passed = passed._replace(hosts=passed.hosts | {host_of(self._base_url)})
        async with client(passed) as http_client:
            yield http_client, passed


def _url(request: Request, credential: list[tuple[str, str]]) -> str:
    query = "&".join(f"{name}={value}" if name else value for name, value in [*request.query, *credential])
    return f"{request.url}{'&' if '?' in request.url else '?'}{query}" if query else request.url


async def _sent(http_client: Any, request: Any) -> Any:
    """The response, its body not yet read. Redirects are followed while they stay where they are and what they are."""
    for _ in range(_REDIRECTS):
        response = await http_client.send(request, stream=True, follow_redirects=False)
        following = response.next_request
        if following is None or following.method != request.method or _origin(following) != _origin(request):
            return response
        await response.aclose()
        request = following
    return response


def _origin(request: Any) -> tuple[str, str, int | None]:
    return request.url.scheme, request.url.host, request.url.port


async def _pieces(response: Any, tool: ToolProxy) -> AsyncIterator[Any]:
    import httpx2

    said_type = response.headers.get("content-type", "")
    media_type = said_type.partition(";")[0].strip().lower()
    if response.status_code < 300 and streams_events(media_type):
        async for event in httpx2.EventSource(response, max_event_size=MAX_BODY):
            if event.data:
                yield piece_of(event.data)
        return
    if response.status_code < 300 and streams_lines(media_type):
        async for line in response.aiter_lines():
            if line.strip("\x1e \t\r\n"):
                yield piece_of(line.strip("\x1e"))
        return
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_BODY:
            raise ValueError(f"it answered with more than {MAX_BODY >> 20} MB")
    charset = response.charset_encoding or ""
    status = response.status_code
    result = answer_of(status, response.reason_phrase, media_type, charset, bytes(body), tool.path)
    if 300 <= status < 400:
        raise ToolFailed(f"{tool.path}: it answers with a redirect to another place (HTTP {status})", tool=tool.path)
    if status in _BUSY:
        error = Unreachable(f"{tool.path}: HTTP {status}", sent=status != 429, tool=tool.path)
        error.answer, error.retry_after = result, _seconds(response.headers.get("retry-after"))
        raise error
    yield result


def _seconds(text: str | None) -> float | None:
    """Retry-After in seconds; dates are not waited for."""
    return float(text) if text and text.strip().isdigit() else None
