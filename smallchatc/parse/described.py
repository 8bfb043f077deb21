"""Descriptions of servers become providers: how a server is reached, and that its tools are still to be asked for.

What a registry entry, a bundle and Docker's catalogue have in common: references in their own spelling become ${NAME},
and a provider without tools is a note. The tools of the same provider from another source join it (`catalog`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..diagnostics import diagnostic
from ..model import Diagnostic, Json, Span
from .own_secrets import reference_to

KINDS = ("registry", "bundle", "docker-server")
"""Kinds of listings that describe a server and need not have its tools."""

_ASK = "ask the server itself: smallchatc snapshot URL, or 'stdio:COMMAND LINE'"

_TEMPLATE = re.compile(
    r"\{\{\s*([\w.|/ -]{1,100}?)\s*\}\}|(?<!\$)\{([A-Za-z_][\w.-]{0,99})\}|\$\{user_config\.([\w.-]{1,99})\}"
)


def no_tools_yet(name: str, span: Span) -> Diagnostic:
    """What is said of a server whose tools are not listed where it is described."""
    message = f"server '{name}' is described here and its tools are not listed"
    return diagnostic("no-tools", message, span=span, hint=_ASK)


def stdio(command: str, args: Iterable[Json], env: Iterable[str]) -> dict[str, Json]:
    """A server that is started; every variable it is given is a reference of its own name."""
    transport: dict[str, Json] = {"type": "mcp", "transport": "stdio", "command": command, "args": list(args)}
    names = {name: f"${{{name}}}" for name in env}
    return {**transport, "env": names} if names else transport


def remote(kind: str, url: str, headers: dict[str, Json]) -> dict[str, Json]:
    """A server that is reached over HTTP."""
    transport = {"type": "mcp", "transport": "sse" if kind == "sse" else "streamable-http", "url": with_references(url)}
    return {**transport, "headers": headers} if headers else transport


def with_references(text: str) -> str:
    """`{tenant_id}`, `{{neo4j.url}}` and `${user_config.api_key}` as ${TENANT_ID}, ${NEO4J_URL} and ${API_KEY}."""
    return _TEMPLATE.sub(lambda match: reference_to(next(name for name in match.groups() if name)), text)


def dicts(value: Json) -> list[dict[str, Json]]:
    """The objects of a list, whatever else is in it."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
