"""Plain: a schema of any dialect, sound or not, becomes one self-contained tree of JSON Schema 2020-12.

Every `$ref` leads to an entry of the root's `$defs`, so that nothing breaks when a schema is moved or its properties
are renamed; faults are mended as `smallchatc.schema` reads past them; older spellings become today's.
"""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Mapping
from urllib.parse import unquote

from ..model import Json
from ..quirks import TYPES
from ..refs import FOUND, REMOTE, Refs, refs_of
from .node import DEFS, LOST, REPAIRED, REWRITTEN, Node, Notes, Pointer, shown

_SILENT = {
    "$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment", "$defs",
    "definitions",
}  # fmt: skip
_TEXT = {"title", "description", "format", "pattern", "contentEncoding", "contentMediaType"}
_NUMBER = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_COUNT = {
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
}  # fmt: skip
_FLAG = {"uniqueItems", "deprecated", "readOnly", "writeOnly"}
_ONE = {"not", "if", "then", "else", "contains", "propertyNames", "contentSchema"}
_ONE_OR_BOOLEAN = {"additionalProperties", "unevaluatedProperties", "unevaluatedItems"}
_MANY = {"allOf", "anyOf", "oneOf", "prefixItems"}
_NAMED = {"properties", "patternProperties", "dependentSchemas"}
_ELSEWHERE = {
    "type", "nullable", "required", "items", "additionalItems", "enum", "dependencies", "dependentRequired", "examples",
    "$ref", "$dynamicRef", "$recursiveRef",
}  # fmt: skip
_LOOSE = {
    "str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number",
    "bool": "boolean", "dict": "object", "map": "object", "list": "array",
}  # fmt: skip


def plain_schema(schema: Json, notes: Notes) -> Node:
    """The schema as one self-contained tree; what was mended or spelled otherwise is noted."""
    if not isinstance(schema, dict):
        notes.say(REPAIRED, "bad-schema", (), f"inputSchema is {shown(schema)}; any arguments are accepted")
        schema = {}
    return _Plain(schema, notes).root()


