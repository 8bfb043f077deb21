"""Four real servers behind one `serve`: a session in plain words, compared with calling the servers directly."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from serving import Server, served

from smallchatc.pipeline import Asking, compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

pytestmark = pytest.mark.slow
FROM_NPM = tuple(f"@modelcontextprotocol/server-{name}" for name in ("everything", "filesystem", "memory"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the servers; SMALLCHAT_REAL names one that is there already."""
    if "SMALLCHAT_REAL" in os.environ:
        return Path(os.environ["SMALLCHAT_REAL"])
    folder = tmp_path_factory.mktemp("real")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here")
    subprocess.run([sys.executable, "-m", "venv", folder / "v"], check=True)
    for command in (
        [npm, "install", "--silent", "--no-audit", "--no-fund", *FROM_NPM],
        [folder / "v/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "mcp-server-git"],
    ):
        if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
            pytest.skip("the registries are out of reach")
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for words in (
        ["init", "-q"],
        ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "--allow-empty", "-m", "The beginning"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def servers(installed: Path, data: Path) -> dict[str, dict[str, Any]]:
    node = installed / "node_modules" / ".bin"
    return {
        "everything": {"command": str(node / "mcp-server-everything")},
        "filesystem": {"command": str(node / "mcp-server-filesystem"), "args": [str(data)]},
        "git": {"command": str(installed / "v/bin/mcp-server-git"), "args": ["--repository", str(data)]},
        "memory": {
            "command": str(node / "mcp-server-memory"),
            "env": {"MEMORY_FILE_PATH": str(data / "memory.jsonl")},
        },
    }


@pytest.fixture(scope="module")
def server(servers: dict[str, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("serve")
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    # A value of `env` is never written into an artifact: whoever serves it sets the variable.
    remembered = servers["memory"]["env"]
    asking = Asking(environment={**os.environ, **remembered})
    image = compile_sources([str(folder / "mcp.json")], settings=Settings(encoder="base"), asking=asking).image
    write_artifact(image, folder / "real.smallchat.db")
    with served(folder / "real.smallchat.db", "--trust", "--expose", "search", **remembered) as made:
        yield made


async def asked(client: Client, request: str, args: dict[str, Any], progress: Any = None) -> tuple[str, Any]:
    """The tool that comes first for a request, and what it answers."""
    found = await client.call_tool("find_tools", {"request": request, "limit": 1})
    name = json.loads(found.content[0].text)["tools"][0]["name"]
    called = {"tool": name, "arguments": args}
    result = await client.call_tool("call_tool", called, progress_callback=progress)
    assert not result.is_error, (name, result.content)
    return name, result


async def test_a_session_in_plain_words(server: Server, servers: dict[str, dict[str, Any]], data: Path) -> None:
    told: list[float] = []

    async def progress(at: float, total: float | None, message: str | None) -> None:
        told.append(at)

    note, person = str(data / "note.txt"), {"name": "Ada", "entityType": "person", "observations": ["likes engines"]}
    async with Client(server.url) as client:
        name, _ = await asked(client, "write a text file", {"path": note, "content": "Grüße\n"})
        assert name == "filesystem__write_file"
        assert Path(note).read_text("utf-8") == "Grüße\n"
        reader, read = await asked(client, "read a text file", {"path": note})
        assert reader in ("filesystem__read_text_file", "filesystem__read_file")  # the same by its former name
        name, files = await asked(client, "search for files by a pattern", {"path": str(data), "pattern": "*.txt"})
        assert name == "filesystem__search_files"
        name, _ = await asked(client, "create entities in the knowledge graph", {"entities": [person]})
        assert name == "memory__create_entities"
        name, nodes = await asked(client, "search nodes of the knowledge graph", {"query": "engines"})
        assert name == "memory__search_nodes"
        name, log = await asked(client, "show the log of commits", {"repo_path": str(data)})
        assert name == "git__git_log"
        assert "The beginning" in log.content[0].text
        steps = {"duration": 1, "steps": 4}
        name, _ = await asked(client, "trigger a long running operation with progress", steps, progress)
        assert name.startswith("everything__")
        assert told == [1, 2, 3, 4]
    for provider, tool, args, through in (
        ("filesystem", reader.partition("__")[2], {"path": note}, read),
        ("filesystem", "search_files", {"path": str(data), "pattern": "*.txt"}, files),
        ("memory", "search_nodes", {"query": "engines"}, nodes),
        ("git", "git_log", {"repo_path": str(data)}, log),
    ):
        async with Client(StdioServerParameters(**servers[provider])) as direct:
            result = await direct.call_tool(tool, args)
        assert (result.content, result.structured_content) == (through.content, through.structured_content), tool


async def test_one_that_is_killed_under_load_costs_no_other_and_comes_back(server: Server, data: Path) -> None:
    reading = {"tool": "filesystem__list_allowed_directories", "arguments": {}}
    remembering = {"tool": "memory__read_graph", "arguments": {}}
    async with Client(server.url) as client:
        assert not (await client.call_tool("call_tool", remembering)).is_error
        calls = [client.call_tool("call_tool", (reading, remembering)[number % 2]) for number in range(100)]
        waiting = asyncio.gather(*calls)
        await asyncio.sleep(0.05)
        [victim] = children(server.process.pid, "mcp-server-memory")
        os.kill(victim, signal.SIGKILL)
        results = await waiting
        assert not any(result.is_error for result in results[::2])
        for result in results[1::2]:
            assert not result.is_error or result.content[0].text.endswith("[unreachable]")
        assert not (await client.call_tool("call_tool", remembering)).is_error
        assert children(server.process.pid, "mcp-server-memory") != [victim]


def children(process: int, program: str) -> list[int]:
    """The processes that one has started, of a program."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [int(pid) for pid, parent, words in rows if int(parent) == process and program in words]
