"""An MCP server of the handshake era, by hand, that can misbehave: what a call does is the name of the tool.

python raw_server.py [--slow-start SECONDS] [--banner] [--modern]
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

LOCK = threading.Lock()
OUT = sys.stdout.buffer


def write(text: str) -> None:
    with LOCK:
        OUT.write(text.encode())
        OUT.flush()


def send(message: dict[str, Any]) -> None:
    write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def text(value: object, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": str(value)}], **more}


def call(number: object, params: dict[str, Any]) -> None:
    name, args = params["name"], params.get("arguments") or {}
    token = (params.get("_meta") or {}).get("progressToken")

    def progress(at: int, total: int) -> None:
        given = {"progressToken": token, "progress": at, "total": total}
        send({"method": "notifications/progress", "params": given})

    if args.get("count"):
        with LOCK, Path(args["count"]).open("a") as file:
            file.write(f"{name} {args.get('number', '')}\n")
    result: Any = text("ok")
    if name == "echo":
        result = text(json.dumps(args, sort_keys=True), structuredContent=args)
    elif name == "pid":
        result = text(os.getpid())
    elif name == "names":
        result = text(json.dumps(sorted(os.environ)))
    elif name == "vendor":
        block = {"type": "text", "text": "kept", "vendor": {"x": [1, None]}, "annotations": {"priority": 1}}
        result = {"content": [block], "_meta": {"vendor/key": 1}, "vendorField": True}
    elif name == "hang":
        return
    elif name in ("die", "die_idempotent"):
        once = args.get("once")
        if once is None or not Path(once).exists():
            if once is not None:
                Path(once).touch()
            progress(1, 2)
            print("out of memory, giving up", file=sys.stderr, flush=True)
            os._exit(3)
    elif name == "chatter":
        write("Listening on nothing in particular\n\n[1] not json\n")
    elif name == "broken":
        write('{"jsonrpc": "2.0", "id": ' + str(number) + ', "result": {"content": [\n')
        return
    elif name == "odd_result":
        send({"id": number, "result": ["not", "an", "object"]})
        return
    elif name == "odd_content":
        result = {"content": "not a list of blocks"}
    elif name == "odd_error":
        send({"id": number, "error": "just a text"})
        return
    elif name == "flood":
        for at in range(int(args["times"])):
            progress(at, int(args["times"]))
        if args.get("flooded"):
            Path(args["flooded"]).touch()
    elif name == "endless":
        while True:
            write("x" * 65536)
    elif name == "slow":
        time.sleep(float(args["seconds"]))
        result = text(args.get("number", "slow"))
    elif name == "steps":
        for at in (1, 2, 3):
            progress(at, 3)
            time.sleep(0.02)
        result = text("done")
    elif name == "change":
        send({"method": "notifications/tools/list_changed"})
    elif name == "refuse":
        send({"id": number, "error": {"code": -32602, "message": "no such thing", "data": {"why": "because"}}})
        return
    send({"id": number, "result": result})


def main() -> None:
    if "--banner" in sys.argv:
        write("Secure MCP server, version 3\n")
    if "--slow-start" in sys.argv:
        time.sleep(float(sys.argv[sys.argv.index("--slow-start") + 1]))
    for line in sys.stdin:
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "initialize":
            capabilities = {"tools": {"listChanged": True}}
            info = {"name": "raw", "version": "1"}
            answer = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info}
            send({"id": number, "result": answer})
        elif method == "tools/call":
            threading.Thread(target=call, args=(number, params), daemon=True).start()
        elif method == "notifications/cancelled" and os.environ.get("CANCELLED"):
            with Path(os.environ["CANCELLED"]).open("a") as file:
                file.write(json.dumps(params) + "\n")
        elif number is not None:
            send({"id": number, "error": {"code": -32601, "message": f"unknown method {method}"}})


main()
