"""The sync facade: scripts without async."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from runtime_min import ToolRuntime
from runtime_min.errors import Cancelled, InvalidArguments

from .conftest import Recorder


def test_dispatch_send_and_streams_without_async(runtime: ToolRuntime, recorder: Recorder) -> None:
    assert runtime.sync.dispatch("slack.send_message").content == "ran slack/send_message"
    assert runtime.sync.send("files/read_file", {"path": "a"}).content == "ran files/read_file"
    assert [event.type for event in runtime.sync.dispatch_stream("slack.send_message")][-1] == "done"
    with pytest.raises(InvalidArguments):
        runtime.sync.dispatch("slack.send_message", {})
    runtime.close()


def test_leaving_a_stream_closes_the_tool(runtime: ToolRuntime) -> None:
    closed = threading.Event()

    async def forever(**args: Any) -> Any:
        try:
            while True:
                yield "x"
        finally:
            closed.set()

    runtime.bind("slack/send_message", forever)
    for text in runtime.sync.inference_stream("slack.send_message"):
        assert text == "x"
        break
    assert closed.wait(5)
    runtime.close()


def test_many_threads_share_one_loop(runtime: ToolRuntime, recorder: Recorder) -> None:
    results: list[Any] = []

    def work() -> None:
        results.extend(runtime.sync.dispatch("slack.send_message").content for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["ran slack/send_message"] * 160
    assert len([thread for thread in threading.enumerate() if thread.name == "runtime_min.sync"]) == 1
    runtime.close()


def test_closing_cancels_what_is_under_way(runtime: ToolRuntime) -> None:
    started = threading.Event()
    outcome: list[BaseException] = []

    async def hang(**args: Any) -> None:
        started.set()
        await asyncio.sleep(60)

    def work() -> None:
        try:
            runtime.sync.dispatch("slack.send_message")
        except BaseException as err:
            outcome.append(err)

    runtime.bind("slack/send_message", hang)
    thread = threading.Thread(target=work)
    thread.start()
    started.wait(5)
    runtime.close()
    thread.join(5)
    assert [type(err) for err in outcome] == [Cancelled]
    runtime.bind("slack/send_message", lambda **args: "again")
    assert runtime.sync.dispatch("slack.send_message").content == "again"
    runtime.close()
