"""Docker's registry form: a list of tools whose `arguments` are a list of {name, type, desc, optional}."""

from __future__ import annotations

from ..model import Json
from .documents import Pointer
from .listing import Listing, entries_of


def is_docker_list(value: Json) -> bool:
    """A list of tools of which one has a list of arguments."""
    return isinstance(value, list) and any(
        isinstance(tool, dict) and isinstance(tool.get("arguments"), list) for tool in value
    )


def is_docker_server(value: Json) -> bool:
    """A registry entry that describes a server and lists no tools."""
    return isinstance(value, dict) and isinstance(value.get("name"), str) and "about" in value and "type" in value


def read_docker_list(value: Json, pointer: Pointer) -> Listing:
    """The list; each tool's arguments become its inputSchema when the tool is read."""
    return Listing(kind="docker", entries=entries_of(value, pointer), pointer=pointer)
