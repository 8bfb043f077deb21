"""Steady: a transport that holds back, gives up in time, and tries again where that does no harm.

    a place among so many at once -> the circuit closed? -> call, silent for so long at most -> failed? -> once more

A call is made again only when it never arrived, or when its tool says that this is harmless (idempotent, read-only),
and only before its first piece. After several failures in a row the server is left alone for a while; then one call
tries it.
"""

from __future__ import annotations

import asyncio
import random
import time
import weakref
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import CircuitOpen, DispatchError, ToolTimeout, Unreachable
from ..events import Progress

if TYPE_CHECKING:
    from ..proxy import ToolProxy

ATTEMPTS = 3
PAUSE = 0.2
"""Seconds before the second attempt, at most; each further one may wait twice as long, at random up to that."""

LONGEST_PAUSE = 5.0
FAILURES = 5
REST = 5.0
LONGEST_REST = 60.0


class Steady:
    """A provider's transport, guarded. `limit` calls at once, `timeout` seconds of silence."""

    def __init__(self, inner: Any, provider: str, *, limit: int, timeout: float | None) -> None:
        self.inner = inner
        self.provider = provider
        self.busy = 0
        self._retired = False
        self._timeout = timeout
        self._limit = limit
        self._breaker = Breaker(provider)
        self._places: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            weakref.WeakKeyDictionary()
        )

    async def execute(self, tool: ToolProxy, args: Mapping[str, Any]) -> Any:
        """The tool's result."""
        from ..execution import Gathered, run
        from ..imps import TransportImp

        gathered = Gathered(tool.path)
        async for piece in run(TransportImp(self, tool), args, tool=tool.path):
            gathered.add(piece)
        return gathered.content()

    async def execute_stream(self, tool: ToolProxy, args: Mapping[str, Any]) -> AsyncGenerator[Any]:
        """The tool's pieces."""
        loop = asyncio.get_running_loop()
        places = self._places.setdefault(loop, asyncio.Semaphore(self._limit))
        async with places:
            self.busy += 1
            try:
                attempt = 1
                while True:
                    calling = self._attempt(tool, args)
                    began = False
                    try:
                        async for piece in calling:
                            began = began or not isinstance(piece, Progress)
                            yield piece
                        return
                    except DispatchError as err:
                        pause = _pause(attempt, err)
                        if began or attempt >= ATTEMPTS or pause > LONGEST_PAUSE or not _is_harmless(err, tool):
                            answer = err.answer if isinstance(err, Unreachable) else None
                            if answer is None:
                                raise
                            yield answer
                            return
                    finally:
                        await calling.aclose()
                    await asyncio.sleep(pause)
                    attempt += 1
            finally:
                self.busy -= 1
                if self._retired and not self.busy:
                    self.inner.close_soon()

    async def close(self) -> None:
        await self.inner.close()

    def retire(self) -> None:
        """Close when the calls under way have ended."""
        self._retired = True
        if not self.busy:
            self.inner.close_soon()

    def close_soon(self) -> None:
        self.inner.close_soon()

    async def _attempt(self, tool: ToolProxy, args: Mapping[str, Any]) -> AsyncGenerator[Any]:
        began = self._breaker.check(tool.path)
        pieces = self.inner.execute_stream(tool, args)
        try:
            while True:
                try:
                    async with asyncio.timeout(self._timeout) as clock:
                        piece = await anext(pieces)
                except StopAsyncIteration:
                    break
                except TimeoutError as err:
                    if not clock.expired():
                        raise
                    raise ToolTimeout(f"{tool.path}: nothing for {self._timeout:g} s", tool=tool.path) from err
                yield piece
        except (Unreachable, ToolTimeout) as err:
            if isinstance(err, Unreachable) and not err.sent and err.answer is not None:
                self._breaker.answered()  # busy, not gone
            else:
                self._breaker.failed(began)
            raise
        except (GeneratorExit, asyncio.CancelledError):
            self._breaker.left()
            raise
        except BaseException:
            self._breaker.answered()  # it said no, but it said something
            raise
        else:
            self._breaker.answered()
        finally:
            await pieces.aclose()


class Breaker:
    """Whether a server is worth asking: closed, open for a while after failures, then open to one call."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._failures = 0
        self._last = 0.0
        self._until = 0.0
        self._trying = False

    def check(self, tool: str) -> float:
        """When the call begins; raise CircuitOpen while the server is left alone."""
        now = time.monotonic()
        wait = self._until - now
        if self._failures < FAILURES:
            return now
        if wait <= 0 and not self._trying:
            self._trying = True
            return now
        wait = max(wait, 0.1)
        raise CircuitOpen(
            f"{tool}: {self._provider} failed {self._failures} times in a row; it is left alone for {wait:.1f} s",
            retry_after=wait,
            tool=tool,
        )

    def failed(self, began: float) -> None:
        """Many calls that fail by one death have failed once: those that began before the last failure say nothing."""
        self._trying = False
        if began < self._last:
            return
        self._last = time.monotonic()
        self._failures += 1
        if self._failures >= FAILURES:
            rest = min(REST * 2 ** (self._failures - FAILURES), LONGEST_REST)
            self._until = self._last + rest

    def answered(self) -> None:
        self._trying = False
        self._failures = 0

    def left(self) -> None:
        """The caller did not wait for an answer."""
        self._trying = False


def _is_harmless(err: DispatchError, tool: ToolProxy) -> bool:
    """A time-out is not tried again: whoever waited that long has waited enough."""
    return isinstance(err, Unreachable) and err.retryable and (not err.sent or tool.is_idempotent)


def _pause(attempt: int, err: DispatchError) -> float:
    """Seconds until the next attempt: as the server wishes, else at random, so that not all come back at once."""
    wished = getattr(err, "retry_after", None)
    if wished is not None:
        return float(wished)
    return random.uniform(0, min(PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE))
