"""An MCP server that behaves badly on purpose; the first argument says how. The standard library alone.

Speaks the handshake era (2025-11-25) unless told otherwise.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

HOW = sys.argv[1] if len(sys.argv) > 1 else "well"


def tool(name: str, **more: Any) -> dict[str, Any]:
    """A sound tool."""
    return {"name": name, "description": f"Does {name}", "inputSchema": {"type": "object"}, **more}


def main() -> None:
    """Answer until the input ends."""
    if HOW == "dies":
        sys.exit("fatal: the database is not there")
    if HOW == "dies-of-old-sdk":
        sys.exit("ModuleNotFoundError: No module named 'mcp.server.fastmcp'")
    if HOW == "hangs":
        time.sleep(600)
    if HOW == "ignores-everything":
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        tell_pids(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid)
        while True:
            time.sleep(600)
    if HOW == "banner":
        print("Welcome to the server!\n\n[INFO] ready", flush=True)
    if HOW == "endless-line":
        while True:
            sys.stdout.write("x" * 1_000_000)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            for answer in answers(message):
                print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)


def answers(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What to answer to one request; nothing where it is left hanging."""
    method, params = message["method"], message.get("params") or {}
    if method == "server/discover":
        if HOW == "silent-about-discover":
            return
        code = -32602 if HOW == "other-code" else -32601
        yield {"error": {"code": code, "message": "unknown method"}}
    elif method == "initialize":
        if HOW == "wrong-era":
            yield result(protocolVersion="1999-01-01", capabilities={}, serverInfo={"name": "odd", "version": "1"})
            return
        info = {"name": "hostile", "version": "1.2.3", "vendorField": True}
        capabilities: dict[str, Any] = {} if HOW == "no-tools" else {"tools": {}}
        yield result(protocolVersion="2025-11-25", capabilities=capabilities, serverInfo=info, instructions=secret())
    elif method == "tools/list":
        yield from listing(params.get("cursor"))
    else:
        yield {"error": {"code": -32601, "message": "unknown method"}}


def listing(cursor: str | None) -> Iterator[dict[str, Any]]:
    """One page."""
    page = int(cursor.split("-")[1]) if cursor and "-" in cursor else 0
    match HOW:
        case "no-tools":
            yield {"error": {"code": -32601, "message": "no such method"}}
        case "list-hangs":
            if page < 2:
                yield result(tools=[tool(f"t{page}")], nextCursor=f"c-{page + 1}")
        case "dies-while-listing":
            sys.exit(3)
        case "pages":
            following = {"nextCursor": f"c-{page + 1}"} if page < 3 else {}
            yield result(tools=[tool(f"t{page}")], **following)
        case "empty-cursor":
            yield result(tools=[tool("second")]) if cursor == "" else result(tools=[tool("first")], nextCursor="")
        case "stuck-cursor":
            yield result(tools=[tool(f"t{time.monotonic_ns()}")], nextCursor="c-0")
        case "same-page":
            yield result(tools=[tool("only")], nextCursor=f"c-{page + 1}")
        case "endless-pages":
            yield result(tools=[], nextCursor=f"c-{page + 1}")
        case "twice":
            yield result(tools=[tool("same"), tool("same"), tool("other")])
        case "malformed-tool":
            schema = {"$schema": "http://json-schema.org/draft-07/schema#"}
            yield result(tools=[tool("good", vendor={"x": 1}), {"name": "bad", "inputSchema": schema}, 7])
        case "no-list":
            yield result(tools={"a": 1})
        case "result-is-a-list":
            yield {"result": [tool("a")]}
        case "error":
            yield {"error": {"code": -32000, "message": "log in first with token " + secret()}}
        case "error-is-a-text":
            yield {"error": "no"}
        case "large":
            yield result(tools=[tool(f"t{n}", description="x" * 500_000) for n in range(100)])
        case "too-large":
            yield result(tools=[tool(f"t{n}", description="x" * 1_000_000) for n in range(70)])
        case "not-json":
            print('{"jsonrpc": "2.0", "id": 3, "result": {"tools": [', flush=True)
        case "half-characters":
            yield result(tools=[tool("half", description="a \ud83d b")])
        case "shuffled":
            names = [f"t{n}" for n in range(9)]
            if os.environ.get("REVERSED"):
                names.reverse()
            yield result(tools=[tool(name) for name in names])
        case _:
            yield result(tools=[tool("a", title=secret()), tool("b")])


def result(**content: Any) -> dict[str, Any]:
    """A JSON-RPC result."""
    return {"result": content}


def secret() -> str:
    """What it was told in confidence, repeated."""
    return os.environ.get("HOSTILE_TOKEN", "")


def tell_pids(*more: int) -> None:
    """Who has to be gone afterwards."""
    with open(os.environ["HOSTILE_PIDS"], "w", encoding="utf-8") as file:
        file.write(json.dumps([os.getpid(), *more]))


if __name__ == "__main__":
    main()
