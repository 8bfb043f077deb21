"""Sources made to hurt: each ends within bounds of time and memory, with a diagnostic and without a traceback.

Each runs as a process of its own whose CPU seconds and memory the operating system limits, far above what any of them
needs and far below what a quadratic or exponential step would take.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from writing import tool

pytestmark = pytest.mark.slow  # some forty processes

CPU_SECONDS = 90
MEMORY = 6 * 1024**3  # of addresses, of which the numeric libraries reserve many
DEEP = 200_000
MANY = 100_000


def compiled(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return _limited("compile", str(folder), "-o", str(folder.parent / "out.smallchat.db"), "--encoder", "small", *more)


def _limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return subprocess.run(
        [sys.executable, "-m", "smallchatc", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        preexec_fn=limit,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


def of(schema: Any, **more: Any) -> str:
    return json.dumps([tool(inputSchema=schema, **more), tool("sound")])


def _properties(count: int) -> dict[str, Any]:
    names = [f"p{number}" for number in range(count)]
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}


def _doubling() -> dict[str, Any]:
    """Thirty definitions, each of which refers twice to the next: a billion arms when written out."""
    defs: dict[str, Any] = {
        f"d{number}": {"anyOf": [{"$ref": f"#/$defs/d{number + 1}"}, {"$ref": f"#/$defs/d{number + 1}"}]}
        for number in range(30)
    }
    defs["d30"] = {"type": "object", "properties": {"x": {"type": "string"}}}
    return {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "anyOf": [{"$ref": "#/$defs/d0"}],
        "$defs": defs,
    }


def _chain(length: int) -> dict[str, Any]:
    defs: dict[str, Any] = {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(length)}
    defs[f"d{length}"] = {"type": "string"}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs}


def _zip(files: int, size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(files):
            archive.writestr(f"{number}", b"")
        archive.writestr("manifest.json", b"[" + b" " * size + b"]")
    return out.getvalue()


_EXPLODING = [
    "(a+)+$",
    "(a|a)*$",
    "(.*)*x",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(?:a?){60}a{60}",
    "(" * 2000 + ")" * 2000,
    "[",
]

SOURCES: dict[str, tuple[str, Callable[[], str | bytes], str]] = {
    "YAML aliases": (
        "m.yaml",
        lambda: (
            "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
        ),
        "yaml-alias-explosion",
    ),
    "YAML merges": (
        "m.yaml",
        lambda: "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 40)),
        "",
    ),
    "YAML without end": ("m.yaml", lambda: "- " * DEEP, "too-deep"),
    "YAML brackets": ("m.yaml", lambda: "a: " + "[" * DEEP, "too-deep"),
    "JSON brackets": ("m.json", lambda: "[" * DEEP, "too-deep"),
    "JSON braces": ("m.json", lambda: '{"a":' * DEEP, "too-deep"),
    "a number of a million digits": (
        "m.json",
        lambda: of({"type": "object", "maxProperties": 7}).replace("7", "9" * 10**6),
        "",
    ),
    "a million nulls": ("m.json", lambda: json.dumps({"tools": [None] * 10**6}), "not-a-tool"),
    "a hundred thousand broken lines": ("m.jsonl", lambda: '{"name": "a"\n' * MANY, ""),
    "a key a hundred thousand times": (
        "m.json",
        lambda: of({}).replace('{"name"', "{" + '"a":1,' * MANY + '"name"', 1),
        "duplicate-key",
    ),
    "a hundred thousand keys of a tool": ("m.json", lambda: of({}, **{f"inputSchem{n}": 1 for n in range(MANY)}), ""),
    "a hundred thousand keys of a manifest": (
        "m.json",
        lambda: json.dumps({"id": "m", "tools": [tool()], **{f"unknown{n}": 1 for n in range(MANY)}}),
        "unknown-key",
    ),
    "a hundred thousand properties": ("m.json", lambda: of(_properties(MANY)), "schema-large"),
    "a hundred thousand values": (
        "m.json",
        lambda: of({"type": "object", "properties": {"a": {"enum": [f"v{n}" for n in range(MANY)]}}}),
        "",
    ),
    "ten thousand arms": (
        "m.json",
        lambda: of({"type": "object", "oneOf": [_properties(3) | {"title": str(n)} for n in range(10_000)]}),
        "root-composition",
    ),
    "arms that double": ("m.json", lambda: of(_doubling()), "root-composition"),
    "a chain of ten thousand references": ("m.json", lambda: of(_chain(10_000)), ""),
    "a name of a million letters": ("m.json", lambda: json.dumps([tool("a" * 10**6)]), "nonportable-tool-name"),
    "a property of a million letters": (
        "m.json",
        lambda: of({"type": "object", "properties": {"a" * 10**6: {"type": "string"}}}),
        "portable-property-name",
    ),
    "names that are one when portable": (
        "m.json",
        lambda: json.dumps([tool(f"a{'.' * number}b") for number in range(500)]),
        "nonportable-tool-name",
    ),
    "patterns that explode": (
        "m.json",
        lambda: of(
            {
                "type": "object",
                "properties": {
                    f"p{n}": {"type": "string", "pattern": pattern, "default": "a" * 5000 + "!", "examples": ["a" * 99]}
                    for n, pattern in enumerate(_EXPLODING)
                },
                "patternProperties": {pattern: {"type": "string"} for pattern in _EXPLODING},
            }
        ),
        "",
    ),
    "a bundle that unpacks to gigabytes": ("b.mcpb", lambda: _zip(0, 300_000_000), "bad-bundle"),
    "a bundle of many files": ("b.mcpb", lambda: _zip(60_000, 1), "bad-bundle"),
    "a bundle that is noise": ("b.mcpb", lambda: b"PK\x03\x04" + bytes(range(256)) * 4000, "bad-bundle"),
    "half of a bundle": ("b.mcpb", lambda: _zip(5, 10)[:-40], "bad-bundle"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_a_source_made_to_hurt_ends_with_a_diagnostic(tmp_path: Path, kind: str) -> None:
    name, content, slug = SOURCES[kind]
    made = content()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(made.encode() if isinstance(made, str) else made)
    run = compiled(tmp_path / "in", "-v")
    assert run.returncode in (0, 1, 2), (run.returncode, run.stderr[-2000:])
    assert "Traceback" not in run.stderr
    assert not slug or f"[{slug}]" in run.stderr, run.stderr[-1500:]


_FRAGMENTS = [
    "-----BEGIN PRIVATE KEY-----\n", "eyJ", "eyJabcdefgh.", "sk-", "sk-ant-", "ghp_", "x://", "x://@", "x://a:b", "a=",
    "token=", "token='", "Bearer ", "password: ", "glpat-", "hvs.", "SG.", "AKIA", "https://hooks.slack.com/services/",
    "0123456789:AA", "{{", "${", "api_key=a1B2c3D4 ", "postgres://u:p@", "<", "[", "a.b.", "pypi-AgE", "-", "_",
]  # fmt: skip


def test_texts_made_to_hurt_the_search_for_credentials(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    tools = [tool(f"t{n}", (part * (300_000 // len(part)))) for n, part in enumerate(_FRAGMENTS)]
    transport = {"command": "run", "args": [each["description"] for each in tools], "url": "x://" * 50_000}
    (tmp_path / "in" / "m.json").write_text(json.dumps({"id": "m", **transport, "tools": tools}))
    place = str(tmp_path / "in")
    script = f"from smallchatc.parse import parse_sources; print(len(parse_sources([{place!r}]).catalog.tools))"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))

    read = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, preexec_fn=limit)
    assert read.stdout.strip() == str(len(_FRAGMENTS)), read.stderr[-2000:]


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A web server that notes what it is asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"type": "object", "properties": {"fetched": {"type": "string"}}}')

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("command", ["compile", "lint"])
def test_a_reference_of_a_schema_reads_neither_files_nor_the_network(
    tmp_path: Path, listener: tuple[str, list[str]], command: str
) -> None:
    address, asked = listener
    secret = tmp_path / "secret.json"
    secret.write_text('{"type": "object", "properties": {"marker_of_a_local_file": {"type": "string"}}}')
    refs = [f"{address}/schema.json", secret.as_uri(), f"file://localhost{secret}", "../secret.json", str(secret)]
    properties = {f"p{number}": {"$ref": ref} for number, ref in enumerate(refs)}
    (tmp_path / "in").mkdir()
    schema = {"$schema": f"{address}/dialect", "$id": f"{address}/id", "type": "object", "properties": properties}
    (tmp_path / "in" / "m.json").write_text(of(schema, outputSchema={"$ref": refs[0]}))
    out = tmp_path / "out.smallchat.db"
    run = compiled(tmp_path / "in") if command == "compile" else _limited("lint", str(tmp_path / "in"))
    assert run.returncode in (0, 1)
    assert "[ref-remote]" in run.stderr + run.stdout
    assert asked == []
    if command == "compile":
        assert b"marker_of_a_local_file" not in out.read_bytes()


def test_names_that_climb_stay_names(tmp_path: Path) -> None:
    names = [
        "../../../etc/passwd",
        "..",
        ".",
        "/etc/passwd",
        "..\\..\\x",
        "a/../../b",
        "%2e%2e%2f",
        "C:\\x",
        "a\x00b",
        "~/.ssh/id",
    ]
    (tmp_path / "in").mkdir()
    manifest = {"id": "../../climb", "version": "../1", "tools": [tool(name, name) for name in names]}
    (tmp_path / "in" / "m.json").write_text(json.dumps(manifest))
    run = compiled(tmp_path / "in", "-v")
    assert run.returncode == 0, run.stderr
    assert "nonportable-tool-name" in run.stderr
    found = sorted(path.name for path in tmp_path.rglob("*"))
    assert found == ["in", "m.json", "out.smallchat.db", "out.smallchat.lock"]
    assert not (tmp_path.parent / "climb").exists()


@pytest.mark.parametrize("kind", ["patterns that explode", "arms that double", "a hundred thousand properties"])
def test_lint_of_what_was_made_to_hurt_ends_as_well(tmp_path: Path, kind: str) -> None:
    name, content, _ = SOURCES[kind]
    (tmp_path / name).write_text(str(content()))
    run = _limited("lint", str(tmp_path))
    assert run.returncode in (0, 1, 2), (run.returncode, run.stderr[-2000:])
    assert "Traceback" not in run.stderr
