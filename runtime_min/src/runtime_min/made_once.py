"""Made once: a part of an object that most programs never need, made when it is first asked for.

Until then it costs nothing, not even an import; from then on it is a plain attribute. Two threads get the same one.
"""

from __future__ import annotations

from .named import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as made_once  # of the same type
    from typing import Any
else:

    class made_once:  # noqa: N801  read as what it does, like `property`
        """A decorator for the method that makes the part; its object has a lock `_lock` that may be taken twice."""

        def __init__(self, make: Callable[[Any], Any]) -> None:
            self._make = make
            self._name = make.__name__
            self.__doc__ = make.__doc__

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


__all__ = ["if_made", "made_once"]
