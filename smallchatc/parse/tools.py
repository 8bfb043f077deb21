"""A listing becomes a provider and its tools, as far as that goes without knowing any other source.

A tool is kept whenever it has a name: what is odd about it is a diagnostic, and its definition stays as it
was written. Hints are read here and applied in `catalog`, where the project's are known too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ..cache import Cache
from ..diagnostics import diagnostic
from ..model import Diagnostic, Hints, Json, Provider, Source, Span, Tool
from ..wording import shown
from .definition import hosted_name, unwrapped
from .documents import Pointer
from .entries import Raw, Said, read_entries, secrets_words
from .hints import read_hints
from .listing import MAX_ENTRIES, Entry, Listing
from .own_secrets import Replaced, without_own_secrets
from .secrets import without_secrets

Locate = Callable[[Pointer], Span]

MAX_LEFT_OUT = 1000
"""Entries that are no objects at all are named one by one up to here; a list of more of them is no tool list."""

_NO_HINTS = Hints()
_WORDS_OF_A_FRAME = (
    "id", "title", "version", "description", "superclass", "conforms", "hints", "protocols", "categories",
)  # fmt: skip
_GENERIC_STEMS = {"tools", "manifest", "index", "list", "mcp", "server", "catalog", "catalogue"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTool:
    """A tool whose hints are still as its manifest says them."""

    tool: Tool
    hints: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One provider of one source."""

    provider: Provider
    hints: Mapping[str, Json]
    tools: tuple[ReadTool, ...]
    listing: Listing
    locate: Locate
    said: tuple[Diagnostic, ...]


def read_listing(listing: Listing, source: Source, locate: Locate, cache: Cache | None = None) -> Reading:
    """The provider, its tools, and everything there is to say about them."""
    said = list(listing.said)
    listing, own = _without_secrets_of_its_own(listing)
    if own:
        said.append(diagnostic("secret-value", secrets_words(own), span=locate(listing.pointer)))
    provider_id, replaced = provider_id_of(listing.id or "", source.path)
    if replaced and listing.kind == "manifest":
        message = f"provider id '{shown(listing.id or '')}' became '{provider_id}'"
        said.append(diagnostic("bad-provider-id", message, span=locate((*listing.pointer, "id"))))
    hints, faults = read_hints(listing.hints, lambda below: locate((*listing.hints_pointer, *below)), of_provider=True)
    transport, secrets = without_secrets(dict(listing.transport))
    if secrets:
        names = ", ".join(sorted(set(secrets)))
        said.append(
            diagnostic("secret-value", f"literal values became references: {names}", span=locate(listing.pointer))
        )
    provider = Provider(
        id=provider_id,
        title=listing.title,
        version=listing.version,
        description=listing.description,
        transport=transport,
        superclass=listing.superclass,
        conforms=listing.conforms,
        source=source,
        span=locate(listing.pointer),
    )
    tools: list[ReadTool] = []
    if len(listing.entries) > MAX_ENTRIES:
        message = f"more than {MAX_ENTRIES} entries in one list of tools; the rest is not read"
        said.append(diagnostic("source-too-large", message, span=provider.span))
    objects: list[tuple[Entry, Raw]] = []
    left_out = 0
    for entry in listing.entries[:MAX_ENTRIES]:
        if left_out == MAX_LEFT_OUT and not isinstance(entry.value, dict):
            continue
        raw = _object_of(entry, provider_id, locate, faults)
        if raw is not None:
            objects.append((entry, raw))
        else:
            left_out += 1
    for (entry, _), read in zip(objects, read_entries([raw for _, raw in objects], cache), strict=True):
        found = _placed(entry, read, provider_id, source, locate, faults)
        if found is not None:
            tools.append(found)
    if not listing.entries and not said:
        said.append(diagnostic("no-tools", "its list of tools is empty", span=provider.span))
    said.extend(faults)
    said.extend(_portable_collisions(found.tool for found in tools))
    said = [d if d.provider else _about(d, provider_id) for d in said]
    return Reading(provider=provider, hints=hints, tools=tuple(tools), listing=listing, locate=locate, said=tuple(said))


