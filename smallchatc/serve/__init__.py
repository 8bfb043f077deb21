"""Serve: an artifact becomes an MCP server, over standard streams or HTTP, until it is told to stop.

    request -> guard (guard.py) -> the SDK (endpoint.py) -> limits, audit (calls.py) -> the runtime -> providers

When it stops it takes no more calls, lets those under way end, and leaves no process behind.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runtime_min.errors import SmallchatError
from runtime_min.ratelimit import RateLimit

from ..running import open_connected
from .audit import Audit
from .calls import Calls
from .endpoint import Endpoint
from .limits import Places
from .metrics import Metrics, Prometheus
from .offer import offer
from .service import Face, Service
from .web import Address, listening

if TYPE_CHECKING:
    from runtime_min import ToolRuntime

GRACE = 10.0
"""Seconds that calls under way may take to end when the server stops."""

_PAUSE = 0.5
_log = logging.getLogger(__name__)


class NotInstalled(SmallchatError):
    """What serving is made of is an extra."""

    code = "not-installed"
    hint = "pip install 'smallchatc[serve]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """How an artifact is served."""

    artifact: Path
    trust: bool = False
    bindings: tuple[str, ...] = ()
    address: Address | None  # None: standard streams
    face: Face
    concurrency: int = 64
    rate: int = 6000  # calls of one client in a minute
    timeout: float | None = None
    grace: float = GRACE
    watch: float | None = None  # seconds between looks for a replaced file
    audit: Path | None = None
    audit_arguments: bool = False
    metrics: bool = False


def serve(serving: Serving, *, ready: Callable[[str, Service], None]) -> None:
    """Serve until a signal or the client ends it. `ready` is told where, once clients may come."""
    try:
        import mcp  # noqa: F401
        import uvicorn  # noqa: F401

        if serving.metrics:
            import prometheus_client  # noqa: F401
    except ImportError as err:
        raise NotInstalled(f"serving needs the package {err.name}, which is not installed") from err
    asyncio.run(_serve(serving, ready))


async def _serve(serving: Serving, ready: Callable[[str, Service], None]) -> None:
    news = asyncio.Event()
    known: set[str] = set()

    def changed(provider: str) -> None:
        if provider not in known:
            known.add(provider)
            _log.warning("%s says that its tools have changed: compile again to serve them", provider)
        news.set()

    runtime = open_connected(serving.artifact, trust=serving.trust, bindings=serving.bindings, changed=changed)
    try:
        await _serve_runtime(runtime, serving, news, ready)
    finally:
        await runtime.aclose()


async def _serve_runtime(
    runtime: ToolRuntime, serving: Serving, news: asyncio.Event, ready: Callable[[str, Service], None]
) -> None:
    metrics = Prometheus() if serving.metrics else Metrics()
    audit = Audit(serving.audit, arguments=serving.audit_arguments)
    face = serving.face
    calls = Calls(
        runtime,
        offer(runtime.artifact, face=face.face, budget=face.budget, names=face.names),
        places=Places(serving.concurrency),
        rate=RateLimit(serving.rate),
        audit=audit,
        metrics=metrics,
        timeout=serving.timeout,
    )
    service = Service(runtime, calls, face, metrics)
    endpoint = Endpoint(calls, name="smallchat", version=_version(), instructions=_instructions(calls))
    stop = asyncio.Event()
    try:
        async with _attended(service, endpoint, serving, stop, news):
            if serving.address is None:
                await _over_pipe(service, endpoint, serving, stop, ready)
            else:
                async with listening(service, endpoint, serving.address) as url:
                    ready(url, service)
                    await stop.wait()
                    await _drained(service, endpoint, serving)
    finally:
        await endpoint.stop()
        audit.close()


async def _over_pipe(
    service: Service, endpoint: Endpoint, serving: Serving, stop: asyncio.Event, ready: Callable[[str, Service], None]
) -> None:
    from .pipe import piped

    async with piped() as (read, write):
        ready("stdio", service)
        client = asyncio.ensure_future(
            endpoint.server.run(read, write, endpoint.server.create_initialization_options())
        )
        stopped = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait([client, stopped], return_when=asyncio.FIRST_COMPLETED)
            if not client.done():
                await _drained(service, endpoint, serving)
        finally:
            stopped.cancel()
            client.cancel()
            with suppress(asyncio.CancelledError):
                await client


async def _drained(service: Service, endpoint: Endpoint, serving: Serving) -> None:
    """No more calls, and those under way ended, or given up."""
    endpoint.hang_up()
    if not await service.calls.places.idle(serving.grace):
        _log.warning("calls did not end within %g s and are given up", serving.grace)


@asynccontextmanager
async def _attended(
    service: Service, endpoint: Endpoint, serving: Serving, stop: asyncio.Event, news: asyncio.Event
) -> AsyncIterator[None]:
    """Signals, and a file that is replaced, are heard of, and clients hear of what is new."""
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[None]] = {loop.create_task(_announced(endpoint, news))}

    async def reload() -> None:
        if await service.reload():
            news.set()

    def hang_up() -> None:
        task = loop.create_task(reload())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    handlers = {signal.SIGTERM: stop.set, signal.SIGINT: stop.set}
    if sys.platform != "win32":
        handlers[signal.SIGHUP] = hang_up
    for number, handler in handlers.items():
        with suppress(NotImplementedError):  # Windows has no handlers
            loop.add_signal_handler(number, handler)
    if serving.watch is not None:
        tasks.add(loop.create_task(service.watch(serving.watch, news.set)))
    try:
        yield
    finally:
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for number in handlers:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)


async def _announced(endpoint: Endpoint, news: asyncio.Event) -> None:
    """Tell clients of changes, not more often than they can care for."""
    while True:
        await news.wait()
        news.clear()
        await endpoint.changed()
        await asyncio.sleep(_PAUSE)


def _instructions(calls: Calls) -> str:
    if calls.offer.face != "search":
        return ""
    count = len(calls.offer.paths)
    return f"{count} tools are behind two: find_tools says which can do what you want, call_tool calls it."


def _version() -> str:
    from smallchatc import __version__

    return __version__
