"""Docker's forms: tools whose `arguments` are a list (tools.json), a server (server.yaml), a catalogue of servers."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Json, Span
from .described import dicts, no_tools_yet, remote, stdio, with_references
from .documents import Pointer
from .listing import Listing, entries_of, text_at


def is_docker_list(value: Json) -> bool:
    """A list of tools of which one has a list of arguments."""
    return isinstance(value, list) and any(
        isinstance(tool, dict) and isinstance(tool.get("arguments"), list) for tool in value
    )


def is_docker_server(value: Json) -> bool:
    """A registry entry that describes a server and lists no tools."""
    return isinstance(value, dict) and isinstance(value.get("name"), str) and "about" in value and "type" in value


def is_docker_catalogue(value: Json) -> bool:
    """`registry: {name: {image or remote, tools, ...}}`."""
    servers = value.get("registry") if isinstance(value, dict) else None
    marks = ("image", "remote", "ref", "tools")
    return (
        isinstance(servers, dict)
        and bool(servers)
        and all(isinstance(server, dict) and any(mark in server for mark in marks) for server in servers.values())
    )


def read_docker_list(value: Json, pointer: Pointer) -> Listing:
    """The list; each tool's arguments become its inputSchema when the tool is read."""
    return Listing(kind="docker", entries=entries_of(value, pointer), pointer=pointer)


def read_docker_server(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> Listing:
    """A server.yaml as a provider."""
    return _server(value["name"], value, pointer, locate)


def read_docker_catalogue(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> tuple[Listing, ...]:
    """Each server of a catalogue as a provider with the tools that it names."""
    return tuple(
        _server(str(name), server, (*pointer, "registry", name), locate) for name, server in value["registry"].items()
    )


def _server(name: str, value: dict[str, Json], pointer: Pointer, locate: Callable[[Pointer], Span]) -> Listing:
    about = value["about"] if isinstance(value.get("about"), dict) else value
    tools = value["tools"] if isinstance(value.get("tools"), list) else []
    named = [tool for tool in tools if tool]
    return Listing(
        kind="docker-server",
        id=name,
        title=text_at(about, "title"),
        description=text_at(about, "description"),
        transport=_transport(value),
        entries=entries_of(tools, (*pointer, "tools")),
        pointer=pointer,
        said=() if named else (no_tools_yet(name, locate(pointer)),),
    )


def _transport(value: dict[str, Json]) -> dict[str, Json]:
    config = value["config"] if isinstance(value.get("config"), dict) else value
    variables = [
        name
        for key, part in (("secrets", "env"), ("env", "name"))
        for each in dicts(config.get(key))
        if (name := text_at(each, part))
    ]
    reached = value.get("remote")
    if isinstance(reached, dict) and text_at(reached, "url"):
        headers = reached["headers"] if isinstance(reached.get("headers"), dict) else {}
        return remote(text_at(reached, "transport_type"), text_at(reached, "url"), dict(headers))
    image = text_at(value, "image")
    if not image:
        return {"type": "mcp"}
    run = value["run"] if isinstance(value.get("run"), dict) else value
    command = run["command"] if isinstance(run.get("command"), list) else []
    volumes = run["volumes"] if isinstance(run.get("volumes"), list) else []
    mounted = [word for volume in volumes if isinstance(volume, str) for word in ("-v", with_references(volume))]
    asked = [word for name in variables for word in ("-e", name)]
    own = [with_references(word) for word in command if isinstance(word, str)]
    return stdio("docker", ["run", "-i", "--rm", *asked, *mounted, image, *own], variables)
