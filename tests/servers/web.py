"""MCP servers over HTTP, good and bad, on a port of this machine; the path says how they behave."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "web", "version": "7"},
}
TOOL = {"name": "look", "description": "Looks", "inputSchema": {"type": "object"}, "unknownKey": [1]}


@contextmanager
def serving() -> Iterator[str]:
    """The address; requests' Authorization headers are remembered in `Handler.asked`."""
    Handler.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    """/good, /old (SSE), /status/N, /html, /hangs, /large, /events (answers as an event stream)."""

    asked: list[str | None] = []  # noqa: RUF012
    waiting: queue.Queue[str] = queue.Queue()

    def do_POST(self) -> None:
        """A message."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        Handler.asked.append(self.headers.get("Authorization"))
        message = json.loads(body) if body else {}
        match self.path.split("/")[1:]:
            case ["status", code]:
                self.answer(int(code), "text/plain", b"no")
            case ["html"]:
                self.answer(200, "text/html", b"<html>Sign in</html>")
            case ["hangs"]:
                time.sleep(30)
            case ["old"]:
                self.answer(405, "text/plain", b"")
            case ["old-messages"]:
                reply = reply_to(message)
                if reply:
                    Handler.waiting.put(json.dumps(reply))
                self.answer(202, "text/plain", b"")
            case ["large"] if message.get("method") == "tools/list":
                big = {**TOOL, "description": "x" * 70_000_000}
                text = {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": [big]}}
                self.answer(200, "application/json", json.dumps(text).encode())
            case ["events"] if "id" in message:
                text = json.dumps(reply_to(message))
                self.answer(200, "text/event-stream", f": hello\n\nevent: message\ndata: {text}\n\n".encode())
            case _:
                reply = reply_to(message)
                self.answer(200 if reply else 202, "application/json", json.dumps(reply).encode() if reply else b"")

    def do_GET(self) -> None:
        """The older transport's stream; every other path has none."""
        if self.path != "/old":
            self.answer(405, "text/plain", b"")
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"event: endpoint\ndata: /old-messages\n\n")
        self.wfile.flush()
        for _ in range(3):
            self.wfile.write(f"event: message\ndata: {Handler.waiting.get(timeout=30)}\n\n".encode())
            self.wfile.flush()
        time.sleep(1)

    def answer(self, status: int, kind: str, body: bytes) -> None:
        """One response."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def reply_to(message: dict[str, Any]) -> dict[str, Any] | None:
    """A well-behaved server of the handshake era."""
    head = {"jsonrpc": "2.0", "id": message.get("id")}
    match message.get("method"):
        case "initialize":
            return {**head, "result": HANDSHAKE}
        case "tools/list":
            return {**head, "result": {"tools": [TOOL]}}
        case _ if "id" in message:
            return {**head, "error": {"code": -32601, "message": "unknown method"}}
    return None
