"""Servers at a URL, of both eras and both transports, and what does not speak the protocol at all."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import ask, names, told
from web import Handler, serving

from smallchatc.model import Answer

SDK = Path(__file__).with_name("sdk_server.py")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def sdk_address() -> Iterator[str]:
    """The SDK's own server, which speaks both eras."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with subprocess.Popen([sys.executable, str(SDK), "--http", str(port)]) as running:
        while running.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
        running.terminate()


def ask_at(folder: Path, url: str, **more: Any) -> Answer:
    environment = more.pop("environment", {})
    timeout_s = more.pop("timeout_s", 60)
    return ask(folder, {"it": {"url": url, **more}}, environment, timeout_s=timeout_s)[0]


@pytest.mark.parametrize("path", ["good", "events"])
def test_a_server_at_a_url_is_listed_from_the_wire(tmp_path: Path, address: str, path: str) -> None:
    answer = ask_at(tmp_path, f"{address}/{path}")
    assert answer.recording is not None, answer.said
    assert answer.recording["tools"][0]["unknownKey"] == [1]
    assert answer.recording["transport"] == {"type": "mcp", "transport": "streamable-http", "url": f"{address}/{path}"}
    assert answer.said == ()


def test_the_current_era_is_spoken_and_its_pages_are_read(tmp_path: Path, sdk_address: str) -> None:
    answer = ask_at(tmp_path, sdk_address)
    assert answer.recording is not None, answer.said
    assert (answer.recording["protocolVersion"], answer.recording["pages"]) == ("2026-07-28", 3)
    assert names(answer) == ["t0", "t1", "t2", "t3", "t4"]
    assert answer.recording["serverInfo"] == {"name": "sdk", "version": "0.1"}


def test_the_same_over_standard_streams(tmp_path: Path, sdk_address: str) -> None:
    (answer,) = ask(tmp_path, {"it": {"command": sys.executable, "args": [str(SDK)]}})
    other = ask_at(tmp_path, sdk_address)
    assert answer.recording is not None
    assert other.recording is not None
    assert answer.recording["tools"] == other.recording["tools"]
    assert answer.recording["protocolVersion"] == "2026-07-28"


def test_what_only_speaks_the_older_transport_is_reached_by_it(tmp_path: Path, address: str) -> None:
    answer = ask_at(tmp_path, f"{address}/old")
    assert names(answer) == ["look"]
    assert answer.recording is not None
    assert answer.recording["transport"]["transport"] == "sse"
    assert told(answer.said) == [("server-old-transport", "server 'it' was reached over SSE")]


FAILURES = {
    "status/401": ("server-refused", "server 'it' answers HTTP 401"),
    "status/403": ("server-refused", "server 'it' answers HTTP 403"),
    "status/404": ("server-error", "server 'it' answers HTTP 404"),
    "status/500": ("server-error", "server 'it' answers HTTP 500"),
    "html": ("server-error", "server 'it' answers with an error: Unexpected content type: text/html (-32600)"),
    "large": ("server-too-large", "server 'it' answers with more than 64 MB at once"),
}


@pytest.mark.parametrize("path", FAILURES)
def test_a_failure_is_told_with_its_cause(tmp_path: Path, address: str, path: str) -> None:
    answer = ask_at(tmp_path, f"{address}/{path}")
    assert told(answer.said) == [FAILURES[path]]


def test_a_server_that_does_not_answer_is_given_up(tmp_path: Path, address: str) -> None:
    answer = ask_at(tmp_path, f"{address}/hangs", timeout_s=2)
    assert told(answer.said) == [("server-timeout", "server 'it' did not list its tools within 2 s: it said nothing")]


def test_nobody_there(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        answer = ask_at(tmp_path, f"http://127.0.0.1:{probe.getsockname()[1]}/mcp")
    assert told(answer.said) == [
        ("server-unreachable", "server 'it' cannot be reached: All connection attempts failed")
    ]


def test_headers_are_sent_with_their_values_and_kept_without(tmp_path: Path, address: str) -> None:
    Handler.asked.clear()
    headers = {"Authorization": "Bearer ${DOCS_TOKEN}"}
    answer = ask_at(tmp_path, f"{address}/good", headers=headers, environment={"DOCS_TOKEN": "abcdef0123456789"})
    assert set(Handler.asked) == {"Bearer abcdef0123456789"}
    assert "abcdef0123456789" not in json.dumps(answer.recording)
    assert answer.recording is not None
    assert answer.recording["transport"]["headers"] == headers


def test_a_variable_with_a_newline_is_a_header_without(tmp_path: Path, address: str) -> None:
    Handler.asked.clear()
    headers = {"Authorization": "Bearer ${DOCS_TOKEN}"}
    ask_at(tmp_path, f"{address}/good", headers=headers, environment={"DOCS_TOKEN": "abcdef0123456789\n"})
    assert set(Handler.asked) == {"Bearer abcdef0123456789"}


def test_an_unset_variable_of_a_header_forbids_to_ask(tmp_path: Path, address: str) -> None:
    answer = ask_at(tmp_path, f"{address}/good", headers={"Authorization": "Bearer ${DOCS_TOKEN}"})
    assert told(answer.said) == [("variable-unset", "server 'it': the variable DOCS_TOKEN is not set")]
