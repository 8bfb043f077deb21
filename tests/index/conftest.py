"""Tools as the parser reads them from a file: only what a test is about has to be said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smallchatc.model import Tool
from smallchatc.parse import parse_sources

Read = Callable[..., tuple[Tool, ...]]


def line(path: str, description: str = "", /, **arguments: Any) -> str:
    """A line of JSON: `line("git/log", "Shows commits", path={"type": "string"})`."""
    provider, name = path.split("/", 1)
    schema = {"type": "object", "properties": arguments}
    return json.dumps({"provider": provider, "name": name, "description": description, "inputSchema": schema})


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """The tools of some lines, in catalog order."""

    def tools_of(*lines: str) -> tuple[Tool, ...]:
        source = tmp_path / "tools.jsonl"
        source.write_text("\n".join(lines), "utf-8")
        return parse_sources([source]).catalog.tools

    return tools_of
