"""A recorded server: what a client wrote down of one server, with its tool list as it was on the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..diagnostics import diagnostic
from ..model import Configured, Diagnostic, Json, Span
from ..wording import shown
from .documents import Pointer
from .listing import Entry, Listing, entries_of, text_at

_MARKS = ("server", "serverInfo", "package", "protocolVersion")


def is_recorded(value: Json) -> bool:
    """Tools beside something that names the server they were asked from."""
    return isinstance(value, dict) and isinstance(value.get("tools"), list) and any(key in value for key in _MARKS)


def read_recorded(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> Listing:
    """The recording as a listing. How it was launched then does not say how it is reached now; `transport` does."""
    info = value.get("serverInfo") if isinstance(value.get("serverInfo"), dict) else {}
    server = value.get("server")
    if isinstance(server, dict):
        info = {**info, **server}
    name = server if isinstance(server, str) and server.strip() else text_at(server, "name")
    if isinstance(value.get("transport"), dict) and value["transport"].get("type") == "mcp":
        transport: Mapping[str, Json] = value["transport"]
    else:
        transport = {
            "type": "mcp",
            **{key: text_at(value, key) for key in ("registry", "package") if text_at(value, key)},
        }
    listing = Listing(
        kind="recorded-server",
        id=text_at(value, "id") or name or text_at(value, "package") or text_at(info, "name") or None,
        title=text_at(info, "title", "name") or text_at(value, "package"),
        version=text_at(info, "version") or text_at(value, "version"),
        description=text_at(value, "instructions", "description"),
        transport=transport,
        entries=entries_of(value["tools"], (*pointer, "tools")),
        pointer=pointer,
    )
    include, exclude = _names(value, "include"), _names(value, "exclude")
    there = {text_at(entry.value, "name") for entry in listing.entries}
    unknown = tuple(
        diagnostic(
            "unknown-tool-named",
            f"the client's configuration names a tool '{shown(name)}' that the server does not list",
            span=locate(pointer),
        )
        for name in (*include, *exclude)
        if name not in there
    )
    return _only_wanted(replace(listing, said=unknown), include, exclude, locate)


def as_configured(listing: Listing, configured: Configured, locate: Callable[[Pointer], Span]) -> Listing:
    """A recording of a server that a client's configuration names: reached, and cut down, as that says today."""
    server = configured.server
    listing = _only_wanted(listing, server.include, server.exclude, locate)
    return replace(listing, transport=configured.transport)


def _only_wanted(
    listing: Listing, include: Sequence[str], exclude: Sequence[str], locate: Callable[[Pointer], Span]
) -> Listing:
    """The listing without the tools that the configuration leaves out, each of them named."""
    if not include and not exclude:
        return listing
    kept: list[Entry] = []
    said: list[Diagnostic] = list(listing.said)
    for entry in listing.entries:
        name = text_at(entry.value, "name")
        if name in exclude or (include and name not in include):
            message = f"tool '{shown(name)}' is left out by the client's configuration"
            said.append(diagnostic("excluded", message, span=locate(entry.pointer), tool=name))
        else:
            kept.append(entry)
    return replace(listing, entries=tuple(kept), said=tuple(said))


def _names(value: Json, key: str) -> tuple[str, ...]:
    held = value.get(key)
    return tuple(name for name in held if isinstance(name, str)) if isinstance(held, list) else ()
