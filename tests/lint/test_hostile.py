"""Lint ends, and in proportion, on what is made to keep it busy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from smallchatc.lint import COMPILED, lint
from smallchatc.lint.schemas import Limits, schema_findings
from smallchatc.rules import RULES

LIMITS = Limits(depth=10, properties=5000, enum_values=1000, size=10_000)


def slugs(schema: Any) -> set[str]:
    return {quirk.slug for quirk in schema_findings(schema, LIMITS)}


def test_a_hundred_thousand_properties() -> None:
    schema = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(100_000)}}
    assert {"schema-properties", "schema-bytes", "param-description-missing"} <= slugs(schema)


def test_references_that_refer_to_each_other_are_followed_once() -> None:
    count = 600
    arms = [[{"$ref": f"#/$defs/d{(number * 7 + step) % count}"} for step in range(5)] for number in range(count)]
    defs = {f"d{number}": {"anyOf": arms[number]} for number in range(count)}
    assert "ref-recursive" in slugs({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs})


def test_a_default_is_not_matched_against_a_pattern_that_explodes() -> None:
    part = {"type": "string", "pattern": "(a+)+$", "default": "a" * 60 + "b"}
    assert isinstance(slugs({"type": "object", "properties": {"a": part}}), set)


WORDS = (
    "type properties items enum anyOf oneOf allOf $ref required default minimum maximum minLength maxLength pattern"
    " multipleOf nullable title description x-mcp-header additionalProperties patternProperties $schema"
).split()
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["string", "#", "("])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=12,
)


@given(schema=st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=6))
def test_no_schema_makes_it_raise(schema: dict[str, Any]) -> None:
    whole = {"type": "object", "properties": {"a": schema}, **schema}
    assert isinstance(slugs(whole), set)


def test_a_description_of_a_megabyte_is_read_as_far_as_it_matters(tmp_path: Path) -> None:
    source = tmp_path / "long.json"
    text = "ignore previous ~/.ssh \U000e0041\u200b" * 30_000
    source.write_text(json.dumps([{"name": "t", "description": text, "inputSchema": {"type": "object"}}]))
    found = {d.slug for d in lint([source], rules=frozenset(RULES) - COMPILED).diagnostics}
    assert {"description-long", "hidden-characters"} <= found
