"""Canonical: an input schema becomes one digest, equal for schemas that accept the same and are only written otherwise.

A schema is read as the set of its alternatives, each of one type with the keywords that concern it, so nullable in its
three spellings, a list of types and anyOf meet; references are seen through, and what only talks to people is left out.
Not a proof of equivalence: two schemas that differ in more than spelling may accept the same and have two digests.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from .fingerprint import fingerprint
from .model import Json
from .projection.fold import absorb
from .projection.node import DEFS, LOST, Node, Notes, all_nodes, below, types_of
from .projection.plain import plain_schema
from .projection.strict import recursive_defs, type_of

Alternatives = frozenset[str]

MAX_NODES = 20_000
MAX_RECURSIVE = 3_000
"""Larger schemas are told apart by their text."""

ROUNDS = 32
"""Steps into a recursive schema that tell two of them apart."""

_OF_TYPE: dict[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"),
    "array": (
        "items", "prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
        "unevaluatedItems",
    ),
    "object": (
        "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "dependentRequired",
        "dependentSchemas", "minProperties", "maxProperties", "unevaluatedProperties",
    ),
}  # fmt: skip
_OF_TYPE["integer"] = _OF_TYPE["number"]
_FEW: dict[str, tuple[Json, ...]] = {"null": (None,), "boolean": (False, True)}
_OF_ANY = ("not", "if", "then", "else")
_ALL = ("array", "boolean", "null", "number", "object", "string")
_ANYTHING: Alternatives = frozenset({"*anything"})
_NOTHING: Alternatives = frozenset()
_SAYS_NOTHING = {"minLength": 0, "minItems": 0, "minProperties": 0, "uniqueItems": False}


def schema_fingerprint(schema: Json) -> str:
    """sha256, as hex, of what an input schema accepts."""
    root = plain_schema(schema, Notes())
    if "type" not in root and not root.keys() & {"$ref", "allOf", "anyOf", "oneOf"}:
        root["type"] = "object"  # arguments are an object, whether that is written or not
    recursive = bool(recursive_defs(root))
    if sum(1 for _ in all_nodes(root)) > (MAX_RECURSIVE if recursive else MAX_NODES):
        return fingerprint(schema)
    reading = _Reading(root)
    return _digest(sorted(reading.in_rounds(root) if recursive else reading.at_once(root)), whole=True)


class _Reading:
    def __init__(self, root: Node) -> None:
        self.defs: dict[str, Node] = root.get("$defs", {})
        self.known: dict[int, Alternatives] = {}
        self.before: dict[int, Alternatives] = {}
        self.open: set[int] = set()
        self.kept: list[Node] = []  # merged layers, so that their identity stays theirs

    def at_once(self, root: Node) -> Alternatives:
        """Children first, so that nothing is read more than a step deep."""
        for node in self.children_first(root):
            self.read(node, self.one_deeper)
        return self.known[id(root)]

    def one_deeper(self, node: Node) -> Alternatives:
        return self.read(node, self.one_deeper)

    def children_first(self, root: Node) -> list[Node]:
        order: dict[int, Node] = {}
        stack = [(root, False)]
        while stack:
            node, left = stack.pop()
            if left:
                order.setdefault(id(node), node)
            elif id(node) not in order:
                stack.append((node, True))
                stack.extend((child, False) for child in (*below(node), *self.target(node)) if id(child) not in order)
        return list(order.values())

    def in_rounds(self, root: Node) -> Alternatives:
        """The same where schemas lead back to themselves: each round looks one property further."""
        nodes = list(all_nodes(root))
        for _ in range(ROUNDS):
            self.before, self.known = self.known, {}
            for node in nodes:
                self.read(node, self.one_round_ago)
        return self.known[id(root)]

    def one_round_ago(self, node: Node) -> Alternatives:
        return self.before.get(id(node), _NOTHING)

    def read(self, node: Node, further: Callable[[Node], Alternatives]) -> Alternatives:
        """The alternatives of a node; what lies further down is asked of `further`."""
        known = self.known.get(id(node))
        if known is not None:
            return known
        if id(node) in self.open:
            return _NOTHING  # says of itself nothing but itself
        self.open.add(id(node))
        found = self.layers(node, further)
        self.open.discard(id(node))
        self.known[id(node)] = found
        return found

    def layers(self, node: Node, further: Callable[[Node], Alternatives]) -> Alternatives:
        """All that holds at once: the node's own words, what it refers to, its allOf, its alternatives."""
        own = Node(node.at, {key: value for key, value in node.items() if key in _WORDS})
        parts: list[Node] = [own] if own else []
        parts += [*node.get("allOf", ()), *self.target(node)]
        merged = self.merged(parts)
        sets = [self.read(part, further) if part is not own else self.own(own, further) for part in merged]
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                arms = [self.read(arm, further) for arm in node[keyword]]
                united: Alternatives = frozenset().union(*arms)
                if keyword == "anyOf" or _apart(arms):
                    sets.append(united)
                else:
                    sets.append(frozenset({f"*{_digest(['one of', *sorted(map(_one, arms))])}"}))
        sets = [each for each in dict.fromkeys(sets) if each != _ANYTHING]
        if not sets:
            return _ANYTHING
        if len(sets) == 1:
            return sets[0]
        return frozenset({f"*{_digest(['all of', *sorted(map(_one, sets))])}"})

    def target(self, node: Node) -> Iterator[Node]:
        if isinstance(node.get("$ref"), str):
            yield self.defs[node["$ref"].removeprefix(DEFS)]

    def merged(self, parts: list[Node]) -> list[Node]:
        """Layers that say nothing of the same thing are one; with a closed object among them they stay apart."""
        simple = all(part.keys() <= _WORDS and part.get("additionalProperties") is None for part in parts)
        literal = sum(bool(part.keys() & {"enum", "const"}) for part in parts)
        if len(parts) < 2 or literal > 1 or not simple:
            return parts
        notes = Notes()
        whole = Node(parts[0].at)
        for part in parts:
            absorb(whole, part, notes)
        if notes.of(LOST):
            return parts
        self.kept.append(whole)
        return [whole]

    def own(self, node: Node, further: Callable[[Node], Alternatives]) -> Alternatives:
        """The alternatives of a node that has neither references nor combinators."""
        if isinstance(node.get("not"), Node) and not node["not"]:
            return _NOTHING
        declared = set(types_of(node)) or set(_implied(node))
        rest = {key: self.value(node[key], further) for key in _OF_ANY if key in node}
        values = node["enum"] if "enum" in node else [node["const"]] if "const" in node else None
        if values is not None:
            if "enum" in node and "const" in node:
                values = [each for each in values if _plain(each) == _plain(node["const"])]
            fitting = [each for each in values if not declared or declared & {type_of(each), _wide(type_of(each))}]
            return frozenset(
                _value(each, {**self.keywords(node, _OF_TYPE.get(type_of(each), ()), further), **rest})
                for each in fitting
            )
        if not declared:
            typed = {key for keys in _OF_TYPE.values() for key in keys} & node.keys()
            if not typed and not rest:
                return _ANYTHING
            declared = set(_ALL)
        # Types of one and of two values are those values.
        few = [value for kind, listed in _FEW.items() if kind in declared for value in listed]
        kinds = declared - _FEW.keys() - ({"integer"} if "number" in declared else set())
        return frozenset(_value(value, rest) for value in few) | frozenset(
            f"{_wide(kind)}:{_digest([kind, {**self.keywords(node, _OF_TYPE[kind], further), **rest}])}"
            for kind in kinds
        )

    def keywords(self, node: Node, keys: Iterable[str], further: Callable[[Node], Alternatives]) -> dict[str, Json]:
        said: dict[str, Json] = {}
        for key in keys:
            if key not in node or node[key] == _SAYS_NOTHING.get(key, ...):
                continue
            value = node[key]
            if key in ("additionalProperties", "unevaluatedProperties", "unevaluatedItems"):
                if isinstance(value, Node) and further(value) == _NOTHING:
                    value = False
                if value is False:
                    said["additionalProperties" if key == "unevaluatedProperties" else key] = False
                    continue
                if value is True or further(value) == _ANYTHING:
                    continue
            if isinstance(value, Node) and further(value) == _ANYTHING:
                continue
            said[key] = sorted(value) if key == "required" else self.value(value, further)
        return said

    def value(self, value: Json, further: Callable[[Node], Alternatives]) -> Json:
        if isinstance(value, Node):
            return sorted(further(value))
        if isinstance(value, dict):
            return {name: self.value(item, further) for name, item in value.items()}
        if isinstance(value, list):
            return [self.value(item, further) for item in value]
        return _plain(value)


