"""An API on a real socket: it echoes what it was sent, or behaves as the path says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n\x00"


class Api(BaseHTTPRequestHandler):
    """What was asked is kept in `server.seen`."""

    protocol_version = "HTTP/1.1"
    server: Any

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.seen.append((self.command, self.path, dict(self.headers), body))
        what = self.path.partition("?")[0].strip("/").split("/")[0].replace("-", "_")
        getattr(self, f"on_{what}", self.on_echo)(body)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = answer  # noqa: N815

    def send(self, body: bytes, kind: str = "application/json", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def on_echo(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        told = {"method": self.command, "path": self.path, "headers": headers, "body": body.decode("latin-1")}
        self.send(json.dumps(told).encode())

    def on_missing(self, _: bytes) -> None:
        self.send(b'{"message": "no such pet"}', status=404)

    def on_image(self, _: bytes) -> None:
        self.send(PNG, "image/png")

    def on_text(self, _: bytes) -> None:
        self.send("grüße".encode("latin-1"), "text/plain; charset=iso-8859-1")

    def on_busy(self, _: bytes) -> None:
        tries = sum(1 for seen in self.server.seen if seen[1] == self.path)
        if tries < 3:
            self.send(b"later", "text/plain", 503)
        else:
            self.send(b'{"tries": %d}' % tries)

    def on_hang(self, _: bytes) -> None:
        time.sleep(30)

    def on_cut(self, _: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"only this")
        self.close_connection = True

    def on_garbage(self, _: bytes) -> None:
        self.wfile.write(b"\x00\x01 this is no HTTP at all\r\n\r\n")
        self.close_connection = True

    def on_huge(self, _: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            self.close_connection = True

    def on_events(self, _: bytes) -> None:
        self.stream("text/event-stream", [b'data: {"n": 1}\n\n', b": a comment\r\n\r\n", b"data: two\ndata: lines\n\n"])

    def on_lines(self, _: bytes) -> None:
        self.stream("application/x-ndjson", [b'{"n": 1}\n{"n"', b": 2}\n", b'"three"'])

    def on_away(self, _: bytes) -> None:
        self.send(b"", status=302, Location=f"http://localhost:{self.server.server_port}/echo")

    def on_here(self, _: bytes) -> None:
        self.send(b"", status=307, Location="/echo?moved=1")

    def stream(self, kind: str, chunks: list[bytes]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            self.wfile.flush()
            time.sleep(0.05)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@contextmanager
def api() -> Iterator[Any]:
    """The server; `url` is where it is, `seen` what it was asked."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    server.daemon_threads = True
    server.seen, server.url = [], f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
