"""Checks: what a JSON value may be, one function a keyword; each appends what is wrong with a value at a path.

Called with their settings bound (`functools.partial`) by the validators that validation.py compiles. Linear in
the value: a reference looks at a value in a place once, however many alternatives lead to it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import Violation
from .overload import describe, pointer


class Found(list[Violation]):
    """What was found so far. Alternatives are tried in lists of their own that share what references found."""

    __slots__ = ("seen",)

    def __init__(self, seen: dict[tuple[int, str], Sequence[Violation]] | None = None) -> None:
        super().__init__()
        self.seen = {} if seen is None else seen


Check = Callable[[Any, str, Found], None]


class Reference:
    """A `$ref`: the check is set once it is compiled, so that it may refer to itself."""

    __slots__ = ("check",)

    def __init__(self) -> None:
        self.check: Check = anything

    def __call__(self, value: Any, path: str, found: Found) -> None:
        key = (id(self), path)
        if key not in found.seen:
            found.seen[key] = ()  # a reference that comes back to this place adds nothing
            tried = Found(found.seen)
            self.check(value, path, tried)
            found.seen[key] = tuple(tried)
        found += found.seen[key]


def anything(value: Any, path: str, found: Found) -> None:
    return None


def never(value: Any, path: str, found: Found) -> None:
    found.append(Violation(path, "forbidden", "nothing", describe(value)))


def excess(value: Any, path: str, found: Found) -> None:
    found.append(Violation(path, "excess", "no such argument", describe(value)))


def each(checks: Sequence[Check], value: Any, path: str, found: Found) -> None:
    for check in checks:
        check(value, path, found)


def of_type(types: frozenset[str], expected: str, value: Any, path: str, found: Found) -> None:
    name = _NAMES.get(type(value)) or _name_of(value)
    if name in types or (name == "integer" and "number" in types):
        return
    if name == "number" and "integer" in types and value == value // 1:
        return
    found.append(Violation(path, "mismatch", expected, describe(value)))


_NAMES = {  # the types that JSON is read into, looked up without a walk
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    dict: "object",
    list: "array",
}


def _name_of(value: Any) -> str:
    for kind, name in ((Mapping, "object"), (tuple, "array"), (str, "string"), (bool, "boolean"), (int, "integer")):
        if isinstance(value, kind):
            return name
    return "number" if isinstance(value, float) else type(value).__name__


def one_value_of(allowed: Sequence[Any], value: Any, path: str, found: Found) -> None:
    if not any(_same(value, one) for one in allowed):
        found.append(Violation(path, "value", short(allowed[0] if len(allowed) == 1 else allowed), describe(value)))


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: 1 is 1.0, and true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def in_range(
    low: float | None, high: float | None, above: float | None, below: float | None, step: float | None,
    value: Any, path: str, found: Found,
) -> None:  # fmt: skip
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return
    limits = (
        (f">= {low}", low is None or value >= low),
        (f"<= {high}", high is None or value <= high),
        (f"> {above}", above is None or value > above),
        (f"< {below}", below is None or value < below),
        (f"a multiple of {step}", step is None or _divides(step, value)),
    )
    found += [Violation(path, "range", text, repr(value)) for text, holds in limits if not holds]


def _divides(step: float, value: float) -> bool:
    if isinstance(step, int) and isinstance(value, int):
        return value % step == 0
    try:
        ratio = value / step
    except OverflowError:
        return False
    return math.isfinite(ratio) and abs(ratio - round(ratio)) < 1e-9


def text(
    low: float, high: float, search: Callable[[str], bool] | None, pattern: Any, value: Any, path: str, found: Found
) -> None:
    if not isinstance(value, str):
        return
    if not low <= len(value) <= high:
        found.append(Violation(path, "length", _between(low, high, "characters"), str(len(value))))
    elif search is not None and not search(value):
        found.append(Violation(path, "pattern", f"a match of {pattern}", "string"))


def items(
    first: Sequence[Check], rest: Check | None, low: float, high: float, unique: bool,
    value: Any, path: str, found: Found,
) -> None:  # fmt: skip
    if not isinstance(value, (list, tuple)):
        return
    if not low <= len(value) <= high:
        found.append(Violation(path, "length", _between(low, high, "items"), str(len(value))))
    if unique and _repeats(value):
        found.append(Violation(path, "value", "no item twice", "array"))
    for index, item in enumerate(value):
        check = first[index] if index < len(first) else rest
        if check is not None:
            check(item, f"{path}/{index}", found)


def _repeats(items: Sequence[Any]) -> bool:
    if all(isinstance(item, str) for item in items):
        return len(set(items)) < len(items)
    if len(items) > 2000:  # comparing pairs of more is a way to hang; equal primitives are still found
        primitives = [(type(item) is bool, item) for item in items if isinstance(item, (str, int, float))]
        return len(set(primitives)) < len(primitives)
    return any(_same(one, other) for index, one in enumerate(items) for other in items[:index])


def properties(
    named: Sequence[tuple[str, Check]], names: Any, must: Sequence[tuple[str, str]],
    other: Sequence[tuple[Callable[[str], bool], Check]], extra: Check | None, sizes: tuple[float, float],
    value: Any, path: str, found: Found,
) -> None:  # fmt: skip
    if not isinstance(value, Mapping):
        return
    for name, expected in must:
        if name not in value:
            found.append(Violation(path + pointer(name), "missing", expected, "nothing"))
    for name, check in named:
        if name in value:
            check(value[name], path + pointer(name), found)
    if other or extra:
        for name, item in value.items():
            hit = name in names
            for search, check in other:
                if search(str(name)):
                    hit = True
                    check(item, path + pointer(str(name)), found)
            if not hit and extra is not None:
                extra(item, path + pointer(str(name)), found)
    if not sizes[0] <= len(value) <= sizes[1]:
        found.append(Violation(path, "length", _between(*sizes, "properties"), str(len(value))))


def all_of(arms: Sequence[Check], value: Any, path: str, found: Found) -> None:
    for arm in arms:
        arm(value, path, found)


def any_of(arms: Sequence[Check], value: Any, path: str, found: Found) -> None:
    best: Found | None = None
    for arm in arms:
        tried = Found(found.seen)
        arm(value, path, tried)
        if not tried:
            return
        if best is None or _nearer(tried, best):
            best = tried
    found += best or []


def one_of(arms: Sequence[Check], value: Any, path: str, found: Found) -> None:
    fits = 0
    for arm in arms:
        tried = Found(found.seen)
        arm(value, path, tried)
        fits += not tried
    if fits == 0:
        any_of(arms, value, path, found)
    elif fits > 1:
        found.append(Violation(path, "value", "one alternative", f"a value of {fits}"))


def none_of(check: Check, value: Any, path: str, found: Found) -> None:
    tried = Found(found.seen)
    check(value, path, tried)
    if not tried:
        found.append(Violation(path, "forbidden", "another value", describe(value)))


def _nearer(one: Found, other: Found) -> bool:
    """The alternative whose complaints lie deepest is the one that was meant."""

    def depth(found: Found) -> tuple[int, int]:
        return min(violation.path.count("/") for violation in found), -len(found)

    return depth(one) > depth(other)


def _between(low: float, high: float, what: str) -> str:
    if high == math.inf:
        return f"at least {low:g} {what}"
    return f"{low:g} {what}" if low == high else f"{low:g} to {high:g} {what}"


def short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:77] + "..."
