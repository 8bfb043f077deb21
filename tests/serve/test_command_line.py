"""`smallchatc serve` as it is typed, rightly and wrongly."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from running import invoke, process
from serving import manifests

USAGE = "Usage: smallchatc serve [OPTIONS] [DB]\nTry 'smallchatc serve --help' for help.\n\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Error: give a DB, or --source\n"),
        (["DB", "--source", "x"], "Error: give a DB, or --source\n"),
        (["DB", "--stdio", "--http", "0"], "Error: give --stdio or --http, not both\n"),
        (["--source", "-"], "Error: --source -: stdin is where clients speak\n"),
        (["DB", "--http", "localhost"], "Error: Invalid value for --http: localhost: not a port, nor HOST:PORT\n"),
        (["DB", "--http", ":65536"], "Error: Invalid value for --http: :65536: not a port, nor HOST:PORT\n"),
    ],
)
def test_what_cannot_be_meant_is_said(artifact: Path, words: list[str], said: str) -> None:
    result = invoke("serve", *(str(artifact) if word == "DB" else word for word in words))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", USAGE + said)


def test_an_address_that_is_taken_is_said(artifact: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = process("serve", artifact, "--http", str(port))
    assert run.returncode == 2
    assert run.stderr.decode() == (
        f"error: cannot listen at 127.0.0.1:{port}: address already in use;"
        " give another one: --http HOST:PORT, where port 0 is any that is free [no-address]\n"
    )


def test_without_the_extra_it_is_named(artifact: Path) -> None:
    program = "import sys; sys.modules['uvicorn'] = None; from smallchatc.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", program, "serve", str(artifact)], capture_output=True, check=False)
    assert run.returncode == 2
    assert run.stderr.decode() == (
        "error: serving needs the package uvicorn, which is not installed;"
        " pip install 'smallchatc[serve]' [not-installed]\n"
    )


async def test_a_source_is_served_without_a_file_of_its_own(tmp_path: Path) -> None:
    [manifest] = manifests()
    (tmp_path / "raw.json").write_text(json.dumps(manifest))
    words = ["-m", "smallchatc", "serve", "--source", str(tmp_path / "raw.json"), "--trust", "--expose", "search"]
    async with Client(StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))) as client:
        result = await client.call_tool("call_tool", {"tool": "raw__echo", "arguments": {"a": 1}})
    assert result.structured_content == {"a": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["raw.json"]


async def test_what_a_bound_module_prints_does_not_reach_the_wire(tmp_path: Path) -> None:
    tool = {"name": "say", "description": "Say a word", "inputSchema": {"type": "object", "properties": {}}}
    (tmp_path / "p.json").write_text(json.dumps({"id": "p", "transport": {"type": "local"}, "tools": [tool]}))
    (tmp_path / "loud.py").write_text(
        "import subprocess, sys\nprint('imported')\n\n\ndef say():\n    print('called')\n"
        "    subprocess.run([sys.executable, '-c', 'print(input())'])\n    return 'word'\n"
    )
    words = ["-m", "smallchatc", "serve", "--source", "p.json", "--bind", "p/say=loud:say", "--expose", "tools"]
    server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ), cwd=tmp_path)
    async with Client(server) as client:
        for _ in range(3):
            assert (await client.call_tool("p__say", {})).content[0].text == "word"
