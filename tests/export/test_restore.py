"""What a model sends for an exported definition is led back to what the tool's own schema accepts."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from api_rules import faults
from hypothesis import given, settings
from hypothesis import strategies as st
from projecting import parameters, projected

from runtime_min.errors import UnknownTool
from runtime_min.restore import Exported, restore_arguments

NAMES = st.sampled_from(
    ["a", "b", "filter[id]", "filter_id", "$top", "top", "page size", "数", "1st", "x" * 70, "$ref"]
)
SCALARS = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": "boolean"},
        {"type": ["string", "null"]},
        {"type": "integer", "enum": [0, 1, 3]},
        {"enum": ["x", "y"]},
        {"const": "only"},
        {"$ref": "#/$defs/tree"},
    ]
)


def objects(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(NAMES, below, min_size=1, max_size=4).flatmap(
        lambda properties: st.sets(st.sampled_from(sorted(properties))).map(
            lambda required: {
                "type": "object",
                "properties": properties,
                "required": sorted(required),
                "additionalProperties": False,
            }
        )
    )


SCHEMAS = objects(
    st.recursive(
        SCALARS, lambda below: objects(below) | below.map(lambda items: {"type": "array", "items": items}), max_leaves=8
    )
)
TREE = {
    "type": "object",
    "properties": {"node[]": {"type": "string"}, "below": {"$ref": "#/$defs/tree"}},
    "required": ["node[]"],
    "additionalProperties": False,
}


def sent(draw: Any, schema: dict[str, Any], root: dict[str, Any], depth: int = 0) -> Any:
    """A value that an exported schema asks for: what a model might send."""
    if "$ref" in schema:
        return sent(draw, root["$defs"][schema["$ref"].rpartition("/")[2]], root, depth + 1)
    if "anyOf" in schema:
        arms = [arm for arm in schema["anyOf"] if arm.get("type") == "null"] if depth > 4 else []
        return sent(draw, draw(st.sampled_from(arms or schema["anyOf"])), root, depth + 1)
    if schema.get("nullable") and draw(st.booleans()):
        return None
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    if "const" in schema:
        return schema["const"]
    kind = schema["type"] if isinstance(schema["type"], str) else draw(st.sampled_from(schema["type"]))
    kind = "null" if depth > 4 and "null" in schema["type"] else kind.lower()
    if kind == "object":
        required = schema.get("required", ())
        return {
            name: sent(draw, each, root, depth + 1)
            for name, each in schema.get("properties", {}).items()
            # Gemini's end of a recursion is an object of any shape: what it holds is beyond the exported schema.
            if name in required or (depth < 4 and each != {"type": "OBJECT"} and draw(st.booleans()))
        }
    if kind == "array":
        return [sent(draw, schema["items"], root, depth + 1) for _ in range(draw(st.integers(0, 2)))]
    return {"string": "3", "integer": 1, "boolean": True, "null": None}[kind]


@settings(max_examples=300, deadline=None)
@given(st.data(), SCHEMAS, st.sampled_from(["anthropic", "openai-strict", "anthropic-strict", "gemini"]))
def test_what_fits_the_exported_schema_fits_the_tool_when_led_back(
    data: st.DataObject, schema: dict[str, Any], target: str
) -> None:
    schema = {**schema, "$defs": {"tree": TREE}}
    made = projected(schema, target)
    assert faults(target, json.loads(json.dumps(made.definition))) == []
    emitted = parameters(made)
    arguments = sent(data.draw, emitted, emitted)
    assert jsonschema_rs.is_valid(schema, restore_arguments(arguments, made.plan)), (arguments, made.plan)


def test_map_keys_are_data_and_keep_their_names() -> None:
    schema = {
        "type": "object",
        "properties": {
            "by[id]": {
                "type": "object",
                "properties": {"page size": {"type": "integer"}, "plain": {"type": "object"}},
                "additionalProperties": {"type": "object", "properties": {"a b": {"type": "string"}}},
            }
        },
    }
    made = projected(schema, "anthropic")
    given = {"by_id": {"page_size": 1, "by_id": {"a_b": "x", "by_id": 1}, "plain": {"a_b": "kept"}}}
    assert restore_arguments(given, made.plan) == {
        "by[id]": {"page size": 1, "by_id": {"a b": "x", "by_id": 1}, "plain": {"a_b": "kept"}}
    }


def test_null_means_absent_only_where_the_tool_does_not_know_null() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}, "c": {"type": "integer"}},
        "required": ["c"],
    }
    made = projected(schema, "openai-strict")
    assert restore_arguments({"a": None, "b": None, "c": 1}, made.plan) == {"b": None, "c": 1}


def test_a_number_that_became_text_is_a_number_again() -> None:
    made = projected({"type": "object", "properties": {"phases": {"type": "integer", "enum": [0, 1, 3]}}}, "gemini")
    assert parameters(made)["properties"]["phases"]["enum"] == ["0", "1", "3"]
    assert restore_arguments({"phases": "3"}, made.plan) == {"phases": 3}


def test_the_map_leads_a_call_back() -> None:
    exported = Exported({"tools": {"p__t": {"tool": "p/t", "arguments": {"properties": {"a_b": {"name": "a b"}}}}}})
    assert exported.tool("p__t") == "p/t"
    assert exported.arguments("p__t", {"a_b": 1, "c": 2}) == {"a b": 1, "c": 2}
    with pytest.raises(UnknownTool, match="no exported tool is called 'q'"):
        exported.arguments("q", {})


def test_arguments_nested_without_end_pass() -> None:
    deep: Any = {}
    for _ in range(900):
        deep = {"below": deep}
    plan = {"use": "t", "defs": {"t": {"properties": {"below": {"use": "t"}, "x": {"name": "y"}}}}}
    assert restore_arguments(deep, plan) == deep
