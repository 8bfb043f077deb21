"""Describe: what `inspect` says about an artifact, as data read from its rows.

Every function takes an open artifact and returns JSON values; tools are named "provider/name".
"""

from __future__ import annotations

import json
from collections import defaultdict
from difflib import get_close_matches
from operator import itemgetter
from typing import Any

from runtime_min.artifact import Artifact
from runtime_min.errors import UnknownTool
from runtime_min.format import IDF_UNIT
from runtime_min.lexicon import STOP, stem, words

from . import measured

_PATH = "p.name || '/' || t.name"
_TOOLS = "tool t JOIN provider p ON p.id = t.provider"
_COUNTED = {
    "providers": "provider",
    "tools": "tool",
    "selectors": "selector",
    "overloads": "overload",
    "collisions": "collision",
    "duplicates": "duplicate",
}
_SHOWN_APART = {"digest", "encoder", "compiler"}


def overview(artifact: Artifact) -> dict[str, Any]:
    """What the artifact is, and how much of everything it holds."""
    counts = {name: artifact.row(f"SELECT count(*) FROM {table}") for name, table in _COUNTED.items()}
    version = artifact.row("PRAGMA user_version")
    assert version is not None
    return {
        "artifact": str(artifact.path),
        "digest": artifact.digest,
        "bytes": artifact.path.stat().st_size,
        "format": "{}.{}".format(*divmod(version[0], 1000)),
        "compiler": artifact.meta.get("compiler", ""),
        "encoder": artifact.encoder,
        **{name: row[0] if row else 0 for name, row in counts.items()},
        "sources": [
            {"path": path, "kind": kind} for path, kind in artifact.rows("SELECT path, kind FROM source ORDER BY id")
        ],
        "self": measured.own_words(artifact),
        "tables": measured.tables(artifact),
        "meta": {key: _value(text) for key, text in sorted(artifact.meta.items()) if key not in _SHOWN_APART},
    }


def providers(artifact: Artifact) -> list[dict[str, Any]]:
    """Each tool class: its tools, superclass, protocols and where it was written."""
    conforms = defaultdict(list)
    for provider, protocol in artifact.rows(
        "SELECT c.provider, o.name FROM conformance c JOIN protocol o ON o.id = c.protocol ORDER BY 1, 2"
    ):
        conforms[provider].append(protocol)
    rows = artifact.rows(
        "SELECT p.id, p.name, p.title, p.version, p.description, p.transport, p.namespace, s.name, f.path, p.line,"
        " (SELECT count(*) FROM tool t WHERE t.provider = p.id)"
        " FROM provider p LEFT JOIN provider s ON s.id = p.superclass LEFT JOIN source f ON f.id = p.source"
        " ORDER BY p.id"
    )
    return [
        {
            "provider": name,
            "title": title,
            "version": version,
            "description": description,
            "tools": tools,
            "transport": json.loads(transport),
            "namespace": namespace,
            "superclass": superclass,
            "protocols": conforms[number],
            "file": file,
            "line": line,
        }
        for number, name, title, version, description, transport, namespace, superclass, file, line, tools in rows
    ]


def selectors(artifact: Artifact) -> list[dict[str, Any]]:
    """Each selector and the tools that answer to it."""
    answers = defaultdict(list)
    for selector, path in artifact.rows(
        f"SELECT DISTINCT m.selector, {_PATH} FROM method m JOIN tool t ON t.id = m.tool"
        " JOIN provider p ON p.id = t.provider ORDER BY m.selector, t.id"
    ):
        answers[selector].append(path)
    rows = artifact.rows("SELECT id, canonical FROM selector ORDER BY id")
    return [{"selector": canonical, "tools": answers[number]} for number, canonical in rows]


def overloads(artifact: Artifact) -> list[dict[str, Any]]:
    """Each group of tools that are one operation with different signatures; the arguments pick."""
    members = defaultdict(list)
    for group, number, path in artifact.rows(
        f"SELECT m.overload, t.id, {_PATH} FROM overload_member m JOIN tool t ON t.id = m.tool"
        " JOIN provider p ON p.id = t.provider ORDER BY m.overload, t.id"
    ):
        members[group].append({"tool": path, "signatures": signatures(artifact, number)})
    rows = artifact.rows("SELECT id, canonical, similarity FROM overload ORDER BY id")
    return [
        {"overload": canonical, "similarity": round(similarity, 4), "members": members[number]}
        for number, canonical, similarity in rows
    ]


def collisions(artifact: Artifact) -> list[dict[str, Any]]:
    """Pairs of tools that may be confused, closest first."""
    return _pairs(artifact, "collision")


def duplicates(artifact: Artifact) -> list[dict[str, Any]]:
    """Pairs of tools that are the same operation with the same signature, closest first."""
    return _pairs(artifact, "duplicate")


def _pairs(artifact: Artifact, table: str) -> list[dict[str, Any]]:
    rows = artifact.rows(
        "SELECT p.name || '/' || t.name, q.name || '/' || u.name, c.similarity"
        f" FROM {table} c JOIN tool t ON t.id = c.first JOIN provider p ON p.id = t.provider"
        " JOIN tool u ON u.id = c.second JOIN provider q ON q.id = u.provider"
        " ORDER BY round(c.similarity, 4) DESC, c.first, c.second"
    )
    return [{"tools": [first, second], "similarity": round(similarity, 4)} for first, second, similarity in rows]


