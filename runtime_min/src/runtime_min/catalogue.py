"""The tools of an artifact by id and by name: paths, selectors, signatures, literal names, close pairs.

Each row is read when first asked for; small results stay in bounded caches.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from .artifact import UNREADABLE, Artifact
from .errors import UnknownTool
from .named import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

_CACHE = 16384
_CODES = frozenset("snbzoa*")  # format.Signature


class Entry(NamedTuple):
    """A tool as a resolution names it."""

    path: str  # "P/N"
    selector: str
    priority: float
    preferred: bool


class Param(NamedTuple):
    """A parameter of a signature; see `format.Signature` for the type code."""

    name: str
    code: str
    required: bool


class Signature(NamedTuple):
    """One way of calling a tool."""

    params: Mapping[str, Param]
    closed: bool


class Catalogue:
    """Look-ups in one artifact."""

    def __init__(self, artifact: Artifact) -> None:
        self._artifact = artifact
        self._entries: dict[int, Entry] = {}
        self._signatures: dict[int, tuple[Signature, ...]] = {}

    def entry(self, tool: int) -> Entry:
        """Path, selector and hints of a tool id."""
        entry = self._entries.get(tool)
        if entry is None:
            row = self._artifact.row(
                "SELECT provider.name, tool.name, tool.hints, (SELECT canonical FROM selector JOIN method"
                " ON method.selector = selector.id WHERE method.provider = tool.provider AND method.tool = tool.id"
                " ORDER BY selector.id LIMIT 1) FROM tool JOIN provider ON provider.id = tool.provider"
                " WHERE tool.id = ?",
                tool,
            )
            if row is None:
                raise self._artifact.corrupt(f"no tool {tool}")
            try:
                hints: dict[str, Any] = json.loads(row[2])
                priority, preferred = float(hints.get("priority", 1)), bool(hints.get("preferred"))
                entry = Entry("/".join(row[:2]), str(row[3] or ""), priority, preferred)
            except UNREADABLE as err:
                raise self._artifact.corrupt(f"the names or hints of tool {tool}: {err}") from err
            self._keep(self._entries, tool, entry)
        return entry

    def tool_id(self, path: str) -> int:
        """The id of the tool "P/N"; raises UnknownTool."""
        provider, _, name = path.partition("/")
        row = self._artifact.row(
            "SELECT tool.id FROM provider JOIN tool ON tool.provider = provider.id"
            " WHERE provider.name = ? AND tool.name = ?",
            provider,
            name,
        )
        if row is None:
            raise UnknownTool(f"no tool {path!r} in this artifact", hint="smallchatc inspect DB lists them")
        tool: int = row[0]
        return tool

    def signatures(self, tool: int) -> tuple[Signature, ...]:
        """The signatures of a tool."""
        found = self._signatures.get(tool)
        if found is None:
            rows = self._artifact.rows("SELECT params, closed FROM signature WHERE tool = ? ORDER BY ordinal", tool)
            try:
                found = tuple(
                    Signature({row[0]: _param(*row) for row in json.loads(params)}, bool(closed))
                    for params, closed in rows
                )
            except UNREADABLE as err:
                raise self._artifact.corrupt(f"the signatures of tool {tool}: {err}") from err
            self._keep(self._signatures, tool, found)
        return found

    def named(self, key: str) -> dict[int, str]:
        """The tools that a canonical text means literally, each with the kind of name it is."""
        return dict(self._artifact.rows("SELECT tool, kind FROM name WHERE key = ?", key))

    def look_alike(self, first: int, second: int) -> bool:
        """Whether two tools have the same name, or vectors that the compiler found too close."""
        if self.entry(first).path.partition("/")[2] == self.entry(second).path.partition("/")[2]:
            return True
        pair = (min(first, second), max(first, second))
        found = self._artifact.row(
            "SELECT 1 FROM collision WHERE first = ? AND second = ? UNION ALL"
            " SELECT 1 FROM duplicate WHERE first = ? AND second = ? LIMIT 1",
            *pair,
            *pair,
        )
        return found is not None

    @staticmethod
    def _keep(cache: dict[int, Any], key: int, value: object) -> None:
        if len(cache) >= _CACHE:
            cache.clear()
        cache[key] = value


def _param(name: str, code: str, required: object) -> Param:
    if not isinstance(name, str) or not _CODES.issuperset(code):
        raise ValueError(f"no parameter: {name!r} {code!r}")
    return Param(name, str(code), bool(required))
