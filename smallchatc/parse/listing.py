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
    is_function: bool = False  # of a model API: without parameters it takes none
    call: str = ""  # how it is called, where the value was made of an API's operation


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
    return tuple(
        entry for index, value in enumerate(tools[: MAX_ENTRIES + 1]) for entry in spread(value, (*pointer, index))
    )


DECLARATIONS = ("functionDeclarations", "function_declarations")
"""Gemini's names for several tools in one entry."""


def spread(value: Json, pointer: Pointer) -> tuple[Entry, ...]:
    """The entries that one place of a list stands for: itself, or the functions declared in it."""
    if not isinstance(value, dict):
        return (Entry(value=value, pointer=pointer),)
    if is_namespace(value):
        return entries_of(value["tools"], (*pointer, "tools"))
    lists = [key for key in DECLARATIONS if isinstance(value.get(key), list)]
    if not lists:
        return (Entry(value=value, pointer=pointer),)
    declared = (
        Entry(value=tool, pointer=(*pointer, key, index), is_function=True)
        for key in lists
        for index, tool in enumerate(value[key])
    )
    beside = (
        Entry(value={key: value[key]}, pointer=(*pointer, key), is_function=True) for key in value if key not in lists
    )
    return (*declared, *beside)


def is_namespace(value: Json) -> bool:
    """Tools that OpenAI's API groups under a name."""
    return isinstance(value, dict) and value.get("type") == "namespace" and isinstance(value.get("tools"), list)


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
    if not isinstance(value, dict) or value.get("in") in ("path", "query", "header", "cookie", "body", "formData"):
        return False  # the latter is a parameter of an API
    if value.get("type") == "function" and isinstance(value.get("function"), dict):
        return True
    if any(isinstance(value.get(key), list) for key in DECLARATIONS) or isinstance(value.get("toolSpec"), dict):
        return True
    marks = ("inputSchema", "input_schema", "parameters", "arguments", "args_schema", "description", "annotations")
    return isinstance(value.get("name"), str) and any(mark in value for mark in marks)