class _Plain:
    """The rewriting of one document."""

    def __init__(self, document: Mapping[str, Json], notes: Notes) -> None:
        self.document = document
        self.refs = Refs(document)
        self.say = notes.say
        self.names: dict[int, str] = {}
        self.numbers: dict[str, int] = {}
        self.waiting: deque[tuple[str, Mapping[str, Json], Pointer]] = deque()

    def root(self) -> Node:
        node = self.schema(self.document, ())
        defs: dict[str, Json] = {}
        while self.waiting:
            name, target, at = self.waiting.popleft()
            defs[name] = self.schema(target, at)
        if defs:
            node["$defs"] = defs
        return node

    def schema(self, value: Json, at: Pointer) -> Node:
        """The node of one schema."""
        if isinstance(value, bool):
            word = "accepts any value" if value else "accepts nothing"
            self.say(REWRITTEN, "boolean-schema", at, f"{str(value).lower()}, which {word}, is written as a schema")
            return Node(at, () if value else {"not": Node((*at, "not"))})
        if not isinstance(value, dict):
            self.say(
                REPAIRED, "property-schema-not-a-schema", at, f"{shown(value)} is no schema; any value is accepted"
            )
            return Node(at)
        node = Node(at)
        for key, item in value.items():
            here = (*at, key)
            if key in _SILENT or key in _ELSEWHERE or (key == "id" and isinstance(item, str)):
                continue
            if key == "required" or not self._sound(key, item, here):
                continue
            if key in _ONE or (key in _ONE_OR_BOOLEAN and not isinstance(item, bool)):
                node[key] = self.schema(item, here)
            elif key in _MANY:
                node[key] = [self.schema(each, (*here, index)) for index, each in enumerate(item)]
            elif key in _NAMED:
                node[key] = {
                    name: self.schema(each, (*here, name))
                    for name, each in item.items()
                    if key != "properties" or not self._forbidden(each, (*here, name))
                }
            else:
                node[key] = item
        self._types(node, value)
        self._enum(node, value)
        self._objects(node, value)
        self._arrays(node, value)
        self._bounds(node, value)
        self._ref(node, value)
        self._nullable(node, value)
        order = [key for key in value if key in node]
        if order and list(node)[: len(order)] != order:
            content = {**{key: node[key] for key in order}, **node}
            node.clear()
            node.update(content)
        return node

    def _sound(self, key: str, item: Json, at: Pointer) -> bool:
        """Whether a keyword has a value that it may have; what is not is left out."""
        number = isinstance(item, int | float) and not isinstance(item, bool)
        if key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(item, bool):
            return False  # draft 04: _bounds
        sound = (
            isinstance(item, str)
            if key in _TEXT
            else number and (key != "multipleOf" or item > 0)
            if key in _NUMBER
            else number and item >= 0 and item == item // 1
            if key in _COUNT
            else isinstance(item, bool)
            if key in _FLAG
            else isinstance(item, dict) and bool(item) | (key == "properties")
            if key in _NAMED
            else isinstance(item, list) and bool(item)
            if key in _MANY
            else True
        )
        if not sound or not _finite(item):
            # An empty list of alternatives or of patterns says nothing.
            if item or item in (0, False):
                self.say(REPAIRED, "bad-keyword", at, f"{shown(item)} is no value for {at[-1]}; left out")
            return False
        return True

    def _forbidden(self, schema: Json, at: Pointer) -> bool:
        """Whether a property may not be given at all: then it need not be said."""
        if schema is False:
            self.say(REWRITTEN, "boolean-schema", at, f"'{at[-1]}' may not be given and is left out")
        return schema is False

    def _types(self, node: Node, value: Mapping[str, Json]) -> None:
        declared = value.get("type")
        if declared is None:
            return
        at = (*node.at, "type")
        names = declared if isinstance(declared, list) else [declared]
        known: list[str] = []
        for name in names:
            known_as = name if name in TYPES else _LOOSE.get(str(name).lower())
            if known_as is None or name not in TYPES:
                became = f"'{known_as}'" if known_as else "any value"
                self.say(REPAIRED, "bad-type", at, f"type {shown(name)} is unknown; {became} is meant")
            if known_as is None:
                return
            if known_as not in known:
                known.append(known_as)
        if known:
            node["type"] = known if isinstance(declared, list) and len(known) > 1 else known[0]

    def _enum(self, node: Node, value: Mapping[str, Json]) -> None:
        if "enum" in value:
            values = value["enum"] if isinstance(value["enum"], list) else []
            distinct = list({_key(each): each for each in reversed(values)}.values())[::-1]
            if not values or not _finite(values):
                self.say(REPAIRED, "bad-keyword", (*node.at, "enum"), "enum is no list of values; left out")
            else:
                node["enum"] = distinct
                if len(distinct) < len(values):
                    self.say(REPAIRED, "bad-keyword", (*node.at, "enum"), "enum names a value twice")
        if isinstance(value.get("examples"), list) and _finite(value["examples"]):
            node["examples"] = value["examples"]

    def _objects(self, node: Node, value: Mapping[str, Json]) -> None:
        properties = value.get("properties")
        required = value.get("required")
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        # `required: true` at a property is draft 03 and is read at its object, below.
        if not isinstance(required, bool | None) and (not isinstance(required, list) or len(names) < len(required)):
            self.say(REPAIRED, "required-not-list", (*node.at, "required"), "required is no list of names")
        for name, item in properties.items() if isinstance(properties, dict) else ():
            if isinstance(item, dict) and item.get("required") is True:
                at = (*node.at, "properties", name, "required")
                self.say(REPAIRED, "required-not-list", at, f"required: true stands at '{name}' and not at its object")
                names.append(name)
        names = list(dict.fromkeys(names))
        if names:
            node["required"] = names
        for name, item in value["dependencies"].items() if isinstance(value.get("dependencies"), dict) else ():
            at = (*node.at, "dependencies", name)
            if isinstance(item, list):
                node.setdefault("dependentRequired", {})[name] = [each for each in item if isinstance(each, str)]
            else:
                node.setdefault("dependentSchemas", {})[name] = self.schema(item, at)
            self.say(REWRITTEN, "old-spelling", at, "dependencies is spelled as in 2020-12")
        listed = value.get("dependentRequired")
        if isinstance(listed, dict):
            kept = {
                name: [n for n in item if isinstance(n, str)] for name, item in listed.items() if isinstance(item, list)
            }
            node["dependentRequired"] = kept

    def _arrays(self, node: Node, value: Mapping[str, Json]) -> None:
        items = value.get("items")
        at = (*node.at, "items")
        if isinstance(items, list):
            self.say(REWRITTEN, "tuple-items", at, "a list of items is spelled prefixItems")
            if items:
                node["prefixItems"] = [self.schema(each, (*at, index)) for index, each in enumerate(items)]
            items = value.get("additionalItems")
            at = (*node.at, "additionalItems")
        if items is False:
            self.say(REWRITTEN, "boolean-schema", at, "false, which allows no further items, is spelled maxItems")
            node["maxItems"] = min(len(node.get("prefixItems", ())), node.get("maxItems", math.inf))
        elif items is not None:
            node["items"] = self.schema(items, at)

    def _bounds(self, node: Node, value: Mapping[str, Json]) -> None:
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if isinstance(value.get(exclusive), bool):
                at = (*node.at, exclusive)
                self.say(REWRITTEN, "draft04-keyword", at, f"{exclusive} is spelled as a number")
                if value[exclusive] and bound in node:
                    node[exclusive] = node.pop(bound)

    def _ref(self, node: Node, value: Mapping[str, Json]) -> None:
        found = []
        for ref in refs_of(value):
            target = self.refs.resolve(ref)
            at = (*node.at, next(key for key in ("$ref", "$dynamicRef", "$recursiveRef") if value.get(key) == ref))
            if target.status != FOUND:
                slug = "ref-remote" if target.status == REMOTE else "unresolved-ref"
                self.say(LOST, slug, at, f"'{ref[:120]}' is not in this schema; any value is accepted")
            elif self.refs.is_circular(value):
                self.say(LOST, "circular-ref", at, f"'{ref[:120]}' leads only to itself; any value is accepted")
            elif isinstance(target.schema, dict):
                found.append(DEFS + self._name(target.schema, ref))
            elif target.schema is False:
                node["not"] = Node((*at, "not"))
        if len(found) == 1:
            node["$ref"] = found[0]
        elif found:
            node["allOf"] = [*node.get("allOf", ()), *(Node(node.at, {"$ref": each}) for each in found)]

    def _name(self, target: Mapping[str, Json], ref: str) -> str:
        """The entry of `$defs` for a target: its own name where it has one that is free."""
        known = self.names.get(id(target))
        if known is not None:
            return known
        steps = [
            unquote(step).replace("~1", "/").replace("~0", "~") for step in ref.partition("#")[2].split("/") if step
        ]
        wanted = re.sub(r"[^A-Za-z0-9_.-]+", "_", steps[-1]).strip("_")[:48] if steps else "root"
        name = wanted = wanted or "schema"
        while name in self.numbers:
            self.numbers[wanted] += 1
            name = f"{wanted}_{self.numbers[wanted]}"
        self.numbers[name] = 1
        if steps[:1] != ["$defs"] or len(steps) != 2 or steps[1] != name:
            self.say(REWRITTEN, "ref-moved", tuple(steps), f"what '{ref[:120]}' means is said in $defs as '{name}'")
        self.names[id(target)] = name
        self.waiting.append((name, target, tuple(steps)))
        return name

    def _nullable(self, node: Node, value: Mapping[str, Json]) -> None:
        if value.get("nullable") is not True:
            return
        self.say(REWRITTEN, "nullable-keyword", (*node.at, "nullable"), "nullable is spelled as a type")
        allow_null(node)


