"""Guard: an HTTP request is turned away before anything reads it, unless it comes from where it may.

Host and Origin against pages that make a browser ask for them; a bearer token against everybody else; a bound for
what a body may weigh.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
_OPEN = ("/health",)
"""Paths that need no token: whoever watches over a service should not have to hold its key."""


class Guard:
    """An ASGI application in front of another. `hosts` are names that clients may call this server by, besides the
    loopback's; None is any, for a server that a token protects."""

    def __init__(
        self,
        app: Any,
        *,
        token: str | None,
        hosts: Iterable[str] | None,
        origins: Iterable[str],
        max_body: int,
        refused: Callable[[str], None],
    ) -> None:
        self._app = app
        self._token = hashlib.sha256(token.encode()).digest() if token is not None else None
        self._hosts = None if hosts is None else LOOPBACK | {host.lower() for host in hosts}
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self._max_body = max_body
        self._refused = refused

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            refusal = self._refusal(scope)
            if refusal is not None:
                status, reason, headers = refusal
                self._refused(reason)
                await _answer(send, status, reason, headers)
                return
        await self._app(scope, receive, send)

    def _refusal(self, scope: Mapping[str, Any]) -> tuple[int, str, dict[str, str]] | None:
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        if self._hosts is not None and not self._knows_host(headers.get("host", [])):
            return 421, "host not allowed", {}
        if not all(self._knows_origin(origin) for origin in headers.get("origin", [])):
            return 403, "origin not allowed", {}
        if self._token is not None and scope["path"] not in _OPEN and not self._has_token(headers):
            return 401, "a bearer token is needed", {"www-authenticate": "Bearer"}
        if any(not size.isdecimal() or int(size) > self._max_body for size in headers.get("content-length", [])):
            return 413, "body too large", {}
        return None

    def _knows_host(self, given: list[str]) -> bool:
        return len(given) == 1 and _host_of(f"//{given[0]}") in (self._hosts or ())

    def _knows_origin(self, origin: str) -> bool:
        """A page of the loopback may ask a server of the loopback; any other page only where it is named."""
        if origin.lower() in self._origins:
            return True
        is_page = origin.startswith(("http://", "https://"))
        return self._hosts is not None and is_page and _host_of(origin) in LOOPBACK

    def _has_token(self, headers: Mapping[str, list[str]]) -> bool:
        given = headers.get("authorization", [])
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(" ")
        # Digests are compared, in constant time: neither the token nor its length can be felt out.
        digest = hashlib.sha256(token.strip().encode("latin-1", "replace")).digest()
        return hmac.compare_digest(digest, self._token or b"") and scheme.lower() == "bearer"


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


async def _answer(send: Any, status: int, reason: str, headers: Mapping[str, str]) -> None:
    body = reason.encode()
    head = {"content-type": "text/plain", "content-length": str(len(body)), "connection": "close", **headers}
    sent = [(name.encode(), value.encode()) for name, value in head.items()]
    await send({"type": "http.response.start", "status": status, "headers": sent})
    await send({"type": "http.response.body", "body": body})
