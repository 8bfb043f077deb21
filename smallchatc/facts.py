"""Facts: an artifact becomes lines of text, one a fact, sorted, so that two artifacts can be compared as texts.

A line is `what whose path = value`, its value as JSON; a text of several lines is a fact a line. What follows from the
rest (the index, ids) and what moves without meaning (lines and columns of sources) is left out; vectors are digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from runtime_min.artifact import Artifact

from . import describe
from .model import Json

_MEASURED = ("calibration", "cuts", "reliability", "kind_weights")  # move a little with every tool
_DIGITS = 4


def facts(artifact: Artifact) -> list[str]:
    """The lines of an artifact, sorted; none holds a line break or anything else that is not for printing."""
    return sorted({_line(what, path, value) for what, path, value in _facts(artifact)})


def _facts(artifact: Artifact) -> Iterator[tuple[str, str, Json]]:
    for key, value in describe.overview(artifact)["meta"].items():
        if key not in _MEASURED:
            yield from _spread("artifact", key, value)
    for key in ("digest", "encoder", "compiler"):
        yield "artifact", key, artifact.meta.get(key, "")
    for key in _MEASURED:
        yield from _spread("measured", key, json.loads(artifact.meta.get(key, "null")))
    for path, kind, digest in artifact.rows("SELECT path, kind, digest FROM source"):
        yield f"source {_word(path)}", kind, digest
    for provider in describe.providers(artifact):
        whose = f"provider {_word(provider['provider'])}"
        for key, value in provider.items():
            if key not in ("provider", "line") and value not in (None, "", [], {}):
                yield from _spread(whose, key, value)
    yield from _tools(artifact)
    for selector in describe.selectors(artifact):
        for tool in selector["tools"]:
            yield f"selector {_word(selector['selector'])}", "answered by", tool
    for group in describe.overloads(artifact):
        for member in group["members"]:
            yield f"overload {_word(group['overload'])}", "member", member["tool"]
    for what in ("collision", "duplicate"):
        for pair in getattr(describe, f"{what}s")(artifact):
            yield f"{what} {_word(pair['tools'][0])} {_word(pair['tools'][1])}", "similarity", pair["similarity"]
    yield from _kinds(artifact)


def _tools(artifact: Artifact) -> Iterator[tuple[str, str, Json]]:
    paths = describe.tool_paths(artifact)
    rows = artifact.rows(
        "SELECT t.id, t.portable, t.definition, t.call, t.fingerprint, t.hints, f.path, v.vector, v.scale"
        " FROM tool t JOIN source f ON f.id = t.source LEFT JOIN profile v ON v.tool = t.id ORDER BY t.id"
    )
    for number, portable, definition, call, fingerprint, hints, file, vector, scale in rows:
        whose = f"tool {_word(paths[number])}"
        for key, value in json.loads(definition).items():
            if key != "name":
                yield from _spread(whose, key, value)
        yield from _spread(whose, "call", json.loads(call) if call else None)
        yield from _spread(whose, "hints", json.loads(hints) or None)
        for signature in describe.signatures(artifact, number):
            yield whose, "signature", signature
        yield whose, "fingerprint", fingerprint[:16]
        yield whose, "portable", portable
        yield whose, "source", file
        if vector:
            yield whose, "vector", hashlib.sha256(vector + f"{scale:.6g}".encode()).hexdigest()[:16]
    for key, tool, kind in artifact.rows("SELECT key, tool, kind FROM name"):
        yield f"tool {_word(paths[tool])}", f"name.{kind}", key


def _kinds(artifact: Artifact) -> Iterator[tuple[str, str, Json]]:
    """Protocols and categories."""
    for name, method, required in artifact.rows(
        "SELECT o.name, m.name, m.required FROM protocol o JOIN protocol_method m ON m.protocol = o.id"
    ):
        yield f"protocol {_word(name)}", "required" if required else "optional", method
    paths = describe.tool_paths(artifact)
    for name, extends, tool in artifact.rows(
        "SELECT c.name, c.extends, m.tool FROM category c JOIN category_method m ON m.category = c.id"
    ):
        yield f"category {_word(name)} of {_word(extends)}", "adds", paths[tool]


def _spread(whose: str, path: str, value: Json) -> Iterator[tuple[str, str, Json]]:
    """A structure as a fact a leaf; texts of a list stand without their number, so that one more is one more line."""
    todo = [(path, value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, dict) and value:
            todo += [(f"{path}.{_word(key)}", each) for key, each in value.items()]
        elif isinstance(value, list) and value:
            plain = all(isinstance(each, str) for each in value)
            todo += [(f"{path}[]" if plain else f"{path}[{place}]", each) for place, each in enumerate(value)]
        elif isinstance(value, str) and "\n" in value:
            yield from ((whose, f"{path}:{place + 1}", line) for place, line in enumerate(value.splitlines()))
        elif value is not None:
            yield whose, path, value


def _line(what: str, path: str, value: Json) -> str:
    shown = round(value, _DIGITS) if isinstance(value, float) else value
    return _printable(f"{what} {path} = {json.dumps(shown, ensure_ascii=False)}")


def _word(text: str) -> str:
    """A name as one word of a line."""
    return text if text and not any(char.isspace() or char in '"=' for char in text) else json.dumps(text)


def _printable(line: str) -> str:
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)
