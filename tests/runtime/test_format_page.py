"""A reader written from docs/format.md alone: plain sqlite3, nothing of ours but an artifact to read."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "format.md").read_text("utf-8")


class Reader:
    """What the page says, step by step."""

    def __init__(self, path: Path) -> None:
        head = path.read_bytes()[:100]
        assert head[68:72] == b"smlc"
        assert int.from_bytes(head[60:64], "big") // 1000 == 1
        self.db = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
        self.meta = dict(self.db.execute("SELECT key, value FROM meta"))
        tools = int(self.meta["tools"])
        self.width = 1 if tools <= 256 else 2 if tools <= 65536 else 4

    def tool(self, path: str) -> tuple[int, dict[str, Any]]:
        provider, name = path.split("/", 1)
        row = self.db.execute(
            "SELECT tool.id, definition FROM tool JOIN provider ON provider.id = tool.provider"
            " WHERE provider.name = ? AND tool.name = ?",
            (provider, name),
        ).fetchone()
        return row[0], json.loads(row[1])

    def tool_vector(self, tool: int) -> list[float]:
        scale, vector = self.db.execute("SELECT scale, vector FROM profile WHERE tool = ?", (tool,)).fetchone()
        return [scale * value for value in struct.unpack("256b", vector)]

    def piece_vector(self, piece: str) -> list[float] | None:
        found = self.db.execute("SELECT row FROM piece WHERE piece = ?", (piece,)).fetchone()
        if found is None:
            return None
        scale, packed = struct.unpack("<H128s", found[0])
        nibbles = [byte & 15 for byte in packed] + [byte >> 4 for byte in packed]
        return [scale * (nibble - 8.0) for nibble in nibbles]

    def pieces(self, word: str) -> Iterator[list[float]]:
        start, out = 0, []
        while start < len(word):
            for end in range(len(word), start, -1):
                vector = self.piece_vector(("##" if start else "") + word[start:end])
                if vector:
                    out.append(vector)
                    start = end
                    break
            else:
                start += 1
        yield from out

    def text_vector(self, text: str) -> list[float]:
        words = dict.fromkeys(re.findall(r"[a-z0-9]+", text.lower()))
        total = [
            math.fsum(column) for column in zip(*(row for word in words for row in self.pieces(word)), strict=True)
        ]
        length = math.hypot(*total)
        return [value / length for value in total]

    def digest(self) -> str:
        state = hashlib.sha256()
        tables = re.findall(r"CREATE TABLE (\w+) \((.*)\) STRICT", PAGE)
        for table, columns in tables:
            state.update(f"T{table}\n".encode())
            key = re.search(r"PRIMARY KEY \((.*?)\)", columns)
            order = key[1] if key else f'"{columns.split()[0]}"'
            for row in self.db.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                if table != "meta" or row[0] not in ("digest", "compiler"):
                    state.update(b"R" + b"".join(self.canonical(value) for value in row))
        return state.hexdigest()

    @staticmethod
    def canonical(value: Any) -> bytes:
        if value is None:
            return b"n"
        letter, body = {
            int: lambda: (b"i", str(value).encode()),
            str: lambda: (b"s", value.encode()),
            bytes: lambda: (b"b", value),
            float: lambda: (b"f", struct.pack("<d", value)),
        }[type(value)]()
        return letter + str(len(body)).encode() + b":" + body


@pytest.fixture
def reader(artifact: Path) -> Reader:
    return Reader(artifact)


def test_a_stranger_finds_a_tool_and_its_schema(reader: Reader) -> None:
    path = reader.db.execute(
        "SELECT provider.name || '/' || tool.name FROM tool JOIN provider ON provider.id = provider ORDER BY tool.id"
    ).fetchone()[0]
    tool, definition = reader.tool(path)
    assert tool == 0
    assert definition["name"] == path.split("/", 1)[1]
    assert definition["inputSchema"]["type"] == "object"


def test_a_stranger_gets_unit_vectors_and_the_same_nearest_tool(reader: Reader, artifact: Path) -> None:
    from runtime_min import ToolRuntime

    intent = "what is the weather in a city"
    asked = reader.text_vector(intent)
    tools = [row[0] for row in reader.db.execute("SELECT tool FROM profile ORDER BY tool")]
    cosines = {tool: sum(a * b for a, b in zip(asked, reader.tool_vector(tool), strict=True)) for tool in tools}
    assert math.hypot(*reader.tool_vector(0)) == pytest.approx(1, abs=1e-9)
    best = ToolRuntime.open(artifact).resolve(intent).candidates[0]
    tool, _ = reader.tool(best.tool)
    assert best.signals["dense"] == pytest.approx(cosines[tool], abs=1e-5)


def test_a_stranger_recomputes_the_digest(reader: Reader) -> None:
    assert reader.digest() == reader.meta["digest"]
