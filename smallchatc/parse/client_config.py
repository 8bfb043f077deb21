"""Client configurations: which servers a program that talks to MCP servers is told to use.

Known by what is under their root key, never by the file's name: mcpServers, servers, mcp, context_servers,
extensions, mcp_servers, any of them inside another, or no root at all. Nothing here starts or reaches anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ..diagnostics import diagnostic
from ..model import Configured, Diagnostic, Json, Span
from ..wording import shown
from .documents import Pointer
from .server_entry import read_server

_ROOTS = ("mcpServers", "servers", "mcp", "context_servers", "extensions", "mcp_servers")
_REACHED = ("command", "cmd", "url", "uri", "serverUrl", "httpUrl")
_OTHER_DOCUMENTS = ("openapi", "swagger", "asyncapi", "tools", "services", "packages", "remotes", "manifest_version")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Holder:
    """A mapping (or list) of servers, and under which key it stands."""

    value: Json
    pointer: Pointer
    misspelt: str = ""  # the key, where it is none that a client reads


def is_client_config(value: Json) -> bool:
    """Whether a document names servers to a client, also when it names none just now."""
    return isinstance(value, dict) and next(_holders(value, ()), None) is not None


def read_client_config(
    value: Json, at: Pointer, locate: Callable[[Pointer], Span]
) -> tuple[tuple[Configured, ...], list[Diagnostic]]:
    """The servers of a configuration, in reading order, and everything there is to say about their entries."""
    servers: list[Configured] = []
    said: list[Diagnostic] = []
    for holder in _holders(value, at):
        if holder.misspelt:
            message = f"no client reads servers under '{shown(holder.misspelt)}'; read as mcpServers"
            said.append(diagnostic("wrong-root-key", message, span=locate(holder.pointer)))
        for name, entry, pointer in _entries(holder):
            server = read_server(name, entry, pointer, locate, said)
            if server is not None:
                servers.append(server)
    if not servers and not said:
        said.append(diagnostic("no-tools", "this client configuration names no server", span=locate(at)))
    return _allowed(servers, value), said


def _holders(value: Mapping[str, Json], at: Pointer) -> Iterator[_Holder]:
    """Where servers are listed: at the roots that clients read, else at the top, else under a misspelt root."""
    found = [*_known_holders(value, at)]
    projects = value.get("projects")
    if isinstance(projects, dict):  # Claude Code keeps those of every project in one file
        for path, project in projects.items():
            if isinstance(project, dict):
                found += _known_holders(project, (*at, "projects", path))
    if found:
        yield from found
    elif _has_servers(value):
        yield _Holder(value=value, pointer=at)
    elif not any(key in value for key in _OTHER_DOCUMENTS[:3]):
        for key, held in value.items():
            if key not in ("services", "tools") and _has_servers(held):
                yield _Holder(value=held, pointer=(*at, key), misspelt=key)


def _known_holders(value: Mapping[str, Json], at: Pointer) -> Iterator[_Holder]:
    if any(key in value for key in _OTHER_DOCUMENTS):
        roots: tuple[str, ...] = ("mcpServers", "mcp_servers", "context_servers")
    else:
        roots = _ROOTS
    for root in roots:
        held, pointer = value.get(root), (*at, root)
        if root == "mcp" and isinstance(held, dict):
            below = held.get("servers")
            if isinstance(below, dict):
                yield _Holder(value=below, pointer=(*pointer, "servers"))
            elif _has_servers(held):
                yield _Holder(value=held, pointer=pointer)
        elif _may_hold(root, held, value):
            yield _Holder(value=held, pointer=pointer)


def _may_hold(root: str, held: Json, beside: Mapping[str, Json]) -> bool:
    """Whether a root's value is one of servers: some roots mean nothing else, the others are common words."""
    if root in ("mcpServers", "mcp_servers"):
        return isinstance(held, list | dict)
    if root == "context_servers":
        return isinstance(held, dict)
    return _has_servers(held) or (isinstance(held, dict) and not held and "inputs" in beside)


def _entries(holder: _Holder) -> Iterator[tuple[str, Json, Pointer]]:
    if isinstance(holder.value, list):  # Continue
        for index, entry in enumerate(holder.value):
            name = entry.get("name") if isinstance(entry, dict) else None
            yield name if isinstance(name, str) and name.strip() else f"{index + 1}", entry, (*holder.pointer, index)
        return
    for name, entry in holder.value.items():
        yield name, entry, (*holder.pointer, name)


def _allowed(servers: list[Configured], value: Mapping[str, Json]) -> tuple[Configured, ...]:
    """Gemini's lists of allowed and excluded servers, which stand beside them."""
    lists = value.get("mcp")
    lists = lists if isinstance(lists, dict) else {}
    allowed, excluded = lists.get("allowed"), lists.get("excluded")

    def kept(name: str) -> bool:
        return not (
            (isinstance(allowed, list) and name not in allowed) or (isinstance(excluded, list) and name in excluded)
        )

    return tuple(
        each if kept(each.server.name) else replace(each, server=replace(each.server, enabled=False))
        for each in servers
    )


def _has_servers(value: Json) -> bool:
    """A mapping of names to ways of starting or reaching a server; comments may stand beside them."""
    if not isinstance(value, dict) or not value:
        return False
    entries = [entry for name, entry in value.items() if not name.startswith(("_", "//", "$"))]
    return any(map(_is_server, entries)) and all(isinstance(entry, dict) for entry in entries)


def _is_server(value: Json) -> bool:
    return isinstance(value, dict) and (
        any(isinstance(value.get(key), str | list | dict) for key in _REACHED) or value.get("type") == "builtin"
    )
