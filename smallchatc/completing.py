"""Completing: the beginning of a line becomes the ways in which it may go on.

A command after a colon; a tool by its path or its name alone; behind a tool, the arguments that it takes and the values
of those that have few.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from runtime_min.errors import SmallchatError

from .describe import tool_paths

if TYPE_CHECKING:
    from runtime_min import ToolRuntime

MOST = 50
_TAKE_TOOLS = (":tools", ":choose", ":resolve")


class Completion(NamedTuple):
    """A text that takes the place of the last `replaces` characters."""

    text: str
    replaces: int


def completer_of(runtime: ToolRuntime, commands: Mapping[str, object]) -> Callable[[str], list[Completion]]:
    """What completes the beginning of a line. The tools are read once, when first needed."""
    known: list[str] = []

    def complete(line: str) -> list[Completion]:
        if not known:
            known.extend(tool_paths(runtime.artifact))
        found = []
        for one in _ways(runtime, known, commands, line):
            found.append(one)
            if len(found) == MOST:
                break
        return found

    return complete


def _ways(runtime: ToolRuntime, known: list[str], commands: Mapping[str, object], line: str) -> Iterator[Completion]:
    line = line.lstrip()
    word = line.rpartition(" ")[2]
    first, space, _ = line.partition(" ")
    if line.startswith(":") and not space:
        yield from (Completion(f":{name}", len(word)) for name in commands if name.startswith(line[1:]))
    elif space and first in known:
        yield from _arguments(runtime, first, line, word)
    elif word and (not space or first in _TAKE_TOOLS):
        yield from (Completion(path, len(word)) for path in known if path.startswith(word) or f"/{word}" in path)


def _arguments(runtime: ToolRuntime, path: str, line: str, word: str) -> Iterator[Completion]:
    try:
        schema = runtime.snapshot.proxy(path).input_schema
    except SmallchatError:
        return
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return
    name, equals, begun = word.partition("=")
    if not equals:
        yield from (
            Completion(f"{each}=", len(word))
            for each in properties
            if each.startswith(word) and f" {each}=" not in line
        )
        return
    one = properties.get(name)
    values = one.get("enum") if isinstance(one, Mapping) else None
    for value in values if isinstance(values, list) else ():
        text = value if isinstance(value, str) else json.dumps(value)
        if text.startswith(begun) and " " not in text:
            yield Completion(text, len(begun))
