"""An input schema becomes what dispatch and search need: arguments and signatures.

Signatures have one parameter per top-level property; alternatives at the root (anyOf, oneOf) are several
signatures. Arguments are all properties at any depth, by dotted path, for the index. Neither refuses any
JSON value: what a schema leaves open is "any". Works on every dialect from draft-04 to 2020-12.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .model import Arg, Json, Param, Signature
from .refs import Refs

MAX_ARGS = 256
MAX_ARG_DEPTH = 5
MAX_SIGNATURES = 16
MAX_ENUM = 64
MAX_FACES = 256
MAX_UNION_DEPTH = 32
MAX_ARM_DEPTH = 4
MAX_ARMS = 64

ANY = "*"
_LETTERS = {"string": "s", "number": "n", "integer": "n", "boolean": "b", "null": "z", "object": "o", "array": "a"}
_LOOSE = {
    "str": "s", "text": "s", "file": "s", "int": "n", "float": "n", "double": "n", "long": "n", "bool": "b",
    "dict": "o", "map": "o", "list": "a", "any": ANY,
}  # fmt: skip
_UNIONS = ("anyOf", "oneOf")
_CONDITIONALS = ("then", "else")
_CONDITIONAL_KEYS = {*_CONDITIONALS, "dependentSchemas", "dependencies"}
_LEADS_ON = {*_UNIONS, *_CONDITIONAL_KEYS, "prefixItems", "items"}
_HOLDS_MORE = {*_LEADS_ON, "properties", "allOf", "$ref", "$dynamicRef", "$recursiveRef"}
_CLASH: dict[str, Json] = {}  # what alternatives say of one property when there are too many of them


def read_arguments(schema: Json) -> tuple[tuple[Arg, ...], bool]:
    """All arguments by dotted path, sorted; and whether some were left out for their depth or number."""
    refs = Refs(schema)
    args: dict[str, Arg] = {}
    cut = False
    queue = deque([("", schema, 0, frozenset[int]())])
    while queue:
        prefix, holder, depth, trail = queue.popleft()
        faces = [face for face in _faces(holder, refs) if id(face) not in trail]
        below = trail | {id(face) for face in faces}
        required = _required_everywhere(holder, refs)
        for name, schemas in _properties(faces).items():
            path = f"{prefix}{name}"
            if path in args:
                continue
            if len(args) >= MAX_ARGS:
                cut = True
                break
            args[path] = _arg(path, schemas, name in required, refs)
            for nested in schemas:
                if not isinstance(nested, dict) or nested.keys().isdisjoint(_HOLDS_MORE):
                    continue
                if depth + 1 < MAX_ARG_DEPTH:
                    queue.append((f"{path}.", nested, depth + 1, below))
                elif _properties(_faces(nested, refs)):
                    cut = True
    return tuple(args[path] for path in sorted(args)), cut


def read_signatures(schema: Json) -> tuple[Signature, ...]:
    """The ways of calling, at least one; equal ones once, in the order they are written."""
    if not isinstance(schema, dict):
        return (Signature(params=(), closed=False),)
    refs = Refs(schema)
    found = dict.fromkeys(_signature(way, refs) for way in _ways(schema, refs))
    return tuple(found)


def type_code(schema: Json, refs: Refs, depth: int = 0) -> str:
    """The type letters of a schema (`Param.code`)."""
    if isinstance(schema, bool):
        return ANY if schema else ""
    if not isinstance(schema, dict) or depth > MAX_UNION_DEPTH:
        return ANY
    if id(schema) not in refs.codes:
        refs.codes[id(schema)] = ANY  # what a schema says of itself while it is being read
        code = ANY
        for layer in refs.layers(schema):
            code = _both(code, _own_code(layer, refs, depth))
        refs.codes[id(schema)] = code
    return refs.codes[id(schema)]


@dataclass(frozen=True, slots=True)
class _Way:
    """One alternative of a root schema."""

    properties: Mapping[str, tuple[Json, ...]]
    required: frozenset[str]
    closed: bool


def _ways(schema: Json, refs: Refs, depth: int = 0) -> list[_Way]:
    """The alternatives of an object schema. Found once per schema and depth: arms that share arms multiply."""
    key = (id(schema), depth)
    if key not in refs.ways:
        refs.ways[key] = _find_ways(schema, refs, depth)
    found: list[_Way] = refs.ways[key]
    return found


def _find_ways(schema: Json, refs: Refs, depth: int) -> list[_Way]:
    layers = refs.layers(schema)
    properties = _properties(layers)
    required = {name for layer in layers for name in _names(layer.get("required"))}
    closed = any(
        layer.get(key) is False for layer in layers for key in ("additionalProperties", "unevaluatedProperties")
    )
    for name, schemas in _properties(_conditionals(layers, refs)).items():
        properties.setdefault(name, schemas)
    ways = [_Way(properties, frozenset(required), closed)]
    for layer in layers if depth < MAX_ARM_DEPTH else ():
        for keyword in _UNIONS:
            arms = layer.get(keyword)
            if not isinstance(arms, list) or not arms:
                continue
            alternatives = [
                way for arm in arms[:MAX_ARMS] if isinstance(arm, dict) for way in _ways(arm, refs, depth + 1)
            ]
            ways = [_joined(way, other) for way in ways for other in _few(alternatives)] or ways
            ways = _few(ways)
    return ways


def _few(ways: list[_Way]) -> list[_Way]:
    return ways if len(ways) <= MAX_SIGNATURES else [_loosest(ways)]


def _joined(way: _Way, other: _Way) -> _Way:
    properties = dict(way.properties)
    for name, schemas in other.properties.items():
        properties[name] = (*properties.get(name, ()), *schemas)
    return _Way(properties, way.required | other.required, way.closed or other.closed)


def _loosest(ways: Sequence[_Way]) -> _Way:
    """One way that takes what any of too many takes."""
    properties: dict[str, tuple[Json, ...]] = {}
    for way in ways:
        for name, schemas in way.properties.items():
            properties.setdefault(name, (_CLASH,) if name in properties else schemas)
    required = frozenset.intersection(*(way.required for way in ways))
    return _Way(properties, required, all(way.closed for way in ways))


def _signature(way: _Way, refs: Refs) -> Signature:
    params = []
    for name in sorted({*way.properties, *way.required}):
        code = ANY
        for schema in way.properties.get(name, ()):
            code = _both(code, type_code(schema, refs)) if code and schema is not False else ""
        params.append(Param(name=name, code=code, required=name in way.required))
    return Signature(params=tuple(params), closed=way.closed)


def _faces(schema: Json, refs: Refs) -> list[Mapping[str, Json]]:
    """All schemas that may say something about the value here, items of arrays included."""
    faces: dict[int, Mapping[str, Json]] = {}
    stack = [schema]
    while stack and len(faces) < MAX_FACES:
        for layer in refs.layers(stack.pop()):
            if id(layer) in faces:
                continue
            faces[id(layer)] = layer
            if layer.keys().isdisjoint(_LEADS_ON):
                continue
            below: list[Json] = []
            for keyword in (*_UNIONS, "prefixItems"):
                if isinstance(layer.get(keyword), list):
                    below.extend(layer[keyword])
            items = layer.get("items")
            below.extend(items if isinstance(items, list) else [items])
            below.extend(_conditionals([layer], refs))
            stack.extend(reversed(below))
    return list(faces.values())


def _conditionals(layers: Iterable[Mapping[str, Json]], refs: Refs) -> list[Mapping[str, Json]]:
    found: list[Json] = []
    for layer in layers:
        if layer.keys().isdisjoint(_CONDITIONAL_KEYS):
            continue
        found.extend(layer.get(keyword) for keyword in _CONDITIONALS)
        for keyword in ("dependentSchemas", "dependencies"):
            if isinstance(layer.get(keyword), dict):
                found.extend(layer[keyword].values())
    return [face for schema in found for face in refs.layers(schema)]


def _properties(layers: Iterable[Mapping[str, Json]]) -> dict[str, tuple[Json, ...]]:
    found: dict[str, tuple[Json, ...]] = {}
    for layer in layers:
        properties = layer.get("properties")
        if isinstance(properties, dict):
            for name, schema in properties.items():
                found[name] = (*found.get(name, ()), schema)
    return found


def _required_everywhere(holder: Json, refs: Refs) -> frozenset[str]:
    """What every way of filling the object (or the items of the array) needs."""
    schema = holder
    for layer in refs.layers(holder):
        if isinstance(layer.get("items"), dict) and "properties" not in layer:
            schema = layer["items"]
    ways = _ways(schema, refs)
    return frozenset.intersection(*(way.required for way in ways))


def _arg(path: str, schemas: Sequence[Json], required: bool, refs: Refs) -> Arg:
    code = ANY
    for schema in schemas:
        code = _both(code, type_code(schema, refs))
    faces = [face for schema in schemas for face in _faces(schema, refs)]
    enum = dict.fromkeys(text for face in faces for text in _enum_texts(face))
    return Arg(
        name=path,
        code=code,
        required=required,
        description=_first_text(faces, "description") or _first_text(faces, "title"),
        enum=tuple(enum)[:MAX_ENUM],
        format=_first_text(faces, "format"),
    )


def _enum_texts(face: Mapping[str, Json]) -> Iterable[str]:
    values = face["enum"] if isinstance(face.get("enum"), list) else []
    for value in (*values, face.get("const")):
        if isinstance(value, str):
            yield value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield getattr(value, "text", None) or str(value)


def _first_text(faces: Iterable[Mapping[str, Json]], key: str) -> str:
    return next((face[key] for face in faces if isinstance(face.get(key), str) and face[key].strip()), "")


def _own_code(layer: Mapping[str, Json], refs: Refs, depth: int) -> str:
    code = _declared_code(layer)
    for keyword in _UNIONS:
        arms = layer.get(keyword)
        if isinstance(arms, list) and arms:
            code = _both(code, _union(type_code(arm, refs, depth + 1) for arm in arms if isinstance(arm, dict | bool)))
    values = layer["enum"] if isinstance(layer.get("enum"), list) else [layer["const"]] if "const" in layer else []
    if values:
        code = _both(code, _union(_letter_of(value) for value in values))
    if code != ANY and layer.get("nullable") is True:
        code = _union((code, "z"))
    return code


def _declared_code(layer: Mapping[str, Json]) -> str:
    declared = layer.get("type")
    if isinstance(declared, str):
        return _LETTERS.get(declared) or _LOOSE.get(declared.lower(), ANY)
    if isinstance(declared, list) and declared:
        return _union(_LETTERS.get(name, ANY) if isinstance(name, str) else ANY for name in declared)
    if any(keyword in layer for keyword in ("properties", "patternProperties")):
        return "o"
    if "items" in layer or "prefixItems" in layer:
        return "a"
    return ANY


def _letter_of(value: Json) -> str:
    if value is None:
        return "z"
    if isinstance(value, bool):
        return "b"
    if isinstance(value, int | float):
        return "n"
    return "s" if isinstance(value, str) else "o" if isinstance(value, dict) else "a"


def _union(codes: Iterable[str]) -> str:
    letters = set("".join(codes))
    return ANY if ANY in letters else "".join(sorted(letters))


def _both(code: str, other: str) -> str:
    """What both allow; schemas that contradict each other count as the first."""
    if code == ANY or not other:
        return other
    if other == ANY or not code:
        return code
    return "".join(sorted(set(code) & set(other))) or code


def _names(value: Json) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
