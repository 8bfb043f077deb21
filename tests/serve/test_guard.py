"""Who is turned away: foreign pages, strangers, and bodies that are too large."""

from __future__ import annotations

import http.client
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from serving import Server, command, served

TOKEN = "sesam-öffne-dich"
PAGE = "https://app.example.com"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


@pytest.fixture(scope="module")
def guarded(artifact: Path) -> Iterator[Server]:
    options = ("--expose", "search", "--allow-origin", PAGE, "--max-body", "10000", "--metrics")
    with served(artifact, "--trust", *options, SMALLCHAT_TOKEN=TOKEN) as server:
        yield server


def asked(server: Server, path: str = "/mcp", method: str = "POST", body: bytes | None = None, **headers: str) -> int:
    """The status of one request; `_` in a header's name is `-`."""
    url = urlsplit(server.url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=20)
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent.update({name.replace("_", "-"): value for name, value in headers.items()})
    given = {name: value.encode() for name, value in sent.items()}
    try:
        connection.request(method, path, body if body is not None else json.dumps(INITIALIZE).encode(), given)
        return connection.getresponse().status
    finally:
        connection.close()


def authorized(server: Server) -> Client:
    http_client = create_mcp_http_client(headers={"Authorization": b"Bearer " + TOKEN.encode()})  # type: ignore[dict-item]
    return Client(streamable_http_client(server.url, http_client=http_client))


BEARER = f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    "given",
    [
        None, "", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, f"Basic {TOKEN}",
        f"Bearer {TOKEN.upper()}", f"Bearer {TOKEN} {TOKEN}", "Bearer " + "x" * 20_000,
    ],
)  # fmt: skip
def test_a_missing_or_wrong_token_is_refused(guarded: Server, given: str | None) -> None:
    headers = {} if given is None else {"Authorization": given}
    assert asked(guarded, **headers) == 401
    assert asked(guarded, "/metrics", "GET", **headers) == 401


def test_the_right_token_is_let_in(guarded: Server) -> None:
    assert asked(guarded, Authorization=BEARER) == 200
    assert asked(guarded, Authorization=BEARER.replace("Bearer", "bearer")) == 200
    assert asked(guarded, "/metrics", "GET", Authorization=BEARER) == 200


def test_health_needs_no_token(guarded: Server) -> None:
    assert asked(guarded, "/health", "GET") == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example.com", "null", "https://app.example.com.evil.com", "http://app.example.com",
        "https://app.example.com:8443", "http://localhost.evil.com", "http://127.0.0.1.evil.com", "file://localhost",
        "http://[::1", "http://localhost@evil.com",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/mcp", "/health"])
def test_a_foreign_origin_is_refused_even_with_the_token(guarded: Server, origin: str, path: str) -> None:
    assert asked(guarded, path, Authorization=BEARER, Origin=origin) == 403


@pytest.mark.parametrize("origin", [PAGE, "http://localhost:6274", "http://127.0.0.1", "http://[::1]:80"])
def test_an_origin_that_is_named_or_of_this_machine_is_let_in(guarded: Server, origin: str) -> None:
    assert asked(guarded, Authorization=BEARER, Origin=origin) == 200


@pytest.mark.parametrize("host", ["evil.example.com", "localhost.evil.com:80", "app.example.com", ""])
def test_a_host_that_this_server_is_not_called_by_is_refused(guarded: Server, host: str) -> None:
    assert asked(guarded, Authorization=BEARER, Host=host) in (400, 421)


def test_a_body_that_says_that_it_is_too_large_is_refused(guarded: Server) -> None:
    assert asked(guarded, body=b" " * 10_001, Authorization=BEARER) == 413


def test_a_body_that_turns_out_to_be_too_large_is_refused(guarded: Server) -> None:
    url = urlsplit(guarded.url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=20)
    headers = {"Authorization": BEARER.encode(), "Content-Type": "application/json"}
    try:
        connection.request("POST", "/mcp", iter([b" " * 6000, b" " * 6000]), headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    finally:
        connection.close()


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 9000, b"null", b"[]", b'{"jsonrpc":"2.0","id":1}', b"\xff\xfe"])
def test_a_body_that_is_no_message_is_refused(guarded: Server, body: bytes) -> None:
    for version in ({}, {"MCP_Protocol_Version": "2026-07-28"}):
        assert 400 <= asked(guarded, body=body, Authorization=BEARER, **version) < 500


@pytest.mark.parametrize(
    "text",
    [
        "$(touch {})",
        "`touch {}`",
        "; touch {} #",
        "../../../../../{}",
        "${{SMALLCHAT_TOKEN}}",
        "$SMALLCHAT_TOKEN",
        "%s%n",
    ],
)
async def test_neither_name_nor_argument_is_anything_but_text(guarded: Server, text: str, tmp_path: Path) -> None:
    said = text.format(tmp_path / "touched")
    async with authorized(guarded) as client:
        result = await client.call_tool("call_tool", {"tool": "raw__echo", "arguments": {said: said}})
        assert result.structured_content == {said: said}
        result = await client.call_tool("call_tool", {"tool": said, "arguments": {"path": said}})
        assert TOKEN not in str(result)
        await client.call_tool("find_tools", {"request": said})
    assert not (tmp_path / "touched").exists()


async def test_a_client_with_the_token_calls(guarded: Server) -> None:
    async with authorized(guarded) as client:
        result = await client.call_tool("call_tool", {"tool": "raw__echo", "arguments": {"a": 1}})
    assert result.structured_content == {"a": 1}


def test_nobody_listens_beyond_this_machine_without_a_token(artifact: Path) -> None:
    run = subprocess.run(
        command(artifact, "--http", "0.0.0.0:0"), capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 2
    assert run.stderr == (
        "error: 0.0.0.0 can be reached by others, and no bearer token is set;"
        " set SMALLCHAT_TOKEN, or name another variable: --token-env NAME [no-token]\n"
    )
