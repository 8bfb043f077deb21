"""Anything may be written into a source: parsing answers, or raises CompileError, and nothing else."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smallchatc.diagnostics import CompileError, to_dict
from smallchatc.parse import Parsed, parse_sources
from smallchatc.parse.documents import read_documents

MANIFESTS = sorted(
    path.read_bytes()
    for path in (Path(__file__).resolve().parents[2] / "fixtures" / "manifests").iterdir()
    if path.is_file()
)
KEYS = ["tools", "name", "inputSchema", "arguments", "result", "id", "server", "compilerHints", "description", "type",
        "function", "error", "sources", "toolHints", "providerHints", "lint", "query", "nextCursor", "protocols",
        "categories", "transport", "env", "annotations", "properties", "openapi", "mcpServers", "servers"]  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["function", "object", "p/t"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=25,
)


def answered(data: bytes) -> None:
    for keep_going in (False, True):
        parsed: Parsed | None = None
        with contextlib.suppress(CompileError):
            parsed = parse_sources(["-"], stdin=data, keep_going=keep_going)
        if parsed is not None:
            for tool in parsed.catalog.tools:
                assert json.loads(tool.definition)["name"] == tool.name
                tool.definition.encode()
            json.dumps([to_dict(d) for d in parsed.diagnostics], allow_nan=False).encode()


@given(st.binary(max_size=200))
def test_bytes(data: bytes) -> None:
    answered(data)


@given(st.text(alphabet=st.sampled_from(list("{}[]\":,-?&*!|>#%@`'\\ \n\tax10.eE+~<=")), max_size=60))
def test_texts_that_look_like_syntax(text: str) -> None:
    answered(text.encode())


@given(VALUES)
def test_json_values(value: Any) -> None:
    answered(json.dumps(value).encode())


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(MANIFESTS), st.data())
def test_manifests_with_a_part_replaced(manifest: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(manifest)))
    end = min(len(manifest), start + data.draw(st.integers(0, 30)))
    answered(manifest[:start] + data.draw(st.binary(max_size=8)) + manifest[end:])


@given(VALUES, VALUES)
def test_a_tool_with_any_field_of_any_value(value: Any, other: Any) -> None:
    fields = ["title", "description", "inputSchema", "outputSchema", "annotations", "compilerHints", "arguments"]
    tools = [{"name": "t", "inputSchema": {}, field: value} for field in fields]
    answered(json.dumps({"id": "p", "tools": [*tools, other], "compilerHints": other}).encode())


@given(VALUES)
def test_what_json_reads_is_read_as_json_reads_it(value: Any) -> None:
    text = json.dumps(value, allow_nan=True)
    documents = read_documents(text).documents
    if isinstance(value, dict | list) and "NaN" not in text and "Infinity" not in text:
        assert json.dumps(documents[0].value) == json.dumps(json.loads(text))


@given(VALUES)
def test_every_pointer_leads_to_its_value(value: Any) -> None:
    """The place of each part, found by scanning again, is where the JSON text of that part begins."""
    # In a list: a bare string is no JSON document to us, and YAML knows no pairs of escapes.
    text = json.dumps([value], indent=1, allow_nan=False) if _finite(value) else "[]"
    document = read_documents(text).documents[0]
    if document.syntax != "json":
        return
    lines = text.split("\n")
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), json.loads(text))]
    while stack:
        pointer, part = stack.pop()
        line, column = document.locate(pointer)
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        assert json.JSONDecoder().raw_decode(rest)[0] == part
        if isinstance(part, dict):
            stack.extend(((*pointer, key), item) for key, item in part.items())
        elif isinstance(part, list):
            stack.extend(((*pointer, index), item) for index, item in enumerate(part))


def _finite(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True
