"""Validation: compiled checks agree with jsonschema where both speak, and neither hang nor recurse for ever."""

from __future__ import annotations

import time
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min.validation import compile_schema, full_check


def found(schema: Any, args: dict[str, Any]) -> list[tuple[str, str]]:
    return [(violation.path, violation.kind) for violation in compile_schema(schema).violations(args)]


def props(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "value", "kinds"),
    [
        ({"type": "string"}, 3, ["mismatch"]),
        ({"type": "integer"}, 3.0, []),
        ({"type": "integer"}, 3.5, ["mismatch"]),
        ({"type": "integer"}, True, ["mismatch"]),
        ({"type": ["string", "null"]}, None, []),
        ({"type": "string", "nullable": True}, None, []),
        ({"type": "string"}, None, ["mismatch"]),
        ({"enum": ["a", 1]}, True, ["value"]),
        ({"enum": ["a", 1]}, 1.0, []),
        ({"const": {"a": [1]}}, {"a": [1]}, []),
        ({"const": {"a": [1]}}, {"a": [2]}, ["value"]),
        ({"minimum": 1, "maximum": 3}, 4, ["range"]),
        ({"exclusiveMinimum": 1}, 1, ["range"]),
        ({"minimum": 1, "exclusiveMinimum": True}, 1, ["range"]),
        ({"multipleOf": 0.1}, 0.3, []),
        ({"multipleOf": 2}, 3, ["range"]),
        ({"minLength": 2}, "a", ["length"]),
        ({"maxLength": 1}, "ab", ["length"]),
        ({"pattern": "^a+$"}, "ab", ["pattern"]),
        ({"items": {"type": "number"}}, [1, "x"], ["mismatch"]),
        ({"prefixItems": [{"type": "string"}], "items": False}, ["x", 1], ["forbidden"]),
        ({"items": [{"type": "string"}], "additionalItems": {"type": "number"}}, ["x", "y"], ["mismatch"]),
        ({"uniqueItems": True}, [1, 1.0], ["value"]),
        ({"uniqueItems": True}, [1, True], []),
        ({"minItems": 1}, [], ["length"]),
        ({"required": ["a"]}, {}, ["missing"]),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, ["excess"]),
        ({"additionalProperties": {"type": "string"}}, {"b": 1}, ["mismatch"]),
        (
            {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False},
            {"x-a": "", "b": 1},
            ["excess"],
        ),
        ({"properties": {"a": {}}}, {"b": 1}, []),
        ({"minProperties": 1}, {}, ["length"]),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, True, ["mismatch"]),
        ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, 1, ["value"]),
        ({"allOf": [{"minLength": 2}, {"maxLength": 1}]}, "ab", ["length"]),
        ({"not": {"type": "string"}}, "x", ["forbidden"]),
        (False, 1, ["forbidden"]),
        (True, 1, []),
    ],
)
def test_each_keyword(schema: Any, value: Any, kinds: list[str]) -> None:
    assert [kind for _, kind in found(props(a=schema), {"a": value})] == kinds


def test_a_violation_carries_the_path() -> None:
    schema = props(filter=props(tags={"type": "array", "items": {"type": "string"}}))
    assert found(schema, {"filter": {"tags": ["x", 3]}}) == [("/filter/tags/1", "mismatch")]
    assert found(props(**{"a/b~c": {"type": "string"}}), {"a/b~c": 1}) == [("/a~1b~0c", "mismatch")]


def test_all_violations_at_once() -> None:
    schema = {**props(a={"type": "string"}, b={"type": "number"}), "required": ["a", "b"]}
    assert found(schema, {"a": 1, "x": 2}) == [("/b", "missing"), ("/a", "mismatch"), ("/x", "excess")]


def test_an_argument_that_nobody_named_is_in_excess_unless_the_schema_allows_it() -> None:
    schema = props(a={})
    assert found(schema, {"b": 1}) == [("/b", "excess")]
    assert found({**schema, "additionalProperties": True}, {"b": 1}) == []
    assert found({**schema, "patternProperties": {"^b": {}}}, {"b": 1}) == []
    assert found({"type": "object"}, {"b": 1}) == []
    assert found({"allOf": [schema, props(b={})]}, {"b": 1}) == []


def test_references_are_local_and_may_recurse() -> None:
    tree = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}
    schema = {"$defs": {"tree": tree}, **props(root={"$ref": "#/$defs/tree"})}
    assert found(schema, {"root": {"kids": [{"kids": [{"kids": 3}]}]}}) == [("/root/kids/0/kids/0/kids", "mismatch")]
    assert compile_schema(props(a={"$ref": "other.json#/x"})).not_checked == ("$ref other.json#/x",)


def test_a_reference_to_itself_ends() -> None:
    assert found({"$ref": "#"}, {"a": 1}) == []
    both = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}
    assert found({**both, "$ref": "#/$defs/a"}, {"a": 1}) == []


