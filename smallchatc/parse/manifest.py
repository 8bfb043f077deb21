"""smallchat manifests, JSON or YAML: a provider with how it is reached, its tools and its compiler hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..diagnostics import diagnostic
from ..model import Diagnostic, Json, Span
from ..rules import WARNING
from ..wording import shown
from .documents import Pointer
from .keys import misspelt_keys, unknown_keys
from .listing import Listing, entries_of, text_at
from .shape import load_schema, shape_faults

_MARKS = ("id", "name", "transportType", "compilerHints", "superclass", "conforms", "transport")
_TRANSPORT = ("command", "args", "env", "cwd", "url", "endpoint", "baseUrl", "headers", "auth")


def is_manifest(value: Json) -> bool:
    """Tools with a provider's frame around them."""
    return isinstance(value, dict) and "tools" in value and any(key in value for key in _MARKS)


def read_manifest(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> Listing:
    """The manifest as a listing; faults of its frame are errors, those of a tool cost that tool."""
    faults = _frame_faults(value, pointer, locate)
    known = load_schema("manifest")["properties"]
    tools = value["tools"] if isinstance(value["tools"], list) else []
    conforms = value.get("conforms")
    superclass = value.get("superclass")
    protocols, categories = value.get("protocols"), value.get("categories")
    return Listing(
        kind="manifest",
        id=text_at(value, "id") or None,
        title=text_at(value, "name", "title"),
        version=text_at(value, "version"),
        description=text_at(value, "description"),
        transport=_transport(value),
        superclass=superclass if isinstance(superclass, str) else None,
        conforms=tuple(name for name in conforms if isinstance(name, str)) if isinstance(conforms, list) else (),
        hints=value.get("compilerHints"),
        hints_pointer=(*pointer, "compilerHints"),
        entries=entries_of(tools, (*pointer, "tools")),
        pointer=pointer,
        protocols=protocols if isinstance(protocols, dict) and not faults else {},
        categories=categories if isinstance(categories, dict) and not faults else {},
        said=(*faults, *_unknown(unknown_keys(value, known), pointer, locate)),
    )


def misspelt(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> Iterator[Diagnostic]:
    """What was meant as a manifest's key, in a list of tools that has no frame otherwise."""
    yield from _unknown(misspelt_keys(value, load_schema("manifest")["properties"]), pointer, locate)


def _unknown(
    keys: Iterator[tuple[str, str]], pointer: Pointer, locate: Callable[[Pointer], Span]
) -> Iterator[Diagnostic]:
    for key, hint in keys:
        message = f"unknown key '{shown(key)}'; it has no effect"
        yield diagnostic("unknown-key", message, span=locate((*pointer, key)), hint=hint or None, severity=WARNING)


def _frame_faults(value: Json, pointer: Pointer, locate: Callable[[Pointer], Span]) -> list[Diagnostic]:
    # Tools and hints are checked where they are read, so that a fault there costs a tool and not the manifest.
    frame = {**value, "tools": [] if isinstance(value["tools"], list) else value["tools"]}
    frame.pop("compilerHints", None)
    return [
        diagnostic("bad-manifest", fault.message, span=locate((*pointer, *fault.pointer)))
        for fault in shape_faults(frame, "manifest")
    ]


def _transport(value: Json) -> dict[str, Json]:
    nested = value.get("transport")
    transport: dict[str, Json] = {"type": text_at(value, "transportType")} if text_at(value, "transportType") else {}
    if isinstance(nested, dict):
        transport.update(nested)
    elif isinstance(nested, str):
        transport.setdefault("type", nested)
    transport.update({key: value[key] for key in _TRANSPORT if key in value})
    return transport
