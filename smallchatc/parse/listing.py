"""Listing: one provider as a form module found it, before anything is made of its tools.

Each form of input (a module per form) turns a document into listings; `tools` turns a listing into a Manifest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..fingerprint import WrittenNumber
from ..model import Diagnostic, Json
from .documents import Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a tool list, whatever it is, and where it stands."""

    value: Json
    pointer: Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A provider's frame and the entries of its tool list."""

    kind: str
    id: str | None = None  # None: the file's name decides
    title: str = ""
    version: str = ""
    description: str = ""
    transport: Mapping[str, Json] = field(default_factory=dict)
    superclass: str | None = None
    conforms: tuple[str, ...] = ()
    hints: Json = None
    hints_pointer: Pointer = ()
    entries: tuple[Entry, ...]
    pointer: Pointer = ()
    protocols: Mapping[str, Json] = field(default_factory=dict)
    categories: Mapping[str, Json] = field(default_factory=dict)
    said: tuple[Diagnostic, ...] = ()


MAX_ENTRIES = 250_000
"""More than the largest catalogue we know of by two orders of magnitude."""


def entries_of(tools: Json, pointer: Pointer) -> tuple[Entry, ...]:
    """The entries of a list of tools; one beyond the limit shows that there are too many."""
    return tuple(Entry(value=value, pointer=(*pointer, index)) for index, value in enumerate(tools[: MAX_ENTRIES + 1]))


def text_at(holder: Json, *keys: str) -> str:
    """The first of these keys that holds a text; numbers as they were written (a version 1.10)."""
    for key in keys:
        value = holder.get(key) if isinstance(holder, dict) else None
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, WrittenNumber):
            return value.text
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""


def is_tool_like(value: Json) -> bool:
    """Whether an object looks like a tool of any form: it has a name and something that tools have."""
    if not isinstance(value, dict):
        return False
    if value.get("type") == "function" and isinstance(value.get("function"), dict):
        return True
    marks = ("inputSchema", "input_schema", "parameters", "arguments", "description", "annotations")
    return isinstance(value.get("name"), str) and any(mark in value for mark in marks)
