"""Strict: a plain schema becomes one that a model API can hold a model to, or it is said what forbids that.

OpenAI wants every property required (an optional one may be null instead); Anthropic takes optional ones and fewer
keywords. What neither may say (bounds, formats) goes into the description, since the runtime checks arguments anyway.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..model import Json
from .fold import absorb, fold_object, fold_root
from .node import (
    BLOCKED,
    DEFS,
    DESCRIBED,
    REWRITTEN,
    Node,
    Notes,
    all_nodes,
    below,
    deep_copy,
    describe,
    drop_unused,
    types_of,
)
from .plain import accepts_null, allow_null

RULE = "strict"
MAX_NODES = 20_000
MAX_LEVELS = 64
"""Deeper than this nothing is looked at: no API's strict mode goes further."""

_SAID = {
    "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs",
    "description", "title",
}  # fmt: skip
_BLOCKING = (
    "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "patternProperties", "prefixItems",
    "contains", "unevaluatedItems",
)  # fmt: skip
_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Strictness:
    """What one API's strict mode demands."""

    keywords: frozenset[str]  # beside those that every strict mode knows
    formats: frozenset[str]
    optional: bool  # properties may be left out
    recursive: bool
    least_items: tuple[int, ...] | None  # values of minItems that are known; None for all
    limits: bool  # OpenAI's limits on size


OPENAI = Strictness(
    keywords=frozenset(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "minItems", "maxItems")
    ),
    formats=frozenset(_FORMATS),
    optional=False,
    recursive=True,
    least_items=None,
    limits=True,
)
ANTHROPIC = Strictness(
    keywords=frozenset(("minItems",)),
    formats=frozenset({*_FORMATS, "uri"}),
    optional=True,
    recursive=False,
    least_items=(0, 1),
    limits=False,
)

MAX_PROPERTIES, MAX_DEPTH, MAX_ENUM, MAX_CHARACTERS = 5_000, 10, 1_000, 120_000
LARGE_ENUM, MAX_LARGE_ENUM = 250, 15_000


def make_strict(root: Node, strictness: Strictness, notes: Notes) -> None:
    """Rewrite the schema in place; what forbids strict mode is noted as BLOCKED."""
    if says_nothing(root):
        notes.say(BLOCKED, "strict-type", (), "the schema says nothing: any arguments")
    elif not root.keys() & {"properties", "additionalProperties", "$ref", "allOf", "anyOf", "oneOf"}:
        # {"type": "object"} says "any object" further down; at the root it is a tool without arguments.
        root["properties"] = {}
        notes.say(REWRITTEN, RULE, (), "no properties are written out as none")
    fold_root(root, notes)
    _Strict(root, strictness, notes).run()


