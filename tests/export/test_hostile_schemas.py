"""Schemas made to explode: every projection ends, stays small and keeps the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from api_rules import faults
from projecting import projected

from smallchatc.canonical import schema_fingerprint
from smallchatc.targets import TARGETS


def doubling(keyword: str) -> dict[str, Any]:
    """Each definition holds the next one twice, forty times over."""

    def level(number: int) -> dict[str, Any]:
        ref = {"$ref": f"#/$defs/d{number + 1}", "description": "words"}
        if keyword == "properties":
            return {"type": "object", "properties": {"a": ref, "b": ref}}
        return {"type": "object", keyword: [ref, {**ref, "title": "again"}, {"properties": {f"p{number}": {}}}]}

    defs = {f"d{number}": level(number) for number in range(40)}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, "d40": {"type": "object"}}}


def rooted(schema: dict[str, Any]) -> dict[str, Any]:
    return {"$ref": "#/$defs/d0", "$defs": schema["$defs"]}


def chain(length: int) -> dict[str, Any]:
    defs = {f"d{n}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{n + 1}"}}} for n in range(length)}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, f"d{length}": {}}}


HOSTILE: dict[str, Any] = {
    "properties-doubling": doubling("properties"),
    "anyOf-doubling": doubling("anyOf"),
    "allOf-doubling": doubling("allOf"),
    "oneOf-at-the-root": rooted(doubling("oneOf")),
    "allOf-at-the-root": rooted(doubling("allOf")),
    "chain": chain(2000),
    "many-properties": {"type": "object", "properties": {f"p[{n}]": {"type": "string"} for n in range(30_000)}},
    "many-alternatives": {"anyOf": [{"properties": {"p": {"const": n}}, "required": ["p"]} for n in range(10_000)]},
    "large-enum": {"type": "object", "properties": {"e": {"enum": [*range(30_000), *map(str, range(30_000))]}}},
    "only-itself": {"$ref": "#"},
    "circle": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "itself-in-all": {"allOf": [{"$ref": "#"}, {"anyOf": [{"$ref": "#"}, {"type": "object"}]}]},
    "itself-optional": {"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}},
    "no-schema": [1, 2],
    "infinite": {
        "type": "object",
        "properties": {"a": {"type": "number", "maximum": float("inf"), "default": float("inf")}},
    },
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("target", TARGETS)
def test_it_ends_small_and_by_the_rules(name: str, target: str) -> None:
    schema = HOSTILE[name]
    made = projected(schema, target)
    text = json.dumps(made.definition, allow_nan=False)
    assert faults(target, json.loads(text)) == []
    assert len(text) < 100 * len(json.dumps(schema)) + 1_000_000


@pytest.mark.parametrize("name", HOSTILE)
def test_it_has_a_fingerprint(name: str) -> None:
    assert len(schema_fingerprint(HOSTILE[name])) == 64
