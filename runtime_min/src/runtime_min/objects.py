"""SCObject: JSON values become objects with a class, and objects become JSON values again.

Primitives (string, number, boolean, null) pass through as they are; containers are wrapped where a message
is sent and unwrapped where a tool takes it. A copy is made both ways, so neither side can change the other's.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_ids = itertools.count(1)

MAX_DEPTH = 200
"""Nesting of containers that is followed; a cycle has no end, and JSON that deep is no argument."""


class SCObject:
    """The root class: an identity, and questions about its class."""

    __slots__ = ("id",)

    def __init__(self) -> None:
        self.id = next(_ids)

    def is_kind_of(self, cls: type[SCObject]) -> bool:
        """Whether this is an object of `cls` or of a class below it."""
        return isinstance(self, cls)

    def is_member_of(self, cls: type[SCObject]) -> bool:
        """Whether this is an object of exactly `cls`."""
        return type(self) is cls

    def unwrap(self) -> Any:
        """The plain value; an object that is none unwraps to itself."""
        return self

    def _key(self) -> object:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SCObject) and type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(type(self).__name__)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._key()!r})"


class SCSelector(SCObject):
    """An intent as a value that can be passed and sent later."""

    __slots__ = ("intent",)

    def __init__(self, intent: str) -> None:
        super().__init__()
        self.intent = intent

    def unwrap(self) -> str:
        return self.intent

    def _key(self) -> str:
        return self.intent


class SCToolReference(SCObject):
    """A tool as a value: it can be passed to another tool, which sends to it without knowing its name.

    `send` is bound by the runtime that handed the reference out; a reference made by hand names only.
    """

    __slots__ = ("_send", "tool")

    def __init__(self, tool: str, send: Callable[..., Any] | None = None) -> None:
        super().__init__()
        self.tool = tool
        self._send = send

    def send(self, args: Mapping[str, Any] | None = None) -> Any:
        """Run the tool with these arguments: an awaitable ToolResult."""
        if self._send is None:
            from .errors import NotBound

            raise NotBound(f"the reference to {self.tool!r} belongs to no runtime", tool=self.tool)
        return self._send(self.tool, args)

    def unwrap(self) -> SCToolReference:
        return self

    def _key(self) -> str:
        return self.tool


class SCData(SCObject):
    """Structured data: a JSON object, or any JSON value that is given as data."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        super().__init__()
        self._value = plain(value)

    def unwrap(self) -> Any:
        return plain(self._value)

    def _key(self) -> object:
        return self._value


class SCArray(SCObject):
    """An ordered collection; its items are wrapped."""

    __slots__ = ("_items",)

    def __init__(self, items: Sequence[Any] = (), *, _depth: int = MAX_DEPTH) -> None:
        super().__init__()
        self._items = tuple(_wrap(item, _depth - 1) for item in items)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __getitem__(self, index: int) -> Any:
        return self._items[index]

    def unwrap(self) -> list[Any]:
        return [unwrap(item) for item in self._items]

    def _key(self) -> object:
        return self._items


class SCDictionary(SCObject):
    """A key-value collection; its values are wrapped."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._values = {_name(key): wrap(value) for key, value in (values or {}).items()}

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def keys(self) -> list[str]:
        return list(self._values)

    def unwrap(self) -> dict[str, Any]:
        return {key: unwrap(value) for key, value in self._values.items()}

    def _key(self) -> object:
        return self._values


def wrap(value: Any) -> Any:
    """A value as it travels: an SCObject itself, a primitive itself, `{}` as SCData, `[]` as SCArray.

    Raises ValueError for a container inside itself, TypeError for what is no JSON value.
    """
    return _wrap(value, MAX_DEPTH)


def unwrap(value: Any) -> Any:
    """The plain value of what `wrap` made; other values as `plain` copies them."""
    if isinstance(value, SCObject):
        return value.unwrap()
    return value if type(value) in _PRIMITIVES else plain(value)


def plain(value: Any) -> Any:
    """A copy of a JSON value, objects inside it unwrapped; raises as `wrap` does."""
    return _plain(value, MAX_DEPTH)


_PRIMITIVES = frozenset((str, int, float, bool, type(None)))


def _wrap(value: Any, depth: int) -> Any:
    if isinstance(value, (SCObject, str, int, float)) or value is None:
        return value
    if depth <= 0:
        raise ValueError("a container inside itself, or nested too deep")
    if isinstance(value, Mapping):
        return SCData(value)
    if isinstance(value, (list, tuple)):
        return SCArray(value, _depth=depth)
    raise TypeError(f"no JSON value: {type(value).__name__}")


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, (str, int, float)) or value is None:
        return value
    if isinstance(value, SCObject):
        return value.unwrap()
    if depth <= 0:
        raise ValueError("a container inside itself, or nested too deep")
    if isinstance(value, Mapping):
        return {_name(key): _plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth - 1) for item in value]
    raise TypeError(f"no JSON value: {type(value).__name__}")


def _name(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the keys of a JSON object are strings, not {type(key).__name__}")
    return key