class _Strict:
    def __init__(self, root: Node, strictness: Strictness, notes: Notes) -> None:
        self.root, self.rules, self.notes = root, strictness, notes
        self.defs: dict[str, Node] = root.get("$defs", {})
        self.recursive = recursive_defs(root)
        self.done: set[int] = set()
        self.copied = 0

    def run(self) -> None:
        self.visit(self.root)
        drop_unused(self.root)
        if not self.rules.recursive:
            for name in sorted(recursive_defs(self.root)):
                self.notes.say(BLOCKED, "strict-ref", self.defs[name].at, "the schema refers to itself")
        if self.rules.limits:
            self.check_limits()

    def visit(self, node: Node, depth: int = 0) -> None:
        """One node and everything below it."""
        if depth > MAX_LEVELS:
            self.notes.say(BLOCKED, "strict-limit", node.at, f"more than {MAX_LEVELS} levels")
            return
        if id(node) in self.done:
            return
        self.done.add(id(node))
        self.inline(node)
        self.combine(node)
        tuples = "prefixItems" in node
        for keyword in _BLOCKING:
            if keyword in node:
                self.block(node, keyword, "cannot be said in strict mode")
                del node[keyword]
        self.give_type(node)
        if "object" in types_of(node):
            self.close(node)
        if "array" in types_of(node) and not isinstance(node.get("items"), Node) and not tuples:
            self.block(node, "items", "is missing: items of any kind")
        self.describe_rest(node)
        for child in list(below(node)):  # of the root, its $defs too
            self.visit(child, depth + 1)

    def inline(self, node: Node) -> None:
        """A reference stands alone: with words beside it, what it leads to is written out."""
        while "$ref" in node and len(node) > (1 + ("$defs" in node)):
            name = node["$ref"].removeprefix(DEFS)
            at = (*node.at, "$ref")
            if name in self.recursive or self.copied > MAX_NODES:
                for key in [key for key in node if key not in ("$ref", "$defs")]:
                    del node[key]
                self.notes.say(REWRITTEN, RULE, at, "what stands beside a recursive $ref is left out")
                return
            target = deep_copy(self.defs[name])
            self.copied += sum(1 for _ in all_nodes(target))
            del node["$ref"]
            absorb(node, target, self.notes)
            self.notes.say(REWRITTEN, RULE, at, "what $ref leads to is written out, since words stand beside it")

    def combine(self, node: Node) -> None:
        """Alternatives by anyOf only, and nothing but words beside them."""
        if "allOf" in node:
            at = (*node.at, "allOf")
            if len(node["allOf"]) == 1 or all(self.is_object(arm) for arm in node["allOf"]):
                fold_object(node, self.defs, self.notes)
            else:
                self.block(node, "allOf", "cannot be said in strict mode")
                del node["allOf"]
            self.notes.say(REWRITTEN, RULE, at, "allOf is written out")
        if "oneOf" in node:
            self.notes.say(REWRITTEN, RULE, (*node.at, "oneOf"), "oneOf is spelled anyOf")
            arms = node.pop("oneOf")
            if "anyOf" in node:
                self.block(node, "oneOf", "stands beside anyOf")
            else:
                node["anyOf"] = arms
        if "anyOf" not in node:
            return
        if "properties" in node:
            fold_object(node, self.defs, self.notes)
            return
        beside = {key: node[key] for key in node if key not in ("anyOf", "title", "description", "default", "$defs")}
        if beside:
            self.notes.say(REWRITTEN, RULE, (*node.at, "anyOf"), "what stands beside anyOf is written into its arms")
            for key in beside:
                del node[key]
            for arm in node["anyOf"]:
                absorb(arm, Node(node.at, beside), self.notes)

    def is_object(self, arm: Node) -> bool:
        if "$ref" in arm:
            return self.is_object(self.defs[arm["$ref"].removeprefix(DEFS)]) if len(arm) == 1 else False
        return "object" in types_of(arm) or "properties" in arm or arm.keys() <= {"required"}

    def give_type(self, node: Node) -> None:
        if node.keys() & {"type", "$ref", "anyOf"}:
            return
        if "properties" in node:
            node["type"] = "object"
        elif "items" in node:
            node["type"] = "array"
        elif "enum" in node or "const" in node:
            values = node["enum"] if "enum" in node else [node["const"]]
            kinds = list(dict.fromkeys(map(type_of, values)))
            node["type"] = kinds[0] if len(kinds) == 1 else kinds
        elif "format" in node or "pattern" in node or "minLength" in node or "maxLength" in node:
            node["type"] = "string"
        elif "minimum" in node or "maximum" in node:
            node["type"] = "number"
        else:
            self.block(node, "type", "is missing: any value")
            return
        self.notes.say(REWRITTEN, RULE, node.at, "the type is written out")

    def close(self, node: Node) -> None:
        others = node.get("additionalProperties")
        if "unevaluatedProperties" in node:
            others = node.pop("unevaluatedProperties") if others is None else others
        if others not in (None, False):
            self.block(node, "additionalProperties", "allows properties of any name")
        elif "properties" not in node and others is None:
            self.block(node, "properties", "is missing: properties of any name")
        elif others is None:
            self.notes.say(REWRITTEN, RULE, node.at, "no other properties are allowed")
        node["additionalProperties"] = False
        properties = node.setdefault("properties", {})
        unknown = [name for name in node.get("required", ()) if name not in properties]
        if unknown:
            self.block(node, "required", f"names '{unknown[0]}', which properties does not declare")
        required = set(node.get("required", ()))
        node.pop("required", None)
        if self.rules.optional:
            if required & properties.keys():
                node["required"] = [name for name in properties if name in required]
            return
        absent = []
        for name, schema in properties.items():
            if name in required:
                continue
            if not accepts_null(schema):
                absent.append(name)
                allow_null(schema)
            self.notes.say(REWRITTEN, RULE, schema.at, f"'{name}' is optional: it is required and may be null")
        node.absent = tuple(absent)
        node["required"] = list(properties)

    def describe_rest(self, node: Node) -> None:
        """What may not be said goes into the description, after the fashion of the vendors' own packages."""
        said: dict[str, Json] = {}
        for key in list(node):
            known = key in _SAID or key in self.rules.keywords or (key == "format" and node[key] in self.rules.formats)
            if key == "minItems" and self.rules.least_items is not None and node[key] not in self.rules.least_items:
                known = False
            if key == "enum" and any(isinstance(value, dict | list) for value in node[key]):
                self.block(node, "enum", "holds objects or arrays")
            if not known:
                said[key] = node.pop(key)
                words = f"{key} is said in the description"
                self.notes.say(DESCRIBED, RULE, (*node.at, key), words)
        words = ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in said.items())
        if words and "$ref" not in node:
            describe(node, f"{{{words}}}")

    def check_limits(self) -> None:
        nodes = list(all_nodes(self.root))
        properties = [name for node in nodes for name in node.get("properties", ())]
        values = [value for node in nodes for value in node.get("enum", ())]
        text = sum(map(len, properties)) + sum(len(str(value)) for value in values)
        text += sum(len(str(node["const"])) for node in nodes if "const" in node) + sum(map(len, self.defs))
        for what, found, most in (
            ("properties", len(properties), MAX_PROPERTIES),
            ("enum values", len(values), MAX_ENUM),
            ("characters of names and values", text, MAX_CHARACTERS),
            ("levels", depth_of(self.root, self.defs, {}), MAX_DEPTH),
        ):
            if found > most:
                self.notes.say(BLOCKED, "strict-limit", (), f"{found:,} {what}, more than {most:,}")
        for node in nodes:
            size = sum(len(str(value)) for value in node.get("enum", ()))
            if len(node.get("enum", ())) > LARGE_ENUM and size > MAX_LARGE_ENUM:
                self.notes.say(BLOCKED, "strict-limit", (*node.at, "enum"), f"an enum of {size:,} characters")

    def block(self, node: Node, keyword: str, why: str) -> None:
        self.notes.say(BLOCKED, f"strict-{keyword.lstrip('$')}", (*node.at, keyword), f"{keyword} {why}")


