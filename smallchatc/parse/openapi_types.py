"""Gemini's subset of OpenAPI becomes JSON Schema: STRING is string, any_of is anyOf, "3" is 3.

Both spellings of the API are read (its JSON has camel case, dumps of its Python types have snake case). Nothing else
is changed: `nullable`, `propertyOrdering` and the like stay.
"""

from __future__ import annotations

from ..model import Json

_TYPES = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}
_UNSPECIFIED = "TYPE_UNSPECIFIED"
_NAMES = {
    "any_of": "anyOf",
    "additional_properties": "additionalProperties",
    "max_items": "maxItems",
    "max_length": "maxLength",
    "max_properties": "maxProperties",
    "min_items": "minItems",
    "min_length": "minLength",
    "min_properties": "minProperties",
    "defs": "$defs",
    "ref": "$ref",
}
_COUNTS = ("maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties")
_LISTS = ("anyOf", "allOf", "oneOf")
_MAPS = ("properties", "$defs")
_ONE = ("items", "additionalProperties")


def json_schema_of(schema: Json) -> Json:
    """The schema in JSON Schema's words; the same object where nothing was to be changed."""
    if not isinstance(schema, dict):
        return schema
    changed: dict[str, Json] = {}
    for key, value in schema.items():
        name = _NAMES.get(str(key), str(key))
        if name == "type" and value == _UNSPECIFIED:
            continue
        changed[name if name not in schema else key] = _value_of(name, value)
    same = list(changed) == list(schema) and all(changed[key] is schema[key] for key in schema)
    return schema if same else changed


def _value_of(name: str, value: Json) -> Json:
    if name == "type":
        return value.lower() if isinstance(value, str) and value in _TYPES else value
    if name in _COUNTS and isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)  # the API writes 64-bit numbers as texts
    if name in _MAPS and isinstance(value, dict):
        below = {key: json_schema_of(item) for key, item in value.items()}
        return value if all(below[key] is value[key] for key in value) else below
    if name in _LISTS and isinstance(value, list):
        items = [json_schema_of(item) for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return json_schema_of(value) if name in _ONE else value
