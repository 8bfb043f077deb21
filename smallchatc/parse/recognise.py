"""Documents to listings: what a source is, told by its content and never by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..diagnostics import diagnostic
from ..model import Configured, Diagnostic, Json, Span
from .beside import Beside
from .bundle import is_bundle, read_bundle
from .client_config import is_client_config, read_client_config
from .docker import (
    is_docker_catalogue,
    is_docker_list,
    is_docker_server,
    read_docker_catalogue,
    read_docker_list,
    read_docker_server,
)
from .documents import Documents, Pointer
from .elsewhere import name_other_form
from .functions import is_function_list, is_request, read_function_list
from .listing import Entry, Listing, is_tool_like, spread
from .manifest import is_manifest, misspelt, read_manifest
from .mcp_list import (
    is_failed_answer,
    is_page,
    is_tool_list,
    is_wire_message,
    is_wire_talk,
    read_pages,
    read_tool_list,
)
from .openapi import is_openapi, read_openapi
from .project import is_project
from .recorded import is_recorded, read_recorded
from .registry import is_registry_entry, is_registry_page, read_registry_entry

Locate = Callable[[Pointer], Span]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """What a source holds: listings, servers, a project, or intents, or (with a diagnostic) nothing of use."""

    listings: tuple[Listing, ...] = ()
    servers: tuple[Configured, ...] = ()
    project: Json = None
    is_intents: bool = False
    said: tuple[Diagnostic, ...] = ()


def recognise(documents: Documents, locate: Locate, beside: Beside) -> Recognised:
    """The form of a source. Pointers begin with the number of the document."""
    values: list[tuple[Json, Pointer]] = [
        (document.value, (number,)) for number, document in enumerate(documents.documents)
    ]
    values = [(value, at) for value, at in values if value is not None] or values
    if documents.lines or len(values) > 1:
        together = _as_one_listing(values, locate)
        if together is not None:
            return together
    parts = [_one(value, at, locate, beside) for value, at in values]
    return Recognised(
        listings=tuple(listing for part in parts for listing in part.listings),
        servers=tuple(server for part in parts for server in part.servers),
        project=next((part.project for part in parts if part.project is not None), None),
        is_intents=bool(parts) and all(part.is_intents for part in parts),
        said=tuple(said for part in parts for said in part.said),
    )


def _as_one_listing(values: list[tuple[Json, Pointer]], locate: Locate) -> Recognised | None:
    """Several values that make one listing: pages, a recording of the wire, one tool a line."""
    every = [value for value, _ in values]
    if (
        any(map(is_page, every))
        and all(map(is_wire_talk, every))
        and not any(is_recorded(v) or is_manifest(v) for v in every)
    ):
        return Recognised(listings=(read_pages(values, locate(values[-1][1])),))
    tool_like = sum(is_tool_like(value) and not is_manifest(value) for value in every)
    if 2 * tool_like >= len(every):
        entries = tuple(entry for value, pointer in values for entry in spread(value, pointer))
        return Recognised(listings=_by_provider(entries))
    return None


def _by_provider(entries: tuple[Entry, ...]) -> tuple[Listing, ...]:
    """One tool a line: a line may name its provider, and what does not is the file's."""
    named: dict[str | None, list[Entry]] = {}
    for entry in entries:
        provider = _provider_of(entry.value)
        if provider is not None:
            entry = replace(entry, value={key: value for key, value in entry.value.items() if key != "provider"})
        named.setdefault(provider, []).append(entry)
    return tuple(
        Listing(kind="jsonl", id=provider, entries=tuple(group), pointer=group[0].pointer)
        for provider, group in named.items()
    )


def _provider_of(value: Json) -> str | None:
    """The provider that a line names beside its tool."""
    provider = value.get("provider") if isinstance(value, dict) else None
    return provider if isinstance(provider, str) and provider.strip() else None


