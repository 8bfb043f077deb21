"""Child: a server that is started, and its standard streams as streams of messages.

Not the client library's own: that has no bound for a line, takes quadratic time for a long one, and cannot say with
what code a child ended or what it wrote to its standard error. What ends a child and its descendants is the library's.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from ..model import Json
from .course import KEPT_OF_STDERR, KEPT_PRINTED, MAX_ANSWER, Course
from .expansion import Expanded
from .tap import Streams

GRACE_S = 1.0
"""A server may take this long to end by itself once its input is closed."""


@asynccontextmanager
async def started(server: Expanded, course: Course) -> AsyncIterator[Streams]:
    """The streams to and from a new child; it and its descendants have ended when this is left."""
    import anyio
    from mcp.client.stdio import get_default_environment

    environment = {**get_default_environment(), **server.env}
    process = await anyio.open_process(
        [_program(server, environment), *server.args],
        env=environment,
        cwd=server.cwd or None,
        start_new_session=sys.platform != "win32",
    )
    received, read = anyio.create_memory_object_stream[Any](0)
    write, to_send = anyio.create_memory_object_stream[Any](0)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_listen, process, received, course)
            group.start_soon(_keep_stderr, process, course)
            group.start_soon(_write, process, to_send)
            try:
                yield read, write
            finally:
                group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
        for stream in (received, read, write, to_send):
            stream.close()


def _program(server: Expanded, environment: dict[str, str]) -> str:
    """The file to run. Looked for here, so that a missing program and a missing folder are two messages."""
    if server.cwd and not os.path.isdir(server.cwd):
        raise NotADirectoryError(server.cwd)
    command = os.path.expanduser(server.command)
    if os.path.dirname(command):
        place = os.path.join(server.cwd, command) if server.cwd else command
        if not os.path.exists(place):
            raise FileNotFoundError(server.command)
        return place
    found = shutil.which(command, path=environment.get("PATH"))
    if found is None:
        raise FileNotFoundError(server.command)
    return found


async def _listen(process: Any, received: Any, course: Course) -> None:
    """Lines of standard output become messages; what is none is remembered."""
    import anyio

    held = bytearray()
    async with received:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, ConnectionError):
            while True:
                chunk = await process.stdout.receive(1 << 18)
                first, *rest = chunk.split(b"\n")
                held += first
                for following in rest:
                    for message in _messages(bytes(held), course):
                        await received.send(message)
                    held = bytearray(following)
                if len(held) > MAX_ANSWER:
                    course.too_large = True
                if course.too_large or course.broken:
                    return
        course.ended = True
        with anyio.move_on_after(GRACE_S):
            course.exit_code = await process.wait()


def _messages(line: bytes, course: Course) -> Iterator[Any]:
    """The messages of one line; several where a server sends a batch."""
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCResponse, jsonrpc_message_adapter
    from pydantic import ValidationError

    text = line.decode("utf-8", "replace").strip().lstrip("\ufeff")
    if not text:
        return
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        if text.startswith("{") and '"jsonrpc"' in text:
            course.broken = text[:80]
        value = None
    for item in value if isinstance(value, list) else [value]:
        if _is_result(item):
            # Not validated: a list of tools may hold what no model accepts, and 50 MB of it.
            yield SessionMessage(JSONRPCResponse.model_construct(jsonrpc="2.0", id=item["id"], result=item["result"]))
            continue
        try:
            message = jsonrpc_message_adapter.validate_python(_mended(item), by_name=False)
        except ValidationError:
            course.printed_lines += 1
            if len(course.printed) < KEPT_PRINTED:
                course.printed.append(text[:80])
            continue
        yield SessionMessage(message)


def _is_result(item: Json) -> bool:
    return (
        isinstance(item, dict)
        and item.get("jsonrpc") == "2.0"
        and isinstance(item.get("id"), int | str)
        and isinstance(item.get("result"), dict)
    )


def _mended(item: Json) -> Json:
    """A message whose envelope can be read: a result or an error that is no object would be lost for its request."""
    if isinstance(item, dict) and item.get("jsonrpc") == "2.0":
        if "result" in item and not isinstance(item["result"], dict):
            return {**item, "result": {}}
        error = item.get("error")
        if "error" in item and not (isinstance(error, dict) and isinstance(error.get("code"), int)):
            said = error.get("message") if isinstance(error, dict) else error
            return {"jsonrpc": "2.0", "id": item.get("id"), "error": {"code": -32603, "message": str(said)}}
    return item


async def _keep_stderr(process: Any, course: Course) -> None:
    """What it complains about is read, so that it never waits for us, and its end is kept."""
    import anyio

    kept = bytearray()
    with suppress(anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
        while True:
            kept += await process.stderr.receive()
            del kept[:-KEPT_OF_STDERR]
            course.stderr = kept.decode("utf-8", "replace")


async def _write(process: Any, to_send: Any) -> None:
    import anyio

    async with to_send:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            async for item in to_send:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send((text + "\n").encode())


async def _end(process: Any) -> None:
    """Its input closed, then time to end, then made to; what it started itself ends with it."""
    import anyio

    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdin.aclose()
    with anyio.move_on_after(GRACE_S):
        while process.returncode is None:
            await anyio.sleep(0.01)
    if sys.platform == "win32":  # pragma: no cover
        if process.returncode is None:
            process.kill()
    else:
        from mcp.os.posix.utilities import terminate_posix_process_tree

        await terminate_posix_process_tree(process, GRACE_S)
    with anyio.move_on_after(GRACE_S):
        while process.returncode is None:
            await anyio.sleep(0.01)
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdout.aclose()
        await process.stderr.aclose()
    # Left open, it complains when it is collected after the event loop has gone; nothing public closes it.
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:
        with suppress(PermissionError):
            transport.close()
