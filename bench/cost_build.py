"""The catalogues that cost is measured on, compiled once each into out/cost.

What is there is used again as long as neither the sources nor a line of the compiler has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import synthetic

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out" / "cost"
CODE = ("smallchatc/**/*.py", "smallchatc/data/*", "runtime_min/src/**/*.py", "bench/synthetic.py")


class Built(NamedTuple):
    """A compiled catalogue."""

    label: str
    path: Path
    tools: int
    size: int  # bytes of the artifact
    json_size: int  # bytes of the tools' canonical JSON
    seconds: float  # of the compile
    peak: int  # bytes of memory
    stages: dict[str, float]  # seconds of each


def catalogues(sizes: Iterable[int], live: Path) -> Iterator[Built]:
    """The synthetic catalogues of these sizes, and the live one where its source is."""
    for size in sizes:
        yield _built(str(size), synthetic.catalogue(size))
    if live.exists():
        yield _built("live", live.read_text("utf-8").splitlines())


def _built(label: str, lines: Iterable[str]) -> Built:
    OUT.mkdir(parents=True, exist_ok=True)
    tools = list(lines)
    source = OUT / f"{label}.jsonl"
    source.write_text("\n".join(tools) + "\n", "utf-8")
    artifact = OUT / f"{label}-{_state(tools)}.smallchat.db"
    record = artifact.with_suffix(".json")
    if not record.exists():
        for old in OUT.glob(f"{label}-*"):
            old.unlink()
        record.write_text(json.dumps(_compiled(source, artifact)))
    seconds, peak, stages = json.loads(record.read_text())
    json_size = sum(len(synthetic.canonical_json(_definition(line)).encode()) for line in tools)
    return Built(label, artifact, len(tools), artifact.stat().st_size, json_size, seconds, peak, stages)


def _definition(line: str) -> dict[str, object]:
    """The tool as its provider lists it."""
    tool: dict[str, object] = json.loads(line)
    del tool["provider"]
    return tool


def _compiled(source: Path, artifact: Path) -> tuple[float, int, dict[str, float]]:
    """Compile in a process of its own; seconds, bytes of peak memory, seconds of the stages."""
    command = [sys.executable, "-m", "smallchatc", "compile", str(source), "-o", str(artifact), "--encoder", "base"]
    began = time.perf_counter()
    process = subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{source.name} could not be compiled")
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return time.perf_counter() - began, peak, json.loads(said)["seconds"]


def _state(tools: Sequence[str]) -> str:
    """What an artifact depends on, as a name."""
    state = hashlib.sha256("\n".join(tools).encode())
    for pattern in CODE:
        for path in sorted(ROOT.glob(pattern)):
            state.update(path.read_bytes())
    return state.hexdigest()[:12]
