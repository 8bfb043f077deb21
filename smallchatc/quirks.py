"""What is odd about a schema, each oddity with its slug and its place in the schema.

Nothing here changes a schema: `smallchatc.schema` reads past every oddity that is named here. One tool gets
each slug once, at the first place, with the number of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from .model import Json
from .refs import REMOTE, UNRESOLVED, Refs, refs_of

Pointer = tuple[str | int, ...]

MAX_SUBSCHEMAS = 20_000
TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")

_PORTABLE_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
SUBSCHEMA = {
    "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "not",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
}  # fmt: skip
SUBSCHEMA_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
SUBSCHEMA_MAPS = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
_MAY_BE_BOOLEAN = {"additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"}
_SAYS_NOTHING = {"$schema", "$id", "id", "$comment", "title", "description", "examples", "default"}
_COMBINATORS = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quirk:
    """One oddity; `pointer` leads from the schema's root."""

    slug: str
    message: str
    pointer: Pointer


def schema_quirks(schema: Json) -> tuple[Quirk, ...]:
    """The oddities of an input schema, each slug once."""
    if not isinstance(schema, dict):
        shown = (
            "null"
            if schema is None
            else f"a {type(schema).__name__}"
            if not isinstance(schema, str)
            else f"'{schema[:40]}'"
        )
        return (Quirk(slug="bad-schema", message=f"inputSchema is {shown}, not an object", pointer=()),)
    return once([*_root_quirks(schema), *_inner_quirks(schema)])


def output_quirk(schema: Json) -> Quirk | None:
    """What makes an output schema unusable, if anything does."""
    slug = "bad-output-schema"
    if not isinstance(schema, dict):
        return Quirk(slug=slug, message="outputSchema is not an object", pointer=())
    if not any(key in schema for key in ("type", "$ref", "properties", *_COMBINATORS)):
        return Quirk(slug=slug, message="outputSchema has no type", pointer=())
    for quirk in _inner_quirks(schema):
        if quirk.slug in ("bad-type", "property-schema-not-a-schema", "properties-not-an-object", "unresolved-ref"):
            return Quirk(slug=slug, message=f"outputSchema: {quirk.message}", pointer=quirk.pointer)
    return None


def _root_quirks(schema: Mapping[str, Json]) -> Iterator[Quirk]:
    declared = schema.get("type")
    combinators = [keyword for keyword in _COMBINATORS if keyword in schema]
    if not set(schema) - _SAYS_NOTHING:
        yield Quirk(slug="empty-schema", message="inputSchema says nothing", pointer=())
    elif declared is None and not any(True for _ in refs_of(schema)):
        keyword = f"; it has {', '.join(combinators)}" if combinators else ""
        yield Quirk(
            slug="schema-root-missing-type", message=f"inputSchema has no type at its root{keyword}", pointer=()
        )
    elif declared is not None and declared != "object" and not (isinstance(declared, list) and "object" in declared):
        yield Quirk(
            slug="schema-root-not-object",
            message=f"inputSchema has type {_show(declared)} at its root",
            pointer=("type",),
        )
    for keyword in combinators:
        yield Quirk(slug="root-composition", message=f"inputSchema has {keyword} at its root", pointer=(keyword,))


def _inner_quirks(root: Mapping[str, Json]) -> Iterator[Quirk]:
    refs = Refs(root)
    draft04 = "draft-04" in str(root.get("$schema", ""))
    for pointer, schema in subschemas(root):
        if isinstance(schema, bool):
            if not pointer or pointer[-1] not in _MAY_BE_BOOLEAN:
                word = "true" if schema else "false"
                yield Quirk(
                    slug="boolean-schema", message=f"{where(pointer)} has {word} as its schema", pointer=pointer
                )
        elif not isinstance(schema, dict):
            yield _no_schema(pointer, schema)
        else:
            yield from _type_quirks(pointer, schema)
            yield from _property_quirks(pointer, schema, refs)
            yield from _ref_quirks(pointer, schema, refs)
            for keyword in ("exclusiveMinimum", "exclusiveMaximum"):
                if isinstance(schema.get(keyword), bool) and not draft04:
                    message = f"{where(pointer)} has {keyword}: {str(schema[keyword]).lower()}, as in draft 04"
                    yield Quirk(slug="draft04-keyword", message=message, pointer=(*pointer, keyword))


def _type_quirks(pointer: Pointer, schema: Mapping[str, Json]) -> Iterator[Quirk]:
    declared = schema.get("type")
    if isinstance(declared, list):
        unknown = [name for name in declared if name not in TYPES]
        if unknown or not declared:
            message = f"{where(pointer)} has the unknown type {_show(unknown[0] if unknown else declared)}"
            yield Quirk(slug="bad-type", message=message, pointer=(*pointer, "type"))
        else:
            message = f"{where(pointer)} has a list of types: {', '.join(declared)}"
            yield Quirk(slug="type-list", message=message, pointer=(*pointer, "type"))
    elif declared is not None and declared not in TYPES:
        message = f"{where(pointer)} has the unknown type {_show(declared)}"
        yield Quirk(slug="bad-type", message=message, pointer=(*pointer, "type"))


