"""YAML means what it looks like: the pitfalls of its older rules do not reach a tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from writing import parse

from smallchatc.parse.documents import read_documents


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on: yes", {"on": "yes"}),
        ("no: off", {"no": "off"}),
        ("at: 1:30", {"at": "1:30"}),
        ("day: 2024-01-01", {"day": "2024-01-01"}),
        ("time: 2024-01-01T10:00:00Z", {"time": "2024-01-01T10:00:00Z"}),
        ("200: ok", {"200": "ok"}),
        ("true: x", {"true": "x"}),
        ("a: true\nb: False", {"a": True, "b": False}),
        ("a: ~\nb:\nc: null", {"a": None, "b": None, "c": None}),
        ("a: 007\nb: 0x1F\nc: 0o17\nd: -3", {"a": "007", "b": 31, "c": 15, "d": -3}),
        ("a: 1e3\nb: 1.5\nc: .5", {"a": 1000.0, "b": 1.5, "c": 0.5}),
        ("a: 1_000\nb: 1.2.3", {"a": "1_000", "b": "1.2.3"}),
        ("a: \"1\"\nb: 'true'", {"a": "1", "b": "true"}),
        ("a: !!str 1", {"a": "1"}),
        ("base: &b {x: 1, y: 2}\nown:\n  <<: *b\n  y: 3", {"base": {"x": 1, "y": 2}, "own": {"x": 1, "y": 3}}),
        ("a: &t [x]\nb: *t", {"a": ["x"], "b": ["x"]}),
        ("a: 😀", {"a": "😀"}),
    ],
)
def test_a_value_is_what_it_looks_like(text: str, value: Any) -> None:
    (document,) = read_documents(text).documents
    assert json.dumps(document.value) == json.dumps(value)


def test_a_version_is_not_a_number(tmp_path: Path) -> None:
    text = "id: p\nversion: 1.10\ntools: [{name: t, description: x, inputSchema: {type: object}}]\n"
    (provider,) = parse(tmp_path, {"p.yaml": text}).catalog.providers
    assert provider.version == "1.10"


def test_every_part_has_its_place() -> None:
    (document,) = read_documents("a:\n  - x: 1\n    y: &n {z: 2}\n  - *n\n").documents
    assert document.locate(("a", 0, "y", "z")) == (3, 15)
    assert document.locate(("a", 1)) == (4, 5)
    assert document.locate(("a", 7, "gone")) == (2, 3)
