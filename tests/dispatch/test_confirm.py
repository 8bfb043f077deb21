"""Confirmation: the host is asked before a tool that says that it destroys things, or says nothing of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from runtime_min import ToolRuntime
from runtime_min.errors import Declined
from runtime_min.proxy import ToolProxy

SAFE, SILENT, HARMFUL = "database/run_query", "weather/get_forecast", "database/execute_statement"


class Host:
    """Answers as it was told, and knows what it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[tuple[str, Any]] = []

    def __call__(self, tool: ToolProxy, args: Any) -> Any:
        self.asked.append((tool.path, args))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def bound(runtime: ToolRuntime) -> ToolRuntime:
    for tool in (SAFE, HARMFUL):
        runtime.bind(tool, lambda **args: "ran")
    return runtime


def send(runtime: ToolRuntime, tool: str, **options: Any) -> Any:
    return asyncio.run(runtime.send(tool, {"sql": "x"}, **options)).content


def test_a_tool_that_only_reads_is_not_asked_about(bound: ToolRuntime) -> None:
    host = Host(False)
    assert send(bound, SAFE, confirm=host) == "ran"
    assert host.asked == []


def test_a_tool_that_destroys_runs_after_a_yes(bound: ToolRuntime) -> None:
    host = Host(True)
    assert send(bound, HARMFUL, confirm=host) == "ran"
    assert host.asked == [(HARMFUL, {"sql": "x"})]


@pytest.mark.parametrize("answer", [False, None, 1, "yes", RuntimeError("no terminal")])
def test_anything_but_a_yes_is_a_no(bound: ToolRuntime, answer: Any) -> None:
    with pytest.raises(Declined, match=f"^{HARMFUL}: "):
        send(bound, HARMFUL, confirm=Host(answer))


def test_the_answer_may_be_awaited(bound: ToolRuntime) -> None:
    async def later(tool: ToolProxy, args: Any) -> bool:
        await asyncio.sleep(0)
        return True

    assert send(bound, HARMFUL, confirm=later) == "ran"


def test_a_tool_that_says_nothing_may_destroy(runtime: ToolRuntime) -> None:
    tools = [
        {"name": "silent", "description": "Says nothing"},
        {"name": "safe", "description": "Says so", "annotations": {"destructiveHint": False}},
    ]
    runtime.overlay(tools, provider="own")
    assert runtime.snapshot.proxy("own/silent").may_destroy
    assert not runtime.snapshot.proxy("own/safe").may_destroy


def test_a_runtime_may_ask_always_and_a_stream_says_declined(bound: ToolRuntime) -> None:
    bound.confirm = Host(False)

    async def events() -> list[dict[str, Any]]:
        return [event.to_dict() async for event in bound.dispatch_stream(HARMFUL, {"sql": "x"})]

    assert [event["type"] for event in asyncio.run(events())] == ["resolving", "error"]
    assert asyncio.run(events())[-1]["code"] == "declined"
    with pytest.raises(Declined):
        bound.sync.dispatch(HARMFUL, {"sql": "x"})
    assert bound.sync.dispatch(HARMFUL, {"sql": "x"}, confirm=Host(True)).content == "ran"
    bound.close()
