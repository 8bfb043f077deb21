"""A server on the official SDK that speaks both eras and lists five tools, two a page: stdio, or `--http PORT`."""

from __future__ import annotations

import sys
from typing import Any

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListToolsResult, Tool

TOOLS = [Tool(name=f"t{number}", description=f"Tool {number}", input_schema={"type": "object"}) for number in range(5)]


async def list_tools(_: Any, params: Any) -> ListToolsResult:
    """Two of them."""
    start = int(params.cursor) if params and params.cursor is not None else 0
    return ListToolsResult(
        tools=TOOLS[start : start + 2], next_cursor=str(start + 2) if start + 2 < len(TOOLS) else None
    )


async def call_tool(_: Any, __: Any) -> CallToolResult:
    """Nobody calls."""
    return CallToolResult(content=[])


server = Server("sdk", version="0.1", on_list_tools=list_tools, on_call_tool=call_tool)


async def over_stdio() -> None:
    """Until the input ends."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if "--http" in sys.argv:
        port = int(sys.argv[-1])
        uvicorn.run(
            server.streamable_http_app(streamable_http_path="/mcp"), host="127.0.0.1", port=port, log_level="error"
        )
    else:
        anyio.run(over_stdio)
