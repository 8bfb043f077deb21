"""Made once: a part of an object that most programs never need, made when it is first asked for.

Until then it costs nothing, not even an import; from then on it is a plain attribute. Two threads get the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Part = TypeVar("Part")


class made_once(Generic[Part]):  # noqa: N801  read as what it does, like `property`
    """A decorator for the method that makes the part; its object has a lock `_lock` that may be taken twice."""

    def __init__(self, make: Callable[[Any], Part]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> made_once[Part]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> Part: ...

    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is None:
            return self
        with owner._lock:
            parts = vars(owner)
            if self._name not in parts:
                parts[self._name] = self._make(owner)
            return parts[self._name]


def if_made(owner: object, name: str) -> Any:
    """The part, or None where nobody has asked for it."""
    return vars(owner).get(name)
