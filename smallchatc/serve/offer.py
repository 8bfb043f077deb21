"""Offer: the tools of an artifact become what clients are shown, and the names that they may call.

Three faces. `tools` lists them all, each with its exact schema; `search` lists two (search.py), however many there
are; `auto` is `tools` while the list is short enough to be read with every request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from runtime_min.artifact import UNREADABLE, Artifact
from runtime_min.header import tokens

from .search import SEARCH_TOOLS

if TYPE_CHECKING:
    from ..model import Json

FACES = ("auto", "tools", "search")
NAMES = ("portable", "own")
MANY = 40
"""Beyond this many tools models choose worse (docs/serve.md), whatever their weight."""

BUDGET = 10_000
_SHOWN = ("title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta")
_OWN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What is served of one artifact."""

    artifact: Artifact
    face: str  # tools or search
    paths: Mapping[str, str]  # every name that may be called -> "P/N"
    names: Mapping[str, str]  # the same the other way round
    listed: tuple[Mapping[str, Json], ...]  # what tools/list gives
    schemas: Mapping[str, Json]  # of what is listed, by name


def offer(artifact: Artifact, *, face: str = "auto", budget: int = BUDGET, names: str = "portable") -> Offer:
    """The offer of an artifact. `names` are the portable ones, which stay when tools are added, or the tools' own
    where no other tool has them and every client takes them."""
    paths = _paths(artifact, own=names == "own")
    called = {path: name for name, path in paths.items()}
    if face == "auto":
        face = "tools" if _is_short(artifact, called, budget) else "search"
    listed = tuple(_tools(artifact, called)) if face == "tools" else SEARCH_TOOLS
    schemas = {tool["name"]: tool["inputSchema"] for tool in listed}
    return Offer(artifact=artifact, face=face, paths=paths, names=called, listed=listed, schemas=schemas)


def shown_tool(artifact: Artifact, path: str, name: str) -> dict[str, Json]:
    """A tool as tools/list has it: what its manifest says, under the name that may be called."""
    provider, _, own = path.partition("/")
    row = artifact.row(
        "SELECT tool.definition FROM tool JOIN provider ON provider.id = tool.provider"
        " WHERE provider.name = ? AND tool.name = ?",
        provider,
        own,
    )
    return _shown(artifact, path, name, row[0] if row else "")


def _paths(artifact: Artifact, *, own: bool) -> dict[str, str]:
    rows = artifact.rows(
        "SELECT provider.name, tool.name, tool.portable FROM tool JOIN provider ON provider.id = tool.provider"
        " ORDER BY tool.id"
    )
    portable = {name: f"{provider}/{tool}" for provider, tool, name in rows}
    if not own:
        return portable
    counted: dict[str, int] = {}
    for _, tool, _ in rows:
        counted[tool] = counted.get(tool, 0) + 1
    return {
        tool if counted[tool] == 1 and _OWN.fullmatch(tool) and tool not in portable else name: f"{provider}/{tool}"
        for provider, tool, name in rows
    }


def _is_short(artifact: Artifact, names: Mapping[str, str], budget: int) -> bool:
    if len(names) > MANY:
        return False
    left = budget
    for tool in _tools(artifact, names):
        left -= tokens(json.dumps(tool, ensure_ascii=False))
        if left < 0:
            return False
    return True


def _tools(artifact: Artifact, names: Mapping[str, str]) -> Iterator[dict[str, Json]]:
    for provider, tool, definition in artifact.rows(
        "SELECT provider.name, tool.name, tool.definition FROM tool JOIN provider ON provider.id = tool.provider"
        " ORDER BY tool.id"
    ):
        path = f"{provider}/{tool}"
        yield _shown(artifact, path, names[path], definition)


def _shown(artifact: Artifact, path: str, name: str, definition: str) -> dict[str, Json]:
    try:
        said: Any = json.loads(definition)
        kept = {key: said[key] for key in _SHOWN if said.get(key) is not None}
    except (*UNREADABLE, AttributeError) as err:
        raise artifact.corrupt(f"the definition of {path}: {err}") from err
    return {"name": name, **kept, "inputSchema": _input_schema(kept.get("inputSchema"))}


def _input_schema(schema: Json) -> dict[str, Json]:
    """As it was written; where its root says no type, "object" is said, since clients refuse a whole list for it."""
    if not isinstance(schema, dict):
        return {"type": "object"}
    return schema if schema.get("type") == "object" else {**schema, "type": "object"}
