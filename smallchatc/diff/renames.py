"""Renames: a tool that is gone and one that is new may be the same tool under another name.

Told by what the tools hold: an equal definition apart from the name, else vectors that are alike, and more alike where
the schema changed too. Each tool is renamed once, the surest pairs first; within one provider before across two.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ..fingerprint import fingerprint
from .side import Side, ToolSide

ALIKE, VERY_ALIKE = 0.9, 0.95
"""Cosine from which tools are one tool under two names: with an equal schema, and with another one in one provider."""
_MOST_PAIRS = 20_000
_SAYS_LITTLE = 20  # characters of a description; an equal schema says nothing where it takes nothing


def find_renames(old: Side, new: Side) -> dict[str, str]:
    """The new path of each tool that got another name."""
    gone = [tool for path, tool in old.tools.items() if path not in new.tools]
    came = [tool for path, tool in new.tools.items() if path not in old.tools]
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, one, other in sorted(_pairs(gone, came, comparable=old.encoder == new.encoder)):
        if one not in found and other not in taken:
            found[one] = other
            taken.add(other)
    return found


def _pairs(
    gone: Sequence[ToolSide], came: Sequence[ToolSide], *, comparable: bool
) -> Iterator[tuple[tuple[float, bool], str, str]]:
    """Pairs that may be one tool: minus how sure, and whether the provider changed."""
    for one, other in _equal(gone, came):
        yield (-2.0, one.provider != other.provider), one.path, other.path
    if not comparable:
        return
    akin: Mapping[str, list[ToolSide]] = defaultdict(list)
    for tool in came:
        akin[tool.schema_fingerprint].append(tool)
        akin[tool.provider].append(tool)
    left = _MOST_PAIRS
    for one in gone:
        for other in (*akin.get(one.schema_fingerprint, ()), *akin.get(one.provider, ())):
            left -= 1
            if left < 0:
                return
            if min(len(one.description), len(other.description)) < _SAYS_LITTLE:
                continue
            alike = _cosine(one.vector, other.vector)
            if alike >= (ALIKE if one.schema_fingerprint == other.schema_fingerprint else VERY_ALIKE):
                yield (-round(alike, 4), one.provider != other.provider), one.path, other.path


def _equal(gone: Sequence[ToolSide], came: Sequence[ToolSide]) -> Iterator[tuple[ToolSide, ToolSide]]:
    """Tools whose definitions are equal but for the name, or that only moved to another provider."""
    known: Mapping[str, list[ToolSide]] = defaultdict(list)
    for tool in came:
        known[_content(tool)].append(tool)
    for one in gone:
        for other in known.get(_content(one), ()):
            if one.name == other.name or one.body:
                yield one, other


def _content(tool: ToolSide) -> str:
    return fingerprint({key: value for key, value in tool.body.items() if key != "title"})


def _cosine(one: bytes, other: bytes) -> float:
    first, second = memoryview(one).cast("b"), memoryview(other).cast("b")
    if len(first) != len(second):
        return 0.0
    product = sum(a * b for a, b in zip(first, second, strict=True))
    length = math.sqrt(sum(a * a for a in first) * sum(b * b for b in second))
    return product / length if length else 0.0