def test_alternatives_of_references_do_not_multiply() -> None:
    node: dict[str, Any] = {"anyOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}
    schema = {"$defs": {"n": {"type": "object", "properties": {"x": node}, "required": ["y"]}}, **props(x=node)}
    value: dict[str, Any] = {}
    for _ in range(60):
        value = {"x": value}
    started = time.perf_counter()
    assert found(schema, value)
    assert time.perf_counter() - started < 2


def test_unknown_keywords_are_listed_and_ignored() -> None:
    validator = compile_schema(props(a={"type": "string", "format": "email", "frobnicate": 1, "x-note": 2}))
    assert validator.not_checked == ("format", "frobnicate")
    assert validator.violations({"a": "not an address"}) == ()


@pytest.mark.parametrize(
    "schema", [None, [], "x", 3, {"type": 3}, {"properties": 7, "required": "a", "enum": 1, "anyOf": {}}]
)
def test_a_broken_schema_allows_anything(schema: Any) -> None:
    assert found(schema, {"a": 1}) == []


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"^(a|a)*$", r"^(\w+\s?)*$", r"(x+x+)+y", r"^(?:a?){60}a{60}$"])
def test_no_pattern_explodes(pattern: str) -> None:
    started = time.perf_counter()
    assert found(props(a={"pattern": pattern}), {"a": "a" * 40 + "!" + "x" * 2000}) == [("/a", "pattern")]
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize("pattern", ["(", r"(a)\1", "(?=a)b", "a" * 2000, "(?i)a"])
def test_a_pattern_that_cannot_be_searched_safely_is_listed(pattern: str) -> None:
    validator = compile_schema(props(a={"pattern": pattern}))
    assert validator.not_checked == ("pattern",)
    assert validator.violations({"a": "zzz"}) == ()


def test_cyclic_and_huge_arguments_are_a_violation() -> None:
    loop: dict[str, Any] = {}
    loop["me"] = loop
    assert found({"type": "object"}, {"a": loop}) == [("", "cyclic")]
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert found({"type": "object"}, {"a": deep}) == [("", "cyclic")]
    assert found({"type": "object"}, {"a": [0] * 1_000_001}) == [("", "length")]
    while deep:  # so that it is not destroyed by recursion
        deep = deep[0]


def test_the_whole_of_json_schema_is_a_named_option() -> None:
    schema = {**props(a={"type": "string", "maxLength": 2}, b={}), "dependentRequired": {"a": ["b"]}}
    assert compile_schema(schema).not_checked == ("dependentRequired",)
    kinds = [(v.path, v.kind) for v in full_check(schema).violations({"a": "xyz"})]
    assert kinds == [("", "value"), ("/a", "value")]


LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": ["number", "null"]},
        {"enum": ["x", 1, None]},
        {"const": False},
        {"minimum": 0, "maximum": 5},
        {"minLength": 1, "maxLength": 3},
        {"pattern": "^[a-c]*$"},
        {"multipleOf": 2},
        {"$ref": "#/$defs/leaf"},
        True,
        False,
    ]
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda below: st.one_of(
        st.fixed_dictionaries({"items": below, "minItems": st.integers(0, 2)}),
        st.fixed_dictionaries({"anyOf": st.lists(below, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"oneOf": st.lists(below, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"allOf": st.lists(below, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"not": below}),
        st.fixed_dictionaries(
            {
                "properties": st.dictionaries(st.sampled_from("ab"), below),
                "additionalProperties": below,
                "required": st.lists(st.sampled_from("ab"), unique=True),
            }
        ),
        st.fixed_dictionaries({"patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), below)}),
    ),
    max_leaves=8,
)
VALUES = st.recursive(
    st.sampled_from(["", "x", "abc", "dddd", 0, 1, 2.0, 2.5, -1, True, False, None]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from("abx"), below, max_size=3),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(SCHEMAS, VALUES)
def test_the_checks_agree_with_jsonschema(schema: Any, value: Any) -> None:
    whole = {"$defs": {"leaf": {"type": "boolean"}}, "type": "object", "properties": {"v": schema}}
    agreed = not list(jsonschema.Draft202012Validator(whole).iter_errors({"v": value}))
    assert (found(whole, {"v": value}) == []) is agreed


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(
        [r"a+b", r"^(a|bc)*c?$", r"[^a-b]{2,3}", r"\d+-\d*", r"^a?(b+c*){1,2}$", r"\bab\b", r"a*b*a*", r"(a*)*$"]
    ),
    st.text("abc1-\n ", max_size=12),
)
def test_the_safe_search_agrees_with_re(pattern: str, text: str) -> None:
    import re

    from runtime_min.pattern import _Graph, _parser, _search

    graph = _Graph()
    end = graph.add(list(_parser.parse(pattern)), 0)
    assert _search(graph.edges, end, text) is (re.search(pattern, text) is not None)
