"""Sources written by a test, and what came of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from smallchatc.diagnostics import CompileError
from smallchatc.model import Diagnostic
from smallchatc.parse import Parsed, parse_sources


def tool(name: str = "t", description: str = "Does it", **more: Any) -> dict[str, Any]:
    """A sound tool."""
    return {"name": name, "description": description, "inputSchema": {"type": "object"}, **more}


def taking(name: str, **types: str) -> dict[str, Any]:
    """A tool with required arguments of these types."""
    properties = {key: {"type": value} for key, value in types.items()}
    return tool(name, inputSchema={"type": "object", "properties": properties, "required": list(types)})


def write(folder: Path, files: Mapping[str, Any]) -> Path:
    """Files with text as it is, bytes as they are, anything else as JSON."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            place.write_bytes(content)
        else:
            place.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


def parse(folder: Path, files: Mapping[str, Any]) -> Parsed:
    """The catalog of a folder with these files."""
    return parse_sources([write(folder, files)])


def refused(folder: Path, files: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """Everything said about a folder that is refused."""
    try:
        parse(folder, files)
    except CompileError as err:
        return err.diagnostics
    raise AssertionError("it was accepted")


def paths(parsed: Parsed) -> list[str]:
    """The names of all tools."""
    return [each.path for each in parsed.catalog.tools]


def slugs(diagnostics: Iterable[Diagnostic]) -> list[tuple[str, str]]:
    """What was said, briefly."""
    return [(d.slug, d.severity) for d in diagnostics]
