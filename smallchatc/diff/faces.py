"""A face: what a schema says of one value, its references followed and its layers laid on each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..fingerprint import canonical_json
from ..model import Json
from ..projection.node import DEFS, Node, types_of

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
OTHER = ("pattern", "format", "multipleOf", "uniqueItems")
_SAYS_NOTHING = {"minLength": 0, "minItems": 0, "minProperties": 0, "uniqueItems": False}

_ATOMS = {"number": ("integer", "fraction")}
ANY = frozenset(("array", "boolean", "fraction", "integer", "null", "object", "string"))
_MOST_LAYERS = 64
_TALK = ("description", "title", "examples", "default", "$comment", "deprecated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One value's schema. `properties` and `items` are nodes that hold at once."""

    types: frozenset[str]  # number is integer and fraction
    values: Mapping[str, Json] | None  # those that may be given, by canonical JSON
    limits: Mapping[str, Json]
    properties: Mapping[str, tuple[Node, ...]]
    required: frozenset[str]
    closed: bool
    items: tuple[Node, ...]
    arms: Mapping[str, Node]  # several ways of being right, by what they say
    description: str
    default: Json


def face_of(nodes: Sequence[Node], defs: Mapping[str, Node]) -> Face:
    """The face of nodes that hold at once."""
    layers = _layers(nodes, defs)
    arms: dict[str, Node] = {}
    null = False
    for keyword in ("anyOf", "oneOf"):
        several = [arm for layer in layers for arm in layer.get(keyword, ()) if isinstance(arm, Node)]
        told = [arm for arm in several if types_of(arm) != ["null"]]
        null = null or len(told) < len(several)
        if len(told) == 1:
            layers += _layers(told, defs)
        else:
            arms |= {_said(arm): arm for arm in told}
    types = ANY
    for layer in layers:
        types &= _types(layer) or types
    properties: dict[str, tuple[Node, ...]] = {}
    for layer in layers:
        for name, node in layer.get("properties", {}).items():
            properties[name] = (*properties.get(name, ()), node)
    return Face(
        types=types | {"null"} if null else types,
        values=_values(layers),
        limits=_limits(layers),
        properties=properties,
        required=frozenset(name for layer in layers for name in layer.get("required", ())),
        closed=any(_closes(layer) for layer in layers),
        items=tuple(layer["items"] for layer in layers if isinstance(layer.get("items"), Node)),
        arms=arms,
        description=next((text for layer in layers if (text := layer.get("description"))), ""),
        default=next((layer["default"] for layer in layers if "default" in layer), None),
    )


def _layers(nodes: Iterable[Node], defs: Mapping[str, Node]) -> list[Node]:
    """The nodes, what they refer to, and their allOf, each once."""
    found: dict[int, Node] = {}
    stack = list(reversed(list(nodes)))
    while stack and len(found) < _MOST_LAYERS:
        node = stack.pop()
        if id(node) in found:
            continue
        found[id(node)] = node
        below = [arm for arm in node.get("allOf", ()) if isinstance(arm, Node)]
        target = defs.get(str(node.get("$ref", "")).removeprefix(DEFS))
        if target is not None:
            below.insert(0, target)
        stack.extend(reversed(below))
    return list(found.values())


def _types(layer: Node) -> frozenset[str]:
    return frozenset(atom for name in types_of(layer) for atom in _ATOMS.get(name, (name,)))


def _values(layers: Iterable[Node]) -> Mapping[str, Json] | None:
    found: dict[str, Json] | None = None
    for layer in layers:
        given = layer["enum"] if isinstance(layer.get("enum"), list) else None
        if "const" in layer:
            given = [layer["const"]]
        if given is not None:
            mine = {canonical_json(value): value for value in given}
            found = mine if found is None else {key: value for key, value in found.items() if key in mine}
    return found


def _limits(layers: Iterable[Node]) -> dict[str, Json]:
    limits: dict[str, Json] = {}
    for layer in layers:
        for key in (*LOWER, *UPPER, *OTHER):
            if key not in layer or layer[key] == _SAYS_NOTHING.get(key, ...):
                continue
            value = layer[key]
            if key in limits and key in LOWER + UPPER:
                value = max(limits[key], value) if key in LOWER else min(limits[key], value)
            limits[key] = value
    return limits


def _closes(layer: Node) -> bool:
    """Whether arguments that are not named are refused: false, or the schema that nothing satisfies."""
    for key in ("additionalProperties", "unevaluatedProperties"):
        value = layer.get(key)
        if value is False or (isinstance(value, dict) and value.get("not") == {}):
            return True
    return False


def _said(node: Json) -> str:
    """What a schema says, without what only talks to people."""
    return canonical_json(_silent(node))


def _silent(value: Json) -> Json:
    if isinstance(value, Node):
        return {
            key: {name: _silent(item) for name, item in below.items()}
            if key in ("properties", "patternProperties", "dependentSchemas") and isinstance(below, dict)
            else _silent(below)
            for key, below in value.items()
            if key not in _TALK
        }
    if isinstance(value, list):
        return [_silent(item) for item in value]
    return value
