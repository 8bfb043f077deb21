"""Endpoint: calls become an MCP server of the official SDK, in both eras.

The SDK reads requests, and frames answers for the client's era; what is in an answer is ours and goes out as it is,
since its models would drop what they do not know.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from runtime_min.envelope import Envelope
from runtime_min.errors import UpstreamError

from .calls import Asked
from .unknown import NotListed

if TYPE_CHECKING:
    from ..model import Json
    from .calls import Calls

PAGE = 1000
"""Tools in one answer to tools/list. Few clients turn a page, and few catalogues are longer."""

TTL_MS = 300_000
_OURS = ("io.modelcontextprotocol/", "progressToken")
"""Keys of `_meta` that are between a client and us; others are handed on."""


class Endpoint:
    """The server, and a way to tell every client that its tools have changed."""

    def __init__(self, calls: Calls, *, name: str, version: str, instructions: str) -> None:
        from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

        self._calls = calls
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._connections: weakref.WeakSet[Any] = weakref.WeakSet()  # of clients that shook hands
        self._running: set[asyncio.Task[Any]] = set()
        self.server = self._server(name, version, instructions)

    async def changed(self) -> None:
        """Tell all clients that listen, in either era."""
        import anyio
        from mcp.server.subscriptions import ToolsListChanged

        await self._bus.publish(ToolsListChanged())
        for connection in list(self._connections):
            with anyio.move_on_after(1):  # one that does not read is not waited for
                await connection.notify("notifications/tools/list_changed", None)

    def hang_up(self) -> None:
        """End the streams of those who listen; nothing else would."""
        self._listening.close()

    async def stop(self) -> None:
        """Cancel the calls that are still under way, and wait until they have noticed."""
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _server(self, name: str, version: str, instructions: str) -> Any:
        from mcp.server import Server
        from mcp.server.caching import CacheHint
        from mcp.server.lowlevel import NotificationOptions
        from mcp.types import CallToolResult, ListToolsResult, NotificationParams

        class Announcing(Server[Any]):
            """Says in a handshake, too, that it tells of changes."""

            def create_initialization_options(self, notification_options: Any = None, *rest: Any, **named: Any) -> Any:
                options = notification_options or NotificationOptions(tools_changed=True)
                return super().create_initialization_options(options, *rest, **named)

        async def list_frame(ctx: Any, params: Any) -> ListToolsResult:
            return ListToolsResult(tools=[])

        async def call_frame(ctx: Any, params: Any) -> CallToolResult:
            return CallToolResult(content=[])

        async def initialized(ctx: Any, params: Any) -> None:
            self._connections.add(ctx.session._connection)  # nothing public outlives the request

        server: Any = Announcing(
            name,
            version=version,
            instructions=instructions or None,
            on_list_tools=list_frame,
            on_call_tool=call_frame,
            cache_hints={"tools/list": CacheHint(ttl_ms=TTL_MS, scope="public")},
            on_subscriptions_listen=self._listening,
            get_tool_input_schema=self._schema,
        )
        server.add_notification_handler("notifications/initialized", NotificationParams, initialized)
        server.middleware.append(self._filled)
        return server

    async def _filled(self, ctx: Any, call_next: Any) -> Any:
        """The SDK's frame of an answer, with the answer in it."""
        frame = await call_next(ctx)  # which has checked the request
        if ctx.method == "tools/list":
            return {**frame, **self._page((ctx.params or {}).get("cursor"))}
        if ctx.method != "tools/call":
            return frame
        answer = await self._called(ctx)
        if "_meta" in frame:
            answer["_meta"] = {**(answer.get("_meta") or {}), **frame["_meta"]}
        if "resultType" in frame:
            answer.setdefault("resultType", frame["resultType"])
        return answer

    def _page(self, cursor: str | None) -> dict[str, Json]:
        offer = self._calls.offer
        start = 0
        if cursor is not None:
            digest, _, number = cursor.partition(".")
            if digest != offer.artifact.digest[:12] or not number.isdecimal():
                raise _refusal(-32602, f"no page {cursor!r}: list the tools again from the beginning")
            start = int(number)
        page: dict[str, Json] = {"tools": list(offer.listed[start : start + PAGE])}
        if start + PAGE < len(offer.listed):
            page["nextCursor"] = f"{offer.artifact.digest[:12]}.{start + PAGE}"
        return page

    async def _called(self, ctx: Any) -> dict[str, Json]:
        try:
            return await self._apart(self._calls.answer(_asked(ctx), ctx.session.report_progress))
        except NotListed as err:
            raise _refusal(-32602, str(err), err.data()) from err
        except UpstreamError as err:
            raise _refusal(err.rpc_code, str(err), err.data) from err

    async def _apart(self, call: Coroutine[Any, Any, dict[str, Json]]) -> dict[str, Json]:
        """In a task of its own: whoever asked may go away at any moment, and the tool is then told once, in order."""
        task = asyncio.ensure_future(call)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        return task.result()

    def _schema(self, name: str) -> Any:
        return self._calls.offer.schemas.get(name)


def _asked(ctx: Any) -> Asked:
    from mcp.types import CLIENT_CAPABILITIES_META_KEY
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    params: Mapping[str, Any] = ctx.params or {}
    meta = params.get("_meta") or {}
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    responses = params.get("inputResponses")
    return Asked(
        name=params["name"],
        arguments=params.get("arguments") or {},
        client=_client(ctx),
        modern=modern,
        envelope=Envelope(
            meta={key: value for key, value in meta.items() if not key.startswith(_OURS)},
            # Whoever shook hands cannot answer what a tool asks in the new way, so it declares nothing.
            capabilities=meta.get(CLIENT_CAPABILITIES_META_KEY, {}) if modern else {},
            input_responses=responses if isinstance(responses, Mapping) else None,
            request_state=params.get("requestState"),
        ),
    )


def _client(ctx: Any) -> str:
    """Who asks: an address, or the process at the other end of the pipe."""
    request = ctx.request
    peer = getattr(request, "client", None)
    return peer.host if peer is not None else "stdio" if request is None else "unknown"


def _refusal(code: int, message: str, data: Any = None) -> Exception:
    from mcp import MCPError

    return MCPError(code, message, data)
