"""`smallchatc serve` as the process that a user starts, and clients of it."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from upstream import raw_manifest

from runtime_min import ToolRuntime
from runtime_min.ratelimit import RateLimit
from smallchatc.pipeline import compile_sources
from smallchatc.serve.audit import Audit
from smallchatc.serve.calls import Calls
from smallchatc.serve.limits import Places
from smallchatc.serve.metrics import Metrics
from smallchatc.serve.offer import offer
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

ROOT = Path(__file__).resolve().parents[2]
AWKWARD = {
    "type": "object",
    "$defs": {"any": True},
    "properties": {"q": {"type": "string", "default": None}, "deep": {"$ref": "#/$defs/any"}},
    "x-vendor": {"kept": None},
}


class Server:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self.url = ""
        self._ready = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()
        if not self._ready.wait(60) or not self.url:
            process.kill()
            raise AssertionError("".join(self.said))

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        self.signal(signal.SIGTERM)
        return self.process.wait(30)

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            found = re.search(r"^serving .* at (\S+), artifact", line)
            if found:
                self.url = found[1]
                self._ready.set()
        self._ready.set()


@contextmanager
def served(artifact: Path, *options: str, **environment: str) -> Iterator[Server]:
    """The artifact, served over HTTP; whatever happens, it has ended when this is left."""
    process = subprocess.Popen(
        command(artifact, "--http", "127.0.0.1:0", *options),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        server = Server(process)
        yield server
        if process.poll() is None:
            assert server.stop() == 0, server.said
    finally:
        process.kill()
        process.wait()


def begun(server: Server, name: str, args: dict[str, Any]) -> http.client.HTTPConnection:
    """A call by hand, in the era without a handshake; its answer is still to be read."""
    url = urlsplit(server.url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=20)
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": name, "arguments": args, "_meta": meta}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    connection.request("POST", "/mcp", body, headers)
    return connection


def command(artifact: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "smallchatc", "serve", str(artifact), *options]


def in_process(
    artifact: Path,
    functions: dict[str, Any] | None = None,
    *,
    face: str = "tools",
    allow: Any = None,
    places: Places | None = None,
    rate: RateLimit | None = None,
    audit: Audit | None = None,
    metrics: Metrics | None = None,
) -> Calls:
    """Calls without a process around them; `functions` are the tools of the provider local."""
    runtime = ToolRuntime.open(artifact)
    runtime.connect(allow, deferred=True)
    if functions is not None:
        runtime.bind_provider("local", functions)
    return Calls(
        runtime,
        offer(runtime.artifact, face=face),
        places=places or Places(64),
        rate=rate or RateLimit(10_000),
        audit=audit or Audit(None),
        metrics=metrics or Metrics(),
        timeout=20,
    )


def compiled(out: Path, *manifests: dict[str, Any]) -> Path:
    """Manifests as an artifact."""
    folder = out.with_suffix(".d")
    folder.mkdir()
    for manifest in manifests:
        (folder / f"{manifest['id']}.json").write_text(json.dumps(manifest))
    write_artifact(compile_sources([str(folder)], settings=Settings(encoder="small")).image, out)
    return out


def manifests() -> list[dict[str, Any]]:
    raw = raw_manifest()
    awkward = {"name": "awkward", "description": "Has an awkward schema", "inputSchema": AWKWARD, "_meta": {"a/b": [1]}}
    return [{**raw, "tools": [*raw["tools"], awkward]}]
