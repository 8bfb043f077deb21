"""Web: the protocol becomes an HTTP server: /mcp, /health, and /metrics if asked."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from runtime_min.errors import SmallchatError

from .guard import LOOPBACK, Guard
from .legacy import Legacy
from .metrics import Prometheus

if TYPE_CHECKING:
    from .endpoint import Endpoint
    from .metrics import Metrics
    from .service import Service

MAX_BODY = 4 << 20
_CONNECTIONS = 1000
_BACKLOG = 2048
_LAST_SECONDS = 2


class NoToken(SmallchatError):
    """A server that others can reach would take orders from anybody."""

    code = "no-token"
    hint = "set SMALLCHAT_TOKEN, or name another variable: --token-env NAME"


class NoAddress(SmallchatError):
    """The address is taken, or not this machine's."""

    code = "no-address"
    hint = "give another one: --http HOST:PORT, where port 0 is any that is free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where to listen, and who may come."""

    host: str
    port: int
    token: str | None = None
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    max_body: int = MAX_BODY
    legacy: bool = False  # also answer as older clients expect it

    @property
    def is_loopback(self) -> bool:
        return self.host in LOOPBACK


@asynccontextmanager
async def listening(service: Service, endpoint: Endpoint, address: Address) -> AsyncIterator[str]:
    """Serve over HTTP, at the URL that this gives, until it is left. Raises NoToken, and NoAddress for one that
    cannot be had."""
    import asyncio

    import uvicorn

    if not address.is_loopback and not address.token:
        raise NoToken(f"{address.host} can be reached by others, and no bearer token is set")
    listener = _bound(address)
    legacy = Legacy(endpoint.server, address.max_body) if address.legacy else None
    config = uvicorn.Config(
        application(service, endpoint, address, legacy),
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    async with legacy.running() if legacy else contextlib.nullcontext():
        running = asyncio.ensure_future(server.serve(sockets=[listener]))
        try:
            while not server.started and not running.done():
                await asyncio.sleep(0.01)
            yield _url(address.host, listener.getsockname()[1])
        finally:
            server.should_exit = True
            await running


def application(service: Service, endpoint: Endpoint, address: Address, legacy: Legacy | None) -> Any:
    """The ASGI application."""
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.middleware.cors import CORSMiddleware

    app: Any = endpoint.server.streamable_http_app(
        streamable_http_path="/mcp",
        max_request_body_size=address.max_body,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard's work
        custom_starlette_routes=[*_routes(service, service.metrics), *(legacy.routes() if legacy else ())],
    )
    named = address.hosts or (() if address.is_loopback else None)
    app = Guard(
        app,
        token=address.token,
        hosts=named,
        origins=address.origins,
        max_body=address.max_body,
        refused=service.metrics.refused,
    )
    if address.origins:
        app = CORSMiddleware(
            app,
            allow_origins=address.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["Mcp-Session-Id", "Mcp-Endpoint-Version"],
        )
    return app


def _routes(service: Service, metrics: Metrics) -> list[Any]:
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def health(request: Any) -> Any:
        status = service.status()
        return JSONResponse(status, 200 if status["ready"] else 503)

    routes = [Route("/health", health)]
    if isinstance(metrics, Prometheus):
        text: Callable[[], bytes] = metrics.text

        async def counted(request: Any) -> Any:
            return Response(text(), media_type="text/plain; version=0.0.4")

        routes.append(Route("/metrics", counted))
    return routes


def _bound(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # The protocol by name: asyncio turns Nagle's delay off only for sockets that say that they are TCP, and without
    # that each answer waits 40 ms for an acknowledgement (bench/serve.py).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address.host, address.port))
        listener.listen(_BACKLOG)
    except OSError as err:
        listener.close()
        why = (err.strerror or str(err)).lower()
        raise NoAddress(f"cannot listen at {address.host}:{address.port}: {why}") from err
    return listener


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"
