"""What is offered of an artifact: faces, names, pages, and definitions that are small."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from serving import compiled, in_process

from runtime_min.artifact import open_artifact
from smallchatc.serve.endpoint import Endpoint
from smallchatc.serve.offer import offer
from smallchatc.serve.search import small


def test_auto_lists_all_tools_while_they_weigh_little(artifact: Path) -> None:
    opened = open_artifact(artifact)
    assert offer(opened, budget=10_000).face == "tools"
    assert offer(opened, budget=100).face == "search"


def test_auto_searches_among_many_tools_whatever_they_weigh(tmp_path: Path) -> None:
    many = [{"name": f"tool_{number}", "description": "d", "inputSchema": {"type": "object"}} for number in range(41)]
    provider = {"id": "many", "transport": {"type": "local"}, "tools": many}
    opened = open_artifact(compiled(tmp_path / "many.smallchat.db", provider))
    assert offer(opened, budget=10**9).face == "search"
    assert len(offer(opened, face="tools").listed) == 41


def test_own_names_are_given_where_they_mean_one_tool(tmp_path: Path) -> None:
    two = (
        {"id": "one", "tools": [tool("shared"), tool("mine"), tool("a.b")]},
        {"id": "two", "tools": [tool("shared")]},
    )
    opened = open_artifact(compiled(tmp_path / "two.smallchat.db", *two))
    own, portable = offer(opened, names="own").paths, offer(opened).paths
    dotted = next(name for name, path in portable.items() if path == "one/a.b")
    assert own == {"mine": "one/mine", "one__shared": "one/shared", "two__shared": "two/shared", dotted: "one/a.b"}
    assert set(own) == {tool["name"] for tool in offer(opened, face="tools", names="own").listed}


def test_a_root_that_says_no_type_is_listed_as_an_object(tmp_path: Path) -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {}}}
    provider = {"id": "p", "tools": [{"name": "t", "description": "d", "inputSchema": schema}]}
    [listed] = offer(open_artifact(compiled(tmp_path / "p.smallchat.db", provider)), face="tools").listed
    assert listed["inputSchema"] == {**schema, "type": "object"}


async def test_a_long_list_is_turned_page_by_page(artifact: Path) -> None:
    calls = in_process(artifact)
    tools = tuple({"name": f"t{number}", "inputSchema": {"type": "object"}} for number in range(2500))
    calls.offer = replace(calls.offer, listed=tools)
    async with Client(Endpoint(calls, name="s", version="1", instructions="").server) as client:
        names, cursor, pages = [], None, 0
        while pages == 0 or cursor is not None:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor, pages = page.next_cursor, pages + 1
        assert names == [tool["name"] for tool in tools]
        assert pages == 3
        for bad in ("", "x", f"{calls.offer.artifact.digest[:12]}.-1", "000000000000.1000"):
            with pytest.raises(MCPError):
                await client.list_tools(cursor=bad)


@pytest.mark.parametrize("name", ["recursive", "huge", "hostile"])
def test_a_definition_is_small_whatever_its_schema(name: str) -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}, "description": "x" * 5000}
    many = {f"p{number}": {"type": "string", "description": "y" * 500, "enum": ["a"] * 90} for number in range(700)}
    schemas: dict[str, Any] = {
        "recursive": {**tree, "title": "t" * 2000},
        "huge": {"type": "object", "properties": {**many, "needed": {"type": "integer"}}, "required": ["needed"]},
        "hostile": {
            "type": "object",
            "required": 7,
            "properties": {"a": True, "b": {"$ref": "#/a/~0/b"}, "c": {"$ref": "x" * 2000}},
        },
    }
    shown = small({"name": "t", "description": "z" * 9000, "inputSchema": schemas[name]})
    assert len(json.dumps(shown)) < 16_000
    if name == "huge":
        assert next(iter(shown["inputSchema"]["properties"])) == "needed"


def test_every_real_tool_is_listed_as_clients_accept_it_and_has_a_small_form(shared: Path) -> None:
    from mcp.types import Tool

    for path in sorted((shared / "data" / "manifests" / "live").glob("*.json")):
        for raw in json.loads(path.read_text()).get("tools") or []:
            shown = small({**raw, "inputSchema": raw["inputSchema"]})
            assert len(json.dumps(shown, ensure_ascii=False)) < 40_000, raw["name"]
            Tool.model_validate({**shown, "inputSchema": {**shown["inputSchema"], "type": "object"}})


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"The {name}", "inputSchema": {"type": "object"}}
