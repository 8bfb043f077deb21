"""Servers over HTTP that answer with something else, or not to the end: each costs its own call."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rpc_server import rpc
from test_faults import alive
from upstream import connected, said

from runtime_min import DispatchError, NotTrusted, ToolRuntime
from runtime_min.access import access_of
from runtime_min.artifact import open_artifact
from runtime_min.transports import web
from runtime_min.trust import Allow, Gate

FAULTS = ("cut", "html", "oops", "huge", "drop")
TOOLS = [{"name": name, "description": f"Does {name}"} for name in ("ok", "slow", *FAULTS)]


@pytest.fixture
def server() -> Iterator[Any]:
    with rpc() as started:
        yield started


@pytest.fixture(scope="module")
def remote(compiled: Callable[..., Path]) -> Path:
    """A server whose place only the environment knows."""
    return compiled({"id": "web", "transport": {"type": "mcp", "url": "http://${PLACE}/mcp"}, "tools": TOOLS})


@pytest.mark.parametrize("tool", FAULTS)
async def test_a_fault_costs_its_own_call(
    remote: Path, server: Any, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "MAX_BODY", 1 << 20)
    async with connected(remote, env={"PLACE": f"127.0.0.1:{server.server_port}"}) as runtime:
        assert await said(runtime, "web/ok") == "1"
        slow = asyncio.ensure_future(said(runtime, "web/slow"))
        await asyncio.sleep(0.1)
        with pytest.raises(DispatchError, match=f"^web/{tool}: "):
            await runtime.send(f"web/{tool}", {})
        assert await slow == "1"
        assert (await said(runtime, "web/ok")).isdigit()


async def test_a_session_that_the_server_forgot_is_begun_again(remote: Path, server: Any) -> None:
    async with connected(remote, env={"PLACE": f"127.0.0.1:{server.server_port}"}) as runtime:
        assert await said(runtime, "web/ok") == "1"
        server.sessions = 7
        assert await said(runtime, "web/ok") == "8"


async def test_a_host_that_only_the_environment_names_must_be_allowed_too(remote: Path, server: Any) -> None:
    place = f"127.0.0.1:{server.server_port}"
    async with ToolRuntime.open(remote) as runtime:
        runtime.connect(Allow(env=["PLACE"], hosts=["example.com"]), env={"PLACE": place})
        with pytest.raises(NotTrusted, match=f"^web: not allowed: contact {place}$"):
            await runtime.send("web/ok", {})
        assert server.sessions == 0
        runtime.connect(Allow(env=["PLACE"], hosts=[place]), env={"PLACE": place})
        assert await said(runtime, "web/ok") == "1"


async def test_a_client_of_a_provider_contacts_nobody_else(remote: Path, server: Any) -> None:
    env = {"PLACE": f"127.0.0.1:{server.server_port}"}
    passed = Gate(Allow.everything(), env).open(access_of(open_artifact(remote))["web"])
    async with web.client(passed) as client:
        assert (await client.get(f"http://{env['PLACE']}/mcp")).status_code == 405
        for other in (f"http://localhost:{server.server_port}/mcp", "http://127.0.0.1:1/mcp"):
            with pytest.raises(NotTrusted):
                await client.get(other)


def test_a_program_that_ends_without_closing_leaves_no_server(raw: Path) -> None:
    assert "${" not in access_of(open_artifact(raw))["raw"].command
    program = (
        "import sys; from runtime_min import ToolRuntime; from runtime_min.trust import Allow\n"
        "runtime = ToolRuntime.open(sys.argv[1]); runtime.connect(Allow.everything())\n"
        "print(runtime.sync.send('raw/pid', {}).content[0]['text'])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(raw)], capture_output=True, text=True, timeout=60, env=dict(os.environ)
    )
    assert ran.returncode == 0, ran.stderr
    assert not alive(int(ran.stdout))
