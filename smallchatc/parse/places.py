"""Places: where a part of a tool is written, told after the tool has been made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..ignores import tool_span
from ..model import Json, Span, Tool
from .documents import Document, Pointer
from .reads import Read


def placer(reads: Iterable[Read]) -> Callable[[Tool, Pointer], Span]:
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
