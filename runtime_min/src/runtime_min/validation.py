"""Validation: a JSON Schema becomes a check, compiled once; a check turns a value into what is wrong with it.

The same result always, whatever is installed. Keywords that are not understood are ignored, and listed as not
checked. `full_check` judges by the whole of JSON Schema instead, through the jsonschema package, when the host
asks for it by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from . import checks
from .checks import Check, Found, Reference
from .errors import Violation
from .named import NamedTuple
from .objects import MAX_DEPTH
from .overload import describe, pointer
from .pattern import compile_search

MAX_NODES = 1_000_000
"""Values inside an argument that are looked at; what is larger is refused, not walked."""


class Validator(NamedTuple):
    """The compiled checks of one schema, and the keywords in it that none of them looks at.

    `plainly` and `required` are a short cut to "nothing is wrong": arguments of which only a primitive type is
    asked, with the Python types that are plainly it. What they do not settle, the checks do.
    """

    check: Check
    not_checked: tuple[str, ...]
    plainly: Mapping[str, frozenset[type]] = {}
    required: tuple[str, ...] | None = None

    def fits_plainly(self, args: Mapping[str, Any]) -> bool:
        """Whether the arguments are all there and plainly of their types; False settles nothing."""
        if self.required is None:
            return False
        for name, value in args.items():
            if name not in self.plainly or type(value) not in self.plainly[name]:
                return False
        return all(name in args for name in self.required) if self.required else True

    def violations(self, args: Mapping[str, Any]) -> tuple[Violation, ...]:
        """What is wrong with these arguments, in the order of the schema."""
        found = Found()
        if any(isinstance(value, (Mapping, list, tuple)) for value in args.values()) and (bad := _unwalkable(args)):
            return (bad,)
        self.check(args, "", found)
        return tuple(found)


def compile_schema(schema: Any) -> Validator:
    """The validator of an input schema.

    An argument that a schema with properties does not name is in excess, unless the schema says otherwise
    (`additionalProperties`, `patternProperties`): a caller that made a name up should hear of it.
    """
    compiler = _Compiler(schema)
    check = compiler.schema(schema, strict=True)
    return Validator(check, tuple(sorted(compiler.ignored)), *_short_cut(schema))


def full_check(schema: Any) -> Validator:
    """The same by the jsonschema package, every keyword of the schema's dialect; raises ImportError without it."""
    from jsonschema import validators

    chosen: Any = validators.validator_for(schema, default=validators.validator_for({}))(schema)

    def check(value: Any, path: str, found: Found) -> None:
        for error in sorted(chosen.iter_errors(value), key=lambda e: (list(map(str, e.absolute_path)), e.validator)):
            where = path + "".join(pointer(str(part)) for part in error.absolute_path)
            expected = f"{error.validator}: {checks.short(error.validator_value)}"
            found.append(
                Violation(where, _KINDS.get(str(error.validator), "value"), expected, describe(error.instance))
            )

    return Validator(check, ())


_KINDS = {"type": "mismatch", "required": "missing", "additionalProperties": "excess", "pattern": "pattern"}

_NOTES = frozenset(
    "$schema $id $anchor $comment $defs definitions title description default examples example deprecated readOnly"
    " writeOnly id $vocabulary contentEncoding contentMediaType contentSchema discriminator xml externalDocs".split()
)
"""Keywords that say nothing about what is allowed."""

_DONE = frozenset(
    "type nullable required enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength"
    " pattern items prefixItems additionalItems minItems maxItems uniqueItems properties patternProperties"
    " additionalProperties minProperties maxProperties anyOf oneOf allOf not $ref".split()
)


