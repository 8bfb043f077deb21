"""Real servers, installed from the registries into a fresh environment, compiled live. Skipped only without those."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import configure

pytestmark = pytest.mark.slow

FROM_PYPI = ("mcp-server-fetch", "mcp-server-git", "mcp-server-time")
FROM_NPM = tuple(
    f"@modelcontextprotocol/server-{name}" for name in ("everything", "filesystem", "memory", "sequential-thinking")
)
AT_LEAST = {"everything": 8, "fetch": 1, "filesystem": 11, "git": 8, "memory": 9, "sequential-thinking": 1, "time": 2}
"""Tools of each, with room for a version that lists fewer."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a virtual environment and node_modules, and smallchatc itself installed as a user does."""
    folder = tmp_path_factory.mktemp("real")
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    pip = [folder / "venv/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    _install([*pip, *FROM_PYPI], folder, "the Python package index")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here, and four of the seven servers come from its registry")
    _install([npm, "install", "--silent", "--no-audit", "--no-fund", *FROM_NPM], folder, "the npm registry")
    subprocess.run([*pip, root / "runtime_min", f"{root}[mcp]"], check=True)
    return folder


def _install(command: list[str | Path], folder: Path, registry: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{registry} is out of reach: {done.stderr.strip()[-200:]}")


@pytest.fixture(scope="module")
def config(installed: Path) -> Path:
    """All seven, as a client would configure them."""
    node = installed / "node_modules" / ".bin"
    subprocess.run(["git", "init", "-q", installed / "repository"], check=True)
    servers = {
        "everything": {"command": str(node / "mcp-server-everything")},
        "fetch": {"command": str(installed / "venv/bin/mcp-server-fetch")},
        "filesystem": {"command": str(node / "mcp-server-filesystem"), "args": ["${DATA_DIR}"]},
        "git": {"command": str(installed / "venv/bin/mcp-server-git"), "args": ["--repository", "repository"]},
        "memory": {"command": str(node / "mcp-server-memory")},
        "sequential-thinking": {"command": str(node / "mcp-server-sequential-thinking")},
        "time": {"command": str(installed / "venv/bin/mcp-server-time"), "args": ["--local-timezone", "UTC"]},
    }
    return configure(installed, servers)


def smallchatc(installed: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The installed command, not this checkout's."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [installed / "venv/bin/smallchatc", *arguments],
        cwd=installed,
        env={**environment, "DATA_DIR": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_seven_real_servers_compile_live(installed: Path, config: Path) -> None:
    out = installed / "live.smallchat.db"
    done = smallchatc(installed, "compile", config, "-o", out, "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["providers"]) == (0, 7), done.stderr
    providers = json.loads(smallchatc(installed, "inspect", out, "--providers", "--json").stdout)["providers"]
    counts = {each["provider"]: each["tools"] for each in providers}
    print(f"\nstdio: {sum(counts.values())} tools of {counts}")
    assert [name for name, least in AT_LEAST.items() if counts[name] < least] == []
    assert all(each["version"] for each in providers)
    filesystem = next(each for each in providers if each["provider"] == "filesystem")
    assert filesystem["transport"]["args"] == ["${DATA_DIR}"]
    answer = smallchatc(installed, "resolve", out, "what time is it in Tokyo", "--json")
    assert json.loads(answer.stdout)["candidates"][0]["tool"].startswith("time/")


def test_their_snapshot_compiles_without_them(installed: Path, config: Path) -> None:
    done = smallchatc(installed, "snapshot", config, "-o", installed / "snap")
    assert done.returncode == 0, done.stderr
    assert sorted(file.stem for file in (installed / "snap").iterdir()) == sorted(AT_LEAST)
    out = installed / "offline.smallchat.db"
    offline = smallchatc(installed, "compile", config, installed / "snap", "--offline", "--json", "-o", out)
    assert (offline.returncode, json.loads(offline.stdout)["providers"]) == (0, 7), offline.stderr


@pytest.fixture(scope="module")
def address(installed: Path) -> Iterator[str]:
    """One of them over Streamable HTTP."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [installed / "node_modules/.bin/mcp-server-everything", "streamableHttp"]
    with subprocess.Popen(command, env={**os.environ, "PORT": str(port)}, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
        running.terminate()


def test_one_of_them_compiles_over_http(installed: Path, address: str) -> None:
    done = smallchatc(installed, "compile", address, "-o", installed / "http.smallchat.db", "--json")
    told = json.loads(done.stdout)
    print(f"\nStreamable HTTP: {told['tools']} tools")
    assert (done.returncode, told["providers"]) == (0, 1), done.stderr
    assert told["tools"] >= AT_LEAST["everything"]
