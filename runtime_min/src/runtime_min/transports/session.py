"""Session: how one conversation with an MCP server is opened, agrees on an era, and sends a call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from .. import envelope
from ..access import HTTP, SSE, STDIO
from ..trust import Passed

if TYPE_CHECKING:
    from ..proxy import ToolProxy


@asynccontextmanager
async def streams_of(passed: Passed, course: Any) -> AsyncIterator[tuple[Any, Any]]:
    """The streams of messages to and from a server."""
    record = passed.record
    if passed.access.kind == STDIO:
        from .child import started

        env = {**passed.inherited, **{name: str(value) for name, value in (record.get("env") or {}).items()}}
        args = [str(word) for word in record.get("args") or ()]
        async with started(record["command"], args, env, record.get("cwd") or None, course) as streams:
            yield streams
        return
    headers = {name: str(value) for name, value in (record.get("headers") or {}).items()}
    from .web import MAX_BODY, client

    if passed.access.kind == SSE:
        from mcp.client.sse import sse_client

        def factory(headers: Any = None, timeout: Any = None, auth: Any = None) -> Any:
            return client(passed, headers)

        async with sse_client(record["url"], headers=headers, httpx_client_factory=factory) as streams:
            yield streams
        return
    from mcp.client.streamable_http import streamable_http_client

    async with (
        client(passed, headers, rpc=True) as http_client,
        streamable_http_client(record["url"], http_client=http_client, max_sse_event_size=MAX_BODY) as streams,
    ):
        yield streams


async def agree(session: Any, *, legacy: bool = False) -> bool:
    """Settle on the newest protocol that both speak; True when that is of the old era: so is whatever gives no sign of
    the new one. `legacy`: the server is known to be of the old era. Raises MCPError.
    """
    from mcp import MCPError
    from mcp.types import UNSUPPORTED_PROTOCOL_VERSION

    if not legacy:
        try:
            await session.discover()
            return False
        except (MCPError, RuntimeError, ValueError):
            pass
    try:
        await session.initialize()
        return True
    except MCPError as err:
        # A slow start: the question timed out here and was answered there, so its era is settled.
        if err.error.code != UNSUPPORTED_PROTOCOL_VERSION:
            raise
        await session.discover()
        return False


async def hear_of_changes(session: Any, note: Callable[[], None]) -> None:
    """Call `note` whenever the server says that its tools changed, until it says no more. In the new era whoever wants
    to know asks for it; in the old one the session's message handler hears of it unasked, and this returns at once.
    """
    from mcp.client.subscriptions import listen

    tools = getattr(session.server_capabilities, "tools", None)
    if session.discover_result is None or not getattr(tools, "list_changed", False):
        return
    async with listen(session, tools_list_changed=True) as subscription:
        async for _ in subscription:
            note()


def is_change(message: Any) -> bool:
    """Whether a message that came unasked says that the tools changed."""
    return type(message).__name__ == "ToolListChangedNotification"


class Connection:
    """A session with a server, in whichever era."""

    __slots__ = ("_dispatcher", "_kind", "_session", "course")

    def __init__(self, dispatcher: Any, session: Any, course: Any, kind: str) -> None:
        self._dispatcher = dispatcher
        self._session = session
        self._kind = kind
        self.course = course

    @property
    def over(self) -> bool:
        """Whether it is known to have ended."""
        return self.course is not None and bool(self.course.over)

    def is_gone(self, code: int, said: str) -> bool:
        """Whether an error says that this connection is of no use any more, and not only one request of it."""
        from mcp.types import CONNECTION_CLOSED, INVALID_REQUEST

        if code == CONNECTION_CLOSED:
            return self.course is not None or said == "Connection closed"  # what the SDK says of its own streams
        return code == INVALID_REQUEST and said == "Session terminated"

    async def call(self, tool: ToolProxy, args: Mapping[str, Any], on_progress: Any) -> dict[str, Any]:
        """Send tools/call; the result as it was on the wire."""
        sent = envelope.current()
        params: dict[str, Any] = {"name": tool.name, "arguments": dict(args)}
        if sent.input_responses is not None:
            params["inputResponses"] = dict(sent.input_responses)
        if sent.request_state is not None:
            params["requestState"] = sent.request_state
        meta = dict(sent.meta)
        options: dict[str, Any] = {"on_progress": on_progress, "headers": {}}
        if self._session.discover_result is not None:
            self._stamp(meta, options["headers"], tool, params["arguments"], sent.capabilities)
        elif self._session.protocol_version and self._kind != STDIO:
            from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER

            options["headers"][MCP_PROTOCOL_VERSION_HEADER] = self._session.protocol_version
        if meta:
            params["_meta"] = meta
        raw: dict[str, Any] = await self._dispatcher.send_raw_request("tools/call", params, options)
        return raw

    def _stamp(
        self,
        meta: dict[str, Any],
        headers: dict[str, str],
        tool: ToolProxy,
        args: Mapping[str, Any],
        capabilities: Mapping[str, Any],
    ) -> None:
        """What every request of the new era carries. The capabilities are those of whoever is at the other end."""
        from mcp.shared.inbound import (
            MCP_METHOD_HEADER,
            MCP_NAME_HEADER,
            MCP_PROTOCOL_VERSION_HEADER,
            encode_header_value,
            find_invalid_x_mcp_header,
            mcp_param_headers,
            x_mcp_header_map,
        )
        from mcp.types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY

        version = self._session.protocol_version
        meta[PROTOCOL_VERSION_META_KEY] = version
        meta[CLIENT_CAPABILITIES_META_KEY] = dict(capabilities)
        meta.setdefault(CLIENT_INFO_META_KEY, {"name": "smallchat", "version": "0.1.0"})
        if self._kind != HTTP:
            return
        headers[MCP_PROTOCOL_VERSION_HEADER] = version
        headers[MCP_METHOD_HEADER] = "tools/call"
        headers[MCP_NAME_HEADER] = encode_header_value(tool.name)
        schema = tool.input_schema
        if isinstance(schema, Mapping) and find_invalid_x_mcp_header(schema) is None:
            headers.update(mcp_param_headers(x_mcp_header_map(schema), args))
