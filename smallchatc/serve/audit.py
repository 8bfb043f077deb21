"""Audit: each call becomes one line of JSON: who asked what, what was chosen and why, and how it ended.

Arguments are told by name and size only, unless the operator wants them; results never.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime_min.resolution import Resolution


class Entry:
    """What is known of one call, filled in as it goes on."""

    def __init__(self, client: str, asked: str, arguments: Any) -> None:
        self.client = client
        self.asked = asked
        self.arguments = arguments
        self.tool: str | None = None
        self.tier: str | None = None
        self.confidence: float | None = None
        self.proof: str | None = None
        self.outcome = "cancelled"  # until something else is known
        self.code: str | None = None
        self.began = time.monotonic()

    def chose(self, resolution: Resolution, tool: str | None) -> None:
        """Keep what was chosen, and which proof says why."""
        self.tool = tool
        self.tier = str(resolution.tier)
        self.confidence = round(resolution.confidence, 4)
        self.proof = proof_id(resolution)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began


class Audit:
    """Writes entries to a file that only its owner reads, to stderr ("-"), or nowhere."""

    def __init__(self, path: Path | None, *, arguments: bool = False) -> None:
        self._arguments = arguments
        self._file: Any = None
        if path is not None and str(path) == "-":
            self._file = sys.stderr
        elif path is not None:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._file = os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")

    def write(self, entry: Entry) -> None:
        """Add a line."""
        if self._file is None:
            return
        line = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "client": entry.client,
            "asked": entry.asked,
            "chosen": entry.tool,
            "tier": entry.tier,
            "confidence": entry.confidence,
            "proof": entry.proof,
            "outcome": entry.outcome,
            "code": entry.code,
            "seconds": round(entry.seconds, 4),
            "arguments": entry.arguments if self._arguments else redacted(entry.arguments),
        }
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()

    def close(self) -> None:
        if self._file is not None and self._file is not sys.stderr:
            self._file.close()


def redacted(arguments: Any) -> Any:
    """The names of arguments, and of each value its type and size."""
    if not isinstance(arguments, Mapping):
        return type(arguments).__name__
    return {name: _sized(value) for name, value in arguments.items()}


def proof_id(resolution: Resolution) -> str:
    """Names a proof: the same question to the same artifact has the same."""
    text = json.dumps(resolution.proof.to_dict(), sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _sized(value: Any) -> str:
    size = f"({len(value)})" if isinstance(value, (str, list, dict)) else ""
    return f"{type(value).__name__}{size}"
