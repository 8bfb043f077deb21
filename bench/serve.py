"""What `smallchatc serve` adds to a call: the same tool called directly and through it, over a pipe and over HTTP.

    python bench/serve.py [--calls 400]

An official client calls a server on the official SDK (serve_upstream.py); in between stands nothing, or serve. Calls
of both are taken in turn, so that a busy machine is as busy for one as for the other. Figures are ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters

from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

UPSTREAM = Path(__file__).with_name("serve_upstream.py")
ENV = dict(os.environ)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=400)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, upstream_over_http() as url:
        artifacts = {
            "pipe": compiled(
                Path(folder), "pipe", {"transport": "stdio", "command": sys.executable, "args": [str(UPSTREAM)]}
            ),
            "HTTP": compiled(Path(folder), "http", {"transport": "streamable-http", "url": url}),
        }
        asyncio.run(compare(artifacts, url, given.calls))


async def compare(artifacts: dict[str, Path], url: str, calls: int) -> None:
    direct = {
        "pipe": StdioServerParameters(command=sys.executable, args=[str(UPSTREAM)], env=ENV),
        "HTTP": url,
    }
    print(f"{calls} calls each, one at a time")
    print(f"{'client':>8} {'upstream':>9} {'p50 x':>7} {'p95 x':>7} {'p50 added':>10}")
    for upstream, artifact in artifacts.items():
        served = command(artifact)
        with over_http(served) as proxy:
            ways = {
                "pipe": StdioServerParameters(command=served[0], args=served[1:], env=ENV),
                "HTTP": proxy,
            }
            for client, way in ways.items():
                async with AsyncExitStack() as stack:
                    plain = await stack.enter_async_context(connected(direct[upstream]))
                    through = await stack.enter_async_context(connected(way))
                    without, with_serve = await timed(plain, "echo", through, "up__echo", calls)
                p50, p95 = (quantile(with_serve, q) / quantile(without, q) for q in (0.5, 0.95))
                added = (quantile(with_serve, 0.5) - quantile(without, 0.5)) * 1000
                print(f"{client:>8} {upstream:>9} {p50:>7.2f} {p95:>7.2f} {added:>7.1f} ms")


async def timed(
    plain: Client, plain_name: str, through: Client, name: str, calls: int
) -> tuple[list[float], list[float]]:
    without, with_serve = [], []
    for number in range(calls + 20):
        one = await once(plain, plain_name, number)
        other = await once(through, name, number)
        if number >= 20:  # the first find everything cold
            without.append(one)
            with_serve.append(other)
    return without, with_serve


async def once(client: Client, name: str, number: int) -> float:
    began = time.perf_counter()
    result = await client.call_tool(name, {"number": number})
    took = time.perf_counter() - began
    assert result.structured_content == {"number": number}
    return took


def quantile(times: list[float], share: float) -> float:
    return sorted(times)[int(share * (len(times) - 1))]


@asynccontextmanager
async def connected(way: str | StdioServerParameters) -> AsyncIterator[Client]:
    async with Client(way) as client:
        await client.list_tools()
        yield client


def compiled(folder: Path, name: str, transport: dict[str, object]) -> Path:
    schema = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
    tool = {"name": "echo", "description": "Give it back", "inputSchema": schema}
    manifest = folder / f"{name}.json"
    manifest.write_text(json.dumps({"id": "up", "transport": {"type": "mcp", **transport}, "tools": [tool]}))
    out = folder / f"{name}.smallchat.db"
    write_artifact(compile_sources([str(manifest)], settings=Settings(encoder="small")).image, out)
    return out


def command(artifact: Path) -> list[str]:
    return [sys.executable, "-m", "smallchatc", "serve", str(artifact), "--trust", "--rate", "1000000"]


@contextmanager
def over_http(served: list[str]) -> Iterator[str]:
    process = subprocess.Popen([*served, "--http", "0"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        yield next(found[1] for line in process.stderr if (found := re.search(r" at (\S+), artifact", line)))
    finally:
        process.terminate()
        process.wait()


@contextmanager
def upstream_over_http() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, str(UPSTREAM), "--http"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
