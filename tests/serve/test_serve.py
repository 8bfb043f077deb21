"""What clients see and get, by the official client: both faces, both eras, over HTTP and standard streams."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from serving import AWKWARD, Server, begun, command

ERAS = ("auto", "legacy")


@pytest.mark.parametrize("era", ERAS)
async def test_all_tools_are_listed_and_called(tools: Server, era: str) -> None:
    async with Client(tools.url, mode=era) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        result = await client.call_tool("raw__echo", {"a": 1, "b": ["ü", None]})
    assert {"raw__echo", "raw__pid", "raw__awkward"} <= set(listed)
    assert result.structured_content == {"a": 1, "b": ["ü", None]}


@pytest.mark.parametrize("era", ERAS)
async def test_a_schema_is_listed_exactly_as_it_was_written(tools: Server, era: str) -> None:
    async with Client(tools.url, mode=era) as client:
        [tool] = [tool for tool in (await client.list_tools()).tools if tool.name == "raw__awkward"]
    assert tool.input_schema == AWKWARD
    assert tool.meta == {"a/b": [1]}


@pytest.mark.parametrize("era", ERAS)
async def test_over_standard_streams(artifact: Path, era: str) -> None:
    program, *words = command(artifact, "--trust", "--expose", "tools")
    async with Client(StdioServerParameters(command=program, args=words, env=dict(os.environ)), mode=era) as client:
        told: list[Any] = []

        async def progress(*said: Any) -> None:
            told.append(said)

        result = await client.call_tool("raw__steps", {}, progress_callback=progress)
    assert result.content[0].text == "done"
    assert told == [(1, 3, None), (2, 3, None), (3, 3, None)]


@pytest.mark.parametrize("era", ERAS)
async def test_a_request_finds_the_tool_that_is_then_called(search: Server, era: str) -> None:
    async with Client(search.url, mode=era) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["find_tools", "call_tool"]
        found = await client.call_tool("find_tools", {"request": "echo", "limit": 3})
        first = json.loads(found.content[0].text)["tools"][0]
        result = await client.call_tool("call_tool", {"tool": first["name"], "arguments": {"a": 1}})
    assert first["name"] == "raw__echo"
    assert found.meta
    assert found.meta["smallchat/tool_references"][0] == {
        "type": "tool_reference",
        "tool_name": "raw__echo",
    }
    assert result.structured_content == {"a": 1}


async def test_a_request_that_is_not_clear_is_answered_with_a_question(search: Server) -> None:
    async with Client(search.url) as client:
        result = await client.call_tool("call_tool", {"tool": "order a pizza with extra cheese"})
    assert not result.is_error
    assert "question" in result.structured_content["tool_refinement_needed"]


async def test_arguments_that_do_not_fit_are_told_to_the_model(search: Server) -> None:
    async with Client(search.url) as client:
        result = await client.call_tool("find_tools", {"limit": 99})
    assert result.is_error
    assert result.content[0].text == (
        "find_tools: /request: missing: expected string, got nothing;"
        " /limit: range: expected <= 20, got 99 [invalid-arguments]"
    )


def test_what_no_model_knows_goes_through_unharmed(tools: Server) -> None:
    connection = begun(tools, "raw__vendor", {})
    result = json.loads(connection.getresponse().read())["result"]
    connection.close()
    block = {"type": "text", "text": "kept", "vendor": {"x": [1, None]}, "annotations": {"priority": 1}}
    assert result["content"] == [block]
    assert result["vendorField"] is True
    assert result["_meta"]["vendor/key"] == 1
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "smallchat"


@pytest.mark.parametrize("name", ["raw/echo", "echo", "find_tools", "raw__echo2"])
async def test_only_what_is_listed_can_be_called(tools: Server, name: str) -> None:
    async with Client(tools.url) as client:
        with pytest.raises(MCPError, match=rf"^Unknown tool: {name}\b"):
            await client.call_tool(name, {})


async def test_what_a_server_refuses_keeps_its_code_and_data(tools: Server) -> None:
    async with Client(tools.url) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("raw__refuse", {})
    assert (raised.value.error.code, raised.value.error.data) == (-32602, {"why": "because"})


@pytest.mark.parametrize("era", ERAS)
async def test_two_hundred_calls_twenty_at_a_time_lose_none(tools: Server, era: str) -> None:
    places = asyncio.Semaphore(20)

    async def call(client: Client, number: int) -> Any:
        async with places:
            return (await client.call_tool("raw__echo", {"number": number})).structured_content["number"]

    async with Client(tools.url, mode=era) as client:
        answers = await asyncio.gather(*(call(client, number) for number in range(200)))
    assert answers == list(range(200))
