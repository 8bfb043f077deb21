"""Miniatures of the most awkward real schemas: what is kept, said, taken and searched, as each file says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from smallchatc.model import Signature
from smallchatc.parse import Parsed, parse_sources

WORLD = Path(__file__).resolve().parents[1] / "fixtures" / "world"
AWKWARD = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((WORLD / "awkward").iterdir())}


@pytest.fixture(params=AWKWARD)
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    return dict(AWKWARD[request.param])


@pytest.fixture
def parsed(case: dict[str, Any], tmp_path: Path) -> Parsed:
    for name, content in case["input"]["manifests"].items():
        (tmp_path / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return parse_sources([tmp_path])


def test_all_tools_are_kept_as_they_were_written(case: dict[str, Any], parsed: Parsed) -> None:
    written = [tool for content in case["input"]["manifests"].values() for tool in content["tools"]]
    assert len(parsed.catalog.tools) == case["expect"]["tools"] == len(written)
    kept = {tool.name: json.loads(tool.definition) for tool in parsed.catalog.tools}
    assert kept == {tool["name"]: tool for tool in written}


def test_what_is_said_is_what_the_file_says(case: dict[str, Any], parsed: Parsed) -> None:
    assert sorted({d.slug for d in parsed.diagnostics}) == case["expect"]["said"]
    assert all(d.severity != "error" for d in parsed.diagnostics)


def test_what_each_tool_takes(case: dict[str, Any], parsed: Parsed) -> None:
    taken = {tool.name: [shape(signature) for signature in tool.signatures] for tool in parsed.catalog.tools}
    assert taken == case["expect"]["signatures"]
    closed = {tool.name: True for tool in parsed.catalog.tools if tool.signatures[0].closed}
    assert closed == case["expect"].get("closed", {})


def test_what_is_searched(case: dict[str, Any], parsed: Parsed) -> None:
    for tool in parsed.catalog.tools:
        found = {arg.name: list(arg.enum) for arg in tool.args}
        assert set(case["expect"].get("args", {}).get(tool.name, ())) <= set(found)
        for name, values in case["expect"].get("enums", {}).get(tool.name, {}).items():
            assert found[name] == values


def test_the_page_names_every_file_once() -> None:
    page = (WORLD / "README.md").read_text("utf-8")
    files = [
        path.relative_to(WORLD).as_posix() for folder in ("cases", "awkward") for path in (WORLD / folder).iterdir()
    ]
    assert sorted(re.findall(r"\]\(((?:cases|awkward)/[^)]+)\)", page)) == sorted(files)


def shape(signature: Signature) -> list[str]:
    return [f"{param.name}:{param.code}{'!' if param.required else ''}" for param in signature.params]