def _one(value: Json, at: Pointer, locate: Locate, beside: Beside) -> Recognised:
    if is_failed_answer(value):
        error = value["error"]
        message = error.get("message") if isinstance(error, dict) else error
        return Recognised(
            said=(diagnostic("list-error", f"the server answered with an error: {message}", span=locate(at)),)
        )
    described = _described(value, at, locate)
    if described:
        return Recognised(listings=described)
    if is_request(value):
        return Recognised(listings=read_function_list(value, at))
    if is_recorded(value):
        return Recognised(listings=(read_recorded(value, at, locate),))
    if is_manifest(value):
        return Recognised(listings=(read_manifest(value, at, locate),))
    if is_tool_like(value) and _provider_of(value) is not None:
        return Recognised(listings=_by_provider(tuple(spread(value, at))))
    if isinstance(value, dict) and is_function_list(value):
        return Recognised(listings=read_function_list(value, at))
    if is_page(value):
        said = () if is_wire_message(value) else tuple(misspelt(value, at, locate))
        return Recognised(listings=(read_pages([(value, at)], locate(at)),), said=said)
    if isinstance(value, list):
        return _a_list(value, at, locate, beside)
    if is_openapi(value):
        listing = read_openapi(value, at, locate, beside)
        return Recognised(listings=(listing,)) if listing.entries else Recognised(said=listing.said)
    if is_tool_like(value) and "inputSchema" in value:
        return Recognised(listings=(Listing(kind="mcp-list", entries=(Entry(value=value, pointer=at),), pointer=at),))
    return _no_tools(value, at, locate)


def _described(value: Json, at: Pointer, locate: Locate) -> tuple[Listing, ...]:
    """Servers that are described, with or without the names of their tools."""
    if is_bundle(value):
        return (read_bundle(value, at, locate),)
    if is_registry_page(value):
        servers = enumerate(value["servers"])
        return tuple(
            read_registry_entry(server, (*at, "servers", index), locate)
            for index, server in servers
            if is_registry_entry(server)
        )
    if is_registry_entry(value):
        return (read_registry_entry(value, at, locate),)
    if is_docker_catalogue(value):
        return read_docker_catalogue(value, at, locate)
    return (read_docker_server(value, at, locate),) if is_docker_server(value) else ()


def _a_list(value: list[Json], at: Pointer, locate: Locate, beside: Beside) -> Recognised:
    items: list[tuple[Json, Pointer]] = [(item, (*at, index)) for index, item in enumerate(value)]
    if not value:
        return Recognised(said=(diagnostic("no-tools", "an empty list holds no tools", span=locate(at)),))
    if any(is_recorded(item) or is_manifest(item) for item in value):
        parts = [_one(item, pointer, locate, beside) for item, pointer in items]
        return Recognised(
            listings=tuple(listing for part in parts for listing in part.listings),
            said=tuple(said for part in parts for said in part.said),
        )
    if any(map(is_page, value)):
        return Recognised(listings=(replace(read_pages(items, locate(items[-1][1])), pointer=at),))
    if _are_intents(value):
        return Recognised(is_intents=True)
    if is_function_list(value):
        return Recognised(listings=read_function_list(value, at))
    if is_docker_list(value):
        return Recognised(listings=(read_docker_list(value, at),))
    if is_tool_list(value):
        return Recognised(listings=(read_tool_list(value, at),))
    return _unknown(at, locate)


def _no_tools(value: Json, at: Pointer, locate: Locate) -> Recognised:
    if is_project(value):
        return Recognised(project=value)
    if is_client_config(value):
        servers, said = read_client_config(value, at, locate)
        return Recognised(servers=servers, said=tuple(said))
    if (isinstance(value, dict) and any(_are_intents(value.get(key)) for key in ("intents", "cases"))) or _is_intent(
        value
    ):
        return Recognised(is_intents=True)
    other = name_other_form(value)
    if other is not None:
        message = f"{other} is not compiled by this version"
        return Recognised(said=(diagnostic("not-yet-supported", message, span=locate(at)),))
    return _unknown(at, locate)


def _unknown(at: Pointer, locate: Locate) -> Recognised:
    message = "this holds none of the known forms of a tool catalogue"
    return Recognised(said=(diagnostic("unrecognised", message, span=locate(at)),))


def _are_intents(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_intent, value))


def _is_intent(value: Json) -> bool:
    return isinstance(value, dict) and (isinstance(value.get("query"), str) or isinstance(value.get("intent"), str))
