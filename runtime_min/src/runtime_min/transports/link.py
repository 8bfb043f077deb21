"""Link: one connection that many calls share, owned by a task of its own.

What holds a connection open (a child process, streams, task groups) must be entered and left by the same task, and
no caller's cancellation may end it for the others. There is one for each event loop; when a loop ends, and cancels
its tasks, the connection is closed in order.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any


class Link:
    """A connection that is opened when first asked for, and opened again after it was lost."""

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[Any]], name: str) -> None:
        self._opening = opening
        self._name = name
        self._owners: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Owner] = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()

    async def get(self) -> Any:
        """What the connection gives, of this loop; raises what opening it raised."""
        loop = asyncio.get_running_loop()
        with self._lock:
            owner = self._owners.get(loop)
            if owner is None or owner.over:
                owner = self._owners[loop] = _Owner(loop, self._opening, self._name)
        try:
            return await asyncio.shield(owner.ready)
        except asyncio.CancelledError:
            if owner.ready.cancelled():
                raise ConnectionError(f"the connection to {self._name} was closed while it was being opened") from None
            raise

    def lost(self, connection: Any) -> None:
        """Let go of a connection that is of no use any more; the next call opens another."""
        with self._lock:
            for owner in self._owners.values():
                if owner.connection is connection:
                    owner.end()

    async def close(self) -> None:
        """Close this loop's connection and wait for it; those of other loops are told to."""
        here = asyncio.get_running_loop()
        with self._lock:
            owners = dict(self._owners)
            self._owners.clear()
        for loop, owner in owners.items():
            if loop is here:
                owner.end()
                await asyncio.wait([owner.task])
            elif not loop.is_closed():
                loop.call_soon_threadsafe(owner.end)

    def close_soon(self) -> None:
        """Tell the connections of all loops to close; from any thread, without waiting."""
        with self._lock:
            owners = dict(self._owners)
            self._owners.clear()
        for loop, owner in owners.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(owner.end)


class _Owner:
    """The task that holds a connection."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, opening: Callable[[], AbstractAsyncContextManager[Any]], name: str
    ) -> None:
        self.connection: Any = None
        self.ready: asyncio.Future[Any] = loop.create_future()
        self.ready.add_done_callback(_looked_at)
        self._end = asyncio.Event()
        # A context of its own: what the first caller sent along (envelope.py) is none of the connection's business.
        self.task = loop.create_task(self._hold(opening), name=f"runtime_min {name}", context=contextvars.Context())

    @property
    def over(self) -> bool:
        """Whether it is closed, or about to be."""
        return self._end.is_set() or self.task.done()

    def end(self) -> None:
        self._end.set()
        if not self.ready.done():
            self.task.cancel()

    async def _hold(self, opening: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
        try:
            async with opening() as connection:
                self.connection = connection
                self.ready.set_result(connection)
                await self._end.wait()
        except asyncio.CancelledError:
            if not self.ready.done():
                self.ready.cancel()
            raise
        except BaseException as err:
            # After it was open nobody asks for it here: whoever was calling has heard of it.
            if not self.ready.done():
                self.ready.set_exception(err)
            elif not isinstance(err, Exception):
                raise
        finally:
            self._end.set()


def _looked_at(future: asyncio.Future[Any]) -> None:
    """A failure to open that no caller has waited for is no news to the loop."""
    if not future.cancelled():
        future.exception()
