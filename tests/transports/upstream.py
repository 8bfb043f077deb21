"""Servers to call, and artifacts' runtimes that call them."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from runtime_min import ToolRuntime
from runtime_min.trust import Allow

RAW = Path(__file__).parent / "servers" / "raw_server.py"
SDK = RAW.with_name("sdk_server.py")
ANYTHING = {"type": "object"}
HARMLESS = {"readOnlyHint": True}
RAW_TOOLS = [
    *(
        {"name": name, "description": f"The {name} of a server by hand", "inputSchema": ANYTHING}
        for name in (
            "echo", "pid", "names", "vendor", "hang", "die", "chatter", "broken", "odd_result", "odd_content",
            "odd_error", "flood", "endless", "slow", "steps", "change", "refuse",
        )
    ),
    {"name": "die_idempotent", "description": "Dies, harmlessly", "inputSchema": ANYTHING, "annotations": HARMLESS},
]  # fmt: skip


def raw_manifest(name: str = "raw", *words: str, **transport: Any) -> dict[str, Any]:
    """A provider that is the server by hand."""
    started = {"type": "mcp", "transport": "stdio", "command": sys.executable, "args": [str(RAW), *words]}
    return {"id": name, "transport": {**started, **transport}, "tools": RAW_TOOLS}


@asynccontextmanager
async def connected(path: Path, **options: Any) -> AsyncIterator[ToolRuntime]:
    """A runtime of one's own artifact, everything allowed; its servers have ended when this is left."""
    async with ToolRuntime.open(path) as runtime:
        runtime.connect(Allow.everything(), **options)
        yield runtime


async def said(runtime: ToolRuntime, tool: str, **args: Any) -> str:
    """The text of a tool's one block."""
    result = await runtime.send(tool, args)
    [block] = result.content
    text: str = block["text"]
    return text


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something is so; the test's own patience ends it otherwise."""
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.02)


@contextmanager
def started(*words: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a process of its own, killed at the end."""
    process = subprocess.Popen([sys.executable, *map(str, words)])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def listens(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
