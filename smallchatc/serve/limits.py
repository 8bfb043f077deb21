"""Limits: how many calls run at once, how many wait, how often one client may ask, and when no more are taken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from runtime_min.errors import DispatchError

WAITING = 16
"""Calls that may wait for each one that may run."""


class Busy(DispatchError):
    """More calls are waiting than will be remembered."""

    code = "busy"
    retryable = True
    hint = "ask again in a moment"


class Stopping(DispatchError):
    """The server is about to end and takes no more calls."""

    code = "stopping"
    retryable = True


class Places:
    """Room for `limit` calls at once; others wait their turn, up to a bound."""

    def __init__(self, limit: int) -> None:
        self.running = 0
        self.stopping = False
        self._waiting = 0
        self._limit = limit
        self._free = asyncio.Semaphore(limit)
        self._idle = asyncio.Event()
        self._idle.set()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """A place for one call; raises Busy or Stopping."""
        if self.stopping:
            raise Stopping("this server is stopping")
        if self._waiting >= WAITING * self._limit:
            raise Busy(f"{self._limit} calls are running and {self._waiting} are waiting")
        self._waiting += 1
        self._idle.clear()
        try:
            try:
                await self._free.acquire()
            finally:
                self._waiting -= 1
            self.running += 1
            try:
                yield
            finally:
                self.running -= 1
                self._free.release()
        finally:
            if not self.running and not self._waiting:
                self._idle.set()

    async def idle(self, seconds: float) -> bool:
        """Take no more calls, and wait until those under way have ended, so long at most; whether they have."""
        self.stopping = True
        try:
            async with asyncio.timeout(seconds):
                await self._idle.wait()
        except TimeoutError:
            return False
        return True