def says_nothing(root: Node) -> bool:
    """Whether a root leaves all open; {"type": "object"} there is a tool without arguments."""
    return not root.keys() - {"title", "description", "default", "examples", "$defs"}


def recursive_defs(root: Node) -> set[str]:
    """The entries of `$defs` that lead back to themselves, or lie between two that do."""
    defs: dict[str, Node] = root.get("$defs", {})
    leads = {
        name: {node["$ref"].removeprefix(DEFS) for node in all_nodes(target) if isinstance(node.get("$ref"), str)}
        for name, target in defs.items()
    }
    back: dict[str, set[str]] = {name: set() for name in defs}
    for name, others in leads.items():
        for other in others:
            back[other].add(name)
    return _without_ends(_without_ends(set(defs), leads, back), back, leads)


def _without_ends(names: set[str], leads: dict[str, set[str]], back: dict[str, set[str]]) -> set[str]:
    """What is left when names that lead to none of the others are taken away, one after the other."""
    left = set(names)
    open_ends = {name: len(leads[name] & left) for name in left}
    ends = [name for name, count in open_ends.items() if not count]
    while ends:
        name = ends.pop()
        left.discard(name)
        for other in back[name] & left:
            open_ends[other] -= 1
            if not open_ends[other]:
                ends.append(other)
    return left


def depth_of(node: Node, defs: dict[str, Node], known: dict[str, int], trail: int = 0) -> int:
    """Levels of objects and arrays within each other; a reference into itself ends the count."""
    ref = node.get("$ref")
    if isinstance(ref, str):
        name = ref.removeprefix(DEFS)
        if name not in known and trail <= MAX_LEVELS:
            known[name] = 0
            known[name] = depth_of(defs[name], defs, known, trail + 1)
        return known.get(name, MAX_LEVELS)
    own = 1 if {"object", "array"} & set(types_of(node)) else 0
    inner = below(Node(node.at, {key: value for key, value in node.items() if key != "$defs"}))
    return own + max((depth_of(child, defs, known, trail + 1) for child in inner), default=0)


def type_of(value: Json) -> str:
    """The JSON Schema type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    kinds = {float: "number", str: "string", list: "array"}
    return kinds.get(type(value), "object")
