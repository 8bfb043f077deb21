"""What each model API takes, written down from its documentation and its refusals, and knowing nothing of ours.

`faults(target, tool)` names every rule that one exported tool breaks. Sources: the vendors' packages and pages, and
the 400s that users quote; docs/export.md has the rules in words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
MCP_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
ANTHROPIC_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
GEMINI_PROPERTY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")

LISTS, MAPS = (
    ("allOf", "anyOf", "oneOf", "prefixItems"),
    ("properties", "patternProperties", "$defs", "dependentSchemas"),
)
ONES = (
    "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties", "contentSchema",
)  # fmt: skip

OPENAI_STRICT = {
    "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs",
    "description", "title", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minItems", "maxItems",
}  # fmt: skip
ANTHROPIC_STRICT = {
    "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs",
    "description", "title", "format", "minItems",
}  # fmt: skip
OPENAI_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
GEMINI_SCHEMA = {
    "type", "format", "title", "description", "nullable", "enum", "items", "maxItems", "minItems", "properties",
    "maxProperties", "minProperties", "required", "minimum", "maximum", "minLength", "maxLength", "pattern", "anyOf",
}  # fmt: skip
GEMINI_TYPES = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}


def faults(target: str, tool: dict[str, Any]) -> list[str]:
    """The rules that this tool breaks, each with its place."""
    return list(RULES[target](tool))


def subschemas(schema: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    yield at, schema
    if not isinstance(schema, dict):
        return
    for key in ONES:
        if isinstance(schema.get(key), dict):
            yield from subschemas(schema[key], f"{at}/{key}")
    for key in LISTS:
        for index, item in enumerate(schema.get(key, ())):
            yield from subschemas(item, f"{at}/{key}/{index}")
    for key in MAPS:
        for name, item in schema.get(key, {}).items():
            yield from subschemas(item, f"{at}/{key}/{name}")


def types(schema: dict[str, Any]) -> list[str]:
    declared = schema.get("type", [])
    return [declared] if isinstance(declared, str) else declared


def valid_2020(schema: Any) -> Iterator[str]:
    yield from invalid(schema)
    for at, each in subschemas(schema):
        ref = each.get("$ref") if isinstance(each, dict) else None
        if ref is not None and (not ref.startswith("#/$defs/") or ref[8:] not in schema.get("$defs", {})):
            yield f"{at}: $ref {ref} leads nowhere"
        if isinstance(each, dict) and "$defs" in each and at:
            yield f"{at}: $defs below the root"


def invalid(schema: Any) -> Iterator[str]:
    """What the meta-schema of its dialect (2020-12 where it names none) says against a schema."""
    try:
        jsonschema_rs.meta.validate(schema)
    except jsonschema_rs.ValidationError as err:
        yield f"invalid at /{'/'.join(map(str, err.instance_path))}: {err.message[:100]}"


def plain_root(schema: Any) -> Iterator[str]:
    if schema.get("type") != "object":
        yield "the root is no object"
    for key in ("anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"):
        if key in schema:
            yield f"{key} at the root"


def openai(tool: dict[str, Any], function: dict[str, Any] | None = None) -> Iterator[str]:
    if function is None:
        if set(tool) != {"type", "function"} or tool["type"] != "function":
            yield "not the shape of chat completions"
        function = tool["function"]
    if not NAME.fullmatch(function["name"]):
        yield "name"
    if not isinstance(function.get("description", ""), str):
        yield "description"
    schema = function["parameters"]
    yield from plain_root(schema)
    yield from valid_2020(schema)
    for at, each in subschemas(schema):
        if isinstance(each, dict) and "array" in types(each) and not isinstance(each.get("items"), dict):
            yield f"{at}: array without items"
        if isinstance(each, bool) and not at.endswith(("additionalProperties", "unevaluatedProperties")):
            yield f"{at}: boolean schema"
    if function["strict"]:
        yield from openai_strict(schema)


def openai_responses(tool: dict[str, Any]) -> Iterator[str]:
    if tool["type"] != "function" or not set(tool) <= {
        "type",
        "name",
        "description",
        "parameters",
        "strict",
        "defer_loading",
    }:
        yield "not the shape of responses"
    if not isinstance(tool.get("strict"), bool):
        yield "strict is not said"
    yield from openai(tool, tool)


def strict(schema: dict[str, Any], keywords: set[str], formats: set[str], *, all_required: bool) -> Iterator[str]:
    for at, each in subschemas(schema):
        if not isinstance(each, dict):
            yield f"{at}: no schema object"
            continue
        for key in each.keys() - keywords:
            yield f"{at}: {key}"
        if "format" in each and each["format"] not in formats:
            yield f"{at}: format {each['format']}"
        if "$ref" in each and len(each) > 1:
            yield f"{at}: words beside $ref"
        if not each.keys() & {"type", "anyOf", "$ref"}:
            yield f"{at}: no type"
        if "object" in types(each):
            if each.get("additionalProperties") is not False:
                yield f"{at}: open object"
            if all_required and set(each.get("required", ())) != set(each.get("properties", {})):
                yield f"{at}: a property is not required"
            if not set(each.get("required", ())) <= set(each.get("properties", {})):
                yield f"{at}: required names what is not there"
        if "array" in types(each) and not isinstance(each.get("items"), dict):
            yield f"{at}: array without items"
        if any(isinstance(value, dict | list) for value in each.get("enum", ())):
            yield f"{at}: enum of objects"


def openai_strict(schema: dict[str, Any]) -> Iterator[str]:
    yield from strict(schema, OPENAI_STRICT, OPENAI_FORMATS, all_required=True)
    every = [each for _, each in subschemas(schema)]
    names = [name for each in every for name in each.get("properties", ())]
    values = [str(value) for each in every for value in each.get("enum", ())]
    if len(names) > 5000 or len(values) > 1000 or sum(map(len, names + values)) > 120_000:
        yield "larger than strict mode allows"
    if max(levels(each, schema, ()) for each in [schema]) > 10:
        yield "deeper than 10 levels"
    for each in every:
        if len(each.get("enum", ())) > 250 and sum(len(str(value)) for value in each["enum"]) > 15_000:
            yield "an enum larger than strict mode allows"


def levels(schema: dict[str, Any], root: dict[str, Any], trail: tuple[str, ...]) -> int:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return 0 if name in trail else levels(root["$defs"][name], root, (*trail, name))
    below = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    if isinstance(schema.get("items"), dict):
        below.append(schema["items"])
    own = int(bool({"object", "array"} & set(types(schema))))
    return own + max((levels(each, root, trail) for each in below), default=0)


def anthropic(tool: dict[str, Any]) -> Iterator[str]:
    if not set(tool) <= {"name", "description", "input_schema", "strict", "defer_loading"}:
        yield "not the shape of messages"
    if not NAME.fullmatch(tool["name"]):
        yield "name"
    schema = tool["input_schema"]
    yield from plain_root(schema)
    yield from valid_2020(schema)
    for at, each in subschemas(schema):
        for name in each.get("properties", ()) if isinstance(each, dict) else ():
            if not ANTHROPIC_PROPERTY.fullmatch(name):
                yield f"{at}: property name {name[:80]}"
    if tool.get("strict"):
        yield from strict(schema, ANTHROPIC_STRICT, {*OPENAI_FORMATS, "uri"}, all_required=False)
        for at, each in subschemas(schema):
            if each.get("minItems", 0) not in (0, 1):
                yield f"{at}: minItems {each['minItems']}"
        if recursive(schema):
            yield "recursive"


def recursive(root: dict[str, Any]) -> bool:
    def leads(schema: Any) -> set[str]:
        return {each["$ref"].rpartition("/")[2] for _, each in subschemas(schema) if "$ref" in each}

    edges = {name: leads(each) for name, each in root.get("$defs", {}).items()}
    for start in edges:
        seen: set[str] = set()
        waiting = set(edges[start])
        while waiting:
            seen |= waiting
            waiting = set().union(*(edges[name] for name in waiting)) - seen
        if start in seen:
            return True
    return False


def gemini(tool: dict[str, Any]) -> Iterator[str]:
    if not set(tool) <= {"name", "description", "parameters"}:
        yield "not the shape of a function declaration"
    if not GEMINI_NAME.fullmatch(tool["name"]):
        yield "name"
    if "parameters" not in tool:
        return
    if tool["parameters"].get("type") != "OBJECT" or not tool["parameters"].get("properties"):
        yield "the root is no object with properties"
    for at, each in subschemas(tool["parameters"]):
        for key in each.keys() - GEMINI_SCHEMA:
            yield f"{at}: {key}"
        if "anyOf" in each:
            if len(each) > 1:
                yield f"{at}: something beside anyOf"
        elif each.get("type") not in GEMINI_TYPES:
            yield f"{at}: type {each.get('type')}"
        if each.get("type") == "ARRAY" and not isinstance(each.get("items"), dict):
            yield f"{at}: array without items"
        if "enum" in each and (each["type"] != "STRING" or not all(v and isinstance(v, str) for v in each["enum"])):
            yield f"{at}: enum"
        allowed = {"STRING": {"enum", "date-time"}, "NUMBER": {"float", "double"}, "INTEGER": {"int32", "int64"}}
        if "format" in each and each["format"] not in allowed.get(each["type"], ()):
            yield f"{at}: format"
        for name in each.get("properties", ()):
            if not GEMINI_PROPERTY.fullmatch(name):
                yield f"{at}: property name {name[:80]}"
        if not set(each.get("required", ())) <= set(each.get("properties", ())):
            yield f"{at}: required names what is not there"


def mcp(tool: dict[str, Any]) -> Iterator[str]:
    if not MCP_NAME.fullmatch(tool["name"]):
        yield "name"
    schema = tool["inputSchema"]
    if schema.get("type") != "object":
        yield "the root is no object"
    yield from invalid(schema)
    for at, each in subschemas(schema):
        if isinstance(each, dict) and isinstance(each.get("$ref"), str) and not each["$ref"].startswith("#"):
            yield f"{at}: $ref into another document"
    try:
        json.dumps(tool, allow_nan=False)
    except ValueError:
        yield "a number that JSON does not know"


RULES = {
    "openai": openai,
    "openai-responses": openai_responses,
    "openai-strict": openai,
    "anthropic": anthropic,
    "anthropic-strict": anthropic,
    "gemini": gemini,
    "mcp": mcp,
}
