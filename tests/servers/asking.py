"""Servers of the tests' own, configured as a user would."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from smallchatc.model import Answer, Diagnostic
from smallchatc.parse import Parsed, open_sources, parse_opened
from smallchatc.servers import ask_servers

HOSTILE = Path(__file__).with_name("hostile_server.py")


def entry(how: str, **more: Any) -> dict[str, Any]:
    """The configuration of a hostile server."""
    return {"command": sys.executable, "args": [str(HOSTILE), how], **more}


def configure(folder: Path, servers: Mapping[str, Any]) -> Path:
    """A configuration file with these servers."""
    file = folder / "mcp.json"
    file.write_text(json.dumps({"mcpServers": servers}, indent=1), encoding="utf-8")
    return file


def ask(
    folder: Path, servers: Mapping[str, Any], environment: Mapping[str, str] | None = None, **options: Any
) -> tuple[Answer, ...]:
    """What these servers answer."""
    opened = open_sources([configure(folder, servers)])
    return ask_servers(opened.to_ask, environment=environment or {}, **{"timeout_s": 60, **options})


def ask_one(folder: Path, how: str, environment: Mapping[str, str] | None = None, **options: Any) -> Answer:
    """What one hostile server answers."""
    more = {key: options.pop(key) for key in ("env", "cwd") if key in options}
    return ask(folder, {"it": entry(how, **more)}, environment, **options)[0]


def compiled(folder: Path, servers: Mapping[str, Any], **options: Any) -> Parsed:
    """The catalog of these servers, asked live."""
    opened = open_sources([configure(folder, servers)])
    answers = ask_servers(opened.to_ask, environment={}, timeout_s=options.pop("timeout_s", 60))
    return parse_opened(opened, answers, **options)


def names(answer: Answer) -> list[str]:
    """The tools that a server listed."""
    assert answer.recording is not None, answer.said
    return [tool["name"] for tool in answer.recording["tools"]]


def told(said: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    """What was said, with its slug."""
    return [(d.slug, d.message) for d in said]
