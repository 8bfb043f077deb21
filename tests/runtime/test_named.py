"""Named tuples of our own do what those of the standard library do."""

from __future__ import annotations

import pickle
import typing
from typing import Any

import pytest

from runtime_min.named import NamedTuple


class Ours(NamedTuple):
    one: int
    two: str = "b"
    three: float = 0.5

    @property
    def both(self) -> str:
        return f"{self.one}{self.two}"


class Theirs(typing.NamedTuple):
    one: int
    two: str = "b"
    three: float = 0.5


GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "x"), {}),
    ((1, "x", 2.0), {}),
    ((), {"one": 1}),
    ((1,), {"three": 2.0}),
    ((), {"three": 2.0, "one": 1, "two": "x"}),
]


@pytest.mark.parametrize(("values", "named"), GIVEN)
def test_places_are_given_by_order_or_name(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = Ours(*values, **named), Theirs(*values, **named)
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    assert (ours.one, ours.two, ours.three) == tuple(theirs)
    assert ours._asdict() == theirs._asdict()
    assert repr(ours).replace("Ours", "Theirs") == repr(theirs)
    assert ours._replace(two="y") == theirs._replace(two="y")
    assert type(ours._replace(two="y")) is Ours


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1, "x", 2.0, 3), {}), ((1,), {"one": 1}), ((1,), {"four": 4}), ((1, "x", 2.0), {"two": "y"})],
)
def test_what_does_not_fit_is_a_type_error(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind(*values, **named)


def test_fields_defaults_methods_and_patterns_are_as_usual() -> None:
    assert Ours._fields == Theirs._fields
    assert Ours._field_defaults == Theirs._field_defaults
    assert Ours._make([1, "x", 2.0]) == Theirs._make([1, "x", 2.0])
    assert Ours(1).both == "1b"
    assert pickle.loads(pickle.dumps(Ours(1, "x"))) == Ours(1, "x")
    match Ours(1, "x"):
        case Ours(one, two):
            assert (one, two) == (1, "x")
    with pytest.raises(AttributeError):
        Ours(1).four = 4  # type: ignore[attr-defined]