_WORDS = {"type", "enum", "const", *_OF_ANY, *(key for keys in _OF_TYPE.values() for key in keys)}


def _implied(node: Node) -> list[str]:
    """The type of a schema that declares none, as `smallchatc.schema` reads it."""
    if "properties" in node or "patternProperties" in node:
        return ["object"]
    return ["array"] if "items" in node or "prefixItems" in node else []


def _value(value: Json, rest: Json) -> str:
    # What else is said of a value may exclude it: then it counts as a type, of which little is known.
    return f"{_wide(type_of(value))}{':' if rest else '='}{_digest(['value', _plain(value), rest])}"


def _wide(kind: str) -> str:
    return "number" if kind == "integer" else kind


def _apart(arms: list[Alternatives]) -> bool:
    """Whether no value fits two of these: their types differ, or they are different single values."""
    kinds = [{re.split("[:=]", each)[0] for each in arm} for arm in arms]
    whole = [{each.partition(":")[0] for each in arm if "=" not in each} for arm in arms]
    if len(arms) > 1 and any(each.startswith("*") for arm in arms for each in arm):
        return False
    found: Counter[str] = Counter(kind for each in kinds for kind in each)
    return sum(map(len, arms)) == len(frozenset().union(*arms)) and not any(
        found[kind] > 1 for each in whole for kind in each
    )


def _plain(value: Json) -> Json:
    """1.0 is 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _one(alternatives: Alternatives) -> str:
    return _digest(sorted(alternatives))


def _digest(value: Json, *, whole: bool = False) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    found = hashlib.sha256(text.encode()).hexdigest()
    return found if whole else found[:24]
