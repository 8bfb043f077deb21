"""Servers that hang, die, answer garbage and flood: each costs its own calls, says so, and comes back."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from upstream import connected, eventually, raw_manifest, said

from runtime_min import ToolFailed, ToolTimeout
from runtime_min.errors import CircuitOpen, Unreachable
from runtime_min.events import Chunk, Progress
from runtime_min.transports import child, steady


async def test_a_tool_that_hangs_is_given_up_and_told(compiled: Callable[..., Path], tmp_path: Path) -> None:
    path = compiled(raw_manifest("raw", env={"CANCELLED": "${CANCELLED}"}))
    told = tmp_path / "cancelled"
    async with connected(path, env={**os.environ, "CANCELLED": str(told)}) as runtime:
        await said(runtime, "raw/pid")
        with pytest.raises(ToolTimeout, match=r"^raw/hang: nothing for 0\.3 s$"):
            await runtime.send("raw/hang", {}, timeout=0.3)
        await eventually(lambda: told.exists() and told.read_text().endswith("\n"))
        assert json.loads(told.read_text())["requestId"]
        assert await said(runtime, "raw/echo") == "{}"


async def test_the_record_says_how_long_a_provider_may_be_silent(compiled: Callable[..., Path]) -> None:
    async with connected(compiled(raw_manifest("raw", timeout_s=0.5))) as runtime:
        for _ in range(2):  # the first call may spend its time on the start
            with pytest.raises(ToolTimeout, match=r"^raw/hang: nothing for 0\.5 s$"):
                await runtime.send("raw/hang", {})


async def test_a_server_that_dies_says_how_and_is_started_again(raw: Path) -> None:
    async with connected(raw) as runtime:
        first = await said(runtime, "raw/pid")
        with pytest.raises(Unreachable, match=r"it ended with code 3, saying: out of memory, giving up$") as raised:
            await runtime.send("raw/die", {})
        assert raised.value.sent
        assert await said(runtime, "raw/pid") != first


async def test_a_call_that_may_have_arrived_is_only_repeated_where_harmless(raw: Path, tmp_path: Path) -> None:
    async with connected(raw) as runtime:
        for tool, calls in (("die", 1), ("die_idempotent", 3)):
            count = tmp_path / tool
            with pytest.raises(Unreachable):
                await runtime.send(f"raw/{tool}", {"count": str(count)})
            assert len(count.read_text().splitlines()) == calls


async def test_a_harmless_call_outlives_a_death(raw: Path, tmp_path: Path) -> None:
    async with connected(raw) as runtime:
        assert await said(runtime, "raw/die_idempotent", once=str(tmp_path / "once")) == "ok"


async def test_a_message_that_is_cut_off_ends_the_connection_and_no_call_waits_for_ever(raw: Path) -> None:
    async with connected(raw) as runtime:
        slow = asyncio.ensure_future(runtime.send("raw/slow", {"seconds": 20}))
        first = await said(runtime, "raw/pid")
        with pytest.raises(Unreachable, match="it sent a message that is no JSON"):
            await runtime.send("raw/broken", {})
        with pytest.raises(Unreachable):
            await slow
        assert await said(runtime, "raw/pid") != first


async def test_a_flood_of_progress_ends_in_the_result(raw: Path, tmp_path: Path) -> None:
    async with connected(raw) as runtime:
        events = [event async for event in runtime.dispatch_stream("raw/flood", {"times": 500})]
        assert events[-1].to_dict()["outcome"] == "ok"
        flooded, kept = tmp_path / "flooded", 0
        stream = runtime.dispatch_stream("raw/flood", {"times": 10000, "flooded": str(flooded)})
        async for event in stream:  # a slow listener: what is old is passed over, nothing piles up, nobody waits
            if isinstance(event, Chunk) and isinstance(event.content, Progress):
                kept += 1
                await eventually(flooded.exists)
        assert 1 <= kept < 5000  # what lay in the pipe, and the last of it


async def test_a_line_without_end_is_cut_off(raw: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MAX_LINE", 1 << 20)
    async with connected(raw) as runtime:
        first = int(await said(runtime, "raw/pid"))
        with pytest.raises(Unreachable, match=r"it sent a line of more than 1 MB$"):
            await runtime.send("raw/endless", {})
        assert int(await said(runtime, "raw/pid")) != first
        await eventually(lambda: not alive(first))


async def test_one_server_is_killed_under_load(compiled: Callable[..., Path], tmp_path: Path) -> None:
    """Its calls fail with an error that says so, the others go on, it comes back, and no call is lost or doubled."""
    path = compiled(raw_manifest("one"), raw_manifest("two"))

    def arrived(provider: str) -> list[int]:
        file = tmp_path / provider
        return [int(line.split()[1]) for line in file.read_text().splitlines()] if file.exists() else []

    async with connected(path, limit=8) as runtime:
        victim = int(await said(runtime, "one/pid"))

        async def call(provider: str, number: int) -> str:
            args = {"seconds": 0.05, "number": number, "count": str(tmp_path / provider)}
            try:
                return await said(runtime, f"{provider}/slow", **args)
            except Unreachable as err:
                return "failed" if "the server of one went away: it ended with code -9" in str(err) else str(err)

        keys = [(name, number) for name in ("one", "two") for number in range(60)]
        calls = {key: asyncio.ensure_future(call(*key)) for key in keys}
        await eventually(lambda: len(arrived("one")) >= 10)
        os.kill(victim, signal.SIGKILL)
        answers = {key: await task for key, task in calls.items()}
        failed = [key for key, answer in answers.items() if answer == "failed"]
        assert 1 <= len(failed) <= 8
        assert {name for name, _ in failed} == {"one"}
        assert all(answer == str(number) for (_, number), answer in answers.items() if answer != "failed")
        assert int(await said(runtime, "one/pid")) != victim
    assert sorted(arrived("two")) == list(range(60))
    assert len(arrived("one")) == len(set(arrived("one"))), "nothing is sent twice"


async def test_a_server_that_does_not_start_is_left_alone_for_a_while(
    compiled: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steady, "PAUSE", 0.01)
    path = compiled(raw_manifest("raw", args=["-c", "import sys; sys.exit('no')"]))
    async with connected(path) as runtime:
        seen = []
        for _ in range(3):
            try:
                await runtime.send("raw/echo", {})
            except (Unreachable, CircuitOpen) as err:
                seen.append(err.code)
        assert seen == ["unreachable", "circuit-open", "circuit-open"]


async def test_nothing_is_left_behind(raw: Path) -> None:
    async def once() -> int:
        async with connected(raw) as runtime:
            process = int(await said(runtime, "raw/pid"))
            with pytest.raises(ToolTimeout):
                await runtime.send("raw/hang", {}, timeout=0.1)
            with pytest.raises(ToolFailed):
                await runtime.send("raw/odd_result", {})
            waiting = asyncio.ensure_future(runtime.send("raw/hang", {}))
            await asyncio.sleep(0.05)
            waiting.cancel()
        return process

    processes = [await once()]
    before, tasks = open_files(), len(asyncio.all_tasks())
    processes += [await once() for _ in range(3)]
    assert open_files() <= before
    assert len(asyncio.all_tasks()) == tasks
    assert not any(alive(process) for process in processes)


def test_a_loop_that_ends_ends_its_servers(raw: Path) -> None:
    from runtime_min import ToolRuntime
    from runtime_min.trust import Allow

    runtime = ToolRuntime.open(raw)
    runtime.connect(Allow.everything())
    processes = [int(asyncio.run(said(runtime, "raw/pid"))) for _ in range(2)]
    assert processes[0] != processes[1]
    assert not any(alive(process) for process in processes)
    [block] = runtime.sync.send("raw/pid", {}).content
    assert alive(int(block["text"]))
    runtime.close()
    assert not alive(int(block["text"]))


def alive(process: int) -> bool:
    """Whether a process runs (one that has ended and that nobody has asked about does not)."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))
