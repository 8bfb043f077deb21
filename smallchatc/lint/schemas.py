"""What clients, model APIs and readers stumble over in an input schema, beyond what compile has to say.

Each part of a schema is looked at once, with its pointer; oddities that compile reads past are `quirks`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..model import Json
from ..quirks import Pointer, Quirk, subschemas, where
from ..refs import FOUND, Refs, refs_of
from . import dialect, headers

_NESTING_MAPS, _NESTING = {"properties", "patternProperties"}, {"items", "prefixItems", "additionalProperties"}
_SAYS_WHAT = {
    "type", "$ref", "$dynamicRef", "$recursiveRef", "anyOf", "oneOf", "allOf", "not", "if", "enum", "const",
    "properties", "patternProperties", "additionalProperties", "items", "prefixItems",
}  # fmt: skip
_ITEMS_KNOWN = {"items", "prefixItems", "$ref", "anyOf", "oneOf", "allOf", "contains"}
_DEFINITIONS = ("$defs", "definitions")
_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The numbers that a schema is compared with."""

    depth: int
    properties: int
    enum_values: int
    size: int


def schema_findings(schema: Json, limits: Limits) -> Iterator[Quirk]:
    """Everything worth saying about an input schema, a slug perhaps several times."""
    if not isinstance(schema, dict):
        return
    refs = Refs(schema)
    yield from dialect.named(schema)
    yield from _undescribed(schema, refs)
    yield from _sizes(schema, limits)
    recursive = _Recursion(refs)
    for pointer, part in subschemas(schema):
        if isinstance(part, dict):
            yield from dialect.misused(pointer, part, schema)
            yield from _shape(pointer, part)
            yield from _enum(pointer, part)
            yield from _default(pointer, part, refs)
            yield from _refs(pointer, part, refs, recursive)
    yield from headers.header_findings(schema)


def _shape(pointer: Pointer, part: Mapping[str, Json]) -> Iterator[Quirk]:
    declared = part.get("type")
    arrays = declared == "array" or (isinstance(declared, list) and "array" in declared)
    if arrays and not _ITEMS_KNOWN & part.keys():
        message = f"{where(pointer)} is an array and does not say of what"
        yield Quirk(slug="array-without-items", message=message, pointer=pointer)
    for keyword in ("items", "prefixItems"):
        if isinstance(part.get(keyword), list):
            message = f"{where(pointer)} has a schema for each place of the array"
            yield Quirk(slug="tuple-items", message=message, pointer=(*pointer, keyword))
    if len(pointer) > 1 and pointer[-2] == "properties" and not _SAYS_WHAT & part.keys():
        yield Quirk(slug="untyped-property", message=f"{where(pointer)} has no type", pointer=pointer)
    if isinstance(part.get("nullable"), bool):
        message = f"{where(pointer)} has the keyword 'nullable', which JSON Schema does not know"
        yield Quirk(slug="nullable-keyword", message=message, pointer=(*pointer, "nullable"))


def _enum(pointer: Pointer, part: Mapping[str, Json]) -> Iterator[Quirk]:
    values = part.get("enum")
    if not isinstance(values, list) or not values:
        return
    at = (*pointer, "enum")
    if "type" not in part and "$ref" not in part:
        yield Quirk(slug="enum-without-type", message=f"{where(pointer)} has an enum and no type", pointer=at)
    other = [value for value in values if not isinstance(value, str) and value is not None]
    if other:
        message = f"the enum of {where(pointer)} has values that are no texts: {_shown(other)}"
        yield Quirk(slug="enum-non-string", message=message, pointer=at)
    if "" in values:
        message = f"the enum of {where(pointer)} has the empty text"
        yield Quirk(slug="enum-empty-string", message=message, pointer=at)


def _default(pointer: Pointer, part: Mapping[str, Json], refs: Refs) -> Iterator[Quirk]:
    """Keywords that stand beside the default, references followed; what lies deeper in it is not looked at."""
    from runtime_min.checks import Found
    from runtime_min.validation import compile_schema

    if "default" not in part:
        return
    value = part["default"]
    for layer in refs.layers(part):
        found = Found()
        compile_schema(layer).check(value, "", found)
        wrong = [violation for violation in found if violation.kind != "excess"]
        if wrong:
            message = f"the default of {where(pointer)}, {_short(value)}, is not what its schema allows"
            yield Quirk(slug="default-violates-schema", message=message, pointer=(*pointer, "default"))
            return


