"""$ref to the schema that it means, within one document: pointers, anchors and ids, never the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from .model import Json

FOUND, UNRESOLVED, REMOTE = "found", "unresolved", "remote"
MAX_LAYERS = 64

_REF_KEYWORDS = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a reference leads: FOUND with a schema, or why not."""

    status: str
    schema: Json = None


class Refs:
    """The references of one schema document; names are collected when the first one is asked for."""

    def __init__(self, root: Json) -> None:
        self.root = root
        self.codes: dict[int, str] = {}  # type codes worked out so far, by identity of the schema
        self.ways: dict[tuple[int, int], Any] = {}  # alternatives found so far, by identity and depth
        self._layers: dict[int, tuple[Mapping[str, Json], ...]] = {}
        self._targets: dict[str, Target] = {}
        self._names: dict[str, Json] | None = None

    def resolve(self, ref: str) -> Target:
        """The schema a reference means."""
        known = self._targets.get(ref)
        if known is None:
            known = self._targets[ref] = self._resolve(ref)
        return known

    def _resolve(self, ref: str) -> Target:
        if ref in ("", "#"):
            return Target(status=FOUND, schema=self.root)
        if ref.startswith("#/"):
            return self._pointer(self.root, ref[1:])
        named = self._named()
        if ref in named:
            return Target(status=FOUND, schema=named[ref])
        base, _, fragment = ref.partition("#")
        if base and base in named and fragment.startswith("/"):
            return self._pointer(named[base], fragment)
        return Target(status=UNRESOLVED if ref.startswith("#") else REMOTE)

    def layers(self, schema: Json) -> tuple[Mapping[str, Json], ...]:
        """All schemas that hold at once where this one stands: itself, what it refers to, its allOf."""
        if not isinstance(schema, dict):
            return ()
        if not ("$ref" in schema or "allOf" in schema or "$dynamicRef" in schema or "$recursiveRef" in schema):
            return (schema,)
        known = self._layers.get(id(schema))
        if known is None:
            known = self._layers[id(schema)] = tuple(self._find_layers(schema))
        return known

    def _find_layers(self, schema: Json) -> Iterator[Mapping[str, Json]]:
        seen: set[int] = set()
        stack = [schema]
        while stack and len(seen) < MAX_LAYERS:
            layer = stack.pop()
            if not isinstance(layer, dict) or id(layer) in seen:
                continue
            seen.add(id(layer))
            yield layer
            below = [self.resolve(ref).schema for ref in refs_of(layer)]
            if isinstance(layer.get("allOf"), list):
                below.extend(layer["allOf"])
            stack.extend(reversed(below))

    def is_circular(self, schema: Mapping[str, Json]) -> bool:
        """Whether following only references from here leads back to a reference already followed."""
        seen: set[int] = set()
        current: Json = schema
        while isinstance(current, dict) and len(seen) < MAX_LAYERS:
            refs = list(refs_of(current))
            if not refs or set(current) - set(_REF_KEYWORDS) - {"description", "title", "$comment"}:
                return False
            if id(current) in seen:
                return True
            seen.add(id(current))
            current = self.resolve(refs[0]).schema
        return False

    def _pointer(self, base: Json, pointer: str) -> Target:
        current = base
        for step in pointer.split("/")[1:]:
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(current, dict) and key in current:
                current = current[key]
            elif isinstance(current, list) and key.isascii() and key.isdigit() and int(key) < len(current):
                current = current[int(key)]
            else:
                return Target(status=UNRESOLVED)
        return Target(status=FOUND, schema=current) if isinstance(current, dict | bool) else Target(status=UNRESOLVED)

    def _named(self) -> dict[str, Json]:
        if self._names is None:
            self._names = {}
            stack = [self.root]
            while stack:
                value = stack.pop()
                if isinstance(value, dict):
                    for key in ("$id", "id"):
                        if isinstance(value.get(key), str):
                            self._names.setdefault(value[key].removesuffix("#"), value)
                    for key in ("$anchor", "$dynamicAnchor"):
                        if isinstance(value.get(key), str):
                            self._names.setdefault(f"#{value[key]}", value)
                    stack.extend(reversed(list(value.values())))
                elif isinstance(value, list):
                    stack.extend(reversed(value))
        return self._names


def refs_of(schema: Mapping[str, Json]) -> Iterator[str]:
    """The references written at this schema; a property that is called $ref is none."""
    for keyword in _REF_KEYWORDS:
        if isinstance(schema.get(keyword), str):
            yield schema[keyword]
