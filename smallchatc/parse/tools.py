"""A listing becomes a provider and its tools, as far as that goes without knowing any other source.

A tool is kept whenever it has a name: what is odd about it is a diagnostic, and its definition stays as it
was written. Hints are read here and applied in `catalog`, where the project's are known too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ..canonical import schema_fingerprint
from ..diagnostics import diagnostic
from ..fingerprint import compact_json, tool_fingerprint
from ..model import Diagnostic, Hints, Json, Provider, Source, Span, Tool
from ..quirks import output_quirk, schema_quirks
from ..rules import WARNING
from ..schema import read_arguments, read_signatures
from ..wording import description_quirks, name_quirks, shown
from .definition import Definition, definition_of, hosted_name, unwrapped
from .documents import Pointer
from .hints import read_hints
from .keys import TOOL_KEYS, misspelt_keys
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


def read_listing(listing: Listing, source: Source, locate: Locate) -> Reading:
    """The provider, its tools, and everything there is to say about them."""
    said = list(listing.said)
    listing, own = _without_secrets_of_its_own(listing)
    if own:
        said.append(diagnostic("secret-value", _secrets_words(own), span=locate(listing.pointer)))
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
    left_out = 0
    for entry in listing.entries[:MAX_ENTRIES]:
        if left_out == MAX_LEFT_OUT and not isinstance(entry.value, dict):
            continue
        found = _read_entry(entry, provider_id, source, locate, faults)
        if found is not None:
            tools.append(found)
        else:
            left_out += 1
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


def _secrets_words(found: Sequence[Replaced]) -> str:
    first, more = found[0], f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"what looks like a credential ({first.kind}) became {first.reference}{more}"


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


def _read_entry(entry: Entry, provider: str, source: Source, locate: Locate, said: list[Diagnostic]) -> ReadTool | None:
    raw, pointer = unwrapped(entry.value, entry.pointer)
    is_function = entry.is_function or (isinstance(entry.value, dict) and entry.value.get("type") == "function")
    span = locate(pointer)
    where = f"entry {entry.pointer[-1]}" if isinstance(entry.pointer[-1], int) else "an entry"
    if not isinstance(raw, dict):
        said.append(
            diagnostic("not-a-tool", f"{where} of the tool list is not an object", span=span, provider=provider)
        )
        return None
    hosted = hosted_name(raw) if is_function or "type" in raw else None
    if hosted is not None:
        message = f"'{shown(hosted)}' is a tool that the model's API runs itself; left out"
        said.append(diagnostic("hosted-tool", message, span=span, provider=provider))
        return None
    (raw, call), secrets = without_own_secrets((raw, entry.call))
    name = _name_of(raw)
    if name is None:
        said.append(diagnostic("missing-name", f"{where} of the tool list has no name", span=span, provider=provider))
        return None

    def say(slug: str, message: str, below: Pointer = (), **more: str) -> None:
        # What was made of an operation has no parts that are written anywhere.
        at = locate(pointer if entry.call else (*pointer, *below))
        text = f"tool '{shown(name)}': {message}"
        said.append(diagnostic(slug, text, span=at, provider=provider, tool=name, **more))

    if secrets:
        say("secret-value", _secrets_words(secrets), secrets[0].pointer[1:])
    for key, hint in misspelt_keys(raw, TOOL_KEYS):
        say("unknown-key", f"unknown key '{shown(key)}'; it has no effect", (key,), hint=hint, severity=WARNING)
    definition = definition_of(raw, name, is_function=is_function)
    texts = {key: _text_field(raw, key, say) for key in ("title", "description")}
    annotations = raw.get("annotations")
    if annotations is not None and not isinstance(annotations, dict):
        say("bad-field", "annotations is not an object", ("annotations",))
    annotations = annotations if isinstance(annotations, dict) else {}
    schema = _schema(definition, say)
    _read_output(definition, say)
    for quirk in (*name_quirks(name, annotations), *description_quirks(texts["description"], raw)):
        say(quirk.slug, quirk.message, quirk.pointer)
    args, cut = read_arguments(schema)
    if cut:
        say("schema-large", "inputSchema is too large to be indexed whole", definition.input_at)
    hints, faults = read_hints(
        raw.get("compilerHints"), lambda below: locate((*pointer, "compilerHints", *below)), of_provider=False
    )
    said.extend(_about(fault, provider, name) for fault in faults)
    tool = Tool(
        provider=provider,
        name=name,
        title=texts["title"] or (annotations["title"] if isinstance(annotations.get("title"), str) else ""),
        description=texts["description"],
        definition=compact_json(definition.value),
        call=call,
        fingerprint=tool_fingerprint(definition.value),
        schema_fingerprint=schema_fingerprint(schema),
        args=args,
        signatures=read_signatures(schema),
        annotations=annotations,
        hints=_NO_HINTS,
        source=source,
        span=span,
        input_at=definition.input_at,
    )
    return ReadTool(tool=tool, hints=hints)


def _name_of(raw: Mapping[str, Json]) -> str | None:
    name = raw.get("name")
    if isinstance(name, str):
        return name if name.strip() else None
    if isinstance(name, int | float) and not isinstance(name, bool):
        return str(getattr(name, "text", name))
    return None


def _schema(definition: Definition, say: Callable[..., None]) -> Json:
    """The input schema to work with; a missing or unusable one accepts any object."""
    if "inputSchema" not in definition.value:
        say("missing-schema", "it has no inputSchema")
        return {}
    schema = definition.value["inputSchema"]
    if definition.retyped:
        say("gemini-types", "its types are written as Gemini writes them; read as JSON Schema", definition.input_at)
    for quirk in schema_quirks(schema):
        below = () if definition.input_is_ours else quirk.pointer
        say(quirk.slug, quirk.message, (*definition.input_at, *below))
    if not isinstance(schema, dict):
        return {}
    declared = schema.get("type")
    if declared is None or declared == "object" or (isinstance(declared, list) and "object" in declared):
        return schema
    return {} if isinstance(declared, str) and "properties" not in schema else schema


def _read_output(definition: Definition, say: Callable[..., None]) -> None:
    schema = definition.value.get("outputSchema")
    quirk = output_quirk(schema) if schema is not None else None
    if quirk is not None:
        say(quirk.slug, quirk.message, (*definition.output_at, *quirk.pointer))


def _text_field(raw: Mapping[str, Json], key: str, say: Callable[..., None]) -> str:
    value = raw.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(getattr(value, "text", value))
    say("bad-field", f"{key} is not a text", (key,))
    return ""


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
