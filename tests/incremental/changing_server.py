"""A server whose tools are the lines of a file, and who says when they change: `changing_server.py ERA FILE [PORT]`.

ERA is `old` (stdio, by hand: only the handshake of before 2026) or `new` (the official SDK, over stdio or HTTP). It
notes the number of its process in FILE.pids. Without its file the old one ends.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

FILE = Path(sys.argv[2])


def names() -> list[str]:
    """The tools of now."""
    return FILE.read_text("utf-8").split()


def old() -> None:
    """JSON-RPC by hand, a line a message."""
    lock = threading.Lock()

    def say(**message: Any) -> None:
        with lock:
            print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def follow() -> None:
        last = names()
        while True:
            time.sleep(0.05)
            if not FILE.exists():
                os._exit(3)
            if (now := names()) == last:
                continue
            last = now
            say(method="notifications/tools/list_changed")

    threading.Thread(target=follow, daemon=True).start()
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        if asked["method"] == "initialize":
            hello = {"tools": {"listChanged": True}}
            info = {"name": "changing", "version": "1"}
            say(id=asked["id"], result={"protocolVersion": "2025-06-18", "capabilities": hello, "serverInfo": info})
        elif asked["method"] == "tools/list":
            tools = [{"name": n, "description": f"Do {n}", "inputSchema": {"type": "object"}} for n in names()]
            say(id=asked["id"], result={"tools": tools})
        else:
            say(id=asked["id"], error={"code": -32601, "message": "no such method"})


def new(port: int | None) -> None:
    """The official SDK."""
    import anyio
    import uvicorn
    from mcp.server import Server
    from mcp.server.stdio import stdio_server
    from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
    from mcp.types import CallToolResult, ListToolsResult, Tool

    bus = InMemorySubscriptionBus()

    async def list_tools(_: Any, __: Any) -> ListToolsResult:
        return ListToolsResult(
            tools=[Tool(name=n, description=f"Do {n}", input_schema={"type": "object"}) for n in names()]
        )

    async def call_tool(_: Any, __: Any) -> CallToolResult:
        return CallToolResult(content=[])

    async def follow() -> None:
        last = names()
        while True:
            await anyio.sleep(0.05)
            if (now := names()) != last:
                last = now
                await bus.publish(ToolsListChanged())

    server = Server(
        "changing",
        version="1",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(bus),
    )

    async def run() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(follow)
            if port is None:
                async with stdio_server() as (read, write):
                    await server.run(read, write, server.create_initialization_options())
            else:
                app = server.streamable_http_app(streamable_http_path="/mcp")
                await uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error")).serve()
            group.cancel_scope.cancel()

    anyio.run(run)


if __name__ == "__main__":
    with FILE.with_suffix(".pids").open("a") as pids:
        pids.write(f"{os.getpid()}\n")
    if sys.argv[1] == "old":
        old()
    else:
        new(int(sys.argv[3]) if len(sys.argv) > 3 else None)
