"""Watch: live servers whose lists change, that end and come back, and that leave nothing behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from watching import Watching

SERVER = Path(__file__).with_name("changing_server.py")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are looked at as POSIX has them")


@pytest.fixture(autouse=True)
def _the_client_library_is_there() -> None:
    pytest.importorskip("mcp", reason="the extra [mcp] is not installed")


def configure(folder: Path, servers: dict[str, Any]) -> Path:
    file = folder / "mcp.json"
    file.write_text(json.dumps({"mcpServers": servers}))
    return file


def started(tools: Path) -> list[int]:
    """The processes that ever were the server."""
    return [int(line) for line in tools.with_suffix(".pids").read_text().split()]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """The file that the server goes by; not in a folder that is watched."""
    (tmp_path / "server").mkdir()
    return tmp_path / "server" / "tools.txt"


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def watched(folder: Path, servers: dict[str, Any]) -> Iterator[Watching]:
    watching = Watching(folder, configure(folder, servers))
    try:
        yield watching
    finally:
        if watching.process.poll() is None:
            watching.end()


@pytest.mark.parametrize("era", ["old", pytest.param("new", marks=pytest.mark.slow)])
def test_a_server_that_says_its_list_has_changed_is_asked_again_and_not_started_again(
    tmp_path: Path, tools: Path, era: str
) -> None:
    tools.write_text("one two")
    command = {"command": sys.executable, "args": [str(SERVER), era, str(tools)]}
    with watched(tmp_path, {"it": command}) as watching:
        assert watching.round()["tools"] == 2
        tools.write_text("one two three")
        told = watching.round()
        assert (told["tools"], [change["subject"] for change in told["changes"]]) == (3, ["it/three"])
        tools.write_text("one")
        assert watching.round()["tools"] == 1
        assert len(started(tools)) == 1
    assert not [pid for pid in started(tools) if alive(pid)]


def test_a_server_that_ends_keeps_its_last_list_until_it_is_back(tmp_path: Path, tools: Path) -> None:
    tools.write_text("one two")
    command = {"command": sys.executable, "args": [str(SERVER), "old", str(tools)]}
    with watched(tmp_path, {"it": command}) as watching:
        assert watching.round()["tools"] == 2
        before = watching.out.read_bytes()
        tools.unlink()  # it dies of this, and so does every one that is started after it
        told = watching.round()
        assert (told["tools"], [each["slug"] for each in told["diagnostics"]]) == (2, ["server-died"])
        assert (told["ok"], watching.out.read_bytes()) == (True, before)
        tools.write_text("one two three")
        told = watching.round()
        assert (told["tools"], told["diagnostics"]) == (3, [])
    assert not [pid for pid in started(tools) if alive(pid)]


def test_a_server_that_is_configured_no_more_is_ended(tmp_path: Path, tools: Path) -> None:
    tools.write_text("one")
    command = {"command": sys.executable, "args": [str(SERVER), "old", str(tools)]}
    with watched(tmp_path, {"it": command}) as watching:
        assert watching.round()["tools"] == 1
        (pid,) = started(tools)
        configure(tmp_path, {"it": {**command, "env": {"MODE": "2"}}})
        assert watching.round()["tools"] == 1
        deadline = time.monotonic() + 30
        while alive(pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        (former, latter) = started(tools)
        assert (alive(former), alive(latter)) == (False, True)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_however_it_is_ended_no_server_outlives_it(tmp_path: Path, tools: Path, how: signal.Signals) -> None:
    tools.write_text("one")
    stubborn = tmp_path / "stubborn.py"  # does not end when its input is closed
    stubborn.write_text(
        f"import runpy, sys\nrunpy.run_path({str(SERVER)!r}, run_name='__main__')\nimport time\ntime.sleep(99)"
    )
    with watched(tmp_path, {"it": {"command": sys.executable, "args": [str(stubborn), "old", str(tools)]}}) as watching:
        assert watching.round()["tools"] == 1
        watching.process.send_signal(how)
        watching.process.wait(20)
    assert not [pid for pid in started(tools) if alive(pid)]


@pytest.mark.slow
def test_over_http_it_is_heard_lost_and_found_again(tmp_path: Path, tools: Path) -> None:
    tools.write_text("one two")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def serve() -> subprocess.Popen[bytes]:
        server = subprocess.Popen([sys.executable, str(SERVER), "new", str(tools), str(port)])
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    return server
            time.sleep(0.05)
        raise AssertionError("it does not come up")

    server = serve()
    try:
        with watched(tmp_path, {"it": {"url": f"http://127.0.0.1:{port}/mcp"}}) as watching:
            assert watching.round()["tools"] == 2
            tools.write_text("one two three")
            assert watching.round()["tools"] == 3
            server.kill()
            server.wait()
            told = watching.round()
            assert (told["tools"], [each["slug"] for each in told["diagnostics"]]) == (3, ["server-unreachable"])
            tools.write_text("one")
            server = serve()
            told = watching.round()
            assert (told["tools"], told["diagnostics"]) == (1, [])
    finally:
        server.kill()
        server.wait()
