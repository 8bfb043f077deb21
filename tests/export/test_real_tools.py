"""Every real tool for every target: the vendors' own types take it, and the rules written down in api_rules.py hold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from api_rules import faults

from runtime_min.portable import portable_names
from smallchatc.parse import parse_sources
from smallchatc.projection import NEVER, project, strict_ready
from smallchatc.projection.strict import ANTHROPIC, OPENAI
from smallchatc.targets import TARGETS

Definitions = list[tuple[str, str, dict[str, Any]]]


@pytest.fixture(scope="session")
def definitions(shared: Path) -> Definitions:
    """P/N, portable name and definition of each real tool, of servers and of operations."""
    manifests = shared / "data" / "manifests"
    tools = parse_sources([manifests / kind for kind in ("live", "mcp", "openapi")], keep_going=True).catalog.tools
    names = portable_names((tool.provider, tool.name) for tool in tools)
    assert len(tools) > 4000
    return [(tool.path, names[tool.provider, tool.name], json.loads(tool.definition)) for tool in tools]


@pytest.fixture(scope="session")
def exported(definitions: Definitions) -> Callable[[str], list[tuple[str, dict[str, Any]]]]:
    """The definitions for a target as they travel: through JSON."""

    def made(target: str) -> list[tuple[str, dict[str, Any]]]:
        return [
            (path, json.loads(json.dumps(project(written, name=name, target=target).definition, allow_nan=False)))
            for path, name, written in definitions
        ]

    return made


@pytest.mark.parametrize("target", TARGETS)
def test_every_real_tool_keeps_the_rules(exported: Any, target: str) -> None:
    broken = {path: found for path, tool in exported(target) if (found := faults(target, tool))}
    assert broken == {}


@pytest.mark.slow
def test_openai_takes_every_real_tool(exported: Any) -> None:
    pytest.importorskip("openai", reason="the openai package is not installed (extra apis)")
    from openai.types.chat import ChatCompletionFunctionToolParam
    from openai.types.responses import FunctionToolParam
    from pydantic import TypeAdapter

    for target, shape in (
        ("openai", ChatCompletionFunctionToolParam),
        ("openai-strict", ChatCompletionFunctionToolParam),
        ("openai-responses", FunctionToolParam),
    ):
        tools = [tool for _, tool in exported(target)]
        assert TypeAdapter(list[shape]).validate_python(tools) == tools


@pytest.mark.slow
def test_anthropic_takes_every_real_tool(exported: Any) -> None:
    pytest.importorskip("anthropic", reason="the anthropic package is not installed (extra apis)")
    from anthropic.types import ToolParam
    from pydantic import TypeAdapter

    for target in ("anthropic", "anthropic-strict"):
        tools = [tool for _, tool in exported(target)]
        assert TypeAdapter(list[ToolParam]).validate_python(tools) == tools


@pytest.mark.slow
def test_gemini_takes_every_real_tool(exported: Any) -> None:
    pytest.importorskip("google.genai", reason="the google-genai package is not installed (extra apis)")
    from google.genai import types

    for _, tool in exported("gemini"):
        taken = types.FunctionDeclaration.model_validate(tool)  # extra fields are forbidden there
        assert taken.model_dump(by_alias=True, exclude_none=True, mode="json") == tool


@pytest.mark.slow
def test_mcp_takes_every_real_tool(exported: Any) -> None:
    pytest.importorskip("mcp", reason="the mcp package is not installed (extra apis)")
    from mcp.types import ListToolsResult

    tools = [tool for _, tool in exported("mcp")]
    taken = ListToolsResult.model_validate(
        {"tools": tools, "ttlMs": 0, "cacheScope": "public", "resultType": "complete"}
    )
    assert [tool.name for tool in taken.tools] == [tool["name"] for tool in tools]


def test_what_strict_mode_cannot_take_is_named_and_little(definitions: Definitions) -> None:
    for strictness in (OPENAI, ANTHROPIC):
        ready = [strict_ready(written, strictness) for _, _, written in definitions]
        verdicts = Counter(each.verdict for each in ready)
        assert all(each.blocked for each in ready if each.verdict == NEVER)
        assert verdicts[NEVER] < 0.09 * len(ready)


def test_what_gemini_is_not_told_is_named_and_little(definitions: Definitions) -> None:
    lossy = [
        path
        for path, name, written in definitions
        if any(change.kind == "lost" for change in project(written, name=name, target="gemini").changes)
    ]
    assert len(lossy) < 0.095 * len(definitions)
