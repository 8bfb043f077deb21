"""Keys that mean nothing are named, with the one that was probably meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from writing import parse, paths, tool

from smallchatc.parse import parse_sources


def said(folder: Path, content: Any) -> list[tuple[str, str]]:
    """Unknown keys and their hints."""
    diagnostics = parse(folder, {"m.json": content}).diagnostics
    assert all(d.severity == "warning" for d in diagnostics)
    return [(d.message, d.hint) for d in diagnostics if d.slug == "unknown-key"]


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("hints", "compilerHints"),
        ("compiler_hints", "compilerHints"),
        ("transport_type", "transportType"),
        ("transporttype", "transportType"),
        ("superclas", "superclass"),
        ("implements", "conforms"),
        ("base_url", "baseUrl"),
        ("environment", "env"),
    ],
)
def test_of_a_manifest(tmp_path: Path, key: str, meant: str) -> None:
    content = {"id": "m", key: {}, "tools": [tool()]}
    assert said(tmp_path, content) == [(f"unknown key '{key}'; it has no effect", f"did you mean '{meant}'?")]


def test_of_a_manifest_that_is_like_none_of_its_own(tmp_path: Path) -> None:
    content = {"id": "m", "colour": "red", "x-own": 1, "$comment": "mine", "_note": "mine", "tools": [tool()]}
    assert said(tmp_path, content) == [
        ("unknown key 'colour'; it has no effect", "remove it, or correct its spelling"),
    ]


@pytest.mark.parametrize(
    ("key", "meant"), [("provider", "id"), ("hints", "compilerHints"), ("transporttype", "transportType")]
)
def test_of_a_list_that_was_meant_as_a_manifest(tmp_path: Path, key: str, meant: str) -> None:
    assert said(tmp_path, {key: "x", "tools": [tool()]})[0][1] == f"did you mean '{meant}'?"
    assert paths(parse_sources([tmp_path])) == ["m/t"]


@pytest.mark.parametrize(
    ("key", "meant"), [("hints", "compilerHints"), ("outputschema", "outputSchema"), ("anotations", "annotations")]
)
def test_of_a_tool(tmp_path: Path, key: str, meant: str) -> None:
    assert said(tmp_path, [tool(**{key: {}})]) == [
        (f"tool 't': unknown key '{key}'; it has no effect", f"did you mean '{meant}'?")
    ]


def test_a_list_or_a_tool_may_have_any_other_key(tmp_path: Path) -> None:
    page = {
        "tools": [tool(id=7, mcp_enabled=True, summary="also")],
        "nextCursor": None,
        "ttlMs": 1,
        "cacheScope": "public",
    }
    assert said(tmp_path, page) == []


def test_a_warning_about_the_frame_costs_none_of_it(tmp_path: Path) -> None:
    content = {"id": "m", "hints": {}, "protocols": {"p": {"required": ["t"]}}, "conforms": ["p"], "tools": [tool()]}
    assert [p.name for p in parse(tmp_path, {"m.json": content}).catalog.protocols] == ["p"]


def test_no_real_catalogue_has_one(shared: Path) -> None:
    folders = [shared / "data" / "manifests" / name for name in ("live", "mcp")]
    assert [d for d in parse_sources(folders).diagnostics if d.slug == "unknown-key"] == []
