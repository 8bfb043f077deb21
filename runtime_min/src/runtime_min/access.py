"""Access: the records of an artifact become what it would start, contact and read of the environment.

Reading this does none of it. It is what a host is shown and asked to allow, and what a transport is held to.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .artifact import UNREADABLE
from .named import NamedTuple
from .references import references_in

if TYPE_CHECKING:
    from .artifact import Artifact

STDIO, HTTP, SSE, REST = "stdio", "streamable-http", "sse", "rest"
CONNECTED = frozenset((STDIO, HTTP, SSE, REST))
"""Kinds of transport that a runtime builds by itself."""


class Access(NamedTuple):
    """What one provider needs to be reached."""

    provider: str
    kind: str  # of CONNECTED, else the record's own word; "" when it says nothing
    command: str  # the whole line that would be run, as a shell would be given it; "" when nothing is started
    urls: tuple[str, ...]
    variables: tuple[str, ...]
    record: Mapping[str, Any]

    @property
    def asks(self) -> bool:
        """Whether anything would be started, contacted or read."""
        return self.kind in CONNECTED and bool(self.command or self.urls or self.variables)

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"provider": self.provider, "transport": self.kind}
        if self.command:
            out["command"] = self.command
        if self.urls:
            out["urls"] = list(self.urls)
        if self.variables:
            out["variables"] = list(self.variables)
        return out


def access_of(artifact: Artifact) -> dict[str, Access]:
    """What every provider needs, by provider."""
    servers: dict[str, list[str]] = {}
    for provider, call in artifact.rows(
        "SELECT provider.name, tool.call FROM tool JOIN provider ON provider.id = tool.provider"
        " WHERE tool.call LIKE '%\"server\"%' ORDER BY tool.id"
    ):
        server = _json(artifact, provider, call).get("server")
        if isinstance(server, Mapping) and isinstance(server.get("base_url"), str):
            servers.setdefault(provider, []).append(server["base_url"])
    return {
        provider: _access(provider, _json(artifact, provider, transport), servers.get(provider, []))
        for provider, transport in artifact.rows("SELECT name, transport FROM provider ORDER BY name")
    }


def access_digest(artifact: Artifact) -> str:
    """sha256 of all that decides what is run and how: a file that was changed behind its recorded digest shows here."""
    found = hashlib.sha256(artifact.digest.encode())
    for table in (
        "SELECT name, transport FROM provider ORDER BY id",
        "SELECT name, definition, call FROM tool ORDER BY id",
    ):
        for row in artifact.rows(table):
            for value in row:
                data = str(value).encode("utf-8", "surrogatepass")
                found.update(b"%d:%b" % (len(data), data))
    return found.hexdigest()


def host_of(url: str) -> str:
    """The host of a URL, with its port where one is written; "" when there is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    host = (parts.hostname or "").lower()
    return f"{host}:{port}" if host and port is not None else host


def _access(provider: str, record: Mapping[str, Any], servers: list[str]) -> Access:
    kind = _kind(record)
    urls: list[str] = []
    if kind in (HTTP, SSE):
        urls = [record["url"]]
    elif kind == REST:
        base = next((record[key] for key in ("base_url", "baseUrl", "url") if _text(record.get(key))), "")
        urls = [base] if base else []
        urls += servers
        record = {**record, "base_url": base}
    variables = references_in(record if kind in CONNECTED else {})
    return Access(
        provider,
        kind,
        _line(record) if kind == STDIO else "",
        tuple(dict.fromkeys(urls)),
        tuple(sorted(set(variables))),
        record,
    )


def _kind(record: Mapping[str, Any]) -> str:
    """Manifests say less than client configurations: what is there decides."""
    said = str(record.get("type") or "").lower()
    if said in ("rest", "http", "https", "openapi", "api"):
        return REST
    if said not in ("", "mcp"):
        return said
    if _text(record.get("command")):
        return STDIO
    if _text(record.get("url")):
        return SSE if record.get("transport") == "sse" else HTTP
    return said


def _line(record: Mapping[str, Any]) -> str:
    """What is run, with all that could turn it into something else: variables that are set, the folder."""
    env = record.get("env")
    assigned = [
        f"{name}={value}"
        for name, value in sorted(env.items() if isinstance(env, Mapping) else ())
        if value != f"${{{name}}}"
    ]
    args = record.get("args")
    words = [*assigned, str(record["command"]), *(str(word) for word in (args if isinstance(args, list) else ()))]
    line = shlex.join(words)
    return f"cd {shlex.quote(str(record['cwd']))} && {line}" if _text(record.get("cwd")) else line


def _json(artifact: Artifact, provider: str, text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except UNREADABLE as err:
        raise artifact.corrupt(f"how {provider} is reached: {err}") from err
    if not isinstance(value, Mapping):
        raise artifact.corrupt(f"how {provider} is reached is no object")
    return value


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
