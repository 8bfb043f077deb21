"""Nodes: a schema on its way to a model API, each part with the place it was written at, and what is said of it.

A projection works on nodes of its own and changes them in place; what was written stays in the artifact.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..model import Json

Pointer = tuple[str | int, ...]

REPAIRED, REWRITTEN, DESCRIBED, LOST, BLOCKED = "repaired", "rewritten", "described", "lost", "blocked"
"""A fault mended; the same said otherwise; a bound moved into the description; not said any more; forbids strict."""

DEFS = "#/$defs/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that a projection did to a schema; `pointer` leads from the schema's root."""

    kind: str
    rule: str
    pointer: str
    said: str


class Notes:
    """The changes of one projection, in the order they were made."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.folded = 0  # combinations written out so far: what one projection may spend on that is bounded

    def say(self, kind: str, rule: str, at: Pointer, said: str) -> None:
        """Note one change at a place."""
        self.changes.append(Change(kind=kind, rule=rule, pointer=json_pointer(at), said=said))

    def of(self, kind: str) -> list[Change]:
        """The changes of one kind."""
        return [change for change in self.changes if change.kind == kind]


class Node(dict[str, Json]):
    """A schema object. Its subschemas are nodes; what is no schema (`default`, `enum`) holds none."""

    __slots__ = ("absent", "at", "renamed", "spelled")

    def __init__(self, at: Pointer, content: Mapping[str, Json] | Iterable[tuple[str, Json]] = ()) -> None:
        super().__init__(content)
        self.at = at
        self.renamed: dict[str, str] = {}  # property as emitted -> as written
        self.absent: tuple[str, ...] = ()  # properties, as emitted, for which null means that they are not given
        self.spelled: dict[str, Json] = {}  # enum text as emitted -> the value it stands for

    def copy(self) -> Node:
        """This node alone; its subschemas are shared."""
        made = Node(self.at, self)
        made.renamed, made.absent, made.spelled = dict(self.renamed), self.absent, dict(self.spelled)
        return made

    def become(self, other: Node) -> None:
        """Take the other's content; the place stays."""
        self.clear()
        self.update(other)
        self.renamed, self.absent, self.spelled = dict(other.renamed), other.absent, dict(other.spelled)


def below(node: Node) -> Iterator[Node]:
    """The subschemas right below a node."""
    for value in node.values():
        if isinstance(value, Node):
            yield value
        elif isinstance(value, dict):
            yield from (item for item in value.values() if isinstance(item, Node))
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, Node))


def all_nodes(root: Node) -> Iterator[Node]:
    """Every node of a schema, its `$defs` included, each once, parents first."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(reversed(list(below(node))))


def drop_unused(root: Node) -> None:
    """Leave out the `$defs` that nothing leads to any more."""
    defs: dict[str, Node] = root.pop("$defs", {})
    used: set[str] = set()
    waiting = list(all_nodes(root))
    while waiting:
        ref = waiting.pop().get("$ref")
        name = ref.removeprefix(DEFS) if isinstance(ref, str) else ""
        if name in defs and name not in used:
            used.add(name)
            waiting.extend(all_nodes(defs[name]))
    if used:
        root["$defs"] = {name: node for name, node in defs.items() if name in used}


def deep_copy(node: Node) -> Node:
    """A node with copies of everything below it."""
    made = node.copy()
    for key, value in node.items():
        if isinstance(value, Node):
            made[key] = deep_copy(value)
        elif isinstance(value, dict):
            made[key] = {name: deep_copy(item) if isinstance(item, Node) else item for name, item in value.items()}
        elif isinstance(value, list):
            made[key] = [deep_copy(item) if isinstance(item, Node) else item for item in value]
    return made


def distinct(nodes: Iterable[Node]) -> list[Node]:
    """The nodes that differ in what they say, in their order."""
    return list({json.dumps(node, sort_keys=True): node for node in reversed(list(nodes))}.values())[::-1]


def types_of(node: Node) -> list[str]:
    """The declared types as a list."""
    declared = node.get("type")
    return list(declared) if isinstance(declared, list) else [declared] if isinstance(declared, str) else []


def describe(node: Node, words: str) -> None:
    """Add words to a node's description."""
    said = node.get("description")
    node["description"] = f"{said}\n\n{words}" if said else words


def shown(value: Json) -> str:
    """A value inside a message: JSON, cut."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def json_pointer(at: Pointer) -> str:
    """RFC 6901."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in at)
