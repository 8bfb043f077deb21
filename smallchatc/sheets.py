"""Sheets: everything that an artifact says about each of its tools, for pages that show all of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from runtime_min.artifact import Artifact

from . import describe
from .model import Arg, Json
from .schema import read_arguments

TYPES = {"s": "text", "n": "number", "b": "boolean", "z": "null", "o": "object", "a": "list", "*": "anything"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One tool. `alike` are tools that it may be confused with, and how similar they are, closest first."""

    path: str
    provider: str
    name: str
    title: str
    description: str
    arguments: tuple[Arg, ...]
    returns: tuple[Arg, ...]
    signatures: tuple[str, ...]
    selectors: tuple[str, ...]
    aliases: tuple[str, ...]  # aliases and pins, in canonical form
    annotations: Mapping[str, Json]
    hints: Mapping[str, Json]
    alike: tuple[tuple[str, float], ...]
    group: str  # the overload group, "" for none
    place: str  # file:line:column
    kind: str  # of its source
    fingerprint: str
    portable: str
    call: Mapping[str, Json] | None
    written: str  # the definition, as compact JSON


def read_sheets(artifact: Artifact) -> list[Sheet]:
    """A sheet for each tool, by id."""
    alike: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for pair in (*describe.duplicates(artifact), *describe.collisions(artifact)):
        first, second = pair["tools"]
        alike[first].append((second, pair["similarity"]))
        alike[second].append((first, pair["similarity"]))
    selectors, aliases = defaultdict(list), defaultdict(list)
    for selector in describe.selectors(artifact):
        for path in selector["tools"]:
            selectors[path].append(selector["selector"])
    paths = describe.tool_paths(artifact)
    for key, tool in artifact.rows("SELECT key, tool FROM name WHERE kind IN ('alias', 'pin') ORDER BY key"):
        aliases[paths[tool]].append(key)
    groups = {
        member["tool"]: group["overload"] for group in describe.overloads(artifact) for member in group["members"]
    }
    rows = artifact.rows(
        "SELECT t.id, p.name, t.name, t.definition, t.call, t.hints, t.fingerprint, t.portable, f.path, t.line,"
        " t.column, f.kind FROM tool t JOIN provider p ON p.id = t.provider JOIN source f ON f.id = t.source"
        " ORDER BY t.id"
    )
    found = []
    for number, provider, name, text, call, hints, fingerprint, portable, file, line, column, kind in rows:
        path, definition = paths[number], json.loads(text)
        annotations = definition.get("annotations")
        found.append(
            Sheet(
                path=path,
                provider=provider,
                name=name,
                title=_text(definition.get("title")),
                description=_text(definition.get("description")),
                arguments=read_arguments(definition.get("inputSchema", {}))[0],
                returns=read_arguments(definition.get("outputSchema", {}))[0],
                signatures=tuple(describe.signatures(artifact, number)),
                selectors=tuple(selectors[path]),
                aliases=tuple(dict.fromkeys(aliases[path])),
                annotations=annotations if isinstance(annotations, dict) else {},
                hints=json.loads(hints),
                alike=tuple(sorted(dict(reversed(alike[path])).items(), key=lambda each: (-each[1], each[0]))),
                group=groups.get(path, ""),
                place=f"{file}:{line}:{column}",
                kind=kind,
                fingerprint=fingerprint,
                portable=portable,
                call=json.loads(call) if call else None,
                written=text,
            )
        )
    return found


def type_words(code: str) -> str:
    """The type of an argument in words."""
    return " or ".join(TYPES.get(letter, letter) for letter in code) or "nothing"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
