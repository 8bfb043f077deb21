"""One side of a diff: what of an artifact is compared, read from its rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from runtime_min.artifact import Artifact

from ..model import Json

SETTINGS = ("overload_threshold", "dedup_threshold")
ENCODER = ("encoder", "tool_encoder", "embed_rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSide:
    """A tool as one artifact holds it."""

    path: str
    provider: str
    name: str
    definition: Mapping[str, Json]
    call: str
    schema_fingerprint: str
    hints: Mapping[str, Json]
    selector: str
    names: frozenset[str]  # aliases and pins, in canonical form
    file: str
    line: int
    vector: bytes  # int8

    @property
    def description(self) -> str:
        """What it says of itself; "" for nothing."""
        text = self.definition.get("description")
        return text if isinstance(text, str) else ""

    @property
    def body(self) -> dict[str, Json]:
        """The definition without its name; hints are compared as the compiler read them."""
        return {key: value for key, value in self.definition.items() if key not in ("name", "compilerHints")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSide:
    """A provider as one artifact holds it."""

    name: str
    title: str
    version: str
    description: str
    transport: str
    kin: tuple[str, ...]  # superclass, then the protocols that it conforms to
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """An artifact, opened for comparison."""

    artifact: Artifact
    tools: Mapping[str, ToolSide]
    providers: Mapping[str, ProviderSide]
    overloads: frozenset[frozenset[str]]
    alike: Mapping[tuple[str, str], float]  # pairs that may be confused, in order, with their similarity
    encoder: Mapping[str, str]
    settings: Mapping[str, Json]


def read_side(artifact: Artifact) -> Side:
    """What of an artifact is compared."""
    tools = _tools(artifact)
    paths = list(tools)
    groups: dict[int, set[str]] = {}
    for group, tool in artifact.rows("SELECT overload, tool FROM overload_member"):
        groups.setdefault(group, set()).add(paths[tool])
    pairs = artifact.rows(
        "SELECT first, second, similarity FROM collision UNION SELECT first, second, similarity FROM duplicate"
    )
    cuts = json.loads(artifact.meta.get("cuts", "{}"))
    return Side(
        artifact=artifact,
        tools=tools,
        providers=_providers(artifact),
        overloads=frozenset(map(frozenset, groups.values())),
        alike={(paths[first], paths[second]): similarity for first, second, similarity in pairs},
        encoder={key: artifact.meta[key] for key in ENCODER if key in artifact.meta},
        settings={**{key: artifact.meta[key] for key in SETTINGS if key in artifact.meta}, "cuts": cuts},
    )


def _tools(artifact: Artifact) -> dict[str, ToolSide]:
    selectors = dict(
        artifact.rows(
            "SELECT method.tool, min(selector.canonical) FROM method JOIN selector ON selector.id = method.selector"
            " JOIN tool ON tool.id = method.tool AND tool.provider = method.provider GROUP BY method.tool"
        )
    )
    names: dict[int, set[str]] = {}
    for key, tool in artifact.rows("SELECT key, tool FROM name WHERE kind IN ('alias', 'pin')"):
        names.setdefault(tool, set()).add(key)
    rows = artifact.rows(
        "SELECT tool.id, provider.name, tool.name, tool.definition, tool.call, tool.schema_fingerprint, tool.hints,"
        " source.path, tool.line, profile.vector FROM tool JOIN provider ON provider.id = tool.provider"
        " LEFT JOIN source ON source.id = tool.source LEFT JOIN profile ON profile.tool = tool.id ORDER BY tool.id"
    )
    found = {}
    for number, provider, name, definition, call, schema, hints, file, line, vector in rows:
        path = f"{provider}/{name}"
        found[path] = ToolSide(
            path=path,
            provider=provider,
            name=name,
            definition=json.loads(definition),
            call=call,
            schema_fingerprint=schema,
            hints=json.loads(hints),
            selector=selectors.get(number, ""),
            names=frozenset(names.get(number, ())),
            file=file or "",
            line=line,
            vector=vector or b"",
        )
    return found


def _providers(artifact: Artifact) -> dict[str, ProviderSide]:
    protocols: dict[str, list[str]] = {}
    for provider, protocol in artifact.rows(
        "SELECT provider.name, protocol.name FROM conformance JOIN provider ON provider.id = conformance.provider"
        " JOIN protocol ON protocol.id = conformance.protocol ORDER BY 1, 2"
    ):
        protocols.setdefault(provider, []).append(protocol)
    rows = artifact.rows(
        "SELECT p.name, p.title, p.version, p.description, p.transport, q.name, s.path, p.line FROM provider p"
        " LEFT JOIN provider q ON q.id = p.superclass LEFT JOIN source s ON s.id = p.source ORDER BY p.id"
    )
    return {
        name: ProviderSide(
            name=name,
            title=title,
            version=version,
            description=description,
            transport=transport,
            kin=(above or "", *protocols.get(name, ())),
            file=file or "",
            line=line,
        )
        for name, title, version, description, transport, above, file, line in rows
    }