class _Compiler:
    """Turns schemas into checks; `$ref` is compiled once and may refer to itself."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.ignored: set[str] = set()
        self._refs: dict[str, Reference] = {}

    def schema(self, schema: Any, *, strict: bool = False) -> Check:
        if schema is False:
            return checks.never
        if not isinstance(schema, Mapping):
            return checks.anything
        self.ignored.update(k for k in schema if k not in _DONE and k not in _NOTES and not k.startswith("x-"))
        found = [check for check in self._checks(schema, strict) if check is not None]
        if not found:
            return checks.anything
        return found[0] if len(found) == 1 else partial(checks.each, found)

    def _checks(self, schema: Mapping[str, Any], strict: bool) -> list[Check | None]:
        types = _types(schema)
        out: list[Check | None] = []
        if isinstance(schema.get("$ref"), str):
            out.append(self._ref(schema["$ref"]))
        if types is not None:
            out.append(partial(checks.of_type, types, "|".join(sorted(types)) or "nothing"))
        if "const" in schema:
            out.append(partial(checks.one_value_of, [schema["const"]]))
        if isinstance(schema.get("enum"), list):
            allowed = schema["enum"] + ([None] if schema.get("nullable") is True else [])
            out.append(partial(checks.one_value_of, allowed))
        out += [self._numbers(schema), self._strings(schema), self._arrays(schema), self._objects(schema, strict)]
        for keyword, judge in (("allOf", checks.all_of), ("anyOf", checks.any_of), ("oneOf", checks.one_of)):
            arms = schema.get(keyword)
            if isinstance(arms, list) and arms:
                out.append(partial(judge, [self.schema(arm) for arm in arms]))
        if "not" in schema:
            out.append(partial(checks.none_of, self.schema(schema["not"])))
        return out

    def _ref(self, ref: str) -> Check:
        if ref not in self._refs:
            target = _resolve(self.root, ref)
            if target is _MISSING:
                self.ignored.add(f"$ref {ref}")
                return checks.anything
            self._refs[ref] = reference = Reference()
            reference.check = self.schema(target)
        return self._refs[ref]

    def _numbers(self, schema: Mapping[str, Any]) -> Check | None:
        low, high = _number(schema, "minimum"), _number(schema, "maximum")
        above, below = _number(schema, "exclusiveMinimum"), _number(schema, "exclusiveMaximum")
        if schema.get("exclusiveMinimum") is True:  # draft-04
            low, above = None, low
        if schema.get("exclusiveMaximum") is True:
            high, below = None, high
        step = _number(schema, "multipleOf")
        if step is not None and step <= 0:
            step = None
        if all(limit is None for limit in (low, high, above, below, step)):
            return None
        return partial(checks.in_range, low, high, above, below, step)

    def _strings(self, schema: Mapping[str, Any]) -> Check | None:
        low, high = _number(schema, "minLength"), _number(schema, "maxLength")
        search = None
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            search = compile_search(pattern)
            if search is None:
                self.ignored.add("pattern")
        if low is None and high is None and search is None:
            return None
        return partial(checks.text, low or 0, math.inf if high is None else high, search, pattern)

    def _arrays(self, schema: Mapping[str, Any]) -> Check | None:
        items, prefix = schema.get("items"), schema.get("prefixItems")
        if isinstance(items, list):  # before 2020-12
            prefix, items = items, schema.get("additionalItems")
        first = [self.schema(item) for item in prefix] if isinstance(prefix, list) else []
        rest = self.schema(items) if items is not None else None
        low, high = _number(schema, "minItems"), _number(schema, "maxItems")
        unique = schema.get("uniqueItems") is True
        if not first and rest is None and low is None and high is None and not unique:
            return None
        return partial(checks.items, first, rest, low or 0, math.inf if high is None else high, unique)

    def _objects(self, schema: Mapping[str, Any], strict: bool) -> Check | None:
        properties, patterns = schema.get("properties"), schema.get("patternProperties")
        required = schema.get("required")
        named = {n: self.schema(s) for n, s in properties.items()} if isinstance(properties, Mapping) else {}
        wanted = [n for n in required if isinstance(n, str)] if isinstance(required, list) else []
        must = [(n, _expected(properties.get(n) if isinstance(properties, Mapping) else None)) for n in wanted]
        other: list[tuple[Callable[[str], bool], Check]] = []
        unclear = False
        for pattern, below in patterns.items() if isinstance(patterns, Mapping) else ():
            search = compile_search(pattern)
            if search is None:
                self.ignored.add("patternProperties")
                unclear = True
            else:
                other.append((search, self.schema(below)))
        extra: Check | None = None
        if "additionalProperties" in schema:
            more = schema["additionalProperties"]
            extra = checks.excess if more is False else self.schema(more)
        elif strict and named and not other and not _combines(schema):
            extra = checks.excess
        if unclear:  # a name that an unreadable pattern might allow cannot be called wrong
            extra = None
        low, high = _number(schema, "minProperties"), _number(schema, "maxProperties")
        if not (named or must or other or extra or low is not None or high is not None):
            return None
        sizes = (low or 0, math.inf if high is None else high)
        return partial(checks.properties, tuple(named.items()), named.keys(), tuple(must), other, extra, sizes)


_PLAIN_TYPES: Mapping[str, frozenset[type]] = {
    "string": frozenset((str,)),
    "number": frozenset((int, float)),
    "integer": frozenset((int,)),
    "boolean": frozenset((bool,)),
    "null": frozenset((type(None),)),
}
_PLAIN_KEYS = frozenset("type properties required additionalProperties".split()) | _NOTES


def _short_cut(schema: Any) -> tuple[Mapping[str, frozenset[type]], tuple[str, ...] | None]:
    """`Validator.plainly` and `required` of a schema that is an object and no more."""
    if not isinstance(schema, Mapping) or schema.get("type") != "object" or not set(schema) <= _PLAIN_KEYS:
        return {}, None
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return {}, None
    plainly = {
        name: frozenset().union(*(_PLAIN_TYPES.get(kind, ()) for kind in types))
        for name, below in properties.items()
        if isinstance(below, Mapping) and (types := _types(below)) and {*below} - {"type"} <= _NOTES
    }
    return plainly, tuple(name for name in required if isinstance(name, str))


_MISSING = object()


def _combines(schema: Mapping[str, Any]) -> bool:
    """Whether properties may be named elsewhere than in `properties`."""
    return any(key in schema for key in ("allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas", "dependencies"))


def _expected(schema: Any) -> str:
    """What a value should be, in a few words."""
    if not isinstance(schema, Mapping):
        return "a value"
    if isinstance(schema.get("enum"), list):
        return f"one of {checks.short(schema['enum'])}"
    return "|".join(sorted(_types(schema) or ())) or "a value"


def _types(schema: Mapping[str, Any]) -> frozenset[str] | None:
    types = schema.get("type")
    listed = [types] if isinstance(types, str) else types
    if not isinstance(listed, list) or not all(isinstance(name, str) and name in _JSON_TYPES for name in listed):
        return None
    return frozenset([*listed, "null"] if schema.get("nullable") is True else listed)


_JSON_TYPES = frozenset("string number integer boolean null object array".split())


def _number(schema: Mapping[str, Any], key: str) -> float | None:
    value = schema.get(key)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _resolve(root: Any, ref: str) -> Any:
    """What a local reference means; others are not followed."""
    if ref == "#":
        return root
    if not ref.startswith("#/"):
        return _MISSING
    at = root
    for part in ref[2:].split("/"):
        part = _unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(at, Mapping) and part in at:
            at = at[part]
        elif isinstance(at, list) and part.isdecimal() and int(part) < len(at):
            at = at[int(part)]
        else:
            return _MISSING
    return at


def _unquote(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


def _unwalkable(args: Mapping[str, Any]) -> Violation | None:
    """What cannot be looked through: a container inside itself, one nested too deep, or too many values."""
    level: list[Any] = [args]
    seen = 0
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for holder in level:
            for value in holder.values() if isinstance(holder, Mapping) else holder:
                if isinstance(value, (Mapping, list, tuple)):
                    below.append(value)
            seen += len(holder)
            if seen > MAX_NODES:
                return Violation("", "length", f"at most {MAX_NODES} values", "more")
        if not below:
            return None
        level = below
    return Violation("", "cyclic", f"at most {MAX_DEPTH} levels", "a container inside itself, or deeper")
