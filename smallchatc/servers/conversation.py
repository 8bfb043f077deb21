"""Conversation: one server is started or reached, agrees on a protocol of either era, and lists its tools by pages."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from runtime_min.transports.session import agree, is_change

from ..diagnostics import diagnostic
from ..model import Answer, Configured, Diagnostic, Json
from ..recording import make_recording, without_values
from .child import started
from .course import Course, NoList, Tell
from .expansion import Expanded, expand
from .failure import failure
from .tap import Streams, Tap
from .web import reached

MAX_PAGES = 1000
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_NOT_SPOKEN_HERE = (400, 404, 405, 406, 415)


@dataclass(slots=True, kw_only=True)
class Talk:
    """A conversation that goes on: its list may be asked for again, and it may say that the list has changed."""

    again: Callable[[], Awaitable[Answer]]
    session: Any
    course: Course
    changed: Any  # an event, set when the server says so


Stay = Callable[[Answer, Talk], Awaitable[None]]
"""What is done with a server that has listed its tools before it is left; it may take as long as it likes."""


async def ask(
    configured: Configured, environment: Mapping[str, str], *, timeout_s: float, tell: Tell, stay: Stay | None = None
) -> Answer:
    """The server's recording, or why there is none; never raises for what a server does.

    With `stay` the answer is of what ended that.
    """
    import anyio

    server, said = expand(configured, environment)
    if server is None:
        tell(configured.label, "not started", True)
        return Answer(configured=configured, recording=None, said=tuple(said))
    tell(configured.label, "starting" if server.transport == "stdio" else "connecting", False)
    course, fault = Course(), None
    ways = (
        ["stdio"]
        if server.transport == "stdio"
        else ["sse"]
        if server.transport == "sse"
        else ["streamable-http", "sse"]
    )
    with anyio.move_on_after(timeout_s) as scope:
        for way in ways:
            course = Course()
            before = [_say("server-old-transport", configured, "was reached over SSE")] if way != ways[0] else []
            try:
                async with _talk(configured, server, way, course, tell, (*said, *before)) as talk:
                    answer = await talk.again()
                    if stay is not None:
                        scope.deadline = math.inf
                        await stay(answer, talk)
                tell(configured.label, _counted(answer), True)
                return answer
            except Exception as err:
                if fault is None or course.agreed:
                    fault = failure(configured, server, course, err)
                if course.listed or not (way == "streamable-http" and course.status in _NOT_SPOKEN_HERE):
                    break
    if scope.cancelled_caught:
        fault = failure(configured, server, course, None, timeout_s=timeout_s)
    tell(configured.label, "failed", True)
    return Answer(configured=configured, recording=None, said=(*said, *([fault] if fault else ())))


@asynccontextmanager
async def _talk(
    configured: Configured, server: Expanded, way: str, course: Course, tell: Tell, before: Sequence[Diagnostic]
) -> AsyncIterator[Talk]:
    """A server that has agreed on a protocol; `before` is what there was to say of it already."""
    import anyio
    from mcp.client.session import ClientSession

    tap = Tap(course)

    async def hear(message: Any) -> None:
        if is_change(message):
            talk.changed.set()

    async def again() -> Answer:
        tell(configured.label, "listing", False)
        said = list(before)
        hello = _hello(tap)
        course.pages, course.tools = 0, []
        await _pages(session, tap, course, hello, configured, said, tell)
        course.listed = True
        if course.printed:
            lines = f"{course.printed_lines} line{'' if course.printed_lines == 1 else 's'}"
            words = f"printed {lines} that are no messages to its standard output"
            said.append(_say("server-printed", configured, words))
        recording = make_recording(
            configured,
            protocol=session.protocol_version or "",
            server_info=hello.get("serverInfo"),
            capabilities=hello.get("capabilities"),
            instructions=hello.get("instructions"),
            pages=course.pages,
            tools=course.tools,
            transport=way,
        )
        return Answer(configured=configured, recording=without_values(recording, server.secrets), said=tuple(said))

    async with (
        _streams(server, way, course, tap) as (read, write),
        ClientSession(read, write, message_handler=hear) as session,
    ):
        talk = Talk(again=again, session=session, course=course, changed=anyio.Event())
        await agree(session)
        course.agreed = True
        yield talk


def _counted(answer: Answer) -> str:
    count = len(answer.recording["tools"]) if answer.recording is not None else 0
    return f"{count} tool{'' if count == 1 else 's'}"


@asynccontextmanager
async def _streams(server: Expanded, way: str, course: Course, tap: Tap) -> AsyncIterator[Streams]:
    opened: AbstractAsyncContextManager[Streams] = (
        started(server, course) if way == "stdio" else reached(server, course, sse=way == "sse")
    )
    async with opened as streams, tap.on(streams) as listened:
        yield listened


def _hello(tap: Tap) -> dict[str, Json]:
    """What the server says of itself, wherever its era puts it."""
    result = tap.results.get("initialize") or tap.results.get("server/discover") or {}
    meta = result.get("_meta")
    stamped = meta.get(_SERVER_INFO) if isinstance(meta, dict) else None
    return {**result, "serverInfo": result.get("serverInfo", stamped)}


async def _pages(
    session: Any,
    tap: Tap,
    course: Course,
    hello: Mapping[str, Json],
    configured: Configured,
    said: list[Diagnostic],
    tell: Tell,
) -> None:
    """All pages; a cursor or a page that comes a second time is the end, and said."""
    from mcp.shared.exceptions import MCPError
    from mcp.types import METHOD_NOT_FOUND, PaginatedRequestParams

    cursor: str | None = None
    cursors: set[str] = set()
    contents: set[str] = set()
    while course.pages < MAX_PAGES:
        try:
            await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor is not None else None)
        except MCPError as err:
            if err.error.code == METHOD_NOT_FOUND and not _has_tools(hello) and not course.pages:
                return
            raise
        page = tap.results.pop("tools/list", None)
        tools = page.get("tools") if isinstance(page, dict) else None
        if not isinstance(page, dict) or not isinstance(tools, list):
            raise NoList
        content = hashlib.sha256(json.dumps(tools).encode()).hexdigest()
        if tools and content in contents:
            said.append(_say("cursor-did-not-advance", configured, "answered with a page that it had given before"))
            return
        contents.add(content)
        course.pages += 1
        course.tools.extend(tools)
        following = page.get("nextCursor")
        if following is None:
            return
        tell(configured.label, f"{len(course.tools)} tools so far", False)
        cursor = str(following)
        if cursor in cursors:
            said.append(_say("cursor-did-not-advance", configured, f"named the cursor '{cursor[:40]}' twice"))
            return
        cursors.add(cursor)
    said.append(_say("list-incomplete", configured, f"announced more than {MAX_PAGES} pages; the rest is not read"))


def _has_tools(hello: Mapping[str, Json]) -> bool:
    capabilities = hello.get("capabilities")
    return isinstance(capabilities, dict) and "tools" in capabilities


def _say(slug: str, configured: Configured, what: str) -> Diagnostic:
    return diagnostic(slug, f"{configured.label} {what}", span=configured.span)
