"""Parse: sources become a Catalog, and everything that is wrong or odd about them becomes diagnostics.

    sources -> bytes -> text -> documents -> listings -> readings -> Catalog

One module per arrow; one module per form of input. All faults of all sources are found in one run. Nothing here
starts or reaches a server: what a live one answered comes in as an `Answer` and is read like any recording.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..cache import Cache
from ..credentials import redacted
from ..diagnostics import CompileError, apply_lint, diagnostic, sort_diagnostics, spared, stops
from ..folders import Look, project_files
from ..ignores import Ignored, apply_ignores, tool_span
from ..model import Answer, Catalog, Configured, Diagnostic, Json, Source, Span, Tool
from ..rules import ERROR
from ..seen import Seen
from .answered import asked_for, recorded_answer, recording_of
from .beside import Files
from .catalog import build_catalog
from .documents import Pointer
from .listing import Listing
from .own_secrets import without_own_secrets
from .places import placer
from .project import Project, read_project
from .reads import Read, parts_named, read_input
from .recorded import as_configured
from .sources import Input, Recording, gather, gather_project, two_projects
from .tools import Reading, read_listing

__all__ = [
    "Opened",
    "Parsed",
    "Project",
    "Recording",
    "open_sources",
    "parse_opened",
    "parse_sources",
    "project_of",
    "without_own_secrets",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Sources as read: what they hold, and the servers that they name; those `to_ask` list their tools only live."""

    reads: tuple[Read, ...]
    project: Project | None
    servers: tuple[Configured, ...]
    to_ask: tuple[Configured, ...]
    said: tuple[Diagnostic, ...]
    seen: Seen  # everything outside that this depends on


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A catalog, the project file that shaped it (if any), and what there was to say."""

    catalog: Catalog
    project: Project | None
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...] = ()  # what would have been said, but for a lintIgnore
    place: Callable[[Tool, Pointer], Span] = field(default=tool_span, compare=False, repr=False)  # of a part of a tool
    files: Mapping[str, Path] = field(default_factory=dict, compare=False, repr=False)  # where each source is


def parse_sources(
    sources: Sequence[str | Path | Recording], *, stdin: bytes | None = None, keep_going: bool = False
) -> Parsed:
    """The catalog of files, folders, project files, `-` and recordings; raises CompileError with all their faults.

    No server is asked: those without a recording among the sources are named.
    """
    return parse_opened(open_sources(sources, stdin=stdin), keep_going=keep_going)


def open_sources(sources: Sequence[str | Path | Recording], *, stdin: bytes | None = None) -> Opened:
    """What the sources hold, before anything is made of it."""
    gathered = gather(sources)
    said, looks = list(gathered.said), list(gathered.looks)
    if not sources:
        said.append(diagnostic("no-sources", "nothing was given to compile"))
    files = Files()
    reads = [read_input(item, stdin, files, said) for item in gathered.inputs]
    project = _the_project(reads, said)
    if project is not None and project.folder is not None:
        more = gather_project(project.folder, project.sources, project.source_spans)
        said.extend(more.said)
        looks.extend(more.looks)
        known = {str(read.item.place.resolve()) for read in reads if read.item.place}
        reads.extend(
            read_input(item, stdin, files, said)
            for item in more.inputs
            if str(item.place.resolve() if item.place else "") not in known
        )
    said = list(parts_named(said, reads, files))
    servers = (*gathered.servers, *(server for read in reads for server in read.recognised.servers))
    listings = [listing for read in reads for listing in read.recognised.listings]
    to_ask, found = asked_for(servers, listings)
    said.extend(found)
    return Opened(
        reads=tuple(reads),
        project=project,
        servers=servers,
        to_ask=to_ask,
        said=tuple(said),
        seen=_seen(reads, files, looks),
    )


def _seen(reads: Sequence[Read], files: Files, looks: Sequence[Look]) -> Seen:
    read = {os.path.abspath(each.item.place): each.source_digest for each in reads if each.item.place is not None}
    return Seen(files={**files.digests, **read}, looks=tuple(looks))


def project_of(folder: Path) -> Project | None:
    """A folder's project file, none of whose sources is read; raises CompileError with every fault of it."""
    found = project_files(folder)
    if not found:
        return None
    said = [*two_projects(found)]
    item = Input(path=found[0].name, place=found[0], root=folder, folder=folder, named=True)
    project = _the_project([read_input(item, None, Files(), said)], said)
    if stops(said):
        raise CompileError(map(_without_secrets, said))
    return project


