"""`smallchatc watch` for ten minutes: a storm of writes, then somebody who edits every few seconds. Does anything grow?

    python bench/soak_watch.py [--seconds 600] [--json]

The storm: 1,000 writes in 10 s, whole files, halves of files and renames. Exits 1 when it cost more than a handful of
compiles, when the last artifact is not that of a clean compile, when temporary files are left, or when memory or open
files of the last third never get as low as in the first. Needs /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

WRITES, STORM_S = 1000, 10.0
EVERY_S = 3.0
MOST_COMPILES = 8  # one in two seconds, and what comes before and after
GROWTH_KB, GROWTH_FILES = 16_000, 0
SMALLCHATC = [sys.executable, "-m", "smallchatc"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    # A shell's background job is born deaf to Ctrl-C, and so would be the program that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as name:
        figures, faults = soak(Path(name), given.seconds)
    if given.json:
        print(json.dumps({"figures": figures, "faults": faults}))
    else:
        for what, figure in figures.items():
            print(f"{what:36} {figure}")
        print("\n".join(faults) or "nothing grew, nothing is left")
    return 1 if faults else 0


def soak(root: Path, seconds: float) -> tuple[dict[str, Any], list[str]]:
    """Figures, and what is wrong with them."""
    folder, out, scratch = root / "in", root / "out" / "watched.smallchat.db", root / "tmp"
    for each in (folder, out.parent, scratch):
        each.mkdir()
    os.environ |= {"SMALLCHAT_CACHE_DIR": str(root / "cache"), "TMPDIR": str(scratch)}
    write(folder / "steady.json", 0)
    once = ["compile", str(folder), "--encoder", "small", "-o"]
    watching = Watching(folder, out)
    try:
        watching.settle()
        started = time.monotonic()
        before = watching.rounds
        storm(folder)
        watching.settle()
        in_storm = watching.rounds - before
        held, edits = [], 0
        while time.monotonic() < started + seconds:
            edits += 1
            edit(folder, edits)
            time.sleep(EVERY_S)
            held.append(watching.holds())
        watching.settle()
        rounds = watching.rounds
    finally:
        watching.end()
    clean = root / "clean.smallchat.db"
    subprocess.run([*SMALLCHATC, *once, str(clean), "--no-cache"], check=True, capture_output=True)
    left = [str(path.relative_to(root)) for path in (*out.parent.iterdir(), *scratch.iterdir())]
    left = [name for name in left if Path(name).name not in ("watched.smallchat.db", "watched.smallchat.lock")]
    third = max(1, len(held) // 3)
    # The least of each third: a compile under way holds more for a while, what leaks is held for good.
    files, memory = ([min(each[at] for each in part) for part in (held[:third], held[-third:])] for at in (0, 1))
    figures = {
        "seconds": round(time.monotonic() - started),
        "writes in the storm": WRITES,
        "compiles told in the storm": in_storm,
        "edits after it": edits,
        "compiles told after it": rounds - before - in_storm,
        "least resident MB, first and last third": [round(each / 1024, 1) for each in memory],
        "most resident MB, by tenths": [round(max(each[1] for each in part) / 1024) for part in tenths(held)],
        "least open files, first and last third": files,
        "cache on disk, MB": round(sum(path.stat().st_size for path in (root / "cache").iterdir()) / 1e6, 1),
        "temporary files left": len(left),
        "equals a clean compile": out.read_bytes() == clean.read_bytes(),
    }
    wrong = {
        f"{in_storm} compiles in the storm": in_storm > MOST_COMPILES,
        f"left: {left}": bool(left),
        "not the bytes of a clean compile": not figures["equals a clean compile"],
        f"memory grew by {memory[1] - memory[0]} kB": memory[1] > memory[0] + GROWTH_KB,
        f"open files grew by {files[1] - files[0]}": files[1] > files[0] + GROWTH_FILES,
    }
    return figures, [fault for fault, is_so in wrong.items() if is_so]


def tenths(held: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    size = max(1, len(held) // 10)
    return [held[at : at + size] for at in range(0, len(held), size)]


class Watching:
    """`watch` as a process; the rounds that it told are counted."""

    def __init__(self, folder: Path, out: Path) -> None:
        arguments = ["watch", str(folder), "-o", str(out), "--encoder", "small", "--json"]
        self._process = subprocess.Popen([*SMALLCHATC, *arguments], stdout=subprocess.PIPE)
        self.rounds, self._last = 0, time.monotonic()
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        assert self._process.stdout is not None
        for _ in self._process.stdout:
            self.rounds, self._last = self.rounds + 1, time.monotonic()

    def settle(self) -> None:
        """Wait until nothing was told for long."""
        while not self.rounds or time.monotonic() < self._last + 8:
            time.sleep(0.5)

    def holds(self) -> tuple[int, int]:
        """Open files, and resident kB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        (resident,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
        return len(os.listdir(f"/proc/{self._process.pid}/fd")), int(resident)

    def end(self) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(30)
        finally:
            self._process.kill()


def storm(folder: Path) -> None:
    """Writes as fast as they may come: in place in two halves, beside and renamed, one file after the other."""
    for number in range(WRITES):
        began = time.monotonic()
        target = folder / f"storm-{number % 5}.json"
        if number % 3:
            whole = text(number)
            target.write_text(whole[: len(whole) // 2])
            target.write_text(whole)
        else:
            write(folder / "beside.part", number)
            (folder / "beside.part").rename(target)
        time.sleep(max(0.0, STORM_S / WRITES - (time.monotonic() - began)))


def edit(folder: Path, number: int) -> None:
    """One save, as one of the many programs that save files does it."""
    steady, kind = folder / "steady.json", number % 6
    if kind == 0:  # in place
        write(steady, number)
    elif kind == 1:  # the old one aside, the new one in its place, the old one gone
        steady.rename(folder / "steady.json~")
        write(steady, number)
        (folder / "steady.json~").unlink()
    elif kind == 2:  # half of it, and the rest when a round may have begun
        whole = text(number)
        steady.write_text(whole[: len(whole) // 2])
        time.sleep(0.4)
        steady.write_text(whole)
    elif kind == 3:  # another name
        (folder / f"storm-{number % 5}.json").rename(folder / "moved.json")
        (folder / "moved.json").rename(folder / f"storm-{number % 5}.json")
        write(steady, number)
    elif kind == 4:  # a folder that comes and goes
        (folder / "deep").mkdir()
        write(folder / "deep" / "more.json", number)
    else:
        shutil.rmtree(folder / "deep", ignore_errors=True)


def text(number: int) -> str:
    tools = [{"name": f"tool_{number % 50}_{each}", "description": f"Does {number} things"} for each in range(20)]
    return json.dumps({"tools": tools})


def write(path: Path, number: int) -> None:
    path.write_text(text(number), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
