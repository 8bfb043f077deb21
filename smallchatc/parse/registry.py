"""The MCP registry's form, `server.json`: packages that can be started and addresses that can be reached.

The first package that can be started is the provider's transport, else the first address; the others are counted in a
note. Both spellings of the keys (registryType, registry_type) are in use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ..diagnostics import diagnostic
from ..model import Json, Span
from .described import dicts, no_tools_yet, remote, stdio, with_references
from .documents import Pointer
from .listing import Listing, text_at
from .own_secrets import reference_to

_RUNNERS: dict[str, tuple[str, Callable[[str, str], list[str]]]] = {
    "npm": ("npx", lambda name, version: ["-y", f"{name}@{version}" if version else name]),
    "pypi": ("uvx", lambda name, version: [f"{name}@{version}" if version else name]),
    "oci": ("docker", lambda name, version: [f"{name}:{version}" if version and not _is_tagged(name) else name]),
    "docker": ("docker", lambda name, version: [f"{name}:{version}" if version and not _is_tagged(name) else name]),
    "nuget": ("dnx", lambda name, version: [f"{name}@{version}" if version else name, "--yes"]),
}


def is_registry_entry(value: Json) -> bool:
    """`{name, packages: [...]}` or `{name, remotes: [...]}`, maybe as an answer of the registry wraps it."""
    entry = _entry(value)
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or "tools" in entry:
        return False
    marks = ("registryType", "registry_type", "registry_name", "identifier", "transport", "url", "transport_type")
    offered = [*dicts(entry.get("packages")), *dicts(entry.get("remotes"))]
    return any(mark in each for each in offered for mark in marks)


def is_registry_page(value: Json) -> bool:
    """Several of them, as the registry lists them."""
    servers = value.get("servers") if isinstance(value, dict) else None
    return isinstance(servers, list) and any(map(is_registry_entry, servers))


def read_registry_entry(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> Listing:
    """The server as a provider without tools."""
    entry = _entry(value)
    name, span = entry["name"], locate(pointer)
    ways = list(_ways(entry))
    said = [no_tools_yet(name, span)]
    if len(ways) > 1:
        others = f"{len(ways) - 1} other way{'' if len(ways) == 2 else 's'}"
        message = f"server '{name}' can be reached in {others} as well; the first one is kept"
        said.append(diagnostic("several-transports", message, span=span))
    return Listing(
        kind="registry",
        id=name,
        title=text_at(entry, "title") or name,
        version=text_at(entry, "version") or text_at(entry.get("version_detail"), "version"),
        description=text_at(entry, "description"),
        transport=ways[0] if ways else {"type": "mcp"},
        entries=(),
        pointer=pointer,
        said=tuple(said),
    )


def _entry(value: Json) -> Json:
    wrapped = value.get("server") if isinstance(value, dict) else None
    return wrapped if isinstance(wrapped, dict) and "packages" not in value and "remotes" not in value else value


def _ways(entry: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    """All transports: packages that a known program starts, then addresses."""
    for package in dicts(entry.get("packages")):
        reached = package.get("transport")
        if isinstance(reached, dict) and text_at(reached, "url") and _camel(package, "registryType") != "mcpb":
            continue  # it serves HTTP on this machine once somebody has started it
        way = _started(package)
        if way is not None:
            yield way
    for address in dicts(entry.get("remotes")):
        url = text_at(address, "url")
        if url:
            headers = {name: _header_value(header, name) for name, header in _named(address.get("headers"))}
            yield remote(_camel(address, "type") or text_at(address, "transport_type"), url, headers)


def _started(package: Mapping[str, Json]) -> dict[str, Json] | None:
    runner = _RUNNERS.get(_camel(package, "registryType") or text_at(package, "registry_name"))
    identifier = text_at(package, "identifier", "name")
    if runner is None or not identifier:
        return None
    command, arguments = runner
    variables = [name for name, given in _named(_list(package, "environmentVariables")) if _is_wanted(given)]
    for_docker = [word for name in variables for word in ("-e", name)] if command == "docker" else []
    before = ["run", "-i", "--rm", *for_docker] if command == "docker" else []
    runtime = list(_arguments(_list(package, "runtimeArguments")))
    named = arguments(identifier, text_at(package, "version"))
    own = [word for word in runtime if word not in before and word not in named]
    return stdio(
        _camel(package, "runtimeHint") or command,
        [*before, *own, *named, *_arguments(_list(package, "packageArguments"))],
        variables,
    )


def _arguments(given: Json) -> Iterator[str]:
    """What stands on the command line: what is required and what has a value."""
    for argument in dicts(given):
        name = text_at(argument, "name")
        value = text_at(argument, "value", "default")
        hint = name or _camel(argument, "valueHint") or "value"
        if (
            argument.get("isSecret") is True
            or argument.get("is_secret") is True
            or (not value and _is_required(argument))
        ):
            value = reference_to(hint)
        if not value:
            continue
        if name and argument.get("type") != "positional":
            yield name
        yield with_references(value)


def _header_value(header: Mapping[str, Json], name: str) -> str:
    value = text_at(header, "value")
    return with_references(value) if re.search(r"\{[^}]+\}", value) else reference_to(name)


def _named(given: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    for each in dicts(given):
        if isinstance(each.get("name"), str) and each["name"].strip():
            yield each["name"].strip(), each


def _is_wanted(variable: Mapping[str, Json]) -> bool:
    """A variable that has a default of its own need not be set."""
    return _is_required(variable) or _is_secret(variable) or not text_at(variable, "default")


def _is_required(given: Mapping[str, Json]) -> bool:
    return given.get("isRequired") is True or given.get("is_required") is True


def _is_secret(given: Mapping[str, Json]) -> bool:
    return given.get("isSecret") is True or given.get("is_secret") is True


def _list(holder: Mapping[str, Json], key: str) -> Json:
    return holder.get(key, holder.get(_snake(key)))


def _camel(holder: Mapping[str, Json], key: str) -> str:
    return text_at(holder, key, _snake(key))


def _snake(key: str) -> str:
    return re.sub(r"([A-Z])", lambda match: f"_{match[1].lower()}", key)


def _is_tagged(image: str) -> bool:
    return "@" in image or ":" in image.rpartition("/")[2]
