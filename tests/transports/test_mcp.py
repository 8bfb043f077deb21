"""MCP servers as providers: what a call sends, and that its answer comes back as it was on the wire."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from upstream import connected, eventually, raw_manifest, said

from runtime_min import ToolFailed
from runtime_min.errors import MissingVariable, Unreachable, UpstreamError
from runtime_min.events import Chunk, Done, Progress


async def test_a_tool_of_a_server_answers(raw: Path) -> None:
    async with connected(raw) as runtime:
        result = await runtime.send("raw/echo", {"a": 1, "b": ["ü", None]})
    assert result.outcome == "ok"
    assert result.structured == {"a": 1, "b": ["ü", None]}


async def test_one_process_answers_all_calls(raw: Path) -> None:
    async with connected(raw) as runtime:
        processes = await asyncio.gather(*(said(runtime, "raw/pid") for _ in range(20)))
    assert len(set(processes)) == 1


async def test_the_process_has_ended_when_the_runtime_is_closed(raw: Path) -> None:
    async with connected(raw) as runtime:
        process = int(await said(runtime, "raw/pid"))
        os.kill(process, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


async def test_progress_comes_as_chunks_that_are_no_part_of_the_result(raw: Path) -> None:
    async with connected(raw) as runtime:
        events = [event async for event in runtime.dispatch_stream("raw/steps", {})]
    told = [event.content for event in events if isinstance(event, Chunk) and isinstance(event.content, Progress)]
    assert told == [Progress(1, 3), Progress(2, 3), Progress(3, 3)]
    assert isinstance(events[-1], Done)
    assert events[-1].result.content == [{"type": "text", "text": "done"}]


async def test_what_no_model_knows_comes_back_unharmed(raw: Path) -> None:
    async with connected(raw) as runtime:
        result = await runtime.send("raw/vendor", {})
    block = {"type": "text", "text": "kept", "vendor": {"x": [1, None]}, "annotations": {"priority": 1}}
    assert result.content == [block]
    assert result.raw == {"content": [block], "_meta": {"vendor/key": 1}, "vendorField": True}


async def test_an_error_of_the_protocol_keeps_its_code_and_data(raw: Path) -> None:
    async with connected(raw) as runtime:
        with pytest.raises(UpstreamError, match=r"^raw/refuse: no such thing$") as raised:
            await runtime.send("raw/refuse", {})
    assert (raised.value.rpc_code, raised.value.data) == (-32602, {"why": "because"})


async def test_a_server_that_talks_before_and_between_its_messages_is_understood(compiled: Callable[..., Path]) -> None:
    async with connected(compiled(raw_manifest("raw", "--banner"))) as runtime:
        assert await said(runtime, "raw/chatter") == "ok"


async def test_a_child_sees_the_variables_that_are_named_and_no_others(compiled: Callable[..., Path]) -> None:
    path = compiled(raw_manifest("raw", env={"GIVEN": "${GIVEN}", "RENAMED": "${OTHER}"}))
    env = {**os.environ, "GIVEN": "1", "OTHER": "2", "SECRET_OF_THE_HOST": "3"}
    async with connected(path, env=env) as runtime:
        names = set(json.loads(await said(runtime, "raw/names")))
    assert {"GIVEN", "RENAMED"} <= names
    assert not {"OTHER", "SECRET_OF_THE_HOST"} & names


async def test_variables_that_are_not_set_are_all_named(compiled: Callable[..., Path]) -> None:
    path = compiled(raw_manifest("raw", env={"A_KEY": "${A_KEY}", "B_KEY": "${B_KEY}"}))
    async with connected(path, env={"PATH": os.environ["PATH"]}) as runtime:
        with pytest.raises(MissingVariable, match=r"^raw: not set: A_KEY, B_KEY$"):
            await runtime.send("raw/echo", {})


async def test_a_program_that_does_not_exist_is_named(compiled: Callable[..., Path]) -> None:
    async with connected(compiled(raw_manifest("raw", command="no-such-program"))) as runtime:
        with pytest.raises(Unreachable, match=r"no-such-program: there is no such program on the PATH$"):
            await runtime.send("raw/echo", {})


async def test_a_program_that_is_no_server_says_how_it_ended(compiled: Callable[..., Path]) -> None:
    program = "import sys; sys.exit('cannot import name frobnicate')"
    path = compiled({**raw_manifest("raw", args=["-c", program])})
    async with connected(path) as runtime:
        with pytest.raises(Unreachable, match="it ended with code 1, saying: cannot import name frobnicate"):
            await runtime.send("raw/echo", {})


async def test_a_changed_list_of_tools_is_noticed(raw: Path) -> None:
    noticed: list[str] = []
    async with connected(raw, changed=noticed.append) as runtime:
        await runtime.send("raw/change", {})
        await eventually(lambda: noticed == ["raw"])


@pytest.mark.parametrize("tool", ["odd_result", "odd_content", "odd_error"])
async def test_an_answer_of_a_wrong_shape_fails_its_own_call_alone(raw: Path, tool: str) -> None:
    async with connected(raw) as runtime:
        slow = asyncio.ensure_future(said(runtime, "raw/slow", seconds=0.3))
        process = await said(runtime, "raw/pid")
        with pytest.raises(ToolFailed):
            await runtime.send(f"raw/{tool}", {})
        assert await slow == "slow"
        assert await said(runtime, "raw/pid") == process
