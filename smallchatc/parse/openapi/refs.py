"""References of an API description: a `$ref` and the file it stands in become the node that it means.

Within a file `smallchatc.refs` does the work (pointers, anchors, ids); here is what leads from one file to another.
A reference that leads nowhere is said once, at the first place that has it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from ...diagnostics import diagnostic
from ...model import Diagnostic, Json, Span
from ...refs import FOUND, Refs
from ..beside import Beside, Refused, beside_path
from ..documents import Pointer

MAX_HOPS = 32

Locate = Callable[[Pointer], Span]


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a description and where it stands."""

    value: Json
    file: str
    pointer: Pointer

    def below(self, *steps: str | int) -> Node:
        """The value at these steps; None where there is nothing."""
        value = self.value
        for step in steps:
            if isinstance(value, dict):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            else:
                value = None
        return Node(value, self.file, (*self.pointer, *steps))

    def text(self, key: str) -> str:
        """The text under a key, "" where there is none."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return value.strip() if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class _Unmet:
    slug: str
    reason: str


class References:
    """The references of one description, and what was wrong with them."""

    def __init__(self, document: Json, beside: Beside, locate: Locate) -> None:
        self.root = Node(document, beside.path, ())
        self.said: list[Diagnostic] = []
        self._beside, self._locate = beside, locate
        self._files: dict[str, Refs | _Unmet] = {beside.path: Refs(document)}
        self._found: dict[tuple[str, str], Node | _Unmet] = {}
        self._told: set[tuple[str, str]] = set()
        self._circular: set[int] = set()

    def follow(self, node: Node) -> Node:
        """The node itself, or what it refers to in the end; None as its value where that is nothing."""
        seen: set[int] = set()
        start = node
        while isinstance(node.value, dict) and isinstance(node.value.get("$ref"), str):
            if id(node.value) in seen or len(seen) == MAX_HOPS:
                if self._circular.isdisjoint(seen):
                    self._say(start, _Unmet("circular-ref", "it leads back to itself"), start.value["$ref"])
                self._circular |= seen
                return Node(None, start.file, start.pointer)
            seen.add(id(node.value))
            target = self.target(node, node.value["$ref"])
            if target is None:
                return Node(None, node.file, node.pointer)
            node = target
        return node

    def target(self, node: Node, ref: str) -> Node | None:
        """What a reference that stands at a node means; None, and a diagnostic, where that is nothing."""
        key = (node.file, ref)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._find(node.file, ref)
        if isinstance(found, _Unmet):
            self._say(node, found, ref)
            return None
        return found

    def span(self, node: Node) -> Span:
        """Where a node is written."""
        if node.file == self.root.file:
            return self._locate(node.pointer)
        documents = self._beside.documents(node.file)
        line, column = (1, 1) if isinstance(documents, Refused) else documents.documents[0].locate(node.pointer)
        return Span(file=node.file, line=line, column=column, pointer=pointer_text(node.pointer))

    def _find(self, file: str, ref: str) -> Node | _Unmet:
        within = self._refs(file)
        if isinstance(within, _Unmet):
            return within
        target = within.resolve(ref)
        path, _, fragment = ref.partition("#")
        if target.status == FOUND:
            return Node(target.schema, file, pointer_of(fragment))
        if not path:
            return _Unmet("unresolved-ref", "it is not there")
        other = beside_path(file, unquote(path))
        if isinstance(other, Refused):
            return _Unmet(other.slug, other.reason)
        within = self._refs(other)
        if isinstance(within, _Unmet):
            return within
        target = within.resolve(f"#{fragment}")
        if target.status != FOUND:
            return _Unmet("unresolved-ref", "it is not there")
        return Node(target.schema, other, pointer_of(fragment))

    def _refs(self, file: str) -> Refs | _Unmet:
        known = self._files.get(file)
        if known is None:
            documents = self._beside.documents(file)
            if isinstance(documents, Refused):
                known = _Unmet(documents.slug, documents.reason)
            else:
                known = Refs(documents.documents[0].value)
            self._files[file] = known
        return known

    def _say(self, node: Node, unmet: _Unmet, ref: str) -> None:
        if (unmet.slug, ref) not in self._told and len(self._told) < MAX_TOLD:
            self._told.add((unmet.slug, ref))
            message = f"reference '{ref[:120]}' is read as anything: {unmet.reason}"
            self.said.append(diagnostic(unmet.slug, message, span=self.span(node)))


MAX_TOLD = 100
"""References that lead nowhere are named one by one up to here."""


def pointer_of(fragment: str) -> Pointer:
    """The steps of a fragment; that of an anchor is not known and counts as the root."""
    if not fragment.startswith("/"):
        return ()
    return tuple(unquote(step).replace("~1", "/").replace("~0", "~") for step in fragment.split("/")[1:])


def pointer_text(pointer: Pointer) -> str:
    """The pointer as JSON Pointer."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in pointer)


def name_of(node: Node) -> str:
    """What a node is called where it is defined: the last step to it, else its file's name."""
    return str(node.pointer[-1]) if node.pointer else PurePosixPath(node.file).stem