def _property_quirks(pointer: Pointer, schema: Mapping[str, Json], refs: Refs) -> Iterator[Quirk]:
    properties = schema.get("properties")
    if "properties" in schema and not isinstance(properties, dict):
        message = f"properties of {where(pointer)} is not an object"
        yield Quirk(slug="properties-not-an-object", message=message, pointer=(*pointer, "properties"))
    if isinstance(properties, dict):
        yield from _name_quirks((*pointer, "properties"), properties)
    required = schema.get("required")
    if "required" in schema and not (isinstance(required, list) and all(isinstance(name, str) for name in required)):
        message = f"required of {where(pointer)} is not a list of names"
        yield Quirk(slug="required-not-list", message=message, pointer=(*pointer, "required"))
    elif required and isinstance(properties, dict):
        declared = {name for layer in refs.layers(schema) for name in _keys(layer.get("properties"))}
        declared.update(
            name
            for layer in refs.layers(schema)
            for keyword in ("anyOf", "oneOf")
            for arm in (layer[keyword] if isinstance(layer.get(keyword), list) else ())
            for face in refs.layers(arm)
            for name in _keys(face.get("properties"))
        )
        for index, name in enumerate(required):
            if name not in declared and "patternProperties" not in schema:
                message = f"required of {where(pointer)} names '{name}', which properties does not declare"
                yield Quirk(slug="required-unknown-property", message=message, pointer=(*pointer, "required", index))


def _name_quirks(pointer: Pointer, properties: Mapping[str, Json]) -> Iterator[Quirk]:
    portable: dict[str, str] = {}
    for name in properties:
        if not _PORTABLE_PROPERTY.fullmatch(name):
            shown = name if len(name) <= 64 else f"{name[:61]}..."
            message = f"property name '{shown}' is one that some model APIs refuse"
            yield Quirk(slug="portable-property-name", message=message, pointer=(*pointer, name))
        key = re.sub(r"_+", "_", re.sub(r"[^a-zA-Z0-9_.-]", "_", name)).strip("_")[:64]
        if key in portable:
            message = f"property names '{portable[key]}' and '{name}' become equal in a portable form"
            yield Quirk(slug="portable-property-collision", message=message, pointer=(*pointer, name))
        portable.setdefault(key, name)


def _ref_quirks(pointer: Pointer, schema: Mapping[str, Json], refs: Refs) -> Iterator[Quirk]:
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        ref = schema.get(keyword)
        if not isinstance(ref, str):
            continue
        status, place = refs.resolve(ref).status, (*pointer, keyword)
        if status == UNRESOLVED:
            yield Quirk(
                slug="unresolved-ref", message=f"{where(pointer)} refers to '{ref}', which is not there", pointer=place
            )
        elif status == REMOTE:
            message = f"{where(pointer)} refers to another document, '{ref[:120]}'"
            yield Quirk(slug="ref-remote", message=message, pointer=place)
    if refs.is_circular(schema):
        message = f"{where(pointer)} refers only to itself"
        yield Quirk(slug="circular-ref", message=message, pointer=pointer)


def _no_schema(pointer: Pointer, value: Json) -> Quirk:
    hint = ""
    if len(pointer) > 1 and pointer[-2] == "properties" and pointer[-1] in ("required", "type", "description", "enum"):
        hint = f"; the keyword '{pointer[-1]}' is probably one level too deep"
    kind = "null" if value is None else {"list": "a list", "str": "a text"}.get(type(value).__name__, "a number")
    message = f"{where(pointer)} is {kind}, not a schema{hint}"
    return Quirk(slug="property-schema-not-a-schema", message=message, pointer=pointer)


def subschemas(root: Mapping[str, Json]) -> Iterator[tuple[Pointer, Json]]:
    """Every subschema with its pointer, in reading order."""
    stack: list[tuple[Pointer, Json]] = [((), root)]
    count = 0
    while stack and count < MAX_SUBSCHEMAS:
        pointer, schema = stack.pop()
        count += 1
        yield pointer, schema
        if isinstance(schema, dict):
            stack.extend(reversed(list(_below(pointer, schema))))


def _below(pointer: Pointer, schema: Mapping[str, Json]) -> Iterator[tuple[Pointer, Json]]:
    for keyword, value in schema.items():
        here = (*pointer, keyword)
        if keyword in SUBSCHEMA or (keyword == "items" and not isinstance(value, list)):
            yield here, value
        elif keyword in SUBSCHEMA_LISTS or keyword == "items":
            if isinstance(value, list):
                yield from (((*here, index), item) for index, item in enumerate(value))
            else:
                yield here, value if not isinstance(value, dict) else [value]
        elif keyword in SUBSCHEMA_MAPS and isinstance(value, dict):
            yield from (((*here, name), item) for name, item in value.items())
        elif keyword == "dependencies" and isinstance(value, dict):
            yield from (((*here, name), item) for name, item in value.items() if isinstance(item, dict))


def once(quirks: Iterable[Quirk]) -> tuple[Quirk, ...]:
    by_slug: dict[str, list[Quirk]] = {}
    for quirk in quirks:
        by_slug.setdefault(quirk.slug, []).append(quirk)
    return tuple(
        found[0]
        if len(found) == 1
        else Quirk(slug=slug, message=f"{found[0].message} (and {len(found) - 1} more)", pointer=found[0].pointer)
        for slug, found in by_slug.items()
    )


def where(pointer: Pointer) -> str:
    """The property that a pointer lies in, in a reader's words."""
    names = [str(step) for before, step in pairwise(pointer) if before == "properties"]
    return (
        f"property '{'.'.join(names)}'"
        if names
        else "inputSchema"
        if not pointer
        else f"'{'/'.join(map(str, pointer))}'"
    )


def _show(value: Json) -> str:
    return (
        f"'{value}'"
        if isinstance(value, str)
        else "a list"
        if isinstance(value, list)
        else "an object"
        if isinstance(value, dict)
        else str(value)
    )


def _keys(value: Json) -> Iterable[str]:
    return value.keys() if isinstance(value, dict) else ()
