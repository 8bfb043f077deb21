"""Schemas of an API description become JSON Schema 2020-12, as an argument or a result of a tool.

A reference stays a reference, into `$defs` of the tool: cycles end there, and a schema is converted once for all
tools. What only a description knows (nullable, boolean bounds, readOnly, xml) is said in JSON Schema or left out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...model import Json
from ...quirks import SUBSCHEMA, SUBSCHEMA_LISTS, SUBSCHEMA_MAPS
from .refs import Node, References, name_of

INPUT, OUTPUT = "input", "output"

MAX_VALUES = {INPUT: 3_000, OUTPUT: 2_000}
"""Values in the definitions of one tool; what lies deeper is anything. 3,880 real input schemas have 2,100 at most."""

MAX_VALUES_IN_ALL = {INPUT: 1_000_000, OUTPUT: 500_000}
"""Values in the schemas of all tools of a description: what many tools share is written out in each. A million take
half a minute; the largest real description has 60,000."""

_CHARACTERS = 64  # of a text count as a value

_DROPPED = {
    "$anchor", "$dynamicAnchor", "$defs", "$id", "$schema", "$vocabulary", "definitions", "discriminator", "example",
    "examples", "externalDocs", "id", "nullable", "readOnly", "writeOnly", "xml",
}  # fmt: skip
_ANNOTATIONS = ("title", "description", "default", "deprecated")
_HIDDEN = {INPUT: "readOnly", OUTPUT: "writeOnly"}
_UNIONS = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Piece:
    """A converted schema, the definitions it names, and how many values it holds."""

    schema: Json
    needs: tuple[str, ...]
    values: int


class Schemas:
    """The schemas of one description, each converted when it is first needed."""

    def __init__(self, refs: References, *, siblings: bool) -> None:
        self.refs = refs
        self._siblings = siblings  # keywords beside $ref count (3.1 and later)
        self._names: dict[int, str] = {}
        self._nodes: dict[str, Node] = {}
        self._numbers: dict[str, int] = {}
        self._pieces: dict[tuple[int, str], tuple[Json, Piece]] = {}  # the value too: its id stays its own
        self._left = dict(MAX_VALUES_IN_ALL)

    def is_exhausted(self, way: str) -> bool:
        """Whether all that may be written out for the tools of this description has been."""
        return self._left[way] <= 0

    def convert(self, node: Node, way: str) -> Piece:
        """A schema as it stands in an argument (INPUT) or in a result (OUTPUT)."""
        if self.is_exhausted(way):
            return Piece({}, (), 1)
        known = self._pieces.get((id(node.value), way))
        if known is None:
            work = _Conversion(self, way)
            schema = work.schema(node)
            known = node.value, Piece(schema, tuple(dict.fromkeys(work.needs)), work.values)
            self._pieces[id(node.value), way] = known
        return known[1]

    def definitions(self, pieces: Iterable[Piece], way: str) -> tuple[dict[str, Json], bool]:
        """All that pieces name, directly and indirectly, nearest first; and whether some of it was too much."""
        given = list(pieces)
        found: dict[str, Json] = {}
        left = min(MAX_VALUES[way], self._left[way])
        total = sum(piece.values for piece in given)
        queue = deque(name for piece in given for name in piece.needs)
        cut = self.is_exhausted(way)
        while queue:
            name = queue.popleft()
            if name in found:
                continue
            piece = self.convert(self._nodes[name], way)
            if piece.values > left:
                found[name], cut = {}, True
                continue
            left -= piece.values
            total += piece.values
            found[name] = piece.schema
            queue.extend(piece.needs)
        self._left[way] -= total
        return {name: found[name] for name in sorted(found)}, cut

    def name(self, node: Node) -> str:
        """The name under which a schema is defined in every tool that needs it."""
        known = self._names.get(id(node.value))
        if known is None:
            plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", name_of(node)).strip("_")[:64] or "schema"
            known = plain
            while known in self._nodes:
                self._numbers[plain] = self._numbers.get(plain, 1) + 1
                known = f"{plain}_{self._numbers[plain]}"
            self._names[id(node.value)] = known
            self._nodes[known] = node
        return known

    @property
    def reads_siblings(self) -> bool:
        """Whether keywords beside a reference count."""
        return self._siblings

    def is_hidden(self, node: Node, way: str) -> bool:
        """A property that is never sent (readOnly) or never returned (writeOnly)."""
        key = _HIDDEN[way]
        if not isinstance(node.value, dict):
            return False
        if node.value.get(key) is True:
            return True
        target = self.refs.follow(node) if "$ref" in node.value else node
        return isinstance(target.value, dict) and target.value.get(key) is True


class _Conversion:
    """One schema on its way; what it names and how large it is comes up in passing."""

    def __init__(self, schemas: Schemas, way: str) -> None:
        self.needs: list[str] = []
        self.values = 0
        self._schemas = schemas
        self._way = way

    def schema(self, node: Node) -> Json:
        value = node.value
        self.values += 1
        if not isinstance(value, dict):
            return value  # what is no schema stays as it is: quirks say so of the tool
        ref = value.get("$ref", value.get("$dynamicRef", value.get("$recursiveRef")))
        if isinstance(ref, str):
            return self._reference(node, ref)
        return self._plain(node)

    def _reference(self, node: Node, ref: str) -> Json:
        beside = {
            key: value for key, value in node.value.items() if key not in ("$ref", "$dynamicRef", "$recursiveRef")
        }
        if not self._schemas.reads_siblings:
            beside = {key: value for key, value in beside.items() if key in _ANNOTATIONS or key.endswith("nullable")}
        said = self._plain(Node(beside, node.file, node.pointer)) if beside else {}
        target = self._schemas.refs.target(node, ref)
        if target is not None and isinstance(target.value, dict) and self._schemas.refs.follow(target).value is None:
            target = None
        if target is None or not isinstance(said, dict):
            return said
        name = self._schemas.name(target)
        self.needs.append(name)
        reference: dict[str, Json] = {"$ref": f"#/$defs/{name}"}
        if _is_nullable(beside):
            return {"anyOf": [reference, {"type": "null"}], **said}
        return {**reference, **said}

    def _plain(self, node: Node) -> Json:
        value = node.value
        made: dict[str, Json] = {}
        for key, item in value.items():
            if key in _DROPPED or key.startswith("x-"):
                continue
            below = node.below(key)
            if key in SUBSCHEMA or (key == "items" and not isinstance(item, list)):
                made[key] = self.schema(below)
            elif (key in SUBSCHEMA_LISTS or key == "items") and isinstance(item, list):
                made[key] = [self.schema(below.below(index)) for index in range(len(item))]
            elif key == "properties" and isinstance(item, dict):
                made[key] = {name: self.schema(each) for name, each in self._shown(below)}
            elif key in SUBSCHEMA_MAPS and isinstance(item, dict):
                made[key] = {name: self.schema(below.below(name)) for name in item}
            else:
                self.values += count(item)
                made[key] = item
        self._required(node, made)
        _bounds(made)
        if made.get("type") == "file":
            made["type"], made["format"] = "string", "binary"
        if self._way == INPUT and (examples := list(_examples(value))):
            made["examples"] = examples
        return _nullable(made) if _is_nullable(value) else made

    def _shown(self, properties: Node) -> Iterator[tuple[str, Node]]:
        for name in properties.value:
            node = properties.below(name)
            if not self._schemas.is_hidden(node, self._way):
                yield name, node

    def _required(self, node: Node, made: dict[str, Json]) -> None:
        """What is hidden cannot be required."""
        required, properties = made.get("required"), node.value.get("properties")
        if not isinstance(required, list) or not isinstance(properties, dict):
            return
        hidden = properties.keys() - made["properties"].keys()
        kept = [name for name in required if not isinstance(name, str) or name not in hidden]
        if kept or not hidden:
            made["required"] = kept
        else:
            del made["required"]


def _is_nullable(value: Json) -> bool:
    return value.get("nullable") is True or value.get("x-nullable") is True


def _nullable(made: dict[str, Json]) -> Json:
    """The same schema, null allowed."""
    declared = made.get("type")
    if isinstance(declared, str) and declared != "null":
        made["type"] = [declared, "null"]
    elif isinstance(declared, list) and "null" not in declared:
        made["type"] = [*declared, "null"]
    elif declared is None and any(key in made for key in _UNIONS):
        return {"anyOf": [made, {"type": "null"}]}
    if isinstance(made.get("enum"), list) and None not in made["enum"]:
        made["enum"] = [*made["enum"], None]
    return made


def _bounds(made: dict[str, Json]) -> None:
    """exclusiveMinimum: true beside minimum, as draft 04 writes it, becomes the bound itself."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(made.get(exclusive), bool) and made.pop(exclusive) and bound in made:
            made[exclusive] = made.pop(bound)


def _examples(value: Json) -> Iterator[Json]:
    """Examples that are single values; of larger ones the schema itself says enough."""
    given = value.get("examples")
    for example in ([value["example"]] if "example" in value else []) + (given[:3] if isinstance(given, list) else []):
        if isinstance(example, str | int | float) and not (isinstance(example, str) and len(example) > 200):
            yield example


def count(value: Json) -> int:
    """How many values there are in one, long texts as several."""
    if isinstance(value, str):
        return 1 + len(value) // _CHARACTERS
    if isinstance(value, dict):
        return 1 + sum(map(count, value.values()))
    return 1 + sum(map(count, value)) if isinstance(value, list) else 1
