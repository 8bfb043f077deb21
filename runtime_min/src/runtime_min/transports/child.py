"""Child: a server that is started, and its standard streams as streams of MCP messages.

The only place that starts a process. Not the client library's own: that has no bound for a line, takes
quadratic time for a long one, reads the environment by itself, and cannot say with what code a child ended or what it
complained about. What ends a child and its descendants is the library's.
"""

from __future__ import annotations

import atexit
import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

GRACE = 2.0
"""Seconds a server may take to end by itself once its input is closed, and again once it is told to."""

MAX_LINE = 64 << 20
"""Bytes of one message: the largest real list of tools has 1.5 MB."""

_STDERR_KEPT = 8192
_PRINTED_KEPT = 3


class Course:
    """How a child is doing; written here, read when something went wrong."""

    __slots__ = ("broken", "ended", "exit_code", "printed", "printed_lines", "stderr", "too_large")

    def __init__(self) -> None:
        self.ended = False  # it closed its standard output
        self.exit_code: int | None = None
        self.broken = ""  # the beginning of a message that cannot be read
        self.too_large = False
        self.printed: list[str] = []  # lines that are no messages: the first few
        self.printed_lines = 0
        self.stderr = ""  # its end

    @property
    def over(self) -> bool:
        """Whether nothing more will be heard of it."""
        return self.ended or self.too_large or bool(self.broken)

    def __str__(self) -> str:
        if self.broken:
            return f"it sent a message that is no JSON: {self.broken}"
        if self.too_large:
            return f"it sent a line of more than {MAX_LINE >> 20} MB"
        if not self.ended:
            return "the connection was closed"
        said = self.stderr.strip().splitlines()
        how = f"it ended with code {self.exit_code}" if self.exit_code is not None else "it closed its output"
        return f"{how}, saying: {said[-1][:300]}" if said else how


@asynccontextmanager
async def started(
    command: str, args: Sequence[str], env: Mapping[str, str], cwd: str | None, course: Any
) -> AsyncIterator[tuple[Any, Any]]:
    """The streams to and from a new child; it and its descendants have ended when this is left. Raises OSError.

    `course` is a Course, or something that has what a Course has.
    """
    import anyio

    process = await anyio.open_process(
        [program(command, env, cwd), *args],
        env=dict(env),
        cwd=cwd,
        start_new_session=sys.platform != "win32",
    )
    _running.add(process.pid)
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


def program(command: str, env: Mapping[str, str], cwd: str | None) -> str:
    """The file to run. Looked for here, so that a missing program and a missing folder are two messages."""
    if cwd and not os.path.isdir(cwd):
        raise NotADirectoryError(errno.ENOTDIR, "the folder to start it in does not exist", cwd)
    written = os.path.expanduser(command)
    if os.path.dirname(written):
        place = os.path.join(cwd, written) if cwd else written
        if not os.path.exists(place):
            raise FileNotFoundError(errno.ENOENT, "there is no such program", command)
        return place
    found = shutil.which(written, path=env.get("PATH"))
    if found is None:
        raise FileNotFoundError(errno.ENOENT, "there is no such program on the PATH", command)
    return found


async def _listen(process: Any, received: Any, course: Any) -> None:
    """Lines of standard output become messages; banners and other talk are passed over."""
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
                course.too_large = len(held) > MAX_LINE
                if course.too_large or course.broken:
                    return
        course.ended = True
        await _wait(process)
        course.exit_code = process.returncode


def _messages(line: bytes, course: Any) -> Iterator[Any]:
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
            # Whose answer this was cannot be known, so nobody's wait for one would ever end.
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
            if len(course.printed) < _PRINTED_KEPT:
                course.printed.append(text[:80])
            continue
        yield SessionMessage(message)


def _is_result(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and item.get("jsonrpc") == "2.0"
        and isinstance(item.get("id"), (int, str))
        and isinstance(item.get("result"), dict)
    )


def _mended(item: Any) -> Any:
    """A message whose envelope can be read: a result or an error that is no object would be lost for its request."""
    if isinstance(item, dict) and item.get("jsonrpc") == "2.0":
        if "result" in item and not isinstance(item["result"], dict):
            return {**item, "result": {}}
        error = item.get("error")
        if "error" in item and not (isinstance(error, dict) and isinstance(error.get("code"), int)):
            said = error.get("message") if isinstance(error, dict) else error
            return {"jsonrpc": "2.0", "id": item.get("id"), "error": {"code": -32603, "message": str(said)}}
    return item


async def _keep_stderr(process: Any, course: Any) -> None:
    """What it complains about is read, so that it never waits for us, and its end is kept."""
    import anyio

    kept = bytearray()
    with suppress(anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
        while True:
            kept += await process.stderr.receive()
            del kept[:-_STDERR_KEPT]
            course.stderr = kept.decode("utf-8", "replace")


async def _write(process: Any, to_send: Any) -> None:
    import anyio

    async with to_send:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            async for item in to_send:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(f"{text}\n".encode())


async def _end(process: Any) -> None:
    """Its input closed, then time to end, then made to; what it started itself ends with it."""
    import anyio

    try:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.aclose()
        await _wait(process)
        if sys.platform == "win32":  # pragma: no cover
            if process.returncode is None:
                process.kill()
        else:
            from mcp.os.posix.utilities import terminate_posix_process_tree

            await terminate_posix_process_tree(process, GRACE)
        await _wait(process)
    except BaseException:  # a loop that ends cancels even this: then there is no time to ask
        _kill(process.pid)
        raise
    finally:
        _running.discard(process.pid)
        # Left open, it complains when it is collected after the event loop has gone; nothing public closes it.
        transport = getattr(getattr(process, "_process", None), "_transport", None)
        if transport is not None:
            with suppress(PermissionError):
                transport.close()


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":  # pragma: no cover
            os.kill(group, signal.SIGTERM)
        else:
            os.killpg(group, signal.SIGKILL)


_running: set[int] = set()


@atexit.register
def _kill_what_is_left() -> None:
    """A program that ends without closing its runtime leaves no server behind."""
    for group in list(_running):
        _kill(group)


async def _wait(process: Any) -> None:
    import anyio

    with anyio.move_on_after(GRACE):
        while process.returncode is None:
            await anyio.sleep(0.01)
