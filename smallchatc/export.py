"""Export: the tools of an artifact become the definitions that a model API takes, in one document.

With it come the map from portable names back to tools (and of arguments that have to be led back), and a report of
everything that was changed or cannot be said.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase

from runtime_min.artifact import Artifact
from runtime_min.errors import UnknownTool
from runtime_min.portable import portable_provider

from .describe import nearest_tools
from .model import Json
from .projection import NEVER, Projection, StrictReady, project, strict_ready
from .projection.strict import ANTHROPIC, OPENAI

MAX_CHAT_FUNCTIONS = 128
STRICT_TOOLS, STRICT_OPTIONAL, STRICT_UNIONS = 20, 24, 16
"""What Anthropic compiles for one request in strict mode."""

_CHAT = ("openai", "openai-strict")
_ANTHROPIC_SEARCH = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedTool:
    """One tool with its projection."""

    path: str
    provider: str
    name: str  # portable
    projection: Projection
    strict: Mapping[str, StrictReady]  # by vendor: openai, anthropic


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What a request may hold at most, where the export holds more."""

    what: str
    allowed: int
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """Definitions for one target."""

    target: str
    artifact: str  # digest
    document: Json
    tools: tuple[ExportedTool, ...]
    limits: tuple[Limit, ...]


def export(artifact: Artifact, *, target: str, tools: Sequence[str] = (), lazy: bool = False) -> Export:
    """The definitions of all tools, or of those that `tools` ("P/N" or globs of it) name; raises UnknownTool."""
    rows = artifact.rows(
        "SELECT p.name || '/' || t.name, p.name, t.portable, t.definition FROM tool t"
        " JOIN provider p ON p.id = t.provider ORDER BY t.id"
    )
    wanted = _chosen(artifact, [row[0] for row in rows], tools)
    found = tuple(_exported(*row, target=target) for row in rows if row[0] in wanted)
    document = _lazily(artifact, target, found) if lazy else _document(target, found)
    return Export(
        target=target,
        artifact=artifact.digest,
        document=document,
        tools=found,
        limits=tuple(_limits(target, found, lazy)),
    )


def name_map(made: Export) -> Json:
    """What leads a model's call back to the tool (runtime_min.restore reads it)."""
    return {
        "for": made.target,
        "artifact": made.artifact,
        "tools": {
            tool.name: {"tool": tool.path, **({"arguments": tool.projection.plan} if tool.projection.plan else {})}
            for tool in made.tools
        },
    }


def report(made: Export) -> Json:
    """Every change with its place, what cannot be said, and whether strict modes can take each tool."""
    return {
        "for": made.target,
        "artifact": made.artifact,
        "tools": len(made.tools),
        "unchanged": sum(not tool.projection.changes for tool in made.tools),
        "changed": dict(sorted(kinds(made).items())),
        "strict": {
            vendor: dict(sorted(Counter(tool.strict[vendor].verdict for tool in made.tools).items()))
            for vendor in ("openai", "anthropic")
        },
        "limits": [asdict(limit) for limit in made.limits],
        "details": [
            {
                "tool": tool.path,
                "name": tool.name,
                "changes": [asdict(change) for change in tool.projection.changes],
                "strict": {
                    vendor: {
                        "verdict": ready.verdict,
                        "blocked": [{"rule": c.rule, "pointer": c.pointer, "said": c.said} for c in ready.blocked],
                    }
                    for vendor, ready in tool.strict.items()
                },
            }
            for tool in made.tools
        ],
    }


def kinds(made: Export) -> Counter[str]:
    """How many tools had changes of each kind."""
    return Counter(kind for tool in made.tools for kind in {change.kind for change in tool.projection.changes})


def _chosen(artifact: Artifact, paths: Sequence[str], patterns: Sequence[str]) -> set[str]:
    if not patterns:
        return set(paths)
    known = set(paths)
    chosen: set[str] = set()
    for pattern in patterns:
        # A name may hold the signs of a glob: the name itself comes first.
        matched = {pattern} if pattern in known else {path for path in paths if fnmatchcase(path, pattern)}
        if not matched:
            near = nearest_tools(artifact, pattern)
            raise UnknownTool(
                f"{artifact.path.name} holds no tool {pattern!r}",
                hint=f"did you mean {' or '.join(near)}?" if near else "a glob such as 'github/*' names several",
            )
        chosen |= matched
    return chosen


def _exported(path: str, provider: str, name: str, definition: str, *, target: str) -> ExportedTool:
    written = json.loads(definition)
    return ExportedTool(
        path=path,
        provider=provider,
        name=name,
        projection=project(written, name=name, target=target),
        strict={"openai": strict_ready(written, OPENAI), "anthropic": strict_ready(written, ANTHROPIC)},
    )


def _document(target: str, tools: Sequence[ExportedTool]) -> Json:
    definitions = [tool.projection.definition for tool in tools]
    if target == "gemini":
        return [{"functionDeclarations": definitions}]
    return {"tools": definitions} if target == "mcp" else definitions


def _lazily(artifact: Artifact, target: str, tools: Sequence[ExportedTool]) -> Json:
    """The same behind a search: OpenAI's in a namespace for each tool class, hidden there; Anthropic's as a list."""
    deferred = [{**tool.projection.definition, "defer_loading": True} for tool in tools]
    if target != "openai-responses":
        return [_ANTHROPIC_SEARCH, *deferred]
    said = {
        name: description or title or f"The tools of {name}."
        for name, title, description in artifact.rows("SELECT name, title, description FROM provider")
    }
    spaces: dict[str, list[Json]] = {}
    for tool, definition in zip(tools, deferred, strict=True):
        spaces.setdefault(tool.provider, []).append(definition)
    return [
        {"type": "tool_search"},
        *(
            {"type": "namespace", "name": portable_provider(name), "description": said[name], "tools": listed}
            for name, listed in spaces.items()
        ),
    ]


def _limits(target: str, tools: Sequence[ExportedTool], lazy: bool) -> list[Limit]:
    """What is more than a request takes; with lazy loading only what is always sent would count."""
    counted = []
    if target in _CHAT:
        counted.append(Limit(what="functions", allowed=MAX_CHAT_FUNCTIONS, found=len(tools)))
    if target == "anthropic-strict" and not lazy:
        ready = [tool.strict["anthropic"] for tool in tools if tool.strict["anthropic"].verdict != NEVER]
        counted += [
            Limit(what="strict tools", allowed=STRICT_TOOLS, found=len(ready)),
            Limit(what="optional parameters", allowed=STRICT_OPTIONAL, found=sum(each.optional for each in ready)),
            Limit(what="union parameters", allowed=STRICT_UNIONS, found=sum(each.unions for each in ready)),
        ]
    return [limit for limit in counted if limit.found > limit.allowed]
