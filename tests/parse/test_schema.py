"""Schemas to signatures and arguments: every dialect, every form of reference, no input that breaks it."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallchatc.quirks import schema_quirks
from smallchatc.refs import Refs
from smallchatc.schema import MAX_ARGS, MAX_SIGNATURES, read_arguments, read_signatures, type_code

STRING, NUMBER = {"type": "string"}, {"type": "number"}


def code(schema: Any, root: Any = None) -> str:
    return type_code(schema, Refs(root if root is not None else schema))


def ways(schema: Any) -> list[tuple[dict[str, str], list[str], bool]]:
    return [
        ({p.name: p.code for p in s.params}, [p.name for p in s.params if p.required], s.closed)
        for s in read_signatures(schema)
    ]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, "*"),
        (False, ""),
        ({}, "*"),
        ({"type": "integer"}, "n"),
        ({"type": ["string", "null"]}, "sz"),
        ({"type": "string", "nullable": True}, "sz"),
        ({"nullable": True}, "*"),
        ({"anyOf": [STRING, NUMBER]}, "ns"),
        ({"oneOf": [STRING, {"type": "null"}]}, "sz"),
        ({"anyOf": [STRING, {}]}, "*"),
        ({"anyOf": [STRING, False]}, "s"),
        ({"allOf": [{"type": ["string", "number"]}, STRING]}, "s"),
        ({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, "o"),
        ({"enum": ["a", 1, None]}, "nsz"),
        ({"const": True}, "b"),
        ({"enum": [[1], {"a": 1}]}, "ao"),
        ({"properties": {}}, "o"),
        ({"items": STRING}, "a"),
        ({"type": "str"}, "s"),
        ({"type": "whatever"}, "*"),
        ({"type": {"type": "array"}}, "*"),
        ({"type": []}, "*"),
        ({"type": "string", "enum": [1]}, "s"),
        ("no schema", "*"),
    ],
)
def test_type_letters(schema: Any, expected: str) -> None:
    assert code(schema) == expected


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("#/$defs/A", "s"),
        ("#/definitions/B", "n"),
        ("#/properties/p", "b"),
        ("#/$defs/a~1b%20c~0", "a"),
        ("#/$defs/list/anyOf/1", "o"),
        ("#anchor", "s"),
        ("urn:example:own", "z"),
        ("urn:example:own#/inner", "n"),
        ("#", "o"),
        ("#/$defs/none", "*"),
        ("#/$defs/A/type", "*"),
        ("https://example.com/schema.json", "*"),
        ("#/$defs/loop", "*"),
    ],
)
def test_a_reference_means_what_it_points_to(ref: str, expected: str) -> None:
    root = {
        "type": "object",
        "properties": {"p": {"type": "boolean"}},
        "definitions": {"B": NUMBER},
        "$defs": {
            "A": {**STRING, "$anchor": "anchor"},
            "a/b c~": {"type": "array"},
            "list": {"anyOf": [STRING, {"type": "object"}]},
            "own": {"$id": "urn:example:own", "type": "null", "inner": NUMBER},
            "loop": {"$ref": "#/$defs/loop"},
        },
    }
    assert code({"$ref": ref}, root) == expected


def test_alternatives_at_the_root_are_signatures() -> None:
    schema = {
        "type": "object",
        "properties": {"page": STRING},
        "required": ["page"],
        "oneOf": [{"properties": {"text": STRING}, "required": ["text"]}, {"properties": {"n": NUMBER}}],
    }
    assert ways(schema) == [
        ({"page": "s", "text": "s"}, ["page", "text"], False),
        ({"n": "n", "page": "s"}, ["page"], False),
    ]


def test_alternatives_of_required_names_only() -> None:
    schema = {"properties": {"a": STRING, "b": STRING}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert [required for _, required, _ in ways(schema)] == [["a"], ["b"]]


def test_two_unions_multiply_and_too_many_become_the_loosest() -> None:
    arms = [{"properties": {name: STRING}, "required": [name]} for name in "abc"]
    assert len(ways({"anyOf": arms, "oneOf": arms[:2]})) == 5  # equal ones once
    many = {"anyOf": [{"properties": {f"p{i}": STRING}, "required": [f"p{i}", "q"]} for i in range(MAX_SIGNATURES + 1)]}
    ((params, required, closed),) = ways(many)
    assert (len(params), required, closed) == (MAX_SIGNATURES + 2, ["q"], False)


def test_what_closes_a_signature() -> None:
    assert ways({"additionalProperties": False}) == [({}, [], True)]
    assert ways({"unevaluatedProperties": False}) == [({}, [], True)]
    assert ways({"additionalProperties": {}}) == [({}, [], False)]


def test_a_required_name_that_is_not_declared_takes_anything() -> None:
    assert ways({"properties": {"a": STRING}, "required": ["a", "b"]}) == [({"a": "s", "b": "*"}, ["a", "b"], False)]


@pytest.mark.parametrize("schema", [None, [], "object", 3, True, {}, {"$schema": "x"}])
def test_what_says_nothing_takes_anything(schema: Any) -> None:
    assert ways(schema) == [({}, [], False)]


def test_arguments_are_found_at_any_depth() -> None:
    schema = {
        "properties": {
            "filter": {"$ref": "#/$defs/F", "description": "which ones"},
            "rows": {"type": "array", "items": {"properties": {"id": {**STRING, "format": "uuid"}}}},
            "either": {
                "anyOf": [{"properties": {"left": {"enum": ["l", 1]}}}, {"properties": {"right": {"const": "r"}}}]
            },
            "a.b": {"title": "Dotted"},
        },
        "if": {"properties": {"mode": {"const": 1}}},
        "then": {"properties": {"size": {"description": "only then"}}},
        "$defs": {"F": {"type": "object", "properties": {"team": {"description": "slug"}}, "required": ["team"]}},
        "required": ["rows"],
    }
    args, cut = read_arguments(schema)
    assert not cut
    assert {a.name: (a.code, a.required, a.description, a.enum, a.format) for a in args} == {
        "a.b": ("*", False, "Dotted", (), ""),
        "either": ("o", False, "", (), ""),
        "either.left": ("ns", False, "", ("l", "1"), ""),
        "either.right": ("s", False, "", ("r",), ""),
        "filter": ("o", False, "which ones", (), ""),
        "filter.team": ("*", True, "slug", (), ""),
        "rows": ("a", True, "", (), ""),
        "rows.id": ("s", False, "", (), "uuid"),
        "size": ("*", False, "only then", (), ""),
    }


def test_a_tree_is_described_once_and_never_ends_the_search() -> None:
    schema = {
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {
            "Node": {"properties": {"name": STRING, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}
        },
    }
    assert [a.name for a in read_arguments(schema)[0]] == ["root", "root.children", "root.name"]


def test_what_is_too_large_is_cut_and_says_so() -> None:
    args, cut = read_arguments({"properties": {f"p{i}": STRING for i in range(MAX_ARGS + 1)}})
    assert (len(args), cut) == (MAX_ARGS, True)


@pytest.mark.parametrize("width", [2, 40])
def test_schemas_made_to_explode_do_not(width: int) -> None:
    doubling = {f"D{i}": {"anyOf": [{"$ref": f"#/$defs/D{i + 1}"}] * width} for i in range(60)}
    joined = {f"A{i}": {"allOf": [{"$ref": f"#/$defs/A{i + 1}"}] * width} for i in range(60)}
    schema = {
        "anyOf": [{"$ref": "#/$defs/D0"}] * width,
        "allOf": [{"$ref": "#/$defs/A0"}] * width,
        "properties": {f"p{i}": {"$ref": "#/$defs/D0"} for i in range(width)},
        "$defs": {**doubling, **joined},
    }
    started = time.perf_counter()
    read_signatures(schema)
    read_arguments(schema)
    schema_quirks(schema)
    assert time.perf_counter() - started < 10


KEYWORDS = [
    "type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "$ref", "$defs", "enum", "const", "not",
    "additionalProperties", "then", "dependencies", "nullable", "prefixItems", "exclusiveMinimum", "a", "b",
]  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(
    ["string", "object", "array", "null", "#", "#/$defs/a", "#/properties/a", "http://x", "", "a"]
)  # fmt: skip
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=6),
    max_leaves=30,
)


@given(SCHEMAS)
def test_no_json_value_breaks_the_reading_of_schemas(schema: Any) -> None:
    assert read_signatures(schema)
    names = [arg.name for arg in read_arguments(schema)[0]]
    assert names == sorted(set(names))
    quirks = schema_quirks(schema)
    assert len({quirk.slug for quirk in quirks}) == len(quirks)