def tool(artifact: Artifact, path: str) -> dict[str, Any]:
    """Everything about one tool: its definition verbatim, how it is called and what it is confused with."""
    number = tool_id(artifact, path)
    row = artifact.row(
        "SELECT t.definition, t.call, t.fingerprint, t.schema_fingerprint, t.hints, f.path, t.line, t.column,"
        " f.kind, p.title, p.version, p.transport"
        " FROM tool t JOIN provider p ON p.id = t.provider LEFT JOIN source f ON f.id = t.source WHERE t.id = ?",
        number,
    )
    assert row is not None
    definition, call, fingerprint, schema_fingerprint, hints, file, line, column, kind, title, version, transport = row
    return {
        "tool": path,
        "selectors": _column(
            artifact,
            "SELECT DISTINCT s.canonical FROM method m JOIN selector s ON s.id = m.selector"
            " WHERE m.tool = ? ORDER BY 1",
            number,
        ),
        "names": [
            {"text": key, "kind": kind}
            for key, kind in artifact.rows("SELECT key, kind FROM name WHERE tool = ? ORDER BY kind, key", number)
        ],
        "signatures": signatures(artifact, number),
        "hints": json.loads(hints),
        "overloads": _column(
            artifact,
            "SELECT o.canonical FROM overload_member m JOIN overload o ON o.id = m.overload"
            " WHERE m.tool = ? ORDER BY 1",
            number,
        ),
        "confusable": [
            {"tool": other, "similarity": pair["similarity"]}
            for pair in collisions(artifact)
            if path in pair["tools"]
            for other in pair["tools"]
            if other != path
        ],
        "call": json.loads(call) if call else None,
        "fingerprint": fingerprint,
        "schema_fingerprint": schema_fingerprint,
        "file": file,
        "line": line,
        "column": column,
        "source": kind,
        "server": {"title": title, "version": version, "transport": json.loads(transport)},
        "definition": json.loads(definition),
    }


def tool_id(artifact: Artifact, path: str) -> int:
    """The id of "provider/name"; raises UnknownTool with the nearest names."""
    provider, _, name = path.partition("/")
    row = artifact.row(f"SELECT t.id FROM {_TOOLS} WHERE p.name = ? AND t.name = ?", provider, name)
    if row is not None:
        return int(row[0])
    near = nearest_tools(artifact, path)
    raise UnknownTool(
        f"{artifact.path.name} holds no tool {path!r}",
        hint=f"did you mean {' or '.join(near)}?" if near else "`smallchatc inspect DB --selectors` lists them all",
    )


def tool_paths(artifact: Artifact) -> list[str]:
    """Every tool, in catalog order."""
    return _column(artifact, f"SELECT {_PATH} FROM {_TOOLS} ORDER BY t.id")


def nearest_tools(artifact: Artifact, path: str) -> list[str]:
    """Tools whose names look like `path`: the same name under another provider first."""
    name = path.rpartition("/")[2]
    same = _column(artifact, f"SELECT {_PATH} FROM {_TOOLS} WHERE t.name = ? ORDER BY t.id LIMIT 3", name)
    return same or get_close_matches(path, tool_paths(artifact), n=3, cutoff=0.6)


def signatures(artifact: Artifact, number: int) -> list[str]:
    """The ways of calling a tool, as a person writes them: `(path: s, depth?: n)`."""
    rows = artifact.rows("SELECT closed, params FROM signature WHERE tool = ? ORDER BY ordinal", number)
    return [_signature(json.loads(params), closed=bool(closed)) for closed, params in rows]


_TYPES = {"s": "string", "n": "number", "b": "boolean", "z": "null", "o": "object", "a": "array", "*": "any"}


def _signature(params: list[list[Any]], *, closed: bool) -> str:
    parts = [
        f"{name}{'' if required else '?'}: {'|'.join(_TYPES.get(letter, letter) for letter in code) or 'nothing'}"
        for name, code, required in params
    ]
    return f"({', '.join(parts if closed else [*parts, '...'])})"


def shared_words(artifact: Artifact, intent: str, path: str) -> list[tuple[str, float]]:
    """The words of an intent that a tool has too, with their lexical weight, heaviest first."""
    row = artifact.row("SELECT terms, shares FROM profile WHERE tool = ?", tool_id(artifact, path))
    shares = dict(zip(*row, strict=True)) if row else {}
    found = {}
    for word in words(intent):
        term = artifact.row("SELECT key, idf FROM term WHERE term = ?", stem(word)) if word not in STOP else None
        if term is not None and term[0] in shares:
            found[word] = round(term[1] * shares[term[0]] / 255 / IDF_UNIT, 3)
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def _column(artifact: Artifact, sql: str, *values: object) -> list[str]:
    return list(map(itemgetter(0), artifact.rows(sql, *values)))


def _value(text: str) -> Any:
    """A meta value: JSON where it is structured, else the text."""
    if text[:1] not in "{[":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def all_paths(artifact: Artifact) -> list[str]:
    """Every tool as "P/N", by id."""
    return _column(
        artifact,
        "SELECT provider.name || '/' || tool.name FROM tool JOIN provider ON provider.id = provider ORDER BY tool.id",
    )
