"""Fold: what an object schema says in combination (`$ref`, allOf, anyOf, oneOf) becomes one object that says it alone.

Alternatives cannot be kept that way: the properties of all arms are allowed, what every arm requires is required, and
which belong together is said in words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..model import Json
from .node import DEFS, LOST, REWRITTEN, Node, Notes, deep_copy, describe, distinct, drop_unused, types_of

RULE = "root-composition"
_MAX_DEPTH = 8
_MAX_FOLDS = 2_000
_MAX_WORDS = 600
_ALTERNATIVES = ("anyOf", "oneOf")
_FORBIDDEN = ("not", "enum", "const")
_SAID = {"properties", "required", "type", "title", "description", "additionalProperties", "examples", "default"}


def fold_root(root: Node, notes: Notes) -> None:
    """Make the root an object without combinators, as OpenAI and Anthropic demand."""
    fold_object(root, root.get("$defs", {}), notes)
    for keyword in _FORBIDDEN:
        if keyword in root:
            del root[keyword]
            notes.say(LOST, RULE, (keyword,), f"{keyword} at the root is left out")
    declared = types_of(root)
    if declared and "object" not in declared:
        notes.say(
            LOST, "schema-root-not-object", ("type",), f"type '{declared[0]}' at the root; any object is accepted"
        )
        root.become(Node(root.at))
    elif not declared:
        notes.say(REWRITTEN, "schema-root-missing-type", (), 'type "object" is written out')
    elif len(declared) > 1:
        notes.say(REWRITTEN, "schema-root-not-object", ("type",), "of the types at the root object is kept")
    ordered = {
        "type": "object",
        "properties": root.pop("properties", {}),
        **{k: v for k, v in root.items() if k != "type"},
    }
    root.clear()
    root.update(ordered)
    drop_unused(root)


def fold_object(node: Node, defs: dict[str, Node], notes: Notes, depth: int = 0) -> None:
    """Take the combinators of one object schema apart, in place."""
    notes.folded += 1
    if depth > _MAX_DEPTH or notes.folded > _MAX_FOLDS:
        for keyword in ("$ref", "allOf", *_ALTERNATIVES):
            if node.pop(keyword, None) is not None:
                notes.say(LOST, RULE, (*node.at, keyword), f"{keyword} is nested too deep or too often; left out")
        return
    ref = node.pop("$ref", None)
    if isinstance(ref, str):
        notes.say(REWRITTEN, RULE, (*node.at, "$ref"), "what $ref leads to is written out")
        _take(node, deep_copy(defs[ref.removeprefix(DEFS)]), defs, notes, depth)
    if "allOf" in node:
        notes.say(REWRITTEN, RULE, (*node.at, "allOf"), "allOf is folded into one object")
        for arm in node.pop("allOf"):
            _take(node, arm, defs, notes, depth)
    for keyword in _ALTERNATIVES:
        if keyword in node:
            _fold_alternatives(node, keyword, node.pop(keyword), defs, notes, depth)


def absorb(node: Node, layer: Node, notes: Notes) -> None:
    """Let a node say what another one says that holds at the same time."""
    for key, value in layer.items():
        if key == "properties":
            properties = node.setdefault("properties", {})
            for name, schema in value.items():
                if properties.setdefault(name, schema) != schema:
                    properties[name] = Node(schema.at, {"allOf": [properties[name], schema]})
        elif key == "required":
            node["required"] = list(dict.fromkeys([*node.get("required", ()), *value]))
        elif key == "type" and node.get("type", value) != value:
            both = [name for name in types_of(node) if name in types_of(layer)]
            if not both:
                notes.say(LOST, RULE, (*layer.at, "type"), "two types that exclude each other; the first is kept")
            else:
                node["type"] = both if len(both) > 1 else both[0]
        elif key not in node:
            node[key] = value
        elif node[key] != value and key not in ("title", "description", "default", "examples", "additionalProperties"):
            notes.say(LOST, RULE, (*layer.at, key), f"{key} is said twice; the first is kept")


def _take(node: Node, arm: Node, defs: dict[str, Node], notes: Notes, depth: int) -> None:
    layer = arm.copy()
    layer.pop("$defs", None)
    fold_object(layer, defs, notes, depth + 1)
    absorb(node, layer, notes)


def _fold_alternatives(
    node: Node, keyword: str, arms: Sequence[Node], defs: dict[str, Node], notes: Notes, depth: int
) -> None:
    folded = []
    for arm in arms:
        layer = arm.copy()
        fold_object(layer, defs, notes, depth + 1)
        if "object" in (types_of(layer) or ["object"]):
            folded.append(layer)
    at = (*node.at, keyword)
    if not folded:
        notes.say(LOST, RULE, at, f"no alternative of {keyword} is an object; left out")
        return
    notes.say(
        REWRITTEN, RULE, at, f"{keyword} is folded: the properties of all {len(folded)} alternatives, and in words"
    )
    own = node.setdefault("properties", {})
    for name in dict.fromkeys(name for arm in folded for name in arm.get("properties", ())):
        schemas = [arm["properties"][name] for arm in folded if name in arm.get("properties", ())]
        if name not in own or len(schemas) == len(folded):
            own[name] = _any_of(schemas)
    always = set(folded[0].get("required", ())).intersection(*(arm.get("required", ()) for arm in folded[1:]))
    required = [*node.get("required", ()), *(name for name in folded[0].get("required", ()) if name in always)]
    if required:
        node["required"] = list(dict.fromkeys(required))
    if all(arm.get("additionalProperties") is False for arm in folded):
        node.setdefault("additionalProperties", False)
    elif any(arm.get("additionalProperties") is False for arm in folded) and "additionalProperties" not in node:
        node["additionalProperties"] = True
    for arm in folded:
        for key in arm.keys() - _SAID:
            notes.say(LOST, RULE, (*arm.at, key), f"{key} of one alternative is left out")
    words = _words([[name for name in arm.get("required", ()) if name not in always] for arm in folded], keyword)
    if words:
        describe(node, words)


def _any_of(schemas: Sequence[Node]) -> Node:
    """One schema for what several say of the same property."""
    different = distinct(schemas)
    if len(different) == 1:
        return deep_copy(different[0])
    literal: dict[str, Json] = {}
    for schema in different:
        values = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else None
        if values is None or schema.keys() - {"enum", "const", "type", "title", "description", "default"}:
            return Node(different[0].at, {"anyOf": [deep_copy(each) for each in different]})
        literal.update((json.dumps(value, sort_keys=True), value) for value in values)
    kinds = list(dict.fromkeys(name for schema in different for name in types_of(schema)))
    made = Node(different[0].at, {"type": kinds[0]} if len(kinds) == 1 else {})
    made["enum"] = list(literal.values())
    said = next((schema["description"] for schema in different if "description" in schema), None)
    if said:
        made["description"] = said
    return made


def _words(sets: Sequence[Sequence[str]], keyword: str) -> str:
    """Which arguments belong together, for the model: "Give exactly one of: email; phone"."""
    ways = list(dict.fromkeys(" and ".join(names) for names in sets if names))
    if len(ways) < 2:
        return ""
    text = f"Give {'exactly one' if keyword == 'oneOf' else 'at least one'} of: {'; '.join(ways)}"
    return text if len(text) <= _MAX_WORDS else f"{text[: _MAX_WORDS - 3]}..."
