"""A server of one tool that gives back what it was given, on the official SDK: over a pipe, or --http."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

SCHEMA = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}


async def listed(ctx: Any, params: Any) -> ListToolsResult:
    return ListToolsResult(tools=[Tool(name="echo", description="Give it back", input_schema=SCHEMA)])


async def called(ctx: Any, params: Any) -> CallToolResult:
    given = params.arguments or {}
    return CallToolResult(content=[TextContent(type="text", text=json.dumps(given))], structured_content=given)


SERVER = Server("upstream", version="1", on_list_tools=listed, on_call_tool=called)


async def over_a_pipe() -> None:
    async with stdio_server() as (read, write):
        await SERVER.run(read, write, SERVER.create_initialization_options())


def over_http() -> None:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(SERVER.streamable_http_app(), log_level="error", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    over_http() if "--http" in sys.argv else asyncio.run(over_a_pipe())