def parse_opened(
    opened: Opened,
    answers: Iterable[Answer] = (),
    *,
    keep_going: bool = False,
    allow_failed: bool = False,
    cache: Cache | None = None,
) -> Parsed:
    """The catalog of what was read and what servers answered; raises CompileError where something forbids one."""
    project, said, reads = opened.project, list(opened.said), list(opened.reads)
    answered = {id(answer.configured): answer for answer in answers}
    for server in opened.to_ask:
        answer = answered.get(id(server))
        if answer is None:
            said.append(diagnostic("server-not-recorded", f"{server.label} was not asked", span=server.span))
            continue
        said.extend(answer.said)
        if answer.recording is not None:
            recording = recorded_answer(answer.recording, server)
            reads.append(
                read_input(Input(path=recording.path, place=None, recording=recording, named=True), None, Files(), said)
            )
    readings = [
        _reading(read, listing, opened.servers, cache) for read in reads for listing in read.recognised.listings
    ]
    catalog, found = build_catalog(readings, project)
    said.extend(found)
    if allow_failed:
        said = spared(said)
    if not catalog.tools and not stops(said):
        said.append(diagnostic("no-tools", "none of the sources holds a tool", severity=ERROR, hint=""))
    kept, ignored = apply_ignores(said, catalog)
    diagnostics = sort_diagnostics(map(_without_secrets, apply_lint(kept, project.lint if project else {})))
    if stops(diagnostics) and not keep_going:
        raise CompileError(diagnostics)
    return Parsed(
        catalog=catalog,
        project=project,
        diagnostics=diagnostics,
        ignored=ignored,
        place=placer(reads),
        files={read.item.path: read.item.place for read in reads if read.item.place},
    )


def _without_secrets(d: Diagnostic) -> Diagnostic:
    """Messages quote what a source says, and a source may say anything."""
    message, hint = redacted(d.message), redacted(d.hint)
    if d.span is not None and d.span.pointer:
        d = replace(d, span=replace(d.span, pointer=redacted(d.span.pointer)))
    return d if (message, hint) == (d.message, d.hint) else replace(d, message=message, hint=hint)


def _the_project(reads: Sequence[Read], said: list[Diagnostic]) -> Project | None:
    """The project among the named inputs; there is at most one, and none of them lies deeper."""
    projects: list[tuple[Read, Json]] = []
    for read in reads:
        value = read.recognised.project
        if value is None:
            continue
        if read.item.named:
            projects.append((read, value))
        else:
            said.append(
                diagnostic(
                    "nested-project",
                    "this project file is not at the root of a source; not applied",
                    span=read.locate((0,)),
                )
            )
    for read, _ in projects[1:]:
        said.append(diagnostic("two-projects", "this is a second project file", span=read.locate((0,))))
    if not projects:
        return None
    read, value = projects[0]
    project, faults = read_project(value, lambda pointer: read.locate((0, *pointer)), folder=read.item.folder)
    said.extend(faults)
    return project


def _reading(read: Read, listing: Listing, servers: Sequence[Configured], cache: Cache | None) -> Reading:
    if read.item.recording is not None and listing.kind == "recorded-server":
        listing = replace(listing, kind="mcp-server")  # asked just now, and as configured
    server = recording_of(listing, servers)
    if server is not None:
        listing = as_configured(listing, server, read.locate)
    source = Source(path=read.item.path, kind=listing.kind, digest=read.source_digest)
    return read_listing(listing, source, read.locate, cache)
