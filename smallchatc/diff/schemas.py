"""Two schemas of one tool become what a caller notices: arguments, types, values and limits, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model import Json
from ..projection.node import Node, Notes, Pointer, json_pointer
from ..projection.plain import plain_schema
from .faces import ANY, LOWER, UPPER, Face, face_of

_MOST_PAIRS = 5_000  # of nested schemas that are compared; more is a schema that nobody reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A difference at one place of a schema."""

    kind: str
    path: str  # dotted, "" for the arguments as a whole
    pointer: str  # into the schema
    before: Json = None
    after: Json = None


def schema_differences(old: Json, new: Json) -> list[Found]:
    """What differs between two input schemas, in reading order."""
    first, second = plain_schema(old, Notes()), plain_schema(new, Notes())
    walk = _Walk(first.get("$defs", {}), second.get("$defs", {}))
    return list(walk.compare([first], [second], "", ()))


class _Walk:
    """Two documents, read side by side."""

    def __init__(self, old: Mapping[str, Node], new: Mapping[str, Node]) -> None:
        self._old, self._new = old, new
        self._seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()

    def compare(self, old: Sequence[Node], new: Sequence[Node], path: str, at: Pointer) -> Iterator[Found]:
        key = (tuple(map(id, old)), tuple(map(id, new)))
        if key in self._seen or len(self._seen) >= _MOST_PAIRS:
            return
        self._seen.add(key)
        before, after = face_of(old, self._old), face_of(new, self._new)
        if bool(before.arms) != bool(after.arms):
            # One way became several, or several one: no piece of one is a piece of the other.
            yield _found("schema-changed", path, at, _ways(before), _ways(after))
            return
        yield from _types(before, after, path, at)
        yield from _values(before, after, path, at)
        yield from _limits(before, after, path, at)
        yield from self._arms(before, after, path, at)
        if before.closed != after.closed:
            yield _found("arguments-closed" if after.closed else "arguments-opened", path, at)
        if path and before.description != after.description:
            yield _found("argument-described-otherwise", path, at, before.description, after.description)
        if before.default != after.default:
            yield _found("default-changed", path, at, before.default, after.default)
        yield from self._properties(before, after, path, at)
        if before.items and after.items:
            yield from self.compare(before.items, after.items, f"{path}[]", (*at, "items"))
        elif before.items or after.items:
            # An array of anything: as if its items had no type.
            nothing = (Node(()),)
            yield from self.compare(before.items or nothing, after.items or nothing, f"{path}[]", (*at, "items"))

    def _arms(self, before: Face, after: Face, path: str, at: Pointer) -> Iterator[Found]:
        old = [arm for said, arm in before.arms.items() if said not in after.arms]
        new = [arm for said, arm in after.arms.items() if said not in before.arms]
        if len(old) == len(new):
            for number, (one, other) in enumerate(zip(old, new, strict=True)):
                yield from self.compare([one], [other], path, (*at, "anyOf", number))
        else:
            kind = _direction("type", narrower=not new, wider=not old)
            yield _found(kind, path, at, _ways(before), _ways(after))

    def _properties(self, before: Face, after: Face, path: str, at: Pointer) -> Iterator[Found]:
        for name in sorted({*before.properties, *after.properties}):
            below, place = f"{path}.{name}" if path else name, (*at, "properties", name)
            if name not in after.properties:
                yield _found("argument-removed", below, place, before=name)
            elif name not in before.properties:
                required = name in after.required
                yield _found("required-argument-added" if required else "optional-argument-added", below, place,
                             after=name)  # fmt: skip
            else:
                if (name in before.required) != (name in after.required):
                    required = name in after.required
                    yield _found("argument-became-required" if required else "argument-became-optional", below, place)
                yield from self.compare(before.properties[name], after.properties[name], below, place)


def _types(before: Face, after: Face, path: str, at: Pointer) -> Iterator[Found]:
    if before.types != after.types:
        kind = _direction("type", narrower=after.types < before.types, wider=after.types > before.types)
        yield _found(kind, path, at, type_names(before.types), type_names(after.types))


def _values(before: Face, after: Face, path: str, at: Pointer) -> Iterator[Found]:
    old, new = before.values, after.values
    if old is None or new is None:
        if old is not new:
            kind = "values-narrowed" if old is None else "values-widened"
            yield _found(kind, path, at, _listed(old), _listed(new))
        return
    if old.keys() != new.keys():
        kind = _direction("values", narrower=new.keys() < old.keys(), wider=new.keys() > old.keys())
        yield _found(kind, path, at, _listed(old), _listed(new))


def _limits(before: Face, after: Face, path: str, at: Pointer) -> Iterator[Found]:
    for key in sorted({*before.limits, *after.limits}):
        old, new = before.limits.get(key), after.limits.get(key)
        if old == new:
            continue
        if old is None or new is None:
            kind = "limit-tightened" if old is None else "limit-loosened"
        elif key in LOWER or key in UPPER:
            kind = "limit-tightened" if (new > old) == (key in LOWER) else "limit-loosened"
        else:
            kind = "limit-changed"
        yield _found(kind, path, (*at, key), None if old is None else {key: old}, None if new is None else {key: new})


def _direction(what: str, *, narrower: bool, wider: bool) -> str:
    return f"{what}-narrowed" if narrower else f"{what}-widened" if wider else f"{what}-changed"


def type_names(atoms: frozenset[str]) -> str:
    """Types as a reader says them: number for integer and fraction, any for all."""
    if atoms == ANY:
        return "any"
    names = set(atoms)
    if "fraction" in names:
        names = names - {"fraction", "integer"} | {"number"}
    return " or ".join(sorted(names)) or "nothing"


def _listed(values: Mapping[str, Json] | None) -> Json:
    return None if values is None else list(values.values())


def _ways(face: Face) -> str:
    return f"{max(len(face.arms), 1)} way{'s' if len(face.arms) > 1 else ''}"


def _found(kind: str, path: str, at: Pointer, before: Json = None, after: Json = None) -> Found:
    return Found(kind=kind, path=path, pointer=json_pointer(at), before=before, after=after)
