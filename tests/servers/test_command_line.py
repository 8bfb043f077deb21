"""`compile` and `snapshot` of live servers as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asking import HOSTILE, configure, entry


def run(*arguments: str | Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """smallchatc, in pipes."""
    return subprocess.run(
        [sys.executable, "-m", "smallchatc", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1", **(env or {})},
        check=False,
    )


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """One server that answers and one that dies."""
    return configure(tmp_path, {"good": entry("well"), "bad": entry("dies")})


def test_a_failing_server_costs_its_own_tools(tmp_path: Path, mixed: Path) -> None:
    done = run("compile", mixed, "-o", tmp_path / "a.smallchat.db")
    assert done.returncode == 1
    assert (tmp_path / "a.smallchat.db").exists()
    lines = done.stderr.splitlines()
    assert {"server 'good': 2 tools", "server 'bad': failed"} <= set(lines)
    assert (
        "mcp.json:10:10: error: server 'bad' ended with exit code 1 before it had listed its tools; "
        "its last words: fatal: the database is not there [server-died]"
    ) in lines


def test_it_may_fail(tmp_path: Path, mixed: Path) -> None:
    done = run("compile", mixed, "-o", tmp_path / "a.smallchat.db", "--allow-failed", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr, told["tools"]) == (0, "", 2)
    assert [(d["slug"], d["severity"]) for d in told["diagnostics"]] == [("server-died", "warning")]


def test_it_may_end_everything(tmp_path: Path, mixed: Path) -> None:
    done = run("compile", mixed, "-o", tmp_path / "a.smallchat.db", "--fail-fast")
    assert done.returncode == 2
    assert not (tmp_path / "a.smallchat.db").exists()


def test_offline_starts_nothing(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    config = configure(tmp_path, {"it": entry("ignores-everything", env={"HOSTILE_PIDS": str(pids)})})
    done = run("compile", config, "-o", tmp_path / "a.smallchat.db", "--offline")
    assert done.returncode == 2
    assert "server 'it' was not asked [server-not-recorded]" in done.stderr
    assert not pids.exists()


def test_a_folder_starts_nothing(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    (tmp_path / "folder").mkdir()
    configure(tmp_path / "folder", {"it": entry("ignores-everything", env={"HOSTILE_PIDS": str(pids)})})
    done = run("compile", tmp_path / "folder", "-o", tmp_path / "a.smallchat.db", "--verbose")
    assert done.returncode == 2
    assert "server 'it' was found in a folder; not started [server-not-started]" in done.stderr
    assert not pids.exists()


@pytest.mark.slow
def test_a_snapshot_compiles_to_what_the_live_server_does(tmp_path: Path) -> None:
    config = configure(tmp_path, {"it": entry("malformed-tool", excludeTools=["bad"])})
    first = run("snapshot", config, "-o", tmp_path / "snap")
    assert (first.returncode, first.stdout) == (0, f"{tmp_path / 'snap' / 'it.json'}  3 tools\n")
    bytes_of_first = (tmp_path / "snap" / "it.json").read_bytes()
    run("snapshot", config, "-o", tmp_path / "snap")
    assert (tmp_path / "snap" / "it.json").read_bytes() == bytes_of_first
    assert [file.name for file in (tmp_path / "snap").iterdir()] == ["it.json"]
    tools = []
    for sources in ([config], [tmp_path / "snap"], [config, tmp_path / "snap", "--offline"]):
        out = tmp_path / f"{len(tools)}.smallchat.db"
        assert run("compile", *sources, "-o", out).returncode == 0
        told = inspect(out, "it/good")
        tools.append((told["fingerprint"], told["definition"], told["server"]))
    assert tools[0] == tools[1] == tools[2]


def test_a_snapshot_of_what_names_no_server_says_so(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text('{"tools": []}', encoding="utf-8")
    done = run("snapshot", tmp_path / "tools.json", "-o", tmp_path / "snap")
    assert done.returncode == 2
    assert "none of the sources names a server to ask [no-servers]" in done.stderr
    assert not (tmp_path / "snap").exists()


def test_no_secret_reaches_a_snapshot_an_artifact_or_a_message(tmp_path: Path) -> None:
    secret = "tok-0123456789abcdefghij"
    config = configure(
        tmp_path,
        {
            "it": entry("well", env={"HOSTILE_TOKEN": "${IT_TOKEN}"}),
            "written": entry("well", env={"HOSTILE_TOKEN": secret}),
            "says": entry("error", env={"HOSTILE_TOKEN": "${IT_TOKEN}"}),
        },
    )
    for command, out in (("compile", "a.smallchat.db"), ("snapshot", "snap")):
        done = run(command, config, "-o", tmp_path / out, env={"IT_TOKEN": secret})
        assert done.returncode == 1
        assert secret not in done.stdout + done.stderr
    written = [tmp_path / "a.smallchat.db", *(tmp_path / "snap").iterdir()]
    assert len(written) == 3
    assert [file.name for file in written if secret.encode() in file.read_bytes()] == []


def test_a_command_line_is_a_source(tmp_path: Path) -> None:
    out = tmp_path / "a.smallchat.db"
    done = run("compile", f"stdio:{sys.executable} {HOSTILE} well", "-o", out)
    assert done.returncode == 0, done.stderr
    assert inspect(out, "hostile/a")["server"]["version"] == "1.2.3"


def test_a_tool_tells_where_it_came_from(tmp_path: Path) -> None:
    config = configure(tmp_path, {"it": entry("well", timeout=30)})
    out = tmp_path / "a.smallchat.db"
    run("compile", config, "-o", out)
    told = inspect(out, "it/a")
    assert (told["file"], told["line"], told["column"], told["source"]) == ("mcp.json", 3, 9, "mcp-server")
    assert told["server"] == {
        "title": "hostile",
        "version": "1.2.3",
        "transport": {
            "type": "mcp",
            "transport": "stdio",
            "command": sys.executable,
            "args": [str(HOSTILE), "well"],
            "timeout_s": 30.0,
        },
    }
    text = run("inspect", out, "--tool", "it/a").stdout
    assert "  written at   mcp.json:3:9  configured there, asked live\n" in text
    assert "  server       hostile 1.2.3\n" in text


def inspect(artifact: Path, tool: str) -> dict[str, Any]:
    """What `inspect --tool` tells."""
    told: dict[str, Any] = json.loads(run("inspect", artifact, "--tool", tool, "--json").stdout)["tool"]
    return told
