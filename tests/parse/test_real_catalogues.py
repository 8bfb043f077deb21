"""Real catalogues: no tool is lost without a word, and nothing that is no catalogue is more than a diagnostic."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from smallchatc.diagnostics import CompileError
from smallchatc.parse import Parsed, parse_sources

DESCRIPTIONS = ("mcpb.manifest.json", "server.json")


@pytest.fixture(scope="module")
def everything(shared: Path) -> Parsed:
    return parse_sources([shared / "data" / "manifests" / "mcp", shared / "data" / "manifests" / "live"])


def test_every_tool_of_every_file_is_there_or_named_in_a_diagnostic(shared: Path, everything: Parsed) -> None:
    expected = 0
    for root in ("mcp", "live"):
        folder = shared / "data" / "manifests" / root
        for file in sorted(folder.rglob("*.json")):
            path = file.relative_to(folder).as_posix()
            value = json.loads(file.read_text("utf-8"))
            listed = [tool["name"] for tool in (value["tools"] if isinstance(value, dict) else value)]
            found = {tool.name for tool in everything.catalog.tools if tool.source.path == path}
            named = {d.tool for d in everything.diagnostics if d.span and d.span.file == path}
            assert set(listed) - found <= named, path
            expected += len(set(listed))
    assert expected > 3000
    assert len(everything.catalog.tools) == expected


def test_every_definition_is_what_the_file_says(shared: Path, everything: Parsed) -> None:
    at = {(tool.source.path, tool.name): tool for tool in everything.catalog.tools}
    folder = shared / "data" / "manifests" / "live"
    for file in sorted(folder.glob("*.json")):
        for raw in json.loads(file.read_text("utf-8"))["tools"]:
            tool = at[file.name, raw["name"]]
            assert json.loads(tool.definition) == raw
            assert list(json.loads(tool.definition)) == list(raw)
            assert raw["name"] in file.read_text("utf-8").splitlines()[tool.span.line - 1] or tool.span.column > 0


def test_every_signature_takes_the_schemas_own_examples(everything: Parsed) -> None:
    """What is required in the schema is required in each signature, and every property is known."""
    for tool in everything.catalog.tools:
        schema: dict[str, Any] = json.loads(tool.definition).get("inputSchema") or {}
        known = {param.name for signature in tool.signatures for param in signature.params}
        assert set(schema.get("properties", {})) <= known, tool.path
        for signature in tool.signatures:
            required = {param.name for param in signature.params if param.required}
            assert set(schema.get("required", ())) <= required, tool.path


def test_few_tools_of_real_servers_are_called_suspicious(everything: Parsed) -> None:
    found = [d for d in everything.diagnostics if d.slug in ("suspicious-description", "hint-contradicts-name")]
    assert len(found) <= len(everything.catalog.tools) // 200


@pytest.mark.parametrize("folder", ["client-configs", "configs"])
def test_what_is_no_catalogue_is_named_and_never_breaks(shared: Path, folder: str) -> None:
    files = sorted(path for path in (shared / "data" / "manifests" / folder).rglob("*") if path.is_file())
    files = [file for file in files if file.name not in DESCRIPTIONS]
    assert files
    silent = []
    for file in files:
        with pytest.raises(CompileError) as raised:
            parse_sources([file])
        if not any(d.span and d.span.line for d in raised.value.diagnostics):
            silent.append(file)
    assert not silent


def test_a_bundle_and_a_registry_entry_are_providers(shared: Path) -> None:
    parsed = parse_sources([shared / "data" / "manifests" / "client-configs" / name for name in DESCRIPTIONS])
    assert [provider.id for provider in parsed.catalog.providers] == ["acme-orders", "io.github.acme-orders-mcp"]
    assert [tool.name for tool in parsed.catalog.tools] == ["cancel_order", "list_orders"]
    assert all(provider.transport["transport"] == "stdio" for provider in parsed.catalog.providers)
