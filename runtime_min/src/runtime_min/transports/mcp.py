"""MCP: a provider that is a server, over stdio, Streamable HTTP or SSE, by the official SDK (`mcp>=2.3,<3`).

Both eras of the protocol are spoken: what the server answers decides, once for each connection. A call goes out as it
came in and its answer comes back as it was on the wire: no block of content is read, shortened or dropped here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from ..access import STDIO
from ..errors import DispatchError, NotTrusted, ToolFailed, Unreachable, UpstreamError
from ..events import Progress, ToolResult
from ..trust import Passed
from .link import Link
from .session import Connection, agree, hear_of_changes, is_change, streams_of

if TYPE_CHECKING:
    from ..proxy import ToolProxy

START = 120.0
"""Seconds for a server's first start: it may install itself. A child that dies ends the wait at once."""

_QUEUE = 64
_OLD_SDK = ("mcp.server.fastmcp", "'Server' object has no attribute")
_log = logging.getLogger(__name__)


class McpTransport:
    """The tools of one server. Connects when first called, and again after the connection was lost."""

    def __init__(self, opening: Callable[[], Passed], provider: str, changed: Callable[[str], None]) -> None:
        self.provider = provider
        self.list_changed = False
        self._changed = changed
        self._legacy = False
        self._link = Link(lambda: self._connected(opening()), provider)

    async def execute(self, tool: ToolProxy, args: Mapping[str, Any]) -> Any:
        """The tool's result."""
        last: Any = None
        async for piece in self.execute_stream(tool, args):
            last = piece
        return last

    async def execute_stream(self, tool: ToolProxy, args: Mapping[str, Any]) -> AsyncGenerator[Any]:
        """The tool's progress, then its result. Closing this tells the server that nobody waits any more."""
        connection = await self._connection(tool)
        told: asyncio.Queue[Any] = asyncio.Queue(_QUEUE)

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            if told.full():  # progress is a level: the newest says it all
                told.get_nowait()
            told.put_nowait(Progress(progress, total, message))

        call = asyncio.create_task(connection.call(tool, args, on_progress))
        try:
            while not call.done():
                waiting = asyncio.ensure_future(told.get())
                try:
                    await asyncio.wait([call, waiting], return_when=asyncio.FIRST_COMPLETED)
                    if waiting.done():
                        yield waiting.result()
                finally:
                    waiting.cancel()
            while not told.empty():
                yield told.get_nowait()
            yield _result(await self._answer(call, connection, tool), tool.path)
        finally:
            if not call.done():
                call.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await call

    async def close(self) -> None:
        """End the connection; a child process has ended when this returns."""
        await self._link.close()

    def close_soon(self) -> None:
        """The same without waiting, from any thread."""
        self._link.close_soon()

    async def _connection(self, tool: ToolProxy) -> Connection:
        try:
            connection: Connection = await self._link.get()
            if connection.over:
                self._link.lost(connection)
                connection = await self._link.get()
            return connection
        except (DispatchError, NotTrusted):
            raise
        except Exception as err:
            raise _unreachable(err, self.provider, tool.path) from err

    async def _answer(
        self, call: asyncio.Task[dict[str, Any]], connection: Connection, tool: ToolProxy
    ) -> dict[str, Any]:
        """The answer on the wire; errors of the protocol and of the connection as ours."""
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

        try:
            return await call
        except MCPError as err:
            code, said = err.error.code, err.error.message
            if connection.is_gone(code, said):
                self._link.lost(connection)
                why = connection.course if code == CONNECTION_CLOSED and connection.course else said
                hint = "it wants an older package: pin 'mcp<2' where it is started" if _wants_old_sdk(why) else ""
                raise Unreachable(
                    f"{tool.path}: the server of {self.provider} went away: {why}",
                    sent=code == CONNECTION_CLOSED,
                    tool=tool.path,
                    hint=hint or "it is started again by the next call",
                ) from err
            if code in (CONNECTION_CLOSED, REQUEST_TIMEOUT):  # of this request alone
                data = err.error.data
                arrived = not (isinstance(data, dict) and data.get("sent") is False)
                raise Unreachable(f"{tool.path}: {said}", sent=arrived, tool=tool.path) from err
            raise UpstreamError(f"{tool.path}: {said}", rpc_code=code, data=err.error.data, tool=tool.path) from err
        except (OSError, ValueError) as err:
            raise ToolFailed(f"{tool.path}: {type(err).__name__}: {err}", tool=tool.path) from err

    @asynccontextmanager
    async def _connected(self, passed: Passed) -> AsyncIterator[Connection]:
        from mcp import ClientSession, MCPError
        from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
        from mcp.types import Implementation

        from .child import Course

        course = Course() if passed.access.kind == STDIO else None
        async with streams_of(passed, course) as (read, write):
            dispatcher: Any = JSONRPCDispatcher(read, write)
            session = ClientSession(
                dispatcher=dispatcher,
                message_handler=self._hear,
                client_info=Implementation(name="smallchat", version="0.1.0"),
            )
            async with session:
                try:
                    async with asyncio.timeout(START):
                        self._legacy = await agree(session, legacy=self._legacy)
                except MCPError as err:
                    raise ConnectionError(str(course if course and course.over else err.error.message)) from err
                listening = asyncio.ensure_future(self._listen(session))
                try:
                    yield Connection(dispatcher, session, course, passed.access.kind)
                finally:
                    listening.cancel()
                    with suppress(asyncio.CancelledError, Exception):
                        await listening

    async def _hear(self, message: Any) -> None:
        if is_change(message):
            self._note_change()

    async def _listen(self, session: Any) -> None:
        try:
            await hear_of_changes(session, self._note_change)
        except Exception as err:
            _log.debug("%s: no news of its tools: %s", self.provider, err)

    def _note_change(self) -> None:
        self.list_changed = True
        self._changed(self.provider)


def _result(raw: Mapping[str, Any], path: str) -> ToolResult:
    """An answer on the wire as a result; raises ToolFailed for what is none."""
    kind = raw.get("resultType", "complete")
    if kind == "input_required":
        return ToolResult(None, tool=path, raw=raw)
    content = raw.get("content", [] if "structuredContent" in raw else None)
    blocks = isinstance(content, list) and all(isinstance(block, dict) and "type" in block for block in content)
    if kind != "complete" or not blocks:
        raise ToolFailed(f"{path}: the server answered with what is no result of a tool", tool=path)
    return ToolResult(
        content, tool=path, structured=raw.get("structuredContent"), is_error=raw.get("isError") is True, raw=raw
    )


def _unreachable(err: Exception, provider: str, path: str) -> Unreachable:
    cause: BaseException = err
    while isinstance(cause, BaseExceptionGroup) and cause.exceptions:
        cause = cause.exceptions[0]
    if isinstance(cause, TimeoutError):
        why: object = f"it did not answer within {START:g} s of its start"
    elif isinstance(cause, OSError) and cause.filename is not None:
        said = cause.strerror or str(cause)
        why = f"{cause.filename}: {said[:1].lower()}{said[1:]}"
    else:
        why = str(cause) or type(cause).__name__
    hint = "it wants an older package: pin 'mcp<2' where it is started" if _wants_old_sdk(why) else ""
    error = Unreachable(f"{path}: the server of {provider} cannot be reached: {why}", sent=False, tool=path, hint=hint)
    error.retryable = not isinstance(cause, (FileNotFoundError, PermissionError, NotADirectoryError))
    return error


def _wants_old_sdk(why: object) -> bool:
    return any(mark in str(why) for mark in _OLD_SDK)
