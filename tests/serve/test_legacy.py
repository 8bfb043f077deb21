"""The ways in of older clients."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client
from mcp.client.sse import sse_client
from serving import Server, served


@pytest.fixture(scope="module")
def legacy(artifact: Path) -> Iterator[Server]:
    with served(artifact, "--trust", "--expose", "tools", "--legacy") as server:
        yield server


def posted(server: Server, method: str, params: dict[str, Any], accept: str) -> tuple[int, str]:
    url = urlsplit(server.url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=20)
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    try:
        connection.request("POST", "/", json.dumps(message), {"Content-Type": "application/json", "Accept": accept})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_one_message_is_answered_without_a_session(legacy: Server) -> None:
    status, body = posted(legacy, "tools/call", {"name": "raw__echo", "arguments": {"a": 1}}, "application/json")
    assert status == 200
    assert json.loads(body)["result"]["structuredContent"] == {"a": 1}
    status, body = posted(legacy, "tools/list", {}, "*/*")
    assert "raw__echo" in {tool["name"] for tool in json.loads(body)["result"]["tools"]}


def test_what_no_model_knows_goes_through_unharmed(legacy: Server) -> None:
    _, body = posted(legacy, "tools/call", {"name": "raw__vendor", "arguments": {}}, "application/json")
    block = {"type": "text", "text": "kept", "vendor": {"x": [1, None]}, "annotations": {"priority": 1}}
    assert json.loads(body)["result"] == {"content": [block], "_meta": {"vendor/key": 1}, "vendorField": True}


def test_progress_comes_as_events(legacy: Server) -> None:
    params = {"name": "raw__steps", "arguments": {}, "_meta": {"progressToken": 7}}
    status, body = posted(legacy, "tools/call", params, "text/event-stream")
    told = [json.loads(line[6:]) for line in body.splitlines() if line.startswith("data: {")]
    assert status == 200
    assert [message["params"]["progress"] for message in told[:-1]] == [1, 2, 3]
    assert told[-1]["result"]["content"] == [{"type": "text", "text": "done"}]


async def test_a_client_of_the_first_protocol_lists_and_calls(legacy: Server) -> None:
    async with Client(sse_client(legacy.url.replace("/mcp", "/sse")), mode="legacy") as client:
        assert "raw__echo" in {tool.name for tool in (await client.list_tools()).tools}
        assert (await client.call_tool("raw__echo", {"a": 1})).structured_content == {"a": 1}


def test_there_is_nothing_of_it_unless_asked_for(tools: Server) -> None:
    assert posted(tools, "tools/list", {}, "application/json")[0] == 404
