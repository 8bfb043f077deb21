"""Miniatures of awkward API descriptions in fixtures/openapi: the tools, the calls, and all that is said, as text."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from smallchatc.diagnostics import CompileError, text_of
from smallchatc.model import Provider, Tool
from smallchatc.parse import parse_sources

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "openapi"
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".expected")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_miniature_becomes_what_is_written_beside_it(source: Path) -> None:
    expected = source.with_name(source.name + ".expected")
    told = "\n".join([*_told(source), ""])
    if os.environ.get("UPDATE_EXPECTED"):
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")


def _told(source: Path) -> Iterator[str]:
    try:
        parsed = parse_sources([source], keep_going=True)
    except CompileError as err:
        yield from map(text_of, err.diagnostics)
        return
    for provider in parsed.catalog.providers:
        yield from _provider(provider)
    for tool in parsed.catalog.tools:
        yield from _tool(tool)
    yield ""
    yield from map(text_of, parsed.diagnostics)


def _provider(provider: Provider) -> Iterator[str]:
    yield f"{provider.id}: {provider.title} {provider.version}"
    for key, value in provider.transport.items():
        if key == "security":
            yield from (f"  security {name}: {json.dumps(how, ensure_ascii=False)}" for name, how in value.items())
        else:
            yield f"  {key}: {json.dumps(value, ensure_ascii=False)}"


def _tool(tool: Tool) -> Iterator[str]:
    definition, call = json.loads(tool.definition), json.loads(tool.call)
    schema = definition["inputSchema"]
    yield ""
    yield f"{tool.name} ({tool.span.file}:{tool.span.line}) {json.dumps(tool.description, ensure_ascii=False)}"
    for name, of in schema["properties"].items():
        required = " required" if name in schema.get("required", ()) else ""
        yield f"  argument {name}{required}: {json.dumps(of, ensure_ascii=False)}"
    if schema["additionalProperties"] is not False:
        yield f"  further arguments: {json.dumps(schema['additionalProperties'], ensure_ascii=False)}"
    for name, of in schema.get("$defs", {}).items():
        yield f"  $defs {name}: {json.dumps(of, ensure_ascii=False)}"
    if "outputSchema" in definition:
        yield f"  output: {json.dumps(definition['outputSchema'], ensure_ascii=False)}"
    if tool.annotations:
        yield f"  annotations: {', '.join(sorted(tool.annotations))}"
    yield f"  {call.pop('method')} {call.pop('path')}"
    for parameter in call.pop("parameters"):
        yield f"    {json.dumps(parameter, ensure_ascii=False)}"
    yield from (f"    {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in call.items())
