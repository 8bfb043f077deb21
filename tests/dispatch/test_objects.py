"""SCObject: what is wrapped, what passes through, and whose copy is whose (CONCEPTS: behaviour 7)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_min.errors import NotBound
from runtime_min.objects import (
    SCArray,
    SCData,
    SCDictionary,
    SCObject,
    SCSelector,
    SCToolReference,
    plain,
    unwrap,
    wrap,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda below: st.lists(below) | st.dictionaries(st.text(), below),
    max_leaves=20,
)


@given(JSON)
def test_unwrap_of_wrap_is_the_value(value: Any) -> None:
    assert unwrap(wrap(value)) == value
    assert type(unwrap(wrap(value))) is type(value)


def test_nested_containers_come_back() -> None:
    assert unwrap(wrap([1, {"a": [2]}])) == [1, {"a": [2]}]


def test_every_object_has_its_own_id() -> None:
    assert len({SCObject().id for _ in range(100)} | {SCData({}).id, SCArray().id}) == 102


def test_kind_and_member() -> None:
    data = SCData({"a": 1})
    assert data.is_kind_of(SCData)
    assert data.is_kind_of(SCObject)
    assert data.is_member_of(SCData)
    assert not data.is_member_of(SCObject)
    assert not data.is_kind_of(SCArray)


@pytest.mark.parametrize("primitive", ["x", 1, 1.5, True, None])
def test_primitives_pass_through(primitive: Any) -> None:
    assert wrap(primitive) is primitive


@pytest.mark.parametrize("given_object", [SCObject(), SCSelector("find flights"), SCData([1]), SCToolReference("p/t")])
def test_an_object_is_wrapped_as_itself(given_object: SCObject) -> None:
    assert wrap(given_object) is given_object


def test_containers_get_their_class() -> None:
    assert type(wrap({})) is SCData
    assert type(wrap([])) is SCArray
    assert type(wrap([{}])[0]) is SCData


def test_copies_are_copies() -> None:
    original = {"tags": ["a"]}
    wrapped = wrap(original)
    original["tags"].append("b")
    first = unwrap(wrapped)
    first["tags"].append("c")
    assert unwrap(wrapped) == {"tags": ["a"]}


def test_objects_inside_data_unwrap() -> None:
    assert unwrap(SCDictionary({"list": SCArray([SCData({"a": SCSelector("go")})])})) == {"list": [{"a": "go"}]}
    assert plain({"intent": SCSelector("go")}) == {"intent": "go"}


def test_a_tool_reference_survives_inside_data() -> None:
    reference = SCToolReference("p/t")
    assert unwrap(wrap({"then": reference}))["then"] is reference


def test_a_reference_of_no_runtime_says_so() -> None:
    with pytest.raises(NotBound, match="the reference to 'p/t' belongs to no runtime"):
        SCToolReference("p/t").send()


def test_a_reference_sends_to_its_runtime() -> None:
    async def send(tool: str, args: Any) -> tuple[str, Any]:
        return tool, args

    assert asyncio.run(SCToolReference("p/t", send).send({"a": 1})) == ("p/t", {"a": 1})


def test_equal_values_are_equal_objects() -> None:
    assert SCData({"a": 1}) == SCData({"a": 1})
    assert SCData({"a": 1}) != SCData({"a": 2})
    assert SCArray([1]) != SCData([1])
    assert len({SCSelector("a"), SCSelector("a")}) == 1


def test_a_container_inside_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    knot: dict[str, Any] = {}
    knot["me"] = [knot]
    for value in (loop, knot):
        with pytest.raises(ValueError, match="inside itself, or nested too deep"):
            wrap(value)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="no JSON value: set"):
        wrap({1})
    with pytest.raises(TypeError, match="keys of a JSON object are strings, not int"):
        wrap({1: 2})
