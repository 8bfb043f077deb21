"""Everything at once: threads and tasks dispatch, swizzle, reload and learn, and nobody gets a wrong tool."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from runtime_min import ToolRuntime
from tests.conftest import MANIFESTS

THREADS = 32
TASKS = 1000
SECONDS = 30.0
GROWTH = 8_000_000
"""Bytes that may come on top after the warm-up: some fragmentation, and no leak of anything that each round makes."""

NAMES = ["slack.send_message", "files.read_file", "notes.create_note", "weather.get_forecast", "mail.archive_email"]
FREE = [
    "post a message to the slack channel",
    "read the file a.txt",
    "what is the forecast for paris",
    "archive the email",
]


def lowest(seconds: float) -> int:
    """The least that was resident in that time: snapshots that are on their way out come and go."""
    found = []
    for _ in range(10):
        time.sleep(seconds / 10)
        gc.collect()
        found.append(resident())
    return min(found)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tools but for one, in an artifact of its own: every tool number after it is another."""
    from smallchatc.pipeline import compile_sources
    from smallchatc.settings import Settings
    from smallchatc.write import write_artifact

    folder = tmp_path_factory.mktemp("other")
    shutil.copytree(MANIFESTS, folder / "manifests")
    lines = (folder / "manifests" / "flights.jsonl").read_text().splitlines(keepends=True)
    (folder / "manifests" / "flights.jsonl").write_text("".join(lines[1:]))
    out = folder / "other.smallchat.db"
    write_artifact(compile_sources([str(folder / "manifests")], settings=Settings(encoder="base")).image, out)
    return out


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
def test_threads_and_tasks_do_everything_at_once(artifact: Path, other: Path, tmp_path: Path) -> None:
    place = tmp_path / "app.smallchat.db"
    shutil.copy(artifact, place)
    runtime = ToolRuntime.open(place)
    faults: list[str] = []
    counts = {"dispatched": 0, "swizzled": 0, "reloaded": 0, "learned": 0}
    stop = threading.Event()
    allowed = {path: {path, f"{path}!"} for path in (name.replace(".", "/") for name in NAMES)}

    def imp(path: str, mark: str) -> Any:
        return lambda **args: f"{path}{mark}"

    for cls in runtime.snapshot.classes:
        for name in cls.selectors():
            for path in cls.methods(name):
                runtime.bind(path, imp(path, ""))

    def change(seed: random.Random) -> None:
        what = seed.random()
        path = seed.choice(list(allowed))
        if what < 0.4:
            runtime.swizzle(path, imp(path, seed.choice(["", "!"])))
            counts["swizzled"] += 1
        elif what < 0.7:
            runtime.resolve_refinement(f"do the thing number {seed.randrange(200)} for me", path)
            counts["learned"] += 1
        elif what < 0.75:
            beside = tmp_path / f"{threading.get_ident()}.new"
            shutil.copy(seed.choice([artifact, other]), beside)
            os.replace(beside, place)
            runtime.reload()
            counts["reloaded"] += 1
        elif what < 0.8:
            runtime.cache.flush_provider(path.partition("/")[0])

    async def ask(seed: random.Random) -> None:
        if seed.random() < 0.7:
            name = seed.choice(NAMES)
            path = name.replace(".", "/")
            result = await runtime.dispatch(name)
            if result.content not in allowed[path]:
                faults.append(f"{name} gave {result.content!r}")
        else:
            result = await runtime.dispatch(seed.choice(FREE))
            if result.outcome == "ok" and result.tool and not str(result.content).startswith(result.tool):
                faults.append(f"{result.tool} gave {result.content!r}")
        counts["dispatched"] += 1

    def in_a_thread(number: int) -> None:
        seed = random.Random(number)
        try:
            while not stop.is_set():
                asyncio.run(ask(seed)) if seed.random() < 0.02 else runtime.sync._run(ask(seed))
                if seed.random() < 0.05:
                    change(seed)
        except BaseException as fault:
            faults.append(f"thread {number}: {type(fault).__name__}: {fault}")

    async def in_a_task(number: int) -> None:
        seed = random.Random(-number)
        try:
            while not stop.is_set():
                await ask(seed)
                await asyncio.sleep(seed.random())
        except BaseException as fault:
            faults.append(f"task {number}: {type(fault).__name__}: {fault}")

    async def tasks() -> None:
        await asyncio.gather(*(in_a_task(number) for number in range(1, TASKS + 1)))

    threads = [threading.Thread(target=in_a_thread, args=(number,)) for number in range(THREADS)]
    threads.append(threading.Thread(target=lambda: asyncio.run(tasks())))
    for thread in threads:
        thread.start()
    time.sleep(SECONDS / 3)
    warm = lowest(SECONDS / 3)
    grown = lowest(SECONDS / 3) - warm
    stop.set()
    for thread in threads:
        thread.join(60)
    runtime.close()
    assert faults[:5] == []
    assert min(counts.values()) > 0, counts
    assert grown < GROWTH, (grown, counts)
