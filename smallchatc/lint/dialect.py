"""Keywords of a schema whose values its dialect does not allow, and dialects that nobody knows.

A condensed meta-schema: what each keyword must be. What compile says of types, required, properties and draft
04 is not said again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ..model import Json
from ..quirks import Pointer, Quirk, where

_KNOWN = re.compile(r"https?://json-schema\.org/(?:draft-0[3467]|draft/20(?:19-09|20-12))/schema#?")


def named(schema: Mapping[str, Json]) -> Iterator[Quirk]:
    """The dialect that a schema says it is of."""
    dialect = schema.get("$schema")
    if "$schema" in schema and not (isinstance(dialect, str) and _KNOWN.fullmatch(dialect)):
        message = f"inputSchema is of an unknown dialect, '{str(dialect)[:80]}'"
        yield Quirk(slug="schema-dialect-unsupported", message=message, pointer=("$schema",))


def misused(pointer: Pointer, part: Mapping[str, Json], root: Mapping[str, Json]) -> Iterator[Quirk]:
    """The keywords of one part that have a value of the wrong kind."""
    draft04 = "draft-04" in str(root.get("$schema", "")) or "draft-03" in str(root.get("$schema", ""))
    for keyword, value in part.items():
        is_sound, kind = _MUST_BE.get(keyword, (_anything, ""))
        if keyword.startswith("exclusive") and isinstance(value, bool):
            continue  # draft04-keyword
        if keyword == "required" or (draft04 and keyword in ("id", "$id")):
            continue
        if not is_sound(value):
            message = f"'{keyword}' of {where(pointer)} must be {kind}"
            yield Quirk(slug="schema-invalid-for-dialect", message=message, pointer=(*pointer, keyword))
    for low, high in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
        if _number(part.get(low)) and _number(part.get(high)) and part[low] > part[high]:
            message = f"{low} of {where(pointer)} is above its {high}: nothing fits"
            yield Quirk(slug="schema-invalid-for-dialect", message=message, pointer=(*pointer, low))


def _anything(value: Json) -> bool:
    return True


def _number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _count(value: Json) -> bool:
    return _number(value) and value >= 0 and (isinstance(value, int) or value.is_integer())


def _step(value: Json) -> bool:
    return _number(value) and value > 0


def _text(value: Json) -> bool:
    return isinstance(value, str)


def _switch(value: Json) -> bool:
    return isinstance(value, bool)


def _values(value: Json) -> bool:
    return isinstance(value, list) and len(value) > 0


def _parts(value: Json) -> bool:
    return isinstance(value, list) and len(value) > 0


def _map(value: Json) -> bool:
    return isinstance(value, dict)


_MUST_BE: Mapping[str, tuple[Callable[[Json], bool], str]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), (_number, "a number")),
    "multipleOf": (_step, "a number above 0"),
    **dict.fromkeys(
        (
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "minContains",
            "maxContains",
        ),
        (_count, "a whole number from 0"),
    ),
    **dict.fromkeys(
        ("title", "description", "format", "pattern", "$comment", "$ref", "$anchor", "$id"), (_text, "a text")
    ),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), (_switch, "true or false")),
    "enum": (_values, "a list of values"),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), (_parts, "a list of schemas")),
    **dict.fromkeys(
        ("patternProperties", "$defs", "definitions", "dependentSchemas", "dependentRequired"), (_map, "an object")
    ),
}
