"""A recorded server: what a client wrote down of one server, with its tool list as it was on the wire."""

from __future__ import annotations

from ..model import Json
from .documents import Pointer
from .listing import Listing, entries_of, text_at

_MARKS = ("server", "serverInfo", "package", "protocolVersion")


def is_recorded(value: Json) -> bool:
    """Tools beside something that names the server they were asked from."""
    return isinstance(value, dict) and isinstance(value.get("tools"), list) and any(key in value for key in _MARKS)


def read_recorded(value: Json, pointer: Pointer) -> Listing:
    """The recording as a listing. How it was launched then says nothing about how it is reached now."""
    info = value.get("serverInfo") if isinstance(value.get("serverInfo"), dict) else {}
    server = value.get("server")
    if isinstance(server, dict):
        info = {**info, **server}
    name = server if isinstance(server, str) and server.strip() else text_at(server, "name")
    transport = {"type": "mcp"}
    for key in ("registry", "package"):
        if text_at(value, key):
            transport[key] = text_at(value, key)
    return Listing(
        kind="recorded-server",
        id=text_at(value, "id") or name or text_at(value, "package") or text_at(info, "name") or None,
        title=text_at(info, "title", "name") or text_at(value, "package"),
        version=text_at(info, "version") or text_at(value, "version"),
        description=text_at(value, "instructions", "description"),
        transport=transport,
        entries=entries_of(value["tools"], (*pointer, "tools")),
        pointer=pointer,
    )
