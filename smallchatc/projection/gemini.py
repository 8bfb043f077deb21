"""Gemini: a plain schema becomes one of the OpenAPI 3.0 subset that `parameters` of a function declaration takes.

References are written out (a recursive one ends as an object of any shape), a type is one word, an enum is text. What
the subset cannot say is left out and noted as LOST, since the model is then told less than the tool knows.
"""

from __future__ import annotations

import json

from ..model import Json
from .fold import absorb, fold_object, fold_root
from .node import DEFS, DESCRIBED, LOST, REWRITTEN, Node, Notes, deep_copy, describe, distinct, types_of
from .strict import says_nothing, type_of

RULE = "gemini"
MAX_NODES = 5_000
MAX_DEPTH = 64
_KEPT = {
    "description", "title", "minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength", "pattern",
    "minProperties", "maxProperties",
}  # fmt: skip
_CONCERNS = {
    "string": {"minLength", "maxLength", "pattern", "format", "enum"},
    "number": {"minimum", "maximum", "format", "enum"},
    "integer": {"minimum", "maximum", "format", "enum"},
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "minProperties", "maxProperties"},
    "boolean": set(),
}
_FORMATS = {
    "string": {"enum", "date-time"},
    "number": {"float", "double"},
    "integer": {"int32", "int64"},
}
_LOST = (
    "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "patternProperties", "contains",
    "propertyNames", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
_ANY = ("string", "number", "boolean", "object")


def for_gemini(root: Node, notes: Notes) -> Node | None:
    """The parameters for Gemini; None for a tool without arguments, since an empty object is refused."""
    if says_nothing(root):
        notes.say(LOST, "empty-schema", (), "the schema says nothing, and no arguments are asked for")
    fold_root(root, notes)
    made = _Gemini(root, notes).schema(root, ())
    return made if made.get("properties") else None


class _Gemini:
    def __init__(self, root: Node, notes: Notes) -> None:
        self.defs: dict[str, Node] = root.get("$defs", {})
        self.notes = notes
        self.left = MAX_NODES
        self.depth = 0

    def schema(self, given: Node, trail: tuple[str, ...]) -> Node:
        """The same schema in the subset's words; `trail` are the references it was reached through."""
        self.depth += 1
        try:
            return self.written_out(given.copy(), trail)
        finally:
            self.depth -= 1

    def written_out(self, node: Node, trail: tuple[str, ...]) -> Node:
        node.pop("$defs", None)
        while "$ref" in node:
            name = node.pop("$ref").removeprefix(DEFS)
            self.left -= 1
            if name in trail or self.left < 0 or self.depth > MAX_DEPTH:
                why = "leads back to itself" if name in trail else "makes the schema too large when written out"
                self.notes.say(
                    LOST, "ref-recursive", (*node.at, "$ref"), f"'{name}' {why}; an object of any shape there"
                )
                kinds = [kind for kind in types_of(self.defs[name]) if kind != "null"] or ["object"]
                node["type"] = kinds[0]
                break
            trail = (*trail, name)
            absorb(node, deep_copy(self.defs[name]), self.notes)
            self.notes.say(REWRITTEN, RULE, (*node.at, "$ref"), "what $ref leads to is written out")
        self.left -= 1
        self.combine(node)
        for keyword in _LOST:
            if keyword in node:
                del node[keyword]
                self.notes.say(LOST, f"gemini-{keyword}", (*node.at, keyword), f"{keyword} cannot be said")
        self.literals(node)
        kinds = types_of(node) or self.guess(node)
        nullable = "null" in kinds or node.pop("nullable", False)
        kinds = [kind for kind in kinds if kind != "null"]
        arms = node.pop("anyOf", None)
        if arms is not None:
            made = self.alternatives(node, arms, trail)
        elif len(kinds) > 1:
            made = self.several(node, kinds, trail)
        else:
            made = self.one(node, kinds[0] if kinds else "string", trail)
        if nullable:
            if "anyOf" in made:  # nothing may stand beside anyOf
                made["anyOf"][0]["nullable"] = True
            else:
                made["nullable"] = True
        return made

    def combine(self, node: Node) -> None:
        if "allOf" in node:
            self.notes.say(REWRITTEN, RULE, (*node.at, "allOf"), "allOf is written out")
            fold = [arm for arm in node["allOf"] if "$ref" in arm or "properties" in arm or "required" in arm]
            if fold:
                fold_object(node, self.defs, self.notes)
            else:
                for arm in node.pop("allOf"):
                    absorb(node, arm, self.notes)
        if "oneOf" in node:
            self.notes.say(REWRITTEN, RULE, (*node.at, "oneOf"), "oneOf is spelled anyOf")
            arms = node.pop("oneOf")
            if "anyOf" in node:
                self.notes.say(LOST, "gemini-oneOf", (*node.at, "oneOf"), "oneOf stands beside anyOf; left out")
            else:
                node["anyOf"] = arms
        if "anyOf" in node and "properties" in node:
            fold_object(node, self.defs, self.notes)
        if "anyOf" in node:
            arms = [arm for arm in node["anyOf"] if types_of(arm) != ["null"]]
            if len(arms) < len(node["anyOf"]):
                node["nullable"] = True
                self.notes.say(REWRITTEN, RULE, (*node.at, "anyOf"), "null among the alternatives is spelled nullable")
            if len(arms) > 1:
                node["anyOf"] = arms
                return
            del node["anyOf"]
            if arms:
                inner = arms[0].copy()
                for key in ("description", "title"):
                    if key in node:
                        inner.pop(key, None)
                absorb(node, inner, self.notes)
                self.combine(node)

    def literals(self, node: Node) -> None:
        """An enum of texts; a number or a truth value is spelled as text and read back."""
        if "const" in node:
            self.notes.say(REWRITTEN, RULE, (*node.at, "const"), "const is spelled as an enum of one")
            node["enum"] = [node.pop("const")]
        if "enum" not in node:
            return
        at = (*node.at, "enum")
        values = [value for value in node["enum"] if value is not None]
        if len(values) < len(node["enum"]):
            node["nullable"] = True
        if any(isinstance(value, dict | list) for value in values) or not values:
            self.notes.say(LOST, "gemini-enum", at, "an enum of objects or arrays cannot be said")
            del node["enum"]
            if not types_of(node):
                node["type"] = list(dict.fromkeys(map(type_of, values))) or ["string"]
        elif all(isinstance(value, bool) for value in values):
            del node["enum"]
            node["type"] = "boolean"
            if len(values) == 1:
                self.notes.say(DESCRIBED, RULE, at, "an enum of one truth value is said in the description")
                describe(node, f"{{const: {json.dumps(values[0])}}}")
        else:
            texts = {value if isinstance(value, str) else json.dumps(value): value for value in values}
            node.spelled = {text: value for text, value in texts.items() if text != value}
            if node.spelled:
                self.notes.say(REWRITTEN, "enum-non-string", at, "values that are not text are spelled as text")
            if "" in texts:
                self.notes.say(LOST, "gemini-enum", at, "an empty text among the values cannot be said")
            node["enum"] = [text for text in texts if text]
            node["type"] = "string"
            if not node["enum"]:
                del node["enum"]

    def guess(self, node: Node) -> list[str]:
        """The types of a node that declares none."""
        if "properties" in node or "additionalProperties" in node:
            return ["object"]
        if "items" in node or "prefixItems" in node:
            return ["array"]
        if "pattern" in node or "minLength" in node or "maxLength" in node or "format" in node:
            return ["string"]
        if "minimum" in node or "maximum" in node:
            return ["number"]
        if "anyOf" not in node:
            what = "any value becomes text, number, truth value or object"
            self.notes.say(LOST, "untyped-property", node.at, what)
            return list(_ANY)
        return []

    def alternatives(self, node: Node, arms: list[Node], trail: tuple[str, ...]) -> Node:
        """anyOf with nothing beside it: words go to each arm."""
        made = Node(node.at)
        made["anyOf"] = []
        beside = Node(
            node.at, {key: value for key, value in node.items() if key not in ("description", "title", "nullable")}
        )
        for arm in arms:
            each = arm.copy()
            absorb(each, beside, self.notes)
            if "description" in node:
                each.setdefault("description", node["description"])
            shaped = self.schema(each, trail)
            made["anyOf"].extend(shaped.get("anyOf", [shaped]))
        return made

    def several(self, node: Node, kinds: list[str], trail: tuple[str, ...]) -> Node:
        self.notes.say(REWRITTEN, "type-array", (*node.at, "type"), "a list of types is spelled anyOf")
        arms = []
        foreign = set().union(*_CONCERNS.values())
        for kind in kinds:
            arm = Node(node.at, {k: v for k, v in node.items() if k not in foreign or k in _CONCERNS[kind]})
            arm.spelled = node.spelled
            arms.append(self.one(arm, kind, trail))
        made = Node(node.at)
        made["anyOf"] = arms
        return made

    def one(self, node: Node, kind: str, trail: tuple[str, ...]) -> Node:
        """A node of one type."""
        made = Node(node.at, {"type": kind.upper()})
        made.spelled = node.spelled
        said: dict[str, Json] = {}
        for key, value in node.items():
            fits = value in _FORMATS.get(kind, ()) if key == "format" else key == "enum" and kind == "string"
            if key in _KEPT or fits:
                made[key] = value
            elif key not in (
                "type",
                "nullable",
                "properties",
                "required",
                "items",
                "prefixItems",
                "additionalProperties",
            ):
                said[key] = value
                self.notes.say(DESCRIBED, RULE, (*node.at, key), f"{key} is said in the description")
        if kind == "object":
            self.object(node, made, trail)
        if kind == "array":
            self.array(node, made, trail)
        if said:
            words = ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in said.items())
            describe(made, f"{{{words}}}")
        return made

    def object(self, node: Node, made: Node, trail: tuple[str, ...]) -> None:
        others = node.get("additionalProperties")
        if isinstance(others, Node) and others:
            what = "the schema of properties of any name cannot be said"
            self.notes.say(LOST, "gemini-additionalProperties", (*node.at, "additionalProperties"), what)
        elif others is True and not node.at and not node.get("properties"):
            what = "no arguments are asked for, and any would be taken"
            self.notes.say(LOST, "gemini-additionalProperties", ("additionalProperties",), what)
        elif others is False:
            what = "that no other properties are allowed is left to the runtime's check"
            self.notes.say(REWRITTEN, RULE, (*node.at, "additionalProperties"), what)
        properties = node.get("properties", {})
        if properties:
            made["properties"] = {name: self.schema(schema, trail) for name, schema in properties.items()}
            required = [name for name in node.get("required", ()) if name in properties]
            if required:
                made["required"] = required
        if len([name for name in node.get("required", ()) if name in properties]) < len(node.get("required", ())):
            what = "required names a property that is not declared"
            self.notes.say(LOST, "required-unknown-property", (*node.at, "required"), what)

    def array(self, node: Node, made: Node, trail: tuple[str, ...]) -> None:
        places = node.get("prefixItems")
        items = node.get("items")
        if places:
            what = "places of a tuple become one schema of items"
            self.notes.say(LOST, "tuple-items", (*node.at, "prefixItems"), what)
            different = distinct([*places, *([items] if isinstance(items, Node) else [])])
            items = different[0] if len(different) == 1 else Node(node.at, {"anyOf": different})
        if items is None:
            self.notes.say(LOST, "array-without-items", node.at, "an array needs items; any value")
            items = Node(node.at, {"type": list(_ANY)})
        made["items"] = self.schema(items, trail)
