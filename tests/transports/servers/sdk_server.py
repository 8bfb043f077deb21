"""An MCP server on the official SDK, which speaks both eras: on stdio, or with `--http PORT` on the network."""

from __future__ import annotations

import sys
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

OBJECT: dict[str, Any] = {"type": "object"}
REGION = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
bus = InMemorySubscriptionBus()
cancelled = 0


async def list_tools(ctx: Any, params: Any) -> ListToolsResult:
    names = ("where", "steps", "wait", "cancelled", "change", "needs", "ask")
    return ListToolsResult(
        tools=[Tool(name=name, input_schema=REGION if name == "where" else OBJECT) for name in names]
    )


async def call_tool(ctx: Any, params: CallToolRequestParams) -> Any:
    global cancelled
    from mcp.types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

    args = params.arguments or {}
    said = "ok"
    if params.name == "where":
        said = str(args.get("region"))
    elif params.name == "steps":
        for at in (1, 2):
            await ctx.session.report_progress(at, 2, f"step {at}")
            await anyio.sleep(0.05)
    elif params.name == "wait":
        try:
            await anyio.sleep(float(args.get("seconds", 30)))
        except anyio.get_cancelled_exc_class():
            cancelled += 1
            raise
    elif params.name == "cancelled":
        said = str(cancelled)
    elif params.name == "change":
        await bus.publish(ToolsListChanged())
    elif params.name == "needs":
        capabilities = ctx.session.client_capabilities
        if capabilities is None or capabilities.sampling is None:
            raise MCPError(-32021, "needs sampling", {"requiredCapabilities": {"sampling": {}}})
    elif params.name == "ask":
        if not params.input_responses:
            form = ElicitRequestFormParams(message="Who?", requested_schema={"type": "object", "properties": {}})
            asked = {"who": ElicitRequest(method="elicitation/create", params=form)}
            return InputRequiredResult(input_requests=asked, request_state="opaque/1")
        answer: Any = params.input_responses["who"]
        said = f"{answer.content} {params.request_state}"
    return CallToolResult(content=[TextContent(type="text", text=said)])


server = Server(
    "sdk", version="1", on_list_tools=list_tools, on_call_tool=call_tool, on_subscriptions_listen=ListenHandler(bus)
)


async def on_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if "--http" in sys.argv:
    import uvicorn

    port = int(sys.argv[sys.argv.index("--http") + 1])
    uvicorn.run(server.streamable_http_app(streamable_http_path="/mcp"), host="127.0.0.1", port=port, log_level="error")
else:
    anyio.run(on_stdio)