def _undescribed(schema: Mapping[str, Json], refs: Refs) -> Iterator[Quirk]:
    """Parameters of which nothing is said, all in one."""
    properties = {
        name: part
        for layer in refs.layers(schema)
        if isinstance(layer.get("properties"), dict)
        for name, part in layer["properties"].items()
    }
    silent = [name for name, part in properties.items() if not _described(part, refs)]
    if silent:
        named = ", ".join(f"'{name[:40]}'" for name in silent[:_NAMED])
        more = f" and {len(silent) - _NAMED} more" if len(silent) > _NAMED else ""
        some = "no parameter" if len(silent) == len(properties) > 1 else None
        message = f"{some} is described: {named}{more}" if some else f"not described: {named}{more}"
        own = schema.get("properties")
        pointer = ("properties", silent[0]) if isinstance(own, dict) and silent[0] in own else ()
        yield Quirk(slug="param-description-missing", message=message, pointer=pointer)


def _described(part: Json, refs: Refs) -> bool:
    faces = list(refs.layers(part))
    for layer in list(faces):
        for keyword in ("anyOf", "oneOf"):
            arms = layer.get(keyword)
            faces += [face for arm in arms for face in refs.layers(arm)] if isinstance(arms, list) else []
    return any(str(face.get(key) or "").strip() for face in faces for key in ("description", "title"))


def _sizes(schema: Mapping[str, Json], limits: Limits) -> Iterator[Quirk]:
    deepest: Pointer = ()
    deep = properties = values = 0
    for pointer, part in subschemas(schema):
        depth = _depth(pointer)
        if depth > deep:
            deep, deepest = depth, pointer
        if isinstance(part, dict):
            properties += len(part["properties"]) if isinstance(part.get("properties"), dict) else 0
            values += len(part["enum"]) if isinstance(part.get("enum"), list) else 0
    size = len(json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    for slug, found, limit, what, at in (
        ("schema-depth", deep, limits.depth, "levels", deepest),
        ("schema-properties", properties, limits.properties, "properties", ()),
        ("schema-enum-values", values, limits.enum_values, "enum values", ()),
        ("schema-bytes", size, limits.size, "bytes", ()),
    ):
        if found > limit:
            message = f"inputSchema has {found:,} {what}, more than {limit:,}"
            yield Quirk(slug=slug, message=message, pointer=at)


def _depth(pointer: Pointer) -> int:
    """How many objects and arrays lie around a part; a property may be called like a keyword."""
    depth, steps = 0, iter(pointer)
    for step in steps:
        if step in _NESTING_MAPS:
            next(steps, None)
            depth += 1
        elif step in _NESTING:
            depth += 1
    return depth


def _refs(pointer: Pointer, part: Mapping[str, Json], refs: Refs, recursive: _Recursion) -> Iterator[Quirk]:
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        ref = part.get(keyword)
        if not isinstance(ref, str) or refs.resolve(ref).status != FOUND:
            continue
        at = (*pointer, keyword)
        if ref.startswith("#/") and ref.split("/")[1] not in _DEFINITIONS:
            message = f"{where(pointer)} refers into the body of the schema, '{ref[:120]}'"
            yield Quirk(slug="ref-into-properties", message=message, pointer=at)
        if recursive.holds(ref):
            message = f"{where(pointer)} refers to '{ref[:120]}', which holds itself"
            yield Quirk(slug="ref-recursive", message=message, pointer=at)


class _Recursion:
    """Which references lead to a schema that holds itself; each target is looked through once."""

    def __init__(self, refs: Refs) -> None:
        self._refs = refs
        self._below: dict[str, frozenset[str]] = {}
        self._known: dict[str, bool] = {}

    def holds(self, ref: str) -> bool:
        if ref not in self._known:
            seen: set[str] = set()
            todo = [ref]
            while todo:
                for other in self._inside(todo.pop()):
                    if other not in seen:
                        seen.add(other)
                        todo.append(other)
            self._known[ref] = ref in seen
        return self._known[ref]

    def _inside(self, ref: str) -> frozenset[str]:
        if ref not in self._below:
            target = self._refs.resolve(ref).schema
            parts = subschemas(target) if isinstance(target, dict) else ()
            self._below[ref] = frozenset(name for _, part in parts if isinstance(part, dict) for name in refs_of(part))
        return self._below[ref]


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _shown(values: list[Json]) -> str:
    return ", ".join(map(_short, values[:3])) + (" ..." if len(values) > 3 else "")
