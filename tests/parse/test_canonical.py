"""The fingerprint of a schema: equal for what accepts the same and is written otherwise, and only for that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallchatc.canonical import schema_fingerprint
from smallchatc.parse import parse_sources
from smallchatc.schema import read_signatures


def of(schema: Any, **beside: Any) -> str:
    """The fingerprint of a tool with one argument of this schema."""
    return schema_fingerprint({"type": "object", "properties": {"x": schema}, **beside})


SAME = {
    "nullable in its spellings": [
        {"type": ["string", "null"], "minLength": 1},
        {"type": "string", "nullable": True, "minLength": 1},
        {"anyOf": [{"type": "null"}, {"minLength": 1, "type": "string"}]},
        {"oneOf": [{"type": "string", "minLength": 1}, {"type": "null"}]},
    ],
    "nullable values": [
        {"enum": ["a", None]},
        {"type": ["string", "null"], "enum": [None, "a"]},
        {"type": "string", "enum": ["a"], "nullable": True},
        {"anyOf": [{"const": "a"}, {"type": "null", "enum": [None]}]},
    ],
    "lists of types": [
        {"type": ["integer", "string"]},
        {"type": ["string", "integer"], "title": "Either"},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"anyOf": [{"type": "integer"}]}, {"type": "string", "description": "words"}]},
    ],
    "one value": [{"const": 1}, {"enum": [1.0]}, {"type": "integer", "enum": [1, "one"]}],
    "boolean schemas": [True, {}, {"description": "any"}, {"anyOf": [{}]}],
    "allOf": [
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"required": ["a"]}]},
        {"type": "object", "allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}]},
    ],
    "order and defaults": [
        {"type": "object", "properties": {"a": {}, "b": {"enum": [None]}}, "required": ["b", "a"]},
        {
            "required": ["a", "b"],
            "properties": {"b": {"type": "null"}, "a": True},
            "type": "object",
            "minProperties": 0,
        },
        {
            "type": "object",
            "properties": {"b": {"type": "null"}, "a": {}},
            "required": ["a", "b"],
            "additionalProperties": {},
        },
    ],
    "bounds of draft 04": [
        {"type": "number", "exclusiveMinimum": 3},
        {"type": "number", "minimum": 3, "exclusiveMinimum": True},
    ],
    "tuples": [
        {"type": "array", "items": [{"type": "string"}, {"type": "number"}], "additionalItems": False},
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": False},
    ],
    "dependencies": [
        {"type": "object", "dependencies": {"a": ["b"]}},
        {"type": "object", "dependentRequired": {"a": ["b"]}},
    ],
}


@pytest.mark.parametrize("kind", SAME)
def test_other_spellings_are_the_same_schema(kind: str) -> None:
    assert len({of(schema) for schema in SAME[kind]}) == 1


def test_each_kind_is_another_schema() -> None:
    assert len({of(schemas[0]) for schemas in SAME.values()}) == len(SAME)


TREE = {"type": "object", "properties": {"name": {"type": "string"}, "below": {"type": "array", "items": "HERE"}}}


def tree(ref: str, **properties: Any) -> Any:
    written = json.loads(json.dumps(TREE).replace('"HERE"', json.dumps({"$ref": ref})))
    written["properties"].update(properties)
    return written


def test_references_are_seen_through() -> None:
    point = {"type": "object", "properties": {"at": {"type": "number"}}}
    plain = schema_fingerprint({"type": "object", "properties": {"x": point, "y": point}})
    for keyword in ("$defs", "definitions"):
        x = {"$ref": f"#/{keyword}/p", "description": "where"}
        whole = {"type": "object", "properties": {"x": x, "y": x}, keyword: {"p": point}}
        assert schema_fingerprint(whole) == plain
    into = {"type": "object", "properties": {"x": point, "y": {"$ref": "#/properties/x"}}}
    assert schema_fingerprint(into) == plain
    anchored = {
        "type": "object",
        "properties": {"x": {"$ref": "#p"}, "y": {"$ref": "#p"}},
        "$defs": {"q": {"$anchor": "p", **point}},
    }
    assert schema_fingerprint(anchored) == plain


def test_recursion_is_the_same_however_it_is_written() -> None:
    itself = tree("#")
    named = {"$ref": "#/$defs/node", "$defs": {"node": tree("#/$defs/node")}}
    unrolled = {**tree("#/$defs/n"), "$defs": {"n": {**tree("#/$defs/m"), "title": "N"}, "m": tree("#/$defs/n")}}
    assert schema_fingerprint(itself) == schema_fingerprint(named) == schema_fingerprint(unrolled)
    other = {**tree("#/$defs/n"), "$defs": {"n": tree("#/$defs/m"), "m": tree("#/$defs/n", extra={"type": "null"})}}
    assert schema_fingerprint(other) != schema_fingerprint(itself)


def test_what_only_refers_to_itself_ends() -> None:
    for schema in (
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#"}]}}},
    ):
        assert len(schema_fingerprint(schema)) == 64


def test_a_long_chain_of_references_is_read() -> None:
    defs: dict[str, Any] = {f"d{n}": {"type": "array", "items": {"$ref": f"#/$defs/d{n + 1}"}} for n in range(3000)}
    defs["d3000"] = {"type": "string"}
    chain = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": defs}
    assert len(schema_fingerprint(chain)) == 64


SCALARS = st.sampled_from(
    [
        {"type": "string"}, {"type": "string", "minLength": 2}, {"type": "integer"}, {"type": "number", "minimum": 1},
        {"type": "null"}, {"type": "boolean"}, {"const": "a"}, {"enum": ["a", 1]}, {"type": ["string", "null"]}, {},
    ]
)  # fmt: skip
SCHEMAS = st.recursive(
    SCALARS,
    lambda below: st.one_of(
        st.lists(below, min_size=1, max_size=3).map(lambda arms: {"anyOf": arms}),
        st.lists(below, min_size=1, max_size=3).map(lambda arms: {"oneOf": arms}),
        st.lists(below, min_size=1, max_size=2).map(lambda arms: {"allOf": arms}),
        below.map(lambda items: {"type": "array", "items": items}),
        st.dictionaries(st.sampled_from("ab"), below, max_size=2).map(
            lambda properties: {"type": "object", "properties": properties, "additionalProperties": False}
        ),
        st.dictionaries(st.sampled_from("ab"), below, min_size=1, max_size=2).map(
            lambda properties: {"type": "object", "properties": properties, "required": sorted(properties)[:1]}
        ),
    ),
    max_leaves=5,
)
VALUES: list[Any] = [
    None, True, 0, 1, 1.5, "", "a", "ab", [], [1], ["a"], [None], {}, {"a": 1}, {"a": "a"}, {"b": None},
    {"a": None, "b": "ab"}, {"c": 1}, [{"a": 1}], {"a": ["a"]}, {"a": {"b": 1}},
]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(SCHEMAS, min_size=10, max_size=60))
def test_equal_fingerprints_accept_the_same(schemas: list[Any]) -> None:
    accepted: dict[str, list[bool]] = {}
    for schema in schemas:
        takes = [jsonschema_rs.is_valid(schema, value) for value in VALUES]
        assert accepted.setdefault(of(schema), takes) == takes, schema


def test_real_tools_with_one_fingerprint_are_called_alike(shared: Path) -> None:
    manifests = shared / "data" / "manifests"
    tools = parse_sources([manifests / "live", manifests / "mcp"], keep_going=True).catalog.tools
    signatures: dict[str, Any] = {}
    for tool in tools:
        ways = read_signatures(json.loads(tool.definition).get("inputSchema"))
        assert signatures.setdefault(tool.schema_fingerprint, ways) == ways, tool.path
