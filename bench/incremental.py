"""What compiling again costs, in processor time, as shares of a clean compile and of `--version`.

    python bench/incremental.py [--encoder base] [--source FOLDER] [--runs 3]

Exits 1 when a bar of docs/incremental.md is missed, or when the bytes are not those of a clean compile.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SHARED = Path(os.environ.get("SMALLCHAT_SHARED", Path(__file__).resolve().parents[2] / "shared"))
LIVE = SHARED / "data" / "manifests" / "live"
BARS = {"nothing changed / --version": 3.0}
EDITED = {"teacher": 0.1, "base": 0.5, "small": 0.5}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=LIVE)
    parser.add_argument("--encoder", choices=tuple(EDITED), default="base")
    parser.add_argument("--runs", type=int, default=3, help="of which the fastest counts")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(given.source, folder / "in")
        os.environ |= {
            "SMALLCHAT_CACHE_DIR": str(folder / "cache"),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        once = ["compile", str(folder / "in"), "--encoder", given.encoder, "-o"]
        out, other = folder / "out.smallchat.db", folder / "clean.smallchat.db"
        version = min(seconds("--version") for _ in range(given.runs + 2))
        clean = min(seconds(*once, str(other), "--no-cache") for _ in range(1 if given.encoder == "teacher" else 2))
        filling = seconds(*once, str(out))
        nothing = min(seconds(*once, str(out)) for _ in range(given.runs + 2))
        edited = []
        for number in range(given.runs):
            edit(folder / "in", number)
            edited.append(seconds(*once, str(out)))
        last = other.stat()
        seconds(*once, str(other), "--no-cache")
        same = out.read_bytes() == other.read_bytes() and last.st_ino != other.stat().st_ino
    figures = {
        "nothing changed / --version": nothing / version,
        "one tool edited / clean": min(edited) / clean,
        "clean, filling the cache / clean": filling / clean,
    }
    bars = {**BARS, "one tool edited / clean": EDITED[given.encoder]}
    print(f"clean compile: {clean:.1f} s of processor time; --version: {version:.3f} s; bytes equal: {same}")
    for what, share in figures.items():
        bar = f"  (at most {bars[what]})" if what in bars else ""
        print(f"{what:34} {share:6.3f}{bar}")
    return 0 if same and all(figures[what] <= bar for what, bar in bars.items()) else 1


def seconds(*arguments: str) -> float:
    """Processor time of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([sys.executable, "-m", "smallchatc", *arguments], capture_output=True, check=False)
    if ran.returncode:
        sys.exit(ran.stderr.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def edit(folder: Path, number: int) -> None:
    """Let the first tool of some file say one word more."""
    for path in sorted(folder.glob("*.json"))[number * 7 :]:
        document = json.loads(path.read_text("utf-8"))
        if isinstance(document, dict) and document.get("tools"):
            tool = document["tools"][0]
            tool["description"] = f"{tool.get('description', '')} Edited {number}."
            path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
            return


if __name__ == "__main__":
    sys.exit(main())
