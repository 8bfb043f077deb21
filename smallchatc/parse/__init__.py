"""Parse: sources become a Catalog, and everything that is wrong or odd about them becomes diagnostics.

    sources -> bytes -> text -> documents -> listings -> readings -> Catalog

One module per arrow; one module per form of input. All faults of all sources are found in one run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..credentials import redacted
from ..diagnostics import CompileError, apply_lint, diagnostic, has_errors, sort_diagnostics
from ..ignores import Ignored, apply_ignores, tool_span
from ..model import Catalog, Diagnostic, Json, Source, Span, Tool
from ..rules import ERROR, NOTE
from .beside import Beside, Files
from .catalog import build_catalog
from .documents import Document, Documents, Fault, Pointer, read_documents
from .listing import Listing
from .project import Project, read_project
from .recognise import Recognised, recognise
from .sources import PROJECT_NAMES, Input, Recording, gather, gather_project, read_bytes
from .text import NotText, decode
from .tools import Reading, read_listing

__all__ = ["Parsed", "Project", "Recording", "parse_sources"]

_DATA_SUFFIXES = (".json", ".jsonc", ".jsonl", ".ndjson", ".yaml", ".yml")
_ABOUT_CONTENT = ("unrecognised", "not-yet-supported", "no-tools")
_ABOUT_TEXT = (
    "binary-file",
    "wrong-encoding",
    "bad-json",
    "bad-yaml",
    "source-empty",
    "yaml-tag",
    "yaml-key",
    "source-too-large",
)


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
    """The catalog of files, folders, project files, `-` and recordings; raises CompileError with all their faults."""
    gathered = gather(sources)
    said = list(gathered.said)
    if not sources:
        said.append(diagnostic("no-sources", "nothing was given to compile"))
    files = Files()
    reads = [_read(item, stdin, files, said) for item in gathered.inputs]
    project = _the_project(reads, said)
    if project is not None and project.folder is not None:
        more = gather_project(project.folder, project.sources, project.source_spans)
        said.extend(more.said)
        known = {str(read.item.place.resolve()) for read in reads if read.item.place}
        reads.extend(
            _read(item, stdin, files, said)
            for item in more.inputs
            if str(item.place.resolve() if item.place else "") not in known
        )
    said = list(_parts_named(said, reads, files))
    readings = [_reading(read, listing) for read in reads for listing in read.recognised.listings]
    catalog, found = build_catalog(readings, project)
    said.extend(found)
    if not catalog.tools and not has_errors(said):
        said.append(diagnostic("no-tools", "none of the sources holds a tool", severity=ERROR, hint=""))
    kept, ignored = apply_ignores(said, catalog)
    diagnostics = sort_diagnostics(map(_without_secrets, apply_lint(kept, project.lint if project else {})))
    if has_errors(diagnostics) and not keep_going:
        raise CompileError(diagnostics)
    return Parsed(
        catalog=catalog,
        project=project,
        diagnostics=diagnostics,
        ignored=ignored,
        place=_placer(reads),
        files={read.item.path: read.item.place for read in reads if read.item.place},
    )


def _without_secrets(d: Diagnostic) -> Diagnostic:
    """Messages quote what a source says, and a source may say anything."""
    message, hint = redacted(d.message), redacted(d.hint)
    if d.span is not None and d.span.pointer:
        d = replace(d, span=replace(d.span, pointer=redacted(d.span.pointer)))
    return d if (message, hint) == (d.message, d.hint) else replace(d, message=message, hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """One input, read and recognised."""

    item: Input
    source_digest: str
    recognised: Recognised
    locate: Callable[[Pointer], Span]
    documents: tuple[Document, ...] = ()


def _read(item: Input, stdin: bytes | None, files: Files, said: list[Diagnostic]) -> _Read:
    data = read_bytes(item, stdin)
    if isinstance(data, Diagnostic):
        return _nothing(item, [data], said)
    digest = hashlib.sha256(data).hexdigest()
    text = decode(data)
    if isinstance(text, NotText):
        span = Span(file=item.path, line=text.line, column=text.column)
        return _nothing(item, [diagnostic(text.slug, text.message, span=span)], said)
    documents = read_documents(text)
    locate = (item.recording and item.recording.locate) or _locator(item.path, documents)
    faults = [_of_fault(fault, item.path) for fault in documents.faults]
    if not documents.documents:
        return _nothing(item, faults, said)
    beside = Beside(path=item.path, root=item.root, files=files)
    recognised = _project_by_name(item, documents, recognise(documents, locate, beside))
    if item.named or recognised.listings:
        said.extend(faults)
    said.extend(_as_found(d, item) for d in recognised.said)
    if item.named and recognised.is_intents:
        said.append(diagnostic("no-tools", "this holds intents, not tools", span=locate((0,))))
    return _Read(item=item, source_digest=digest, recognised=recognised, locate=locate, documents=documents.documents)


def _project_by_name(item: Input, documents: Documents, recognised: Recognised) -> Recognised:
    """A project file that sets nothing that only a project sets is known by its reserved name alone."""
    if not item.named or item.path not in PROJECT_NAMES or recognised.listings or recognised.project is not None:
        return recognised
    value = documents.documents[0].value
    return Recognised(project={} if value is None else value)


def _nothing(item: Input, faults: Iterable[Diagnostic], said: list[Diagnostic]) -> _Read:
    said.extend(_as_found(fault, item) for fault in faults)
    return _Read(
        item=item, source_digest="", recognised=Recognised(), locate=lambda _: Span(file=item.path, line=1, column=1)
    )


def _parts_named(said: Iterable[Diagnostic], reads: Sequence[_Read], files: Files) -> Iterator[Diagnostic]:
    """What another source refers to need not be recognised by itself."""
    parts = {read.item.path for read in reads if not read.item.named and files.has_read(read.item.place)}
    for d in said:
        if d.slug == "unrecognised" and d.span and d.span.file in parts:
            yield diagnostic("no-tools", "a part of the API description that refers to it", span=d.span, hint="")
        else:
            yield d


def _as_found(d: Diagnostic, item: Input) -> Diagnostic:
    """Inside a folder, a file that holds no tools is a note, and so is one that does not pretend to be data."""
    if item.named or d.severity != ERROR:
        return d
    if d.slug in _ABOUT_CONTENT:
        return replace(d, severity=NOTE)
    if d.slug in _ABOUT_TEXT and not item.path.lower().endswith(_DATA_SUFFIXES):
        return diagnostic("no-tools", f"no tools in it: {d.message}", span=d.span)
    return d


def _of_fault(fault: Fault, file: str) -> Diagnostic:
    line, column = fault.place
    return diagnostic(
        fault.slug, fault.message, span=Span(file=file, line=line, column=column, pointer=_pointer_text(fault.pointer))
    )


def _locator(file: str, documents: Documents) -> Callable[[Pointer], Span]:
    """Pointers begin with the number of the document; it is not shown where there is only one."""
    several = len(documents.documents) > 1

    def locate(pointer: Pointer) -> Span:
        number = pointer[0] if pointer and isinstance(pointer[0], int) else 0
        line, column = documents.documents[number].locate(pointer[1:])
        return Span(file=file, line=line, column=column, pointer=_pointer_text(pointer if several else pointer[1:]))

    return locate


def _pointer_text(pointer: Pointer) -> str:
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in pointer)


def _placer(reads: Iterable[_Read]) -> Callable[[Tool, Pointer], Span]:
    """Where a part of a tool is written; the tool's own place for what its form does not have."""
    by_source = {(read.item.path, read.source_digest): read for read in reads}

    def place(tool: Tool, below: Pointer) -> Span:
        read = by_source.get((tool.source.path, tool.source.digest))
        found = None if read is None else _within(read.documents, tool.span.pointer)
        if read is None or found is None:
            return tool_span(tool, below)
        at, value = found
        if below[:1] == ("inputSchema",):
            below = (*tool.input_at, *below[1:]) if tool.input_at else ()
        for step in below:
            if not (step in value if isinstance(value, dict) else isinstance(value, list) and _is_place(step, value)):
                break
            value = value[step]
            at = (*at, step)
        return read.locate(at)

    return place


def _is_place(step: object, value: Sequence[Json]) -> bool:
    return isinstance(step, int) and step < len(value)


def _within(documents: Sequence[Document], pointer: str) -> tuple[Pointer, Json] | None:
    """A pointer's text as steps, the number of the document first, and the value there."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    number = int(steps.pop(0)) if len(documents) > 1 and steps else 0
    at: Pointer = (number,)
    value = documents[number].value if number < len(documents) else None
    for step in steps:
        if isinstance(value, list) and step.isdigit() and int(step) < len(value):
            at, value = (*at, int(step)), value[int(step)]
        elif isinstance(value, dict) and step in value:
            at, value = (*at, step), value[step]
        else:
            return None
    return at, value


def _the_project(reads: Sequence[_Read], said: list[Diagnostic]) -> Project | None:
    """The project among the named inputs; there is at most one, and none of them lies deeper."""
    projects: list[tuple[_Read, Json]] = []
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


def _reading(read: _Read, listing: Listing) -> Reading:
    source = Source(path=read.item.path, kind=listing.kind, digest=read.source_digest)
    return read_listing(listing, source, read.locate)