def allow_null(node: Node) -> None:
    """Let a schema accept null too, in as few words as it takes."""
    if accepts_null(node):
        return
    if "type" in node or "enum" in node or "const" in node:
        if "const" in node:
            node["enum"] = [node.pop("const")]
        if "type" in node:
            declared = node["type"]
            node["type"] = [*(declared if isinstance(declared, list) else [declared]), "null"]
        if "enum" in node:
            node["enum"] = [*node["enum"], None]
    elif "anyOf" in node:
        node["anyOf"] = [*node["anyOf"], Node(node.at, {"type": "null"})]
    elif "oneOf" in node:
        node["oneOf"] = [*node["oneOf"], Node(node.at, {"type": "null"})]
    elif node.keys() - {"title", "description", "default", "examples"}:
        inner = Node(
            node.at, {key: node.pop(key) for key in list(node) if key not in ("title", "description", "$defs")}
        )
        node["anyOf"] = [inner, Node(node.at, {"type": "null"})]


def accepts_null(node: Node) -> bool:
    """Whether null is among what a node says it accepts."""
    declared = node.get("type")
    if declared is not None and "null" not in (declared if isinstance(declared, list) else [declared]):
        return False
    if "enum" in node and None not in node["enum"]:
        return False
    if "const" in node:
        return node["const"] is None
    for keyword in ("anyOf", "oneOf"):
        if keyword in node and not any(isinstance(arm, Node) and accepts_null(arm) for arm in node[keyword]):
            return False
    return "$ref" not in node and "allOf" not in node and (declared is not None or "enum" in node or "anyOf" in node)


def _key(value: Json) -> str:
    """Equal for values that are equal in JSON: 1 and 1.0 are one, 1 and true are two."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)


def _finite(value: Json) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    return all(map(_finite, value)) if isinstance(value, list) else True
