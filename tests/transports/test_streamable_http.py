"""Servers on the official SDK, over HTTP and stdio, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from upstream import SDK, connected, eventually, free_port, listens, said, started

from runtime_min import ToolRuntime
from runtime_min.envelope import Envelope, sent
from runtime_min.errors import Unreachable, UpstreamError
from runtime_min.events import Chunk, Progress
from runtime_min.transports.mcp import McpTransport

REGION = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
TOOLS = [
    {"name": name, "description": f"Does {name}", "inputSchema": REGION if name == "where" else {"type": "object"}}
    for name in ("where", "steps", "wait", "cancelled", "change", "needs", "ask")
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    chosen = free_port()
    with started(SDK, "--http", str(chosen)):
        asyncio.run(eventually(lambda: listens(chosen)))
        yield chosen


@pytest.fixture(scope="module")
def sdk(compiled: Callable[..., Path], port: int) -> Path:
    """One server twice: over HTTP and over stdio."""
    http = {"type": "mcp", "transport": "streamable-http", "url": f"http://127.0.0.1:{port}/mcp"}
    stdio = {"type": "mcp", "transport": "stdio", "command": sys.executable, "args": [str(SDK)]}
    return compiled(
        {"id": "web", "transport": http, "tools": TOOLS}, {"id": "child", "transport": stdio, "tools": TOOLS}
    )


@asynccontextmanager
async def runtime_of(path: Path, era: str, **options: Any) -> AsyncIterator[ToolRuntime]:
    """A runtime whose servers are spoken to in this era."""
    async with connected(path, **options) as runtime:
        if era == "handshake":
            for name in ("web/where", "child/where"):
                inner = runtime.imps.need(runtime.snapshot.proxy(name)).transport.inner
                assert isinstance(inner, McpTransport)
                inner._legacy = True  # as after a first connection that found it so
        yield runtime


ERAS = pytest.mark.parametrize("era", ["stateless", "handshake"])
BOTH = pytest.mark.parametrize("provider", ["web", "child"])


@ERAS
@BOTH
async def test_a_call_and_its_progress(sdk: Path, provider: str, era: str) -> None:
    async with runtime_of(sdk, era) as runtime:
        assert await said(runtime, f"{provider}/where", region="Übersee") == "Übersee"  # also in a header, over HTTP
        events = [event async for event in runtime.dispatch_stream(f"{provider}/steps", {})]
    chunks = [event.content for event in events if isinstance(event, Chunk)]
    assert chunks[:2] == [Progress(1, 2, "step 1"), Progress(2, 2, "step 2")]


@ERAS
@BOTH
async def test_a_caller_who_leaves_cancels_the_tool(sdk: Path, provider: str, era: str) -> None:
    async with runtime_of(sdk, era) as runtime:
        before = int(await said(runtime, f"{provider}/cancelled"))
        waiting = [asyncio.ensure_future(runtime.send(f"{provider}/wait", {})) for _ in range(3)]
        await asyncio.sleep(0.3)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        async with asyncio.timeout(20):
            while int(await said(runtime, f"{provider}/cancelled")) < before + 3:
                await asyncio.sleep(0.05)


@BOTH
async def test_a_time_out_cancels_the_tool(sdk: Path, provider: str) -> None:
    async with connected(sdk) as runtime:
        before = int(await said(runtime, f"{provider}/cancelled"))
        with pytest.raises(Exception, match=r"nothing for 0\.3 s"):
            await runtime.send(f"{provider}/wait", {}, timeout=0.3)
        async with asyncio.timeout(20):
            while int(await said(runtime, f"{provider}/cancelled")) == before:
                await asyncio.sleep(0.05)


@BOTH
async def test_capabilities_are_those_of_the_one_at_the_other_end(sdk: Path, provider: str) -> None:
    async with connected(sdk) as runtime:
        with pytest.raises(UpstreamError, match="needs sampling") as raised:
            await runtime.send(f"{provider}/needs", {})
        assert (raised.value.rpc_code, raised.value.data) == (-32021, {"requiredCapabilities": {"sampling": {}}})
        with sent(Envelope(capabilities={"sampling": {}})):
            assert await said(runtime, f"{provider}/needs") == "ok"


@BOTH
async def test_a_tool_that_asks_gets_its_answers(sdk: Path, provider: str) -> None:
    capabilities = {"elicitation": {"form": {}}}
    async with connected(sdk) as runtime:
        with sent(Envelope(capabilities=capabilities)):
            asked = await runtime.send(f"{provider}/ask", {})
        assert asked.outcome == "input"
        assert asked.input_required is not None
        assert asked.input_required["requestState"] == "opaque/1"
        assert set(asked.input_required["inputRequests"]) == {"who"}
        answers = {"who": {"action": "accept", "content": {"name": "Ada"}}}
        with sent(Envelope(capabilities=capabilities, input_responses=answers, request_state="opaque/1")):
            assert await said(runtime, f"{provider}/ask") == "{'name': 'Ada'} opaque/1"


@BOTH
async def test_a_changed_list_of_tools_is_noticed_in_the_new_era(sdk: Path, provider: str) -> None:
    noticed: list[str] = []
    async with connected(sdk, changed=noticed.append) as runtime:
        async with asyncio.timeout(20):
            while noticed != [provider]:  # the subscription may still be on its way
                await runtime.send(f"{provider}/change", {})
                await asyncio.sleep(0.05)
                del noticed[1:]


async def test_200_calls_at_once_lose_none(sdk: Path) -> None:
    async with connected(sdk, limit=20) as runtime:
        for provider in ("web", "child"):
            answers = await asyncio.gather(
                *(said(runtime, f"{provider}/where", region=str(number)) for number in range(200))
            )
            assert answers == [str(number) for number in range(200)]


async def test_a_server_that_is_not_there_is_said_and_comes_back(compiled: Callable[..., Path]) -> None:
    port = free_port()
    transport = {"type": "mcp", "url": f"http://127.0.0.1:{port}/mcp"}
    async with connected(compiled({"id": "web", "transport": transport, "tools": TOOLS})) as runtime:
        with pytest.raises(
            Unreachable, match=r"^web/where: the server of web cannot be reached: cannot reach 127\.0\.0\.1"
        ):
            await runtime.send("web/where", {})
        with started(SDK, "--http", str(port)):
            await eventually(lambda: listens(port))
            assert await said(runtime, "web/where", region="a") == "a"
            waiting = asyncio.ensure_future(runtime.send("web/wait", {}))
            await asyncio.sleep(0.3)
        with pytest.raises(Unreachable, match=r"web/wait: cannot reach 127\.0\.0\.1"):
            await waiting
        with started(SDK, "--http", str(port)):
            await eventually(lambda: listens(port))
            assert await said(runtime, "web/where", region="b") == "b"
