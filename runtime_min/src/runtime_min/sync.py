"""Sync: the asynchronous core for scripts, on a private loop in a thread of its own.

One loop a runtime and a process: a forked child gets another. Nothing is started before the first call.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import Cancelled, DispatchError
from .made_once import if_made

if TYPE_CHECKING:
    from typing import Unpack

    from .events import Event, ToolResult
    from .runtime import ToolRuntime
    from .sending import Dispatching, Sending

Value = TypeVar("Value")


class SyncRuntime:
    """`rt.sync`: dispatch, dispatch_stream, inference_stream and send, without async."""

    def __init__(self, runtime: ToolRuntime) -> None:
        self._runtime = runtime
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pid = 0
        self._lock = threading.RLock()

    def dispatch(self, intent: str, args: Mapping[str, Any] | None = None, **how: Unpack[Dispatching]) -> ToolResult:
        """See ToolRuntime.dispatch."""
        return self._run(self._runtime.dispatch(intent, args, **how))

    def send(self, path: str, args: Mapping[str, Any] | None = None, **how: Unpack[Sending]) -> ToolResult:
        """See ToolRuntime.send."""
        return self._run(self._runtime.send(path, args, **how))

    def dispatch_stream(
        self, intent: str, args: Mapping[str, Any] | None = None, **how: Unpack[Dispatching]
    ) -> Iterator[Event]:
        """See ToolRuntime.dispatch_stream. The tool waits while nobody asks for the next event."""
        return self._iterate(self._runtime.dispatch_stream(intent, args, **how))

    def inference_stream(
        self, intent: str, args: Mapping[str, Any] | None = None, **how: Unpack[Dispatching]
    ) -> Iterator[str]:
        """See ToolRuntime.inference_stream."""
        return self._iterate(self._runtime.inference_stream(intent, args, **how))

    def close(self) -> None:
        """Cancel what is under way, close this loop's connections and end it; another call starts another one."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None and self._pid == os.getpid() and loop.is_running():
            asyncio.run_coroutine_threadsafe(_end_all(self._runtime), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            if self._thread is not None:
                self._thread.join()

    def _run(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        future = asyncio.run_coroutine_threadsafe(coroutine, self._running())
        try:
            return future.result()
        except CancelledError as err:
            raise Cancelled("the runtime was closed") from err
        except BaseException:
            future.cancel()
            raise

    def _iterate(self, stream: Any) -> Iterator[Any]:
        end = object()

        async def step() -> Any:
            return await anext(stream, end)

        try:
            while (item := self._run(step())) is not end:
                yield item
        finally:
            with contextlib.suppress(DispatchError):  # whoever stops listening does not hear how the tool took it
                self._run(stream.aclose())

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._pid != os.getpid():
                self._loop = asyncio.new_event_loop()
                self._pid = os.getpid()
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name="runtime_min.sync", daemon=True)
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


async def _end_all(runtime: ToolRuntime) -> None:
    """Close the connections in order, so that their processes have ended, and cancel what is still under way."""
    imps = if_made(runtime, "imps")
    if imps is not None and imps.connections is not None:
        await imps.connections.close()
    mine = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not mine]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
