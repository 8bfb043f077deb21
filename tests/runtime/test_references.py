"""References in what an artifact says: which variables, and what becomes of those that are not set."""

from __future__ import annotations

from typing import Any

import pytest

from runtime_min.references import expand, references_in

SET = {"A": "1", "EMPTY": ""}


@pytest.mark.parametrize(
    ("value", "expected", "missing"),
    [
        ("x ${A} y", "x 1 y", []),
        ("${A}${A}", "11", []),
        ("${NOT}", "${NOT}", ["NOT"]),
        ("${NOT:-other}", "other", []),
        ("${NOT:-}", "", []),
        ("${A:-other}", "1", []),
        ("${EMPTY}", "", []),
        ("${EMPTY:-other}", "other", []),
        ("$A ${} ${1} ${a b} {A}", "$A ${} ${1} ${a b} {A}", []),
        ({"k": ["${A}", {"n": "${NOT}"}], "n": 3}, {"k": ["1", {"n": "${NOT}"}], "n": 3}, ["NOT"]),
        ("${A_OF_${A}}", "${A_OF_1}", []),
    ],
)
def test_references_become_values(value: Any, expected: Any, missing: list[str]) -> None:
    found: list[str] = []
    assert expand(value, SET, found) == expected
    assert found == missing


def test_a_value_is_not_read_again() -> None:
    assert expand("${A}", {"A": "${B}", "B": "secret"}, []) == "${B}"


def test_the_variables_are_listed() -> None:
    assert list(references_in({"a": "${A} ${B:-x}", "b": ["${A}"], "c": 1})) == ["A", "B", "A"]
