"""An MCP server of the handshake era over HTTP, by hand, that can misbehave: the name of a tool is what it does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INFO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "rpc", "version": "1"}}


class Rpc(BaseHTTPRequestHandler):
    """One request, one JSON answer; sessions are numbered."""

    protocol_version = "HTTP/1.1"
    server: Any

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, params = message.get("method"), message.get("params") or {}
        if method == "initialize":
            self.server.sessions += 1
            self.answer(message, {"result": INFO}, Mcp_Session_Id=str(self.server.sessions))
        elif self.headers.get("mcp-session-id", "-") != str(self.server.sessions):
            self.send(b"", "text/plain", 404 if "mcp-session-id" in self.headers else 400)
        elif method != "tools/call":
            self.send(b"", "text/plain", 202)
        else:
            getattr(self, f"on_{params['name']}", self.on_ok)(message)

    def do_GET(self) -> None:
        self.send(b"", "text/plain", 405)

    do_DELETE = do_GET  # noqa: N815

    def on_ok(self, message: Any) -> None:
        said = self.headers["mcp-session-id"]
        self.answer(message, {"result": {"content": [{"type": "text", "text": said}]}})

    def on_slow(self, message: Any) -> None:
        time.sleep(0.7)
        self.on_ok(message)

    def on_cut(self, message: Any) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"jsonrpc": "2.0", ')
        self.close_connection = True

    def on_html(self, message: Any) -> None:
        self.send(b"<h1>Welcome</h1>", "text/html")

    def on_oops(self, message: Any) -> None:
        self.send(b"Traceback ...", "text/plain", 500)

    def on_huge(self, message: Any) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" " * 65536)
        except OSError:
            self.close_connection = True

    def on_drop(self, message: Any) -> None:
        self.close_connection = True

    def answer(self, message: Any, said: Any, **headers: str) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}).encode(), "application/json", **headers)

    def send(self, body: bytes, kind: str, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@contextmanager
def rpc() -> Iterator[Any]:
    """The server; `sessions` are those it has begun."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Rpc)
    server.daemon_threads = True
    server.sessions = 0
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
