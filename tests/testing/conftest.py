"""A project with three tools and four tests, compiled once and copied for each test that changes it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from running import invoke


def tool(provider: str, name: str, description: str, **schema: str) -> dict[str, object]:
    properties = {argument: {"type": kind} for argument, kind in schema.items()}
    arguments = {"type": "object", "properties": properties, "required": sorted(properties)}
    return {"provider": provider, "name": name, "description": description, "inputSchema": arguments}


TOOLS = [
    tool("files", "read_file", "Read the contents of a file", path="string"),
    tool("files", "delete_file", "Remove a file from disk for good", path="string"),
    tool("weather", "get_forecast", "Weather forecast of the coming days for a city", city="string"),
]
INTENTS = (
    "- intent: read_file\n  expect: files/read_file\n"
    "- intent: weather forecast for a city\n  expect: weather/get_forecast\n"
    "- intent: read the contents of a file\n  expect: files/delete_file\n"
    "- intent: qwzx vbnk plmq\n  expect: []\n"
)
PROJECT = (
    "version: 1\nsources: [tools.jsonl]\noutput: app.smallchat.db\ntests: ['*.intents.yaml']\n"
    "baseline: app.smallchat.baseline\ncompiler: {encoder: base}\n"
)


@pytest.fixture(scope="session")
def compiled_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "tools.jsonl").write_text("".join(json.dumps(tool) + "\n" for tool in TOOLS))
    (folder / "app.intents.yaml").write_text(INTENTS)
    (folder / "smallchat.yaml").write_text(PROJECT)
    result = invoke("compile", folder, "-o", folder / "app.smallchat.db")
    assert result.exit_code == 0, result.stderr
    return folder


@pytest.fixture
def project(compiled_project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a project whose third test fails."""
    folder = tmp_path / "project"
    shutil.copytree(compiled_project, folder)
    monkeypatch.chdir(folder)
    return folder
