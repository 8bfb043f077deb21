"""A name that is not listed: told with what is near, and never run because it sounds alike (cases 064 and 073)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from serving import ROOT, compiled, in_process

from smallchatc.serve.calls import Calls
from smallchatc.serve.endpoint import Endpoint

CASES = ROOT / "fixtures" / "world" / "cases"


def case(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text("utf-8"))["input"]


def serving(folder: Path, tools: Any, ran: list[Any], *, face: str) -> Calls:
    artifact = compiled(folder / "a.smallchat.db", {"id": "local", "tools": tools})
    named = {each["name"]: lambda **args: ran.append(args) or "ran" for each in tools}
    return in_process(artifact, named, face=face)


async def call(calls: Calls, name: str, arguments: dict[str, Any]) -> Any:
    async with Client(Endpoint(calls, name="s", version="1", instructions="").server) as client:
        return await client.call_tool(name, arguments)


async def refusal(calls: Calls, name: str) -> Any:
    """The error of the protocol that a call ends in."""
    async with Client(Endpoint(calls, name="s", version="1", instructions="").server) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool(name, {"q": "cat"})
    return raised.value.error


async def test_064_a_name_that_nobody_listed_is_refused_with_the_way_back(tmp_path: Path) -> None:
    given, ran = case("064-unknown-tool-name-recovery"), []
    calls = serving(tmp_path, given["manifests"]["pics.json"]["tools"], ran, face="tools")
    error = await refusal(calls, given["call"]["name"])
    assert error.message == (
        "Unknown tool: pics__image_search_tool; did you mean 'local__search_gifs' (Search animated images)?"
    )
    assert error.data == {
        "code": "unknown-tool",
        "did_you_mean": [{"name": "local__search_gifs", "does": "Search animated images"}],
        "hint": "list the tools again, and call one of those",
    }
    assert ran == []


@pytest.mark.parametrize("name", ["pics__image_search_tool", "pics/image_search_tool"])
async def test_064_what_has_the_form_of_a_name_is_no_request(tmp_path: Path, name: str) -> None:
    given, ran = case("064-unknown-tool-name-recovery"), []
    calls = serving(tmp_path, given["manifests"]["pics.json"]["tools"], ran, face="search")
    answer = await call(calls, "call_tool", {"tool": name, "arguments": {"q": "cat"}})
    assert answer.is_error
    assert "did you mean 'local__search_gifs' (Search animated images)?" in answer.content[0].text
    assert "find a tool with find_tools" in answer.content[0].text
    assert ran == []
    for known in ("local__search_gifs", "local/search_gifs", "search animated images"):
        answer = await call(calls, "call_tool", {"tool": known, "arguments": {"q": "cat"}})
        assert not answer.is_error
    assert ran == [{"q": "cat"}] * 3


async def test_073_a_tool_that_the_artifact_does_not_know_is_reported_and_an_overlay_leaves_no_trace(
    tmp_path: Path,
) -> None:
    given, ran = case("073-tools-appear-after-login"), []
    calls = serving(tmp_path, given["before"]["tools"], ran, face="tools")
    error = await refusal(calls, "local__my_invoices")
    assert error.message.startswith("Unknown tool: local__my_invoices; did you mean 'local__public_search'")
    (intent,) = given["resolve_with_overlay"]
    before = calls.runtime.resolve(intent)
    laid = calls.runtime.overlay(given["after"]["tools"][1:], provider="mine")
    assert calls.runtime.resolve(intent).tool == "mine/my_invoices"
    laid.remove()
    after = calls.runtime.resolve(intent)
    assert (after.tool, after.proof.to_dict()) == (before.tool, before.proof.to_dict())
    assert "mine/my_invoices" not in {one.tool for one in after.candidates}
