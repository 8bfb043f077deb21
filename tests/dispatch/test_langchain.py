"""A tool of an artifact in LangChain: the library itself calls it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from in_memory import compiled

from runtime_min import ToolRuntime
from runtime_min.adapters.langchain import langchain_tool
from runtime_min.events import ToolResult

pytestmark = pytest.mark.slow
tools = pytest.importorskip("langchain_core.tools", reason="the extra [langchain] is not installed")

AWKWARD = {
    "type": "object",
    "properties": {
        "config": {"type": "string"},
        "callbacks": {"type": "integer"},
        "page[size]": {"type": "integer", "default": 10},
        "self": {"$ref": "#/$defs/S"},
        "path": {"type": "string"},
    },
    "required": ["config"],
    "$defs": {"S": {"type": "string", "enum": ["a", "b"]}},
}


@pytest.fixture
def runtime(tmp_path: Path) -> Any:
    told = [{"name": "list", "description": "List what there is", "inputSchema": AWKWARD}, {"name": "ping"}]
    with compiled(tmp_path / "m", {"@acme-shop": {"tools": told}}) as artifact:
        made = ToolRuntime(artifact)
        made.bind("@acme-shop/list", lambda **args: {"got": args})
        made.bind("@acme-shop/ping", lambda: ToolResult("out of order", is_error=True))
        yield made


def test_arguments_of_every_name_arrive_and_the_result_comes_whole(runtime: ToolRuntime) -> None:
    tool = langchain_tool(runtime, "@acme-shop/list")
    given = {"config": "x", "callbacks": 3, "page[size]": 2, "self": "a", "path": "p"}
    call = {"type": "tool_call", "id": "c1", "name": tool.name, "args": given}
    message = asyncio.run(tool.ainvoke(call))
    assert (tool.name, message.artifact.content) == ("_acme-shop__list", {"got": given})
    assert message.content == '{"got": {"config": "x", "callbacks": 3, "page[size]": 2, "self": "a", "path": "p"}}'
    assert set(tool.args) == set(AWKWARD["properties"])


def test_what_fails_is_a_tool_exception(runtime: ToolRuntime) -> None:
    tool = langchain_tool(runtime, "@acme-shop/list")
    with pytest.raises(tools.ToolException, match="/config: missing"):
        asyncio.run(tool.ainvoke({}))
    kind = langchain_tool(runtime, "@acme-shop/ping", handle_tool_error=True)
    assert asyncio.run(kind.ainvoke({})) == "out of order"
    asked = langchain_tool(runtime, "@acme-shop/list", confirm=lambda tool, args: False)
    with pytest.raises(tools.ToolException, match="declined"):
        asyncio.run(asked.ainvoke({"config": "x"}))


def test_it_is_called_without_a_loop(artifact: Path) -> None:
    with_file = ToolRuntime.open(artifact)
    with_file.bind("weather/get_forecast", lambda place, days=1: f"{place}: sun")
    tool = langchain_tool(with_file, "weather/get_forecast")
    assert tool.invoke({"place": "Lisbon"}) == "Lisbon: sun"
    from langchain_core.utils.function_calling import convert_to_openai_tool

    said = convert_to_openai_tool(tool)["function"]
    assert (said["name"], "place" in said["parameters"]["properties"]) == ("weather__get_forecast", True)
    with_file.close()
