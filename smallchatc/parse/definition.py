"""A tool in the words of any form becomes one in MCP's: everything it had, and an inputSchema.

What was written stays under its own key, verbatim; `inputSchema` and `outputSchema` stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model import Json
from .documents import Pointer
from .openapi_types import json_schema_of

_SCHEMAS = (
    "inputSchema",
    "input_schema",
    "parameters",
    "parametersJsonSchema",
    "parameters_json_schema",
    "args_schema",
)
_OUTPUTS = ("outputSchema", "output_schema", "responseJsonSchema", "response_json_schema", "response")
_WRAPPERS = ("function", "custom")
_MARKS = ("name", "description", *_SCHEMAS)
_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_NOTHING = {"type": "object", "properties": {}}
_FREE_FORM = {
    "type": "object",
    "properties": {"input": {"type": "string", "description": "free-form text"}},
    "required": ["input"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A tool in MCP's words, and where in the source its schemas stand."""

    value: dict[str, Json]
    input_at: Pointer
    output_at: Pointer
    input_is_ours: bool = False  # made from a list of arguments: pointers into it mean nothing in the source
    retyped: bool = False  # Gemini's types were written in JSON Schema's words


def unwrapped(raw: Json, pointer: Pointer) -> tuple[Json, Pointer]:
    """The tool inside `{type: function, function: {...}}` and `{toolSpec: {...}}`."""
    if isinstance(raw, dict):
        for key in _WRAPPERS:
            if raw.get("type") == key and isinstance(raw.get(key), dict):
                return {"type": key, **raw[key]} if key == "custom" else raw[key], (*pointer, key)
        if isinstance(raw.get("toolSpec"), dict):
            return raw["toolSpec"], (*pointer, "toolSpec")
    return raw, pointer


def hosted_name(raw: Mapping[str, Json]) -> str | None:
    """The name of a tool that the API runs itself (web search and the like): it is configured, not defined."""
    kind = raw.get("type")
    if isinstance(kind, str):
        dated = kind[-8:].isdigit() and kind[-9:-8] == "_"
        plain = kind not in (*_WRAPPERS, *_TYPES) and not any(mark in raw for mark in _MARKS)
        return kind if dated or plain else None
    if len(raw) == 1:
        ((key, value),) = raw.items()
        plain = isinstance(value, dict) and key not in _WRAPPERS and not any(mark in value for mark in _MARKS)
        return key if plain else None
    return None


def definition_of(raw: Mapping[str, Json], name: str, *, is_function: bool) -> Definition:
    """The tool with an inputSchema where its form has one, under whatever name."""
    value = dict(raw) if raw.get("name") == name else {**raw, "name": name}
    input_at, schema, ours = _input(raw, is_function=is_function)
    output_at = next(((key,) for key in _OUTPUTS if raw.get(key) is not None), ("outputSchema",))
    retyped = False
    if schema is not None:
        read = json_schema_of(schema) if input_at != ("inputSchema",) else schema
        retyped = read is not schema
        value["inputSchema"] = read
    if output_at != ("outputSchema",):
        value["outputSchema"] = json_schema_of(raw[output_at[0]])
    return Definition(value=value, input_at=input_at, output_at=output_at, input_is_ours=ours, retyped=retyped)


def _input(raw: Mapping[str, Json], *, is_function: bool) -> tuple[Pointer, Json, bool]:
    """Where the input schema stands, what it is (None: MCP's own or none), and whether it had to be made."""
    for key in _SCHEMAS:
        if key not in raw:
            continue
        schema = raw[key]
        if isinstance(schema, list) and key != "inputSchema":
            return (key,), schema_of_arguments(schema), True
        if isinstance(schema, dict) and list(schema) == ["json"] and isinstance(schema["json"], dict):
            return (key, "json"), schema["json"], False
        return (key,), None if key == "inputSchema" else schema, False
    if isinstance(raw.get("arguments"), list):
        return ("arguments",), schema_of_arguments(raw["arguments"]), True
    if isinstance(raw.get("args"), dict):
        return ("args",), _schema_of_properties(raw["args"]), True
    if raw.get("type") == "custom":
        return (), _FREE_FORM, True
    return ("inputSchema",), _NOTHING if is_function else None, False


def schema_of_arguments(arguments: list[Json]) -> dict[str, Json]:
    """The inputSchema that a list of arguments means; what is not marked optional is required."""
    properties: dict[str, Json] = {}
    required = []
    for argument in arguments:
        if not isinstance(argument, dict) or not isinstance(argument.get("name"), str):
            continue
        own = ("name", "desc", "optional", *(("required",) if isinstance(argument.get("required"), bool) else ()))
        schema = {key: value for key, value in argument.items() if key not in own}
        if isinstance(argument.get("desc"), str):
            schema["description"] = argument["desc"]
        properties[argument["name"]] = schema
        if argument.get("optional") is not True and argument.get("required") is not False:
            required.append(argument["name"])
    return {"type": "object", "properties": properties, "required": required}


def _schema_of_properties(properties: Mapping[str, Json]) -> dict[str, Json]:
    """LangChain's `args` are the properties alone: what has no default is required there."""
    required = [name for name, schema in properties.items() if isinstance(schema, dict) and "default" not in schema]
    return {"type": "object", "properties": dict(properties), "required": required}
