"""Named tuples, as `typing.NamedTuple` makes them, without its import and without code that is written to be compiled.

Both cost a program that resolves one intent more than the resolution: 5 ms, and a tenth of one for every class.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as of typing, which checkers take by its name
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NamedTuple, Self
else:
    try:
        from _collections import _tuplegetter  # what `collections.namedtuple` reads a field with
    except ImportError:
        from operator import itemgetter

        def _tuplegetter(place: int, doc: str) -> property:
            return property(itemgetter(place), doc=doc)

    class _Named(type):
        """Makes the annotated places of a class its fields."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Named:
            if bases == (tuple,) or NamedTuple in bases:
                places = tuple(body.get("__annotations__", ()))
                body |= {
                    "__slots__": (),
                    "__match_args__": places,
                    "_fields": places,
                    "_field_defaults": {place: body[place] for place in places if place in body},
                    **{place: _tuplegetter(number, f"Place {number}") for number, place in enumerate(places)},
                }
            return super().__new__(cls, name, bases, body)

    class NamedTuple(tuple, metaclass=_Named):
        """A tuple whose annotated places have names; places with a value may be left out."""

        def __new__(cls, *values: Any, **named: Any) -> Self:
            if len(values) != len(cls._fields):
                rest = cls._fields[len(values) :]
                given = {**cls._field_defaults, **named}
                missing = [name for name in rest if name not in given]
                if missing or len(values) > len(cls._fields):
                    raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}; missing: {', '.join(missing)}")
                values += tuple(given[name] for name in rest)
                named = {name: value for name, value in named.items() if name not in rest}
            if named:
                raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}, not {', '.join(named)} beside these")
            return tuple.__new__(cls, values)

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            return cls(*values)

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **named: Any) -> Self:
            return type(self)(**{**self._asdict(), **named})

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"


__all__ = ["TYPE_CHECKING", "NamedTuple"]
