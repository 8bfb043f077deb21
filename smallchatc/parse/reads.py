"""One input becomes what it holds: bytes, text, documents, a form. What is wrong on the way costs it alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..diagnostics import diagnostic
from ..folders import PROJECT_NAMES
from ..model import Diagnostic, Span
from ..rules import ERROR, NOTE, RULES
from .beside import Beside, Files
from .bundle import is_archive, unpack
from .documents import Document, Documents, Fault, Pointer, read_documents
from .mending import how_to_mend
from .recognise import Recognised, recognise
from .sources import Input, read_bytes
from .text import NotText, decode

_DATA_SUFFIXES = (".json", ".jsonc", ".jsonl", ".ndjson", ".yaml", ".yml", ".mcpb", ".dxt")
_ABOUT_CONTENT = ("unrecognised", "not-yet-supported", "no-tools")
_ABOUT_TEXT = (
    "bad-bundle",
    "binary-file",
    "wrong-encoding",
    "bad-json",
    "bad-toml",
    "bad-yaml",
    "source-empty",
    "yaml-tag",
    "yaml-key",
    "source-too-large",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One input, read and recognised."""

    item: Input
    source_digest: str  # of its bytes; "" where they cannot be read
    recognised: Recognised
    locate: Callable[[Pointer], Span]
    documents: tuple[Document, ...] = ()


def read_input(item: Input, stdin: bytes | None, files: Files, said: list[Diagnostic]) -> Read:
    """The input as far as it can be read; what cannot is said."""
    data = read_bytes(item, stdin)
    if isinstance(data, Diagnostic):
        return _nothing(item, [data], said)
    digest = hashlib.sha256(data).hexdigest()
    if is_archive(data):
        unpacked, top = unpack(data), Span(file=item.path, line=1, column=1)
        said.extend(_as_found(diagnostic(slug, words, span=top), item) for slug, words in unpacked.said)
        if unpacked.manifest is None:
            return _nothing(item, (), said, digest)
        data = unpacked.manifest
    text = decode(data)
    if isinstance(text, NotText):
        span = Span(file=item.path, line=text.line, column=text.column)
        return _nothing(item, [diagnostic(text.slug, text.message, span=span)], said, digest)
    documents = read_documents(text)
    locate = (item.recording and item.recording.locate) or _locator(item.path, documents)
    faults = [_of_fault(fault, item.path) for fault in documents.faults]
    if not documents.documents:
        return _nothing(item, faults, said, digest)
    beside = Beside(path=item.path, root=item.root, files=files)
    recognised = _project_by_name(item, documents, recognise(documents, locate, beside))
    recognised = _with_place(item, recognised)
    if item.named or recognised.listings:
        said.extend(faults)
    said.extend(_as_found(d, item) for d in recognised.said)
    if item.named and recognised.is_intents:
        said.append(diagnostic("no-tools", "this holds intents, not tools", span=locate((0,))))
    return Read(item=item, source_digest=digest, recognised=recognised, locate=locate, documents=documents.documents)


def _project_by_name(item: Input, documents: Documents, recognised: Recognised) -> Recognised:
    """A project file that sets nothing that only a project sets is known by its reserved name alone."""
    if not item.named or item.path not in PROJECT_NAMES or recognised.listings or recognised.project is not None:
        return recognised
    value = documents.documents[0].value
    return Recognised(project={} if value is None else value)


def _with_place(item: Input, recognised: Recognised) -> Recognised:
    """Its servers with what a start needs to know: the folder that they are meant for, and whether it was named."""
    folder = item.place.absolute().parent if item.place is not None else None
    if folder is not None and folder.name.startswith("."):  # .vscode/mcp.json speaks of the folder above
        folder = folder.parent
    servers = tuple(replace(each, folder=folder, by_hand=item.by_hand) for each in recognised.servers)
    return replace(recognised, servers=servers)


def _nothing(item: Input, faults: Iterable[Diagnostic], said: list[Diagnostic], digest: str = "") -> Read:
    said.extend(_as_found(fault, item) for fault in faults)
    return Read(
        item=item,
        source_digest=digest,
        recognised=Recognised(),
        locate=lambda _: Span(file=item.path, line=1, column=1),
    )


def parts_named(said: Iterable[Diagnostic], reads: Sequence[Read], files: Files) -> Iterator[Diagnostic]:
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
    if RULES[d.slug].costs_one_server:
        return replace(d, severity=NOTE)
    if d.slug in _ABOUT_CONTENT:
        return replace(d, severity=NOTE)
    if d.slug in _ABOUT_TEXT and not item.path.lower().endswith(_DATA_SUFFIXES):
        return diagnostic("no-tools", f"no tools in it: {d.message}", span=d.span)
    return d


def _of_fault(fault: Fault, file: str) -> Diagnostic:
    line, column = fault.place
    return diagnostic(
        fault.slug,
        fault.message,
        span=Span(file=file, line=line, column=column, pointer=pointer_text(fault.pointer)),
        hint=how_to_mend(fault.slug, fault.message),
    )


def _locator(file: str, documents: Documents) -> Callable[[Pointer], Span]:
    """Pointers begin with the number of the document; it is not shown where there is only one."""
    several = len(documents.documents) > 1

    def locate(pointer: Pointer) -> Span:
        number = pointer[0] if pointer and isinstance(pointer[0], int) else 0
        line, column = documents.documents[number].locate(pointer[1:])
        return Span(file=file, line=line, column=column, pointer=pointer_text(pointer if several else pointer[1:]))

    return locate


def pointer_text(pointer: Pointer) -> str:
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in pointer)