def _without_secrets_of_its_own(listing: Listing) -> tuple[Listing, tuple[Replaced, ...]]:
    """The frame without credentials in its words; each tool is cleaned when it is read."""
    words, found = without_own_secrets({name: getattr(listing, name) for name in _WORDS_OF_A_FRAME})
    return (replace(listing, **words), found) if found else (listing, found)


def provider_id_of(declared: str, path: str) -> tuple[str, bool]:
    """The provider's id: the declared one, else the file's name; and whether characters had to be replaced."""
    cleaned = clean_id(declared)
    if cleaned:
        return cleaned, cleaned != declared.strip()
    file = PurePosixPath(path)
    stem = file.stem
    # `servers/github/tools.json` is github; the file's own name says nothing there.
    if stem.lower() in _GENERIC_STEMS and file.parent.name:
        stem = file.parent.name
    return clean_id(stem) or "unnamed", False


def clean_id(text: str) -> str:
    """An id without blanks, slashes and control characters; composed, every script kept (DESIGN 4.4)."""
    composed = unicodedata.normalize("NFC", text).strip()
    return "".join(
        "-" if character == "/" or character.isspace() or unicodedata.category(character).startswith("C") else character
        for character in composed
    )


def _object_of(entry: Entry, provider: str, locate: Locate, said: list[Diagnostic]) -> Raw | None:
    """The object that an entry is, or None and why it is no tool."""
    raw, pointer = unwrapped(entry.value, entry.pointer)
    is_function = entry.is_function or (isinstance(entry.value, dict) and entry.value.get("type") == "function")
    if not isinstance(raw, dict):
        message = f"{_where(entry)} of the tool list is not an object"
        said.append(diagnostic("not-a-tool", message, span=locate(pointer), provider=provider))
        return None
    hosted = hosted_name(raw) if is_function or "type" in raw else None
    if hosted is not None:
        message = f"'{shown(hosted)}' is a tool that the model's API runs itself; left out"
        said.append(diagnostic("hosted-tool", message, span=locate(pointer), provider=provider))
        return None
    return Raw(value=raw, is_function=is_function, call=entry.call)


def _placed(
    entry: Entry, read: Said, provider: str, source: Source, locate: Locate, said: list[Diagnostic]
) -> ReadTool | None:
    """The tool that an entry says, at its place."""
    _, pointer = unwrapped(entry.value, entry.pointer)
    span, name = locate(pointer), read.name
    if name is None:
        message = f"{_where(entry)} of the tool list has no name"
        said.append(diagnostic("missing-name", message, span=span, provider=provider))
        return None
    for remark in read.remarks:
        # What was made of an operation has no parts that are written anywhere.
        at = locate(pointer if entry.call else (*pointer, *remark.below))
        text = f"tool '{shown(name)}': {remark.message}"
        said.append(diagnostic(remark.slug, text, span=at, provider=provider, tool=name, **remark.more))
    hints, faults = read_hints(read.hints, lambda below: locate((*pointer, "compilerHints", *below)), of_provider=False)
    said.extend(_about(fault, provider, name) for fault in faults)
    tool = Tool(
        provider=provider,
        name=name,
        title=read.title,
        description=read.description,
        definition=read.definition,
        call=read.call,
        fingerprint=read.fingerprint,
        schema_fingerprint=read.schema_fingerprint,
        args=read.args,
        signatures=read.signatures,
        annotations=read.annotations,
        hints=_NO_HINTS,
        source=source,
        span=span,
        input_at=read.input_at,
    )
    return ReadTool(tool=tool, hints=hints)


def _where(entry: Entry) -> str:
    return f"entry {entry.pointer[-1]}" if isinstance(entry.pointer[-1], int) else "an entry"


def _portable_collisions(tools: Iterable[Tool]) -> Iterator[Diagnostic]:
    """Names that differ here and are one where only A-Z a-z 0-9 _ - are allowed."""
    seen: dict[str, str] = {}
    for tool in tools:
        portable = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in tool.name)
        first = seen.setdefault(portable, tool.name)
        if first != tool.name:
            message = (
                f"tool '{shown(tool.name)}': its portable name '{shown(portable)}' is also that of '{shown(first)}'"
            )
            yield diagnostic("portable-name-collision", message, span=tool.span, provider=tool.provider, tool=tool.name)


def _about(d: Diagnostic, provider: str, tool: str | None = None) -> Diagnostic:
    return replace(d, provider=provider, tool=tool or d.tool)
