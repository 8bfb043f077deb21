"""Pipe: standard input and output become the streams of one client.

Input is read by a thread that nothing waits for: one that is blocked in a read could not be ended, and with it this
process. A line that is longer than any message is dropped whole.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

MAX_LINE = 16 << 20
_READ = 1 << 16
_AHEAD = 64


@asynccontextmanager
async def piped() -> AsyncIterator[tuple[Any, Any]]:
    """The streams from and to a client. What else is printed meanwhile goes to stderr."""
    from mcp.server.stdio import stdio_server

    # A descriptor of its own, so that nothing else of this process, and no child, takes what the client sends.
    descriptor = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    lines: Any = _Lines(descriptor)
    async with stdio_server(stdin=lines) as streams:
        try:
            yield streams
        finally:
            lines.end()


class _Lines:
    """Lines of a descriptor, as they come."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        threading.Thread(target=self._read, name="smallchat stdin", daemon=True).start()

    def end(self) -> None:
        """No more lines, whatever the client does."""
        self._lines.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            self._room.release()
            if line.strip():
                yield line

    def _read(self) -> None:
        held = bytearray()
        while chunk := self._chunk():
            first, *rest = chunk.split(b"\n")
            if len(held) <= MAX_LINE:
                held += first
            for following in rest:
                if len(held) <= MAX_LINE:
                    self._put(held.decode("utf-8", "replace"))
                held = bytearray(following)
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _READ)
        except OSError:
            return b""

    def _put(self, line: str | None) -> None:
        self._room.acquire()
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
