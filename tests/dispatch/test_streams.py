"""Streams: the order of events, the tiers, and what is left behind, which is nothing (CONCEPTS: behaviour 10)."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from runtime_min import ToolRuntime
from runtime_min.errors import ToolFailed
from runtime_min.events import Chunk, Done, Event, InferenceDelta

from .conftest import Recorder

TOOL = "slack/send_message"
INTENT = "slack.send_message"


def collect(runtime: ToolRuntime, intent: str = INTENT, args: Any = None) -> list[Event]:
    async def main() -> list[Event]:
        return [event async for event in runtime.dispatch_stream(intent, args)]

    return asyncio.run(main())


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


class Tiers:
    """An imp with whatever tiers it is made of."""

    def __init__(self, **tiers: Any) -> None:
        for name, function in tiers.items():
            setattr(self, f"execute{'_' if name else ''}{name}", function)


async def words(args: Any) -> AsyncIterator[str]:
    for word in ("Hello ", "wor", "ld"):
        yield word


async def not_offered(args: Any) -> AsyncIterator[str]:
    raise NotImplementedError
    yield ""


def pages(args: Any) -> Iterator[Any]:
    yield {"page": 1}
    yield {"page": 2}


def test_events_come_in_their_order_and_chunks_are_numbered_from_0(runtime: ToolRuntime) -> None:
    def tool(**args: Any) -> Iterator[str]:
        yield "a"
        yield "b"

    runtime.bind(TOOL, tool)
    events = collect(runtime)
    assert types(events) == ["resolving", "tool-start", "chunk", "chunk", "done"]
    assert [(event.index, event.content) for event in events if isinstance(event, Chunk)] == [(0, "a"), (1, "b")]
    start, done = events[1].to_dict(), events[-1].to_dict()
    assert start == {"type": "tool-start", "tool": TOOL, "selector": INTENT, "tier": "exact", "confidence": 1.0}
    assert (done["outcome"], done["result"]["content"]) == ("ok", "ab")
    assert done["proof"]["intent"] == INTENT


def test_the_first_event_comes_before_any_asynchronous_work(runtime: ToolRuntime) -> None:
    stream = runtime.dispatch_stream(INTENT)
    with pytest.raises(StopIteration) as first:  # a coroutine that ends without having waited
        stream.__anext__().__await__().send(None)
    assert first.value.value.to_dict() == {"type": "resolving", "intent": INTENT}


def test_inference_is_preferred_and_its_text_put_together(runtime: ToolRuntime) -> None:
    runtime.bind(TOOL, Tiers(inference=words, stream=pages, **{"": lambda args: "whole"}))
    events = collect(runtime)
    assert types(events) == ["resolving", "tool-start", *["inference-delta"] * 3, "done"]
    assert [event.index for event in events if isinstance(event, InferenceDelta)] == [0, 1, 2]
    assert isinstance(events[-1], Done)
    assert events[-1].result.content == "Hello world"


@pytest.mark.parametrize(
    ("tiers", "content", "middle"),
    [
        ({"inference": not_offered, "stream": pages}, [{"page": 1}, {"page": 2}], ["chunk", "chunk"]),
        ({"inference": not_offered, "stream": not_offered, "": lambda args: {"n": 1}}, {"n": 1}, ["chunk"]),
        ({"stream": pages}, [{"page": 1}, {"page": 2}], ["chunk", "chunk"]),
        ({"": lambda args: "whole"}, "whole", ["chunk"]),
        ({"": lambda args: ""}, "", ["chunk"]),
    ],
)
def test_a_tier_that_is_not_offered_falls_to_the_next(
    runtime: ToolRuntime, tiers: dict[str, Any], content: Any, middle: list[str]
) -> None:
    runtime.bind(TOOL, Tiers(**tiers))
    events = collect(runtime)
    assert types(events) == ["resolving", "tool-start", *middle, "done"]
    assert isinstance(events[-1], Done)
    assert events[-1].result.content == content
    assert asyncio.run(runtime.dispatch(INTENT)).content == content


def test_no_tier_at_all(runtime: ToolRuntime) -> None:
    runtime.bind(TOOL, Tiers(inference=not_offered))
    assert collect(runtime)[-1].to_dict()["message"] == f"{TOOL}: what is bound to it offers no way to run"


@pytest.mark.parametrize("kind", ["function", "coroutine", "generator", "async generator"])
def test_every_kind_of_callable_streams_its_content(runtime: ToolRuntime, kind: str) -> None:
    def function(**args: Any) -> str:
        return "text"

    async def coroutine(**args: Any) -> str:
        await asyncio.sleep(0)
        return "text"

    def generator(**args: Any) -> Iterator[str]:
        yield "te"
        yield "xt"

    async def async_generator(**args: Any) -> AsyncIterator[str]:
        yield "te"
        await asyncio.sleep(0)
        yield "xt"

    kinds = {"function": function, "coroutine": coroutine, "generator": generator, "async generator": async_generator}
    runtime.bind(TOOL, kinds[kind])
    assert "".join(event.content for event in collect(runtime) if isinstance(event, Chunk)) == "text"
    assert asyncio.run(runtime.dispatch(INTENT)).content == "text"
    assert list(runtime.sync.inference_stream(INTENT)) == (["text"] if "gen" not in kind else ["te", "xt"])
    runtime.close()


def test_an_error_in_the_middle_is_an_event(runtime: ToolRuntime) -> None:
    def tool(**args: Any) -> Iterator[str]:
        yield "a"
        raise OSError("gone")

    runtime.bind(TOOL, tool)
    events = collect(runtime)
    assert types(events) == ["resolving", "tool-start", "chunk", "error"]
    assert events[-1].to_dict() == {
        "type": "error",
        "code": "tool-failed",
        "message": f"{TOOL}: OSError: gone",
        "tool": TOOL,
        "retryable": False,
    }
    assert (
        asyncio.run(runtime.dispatch("files/read_file", among=["files/read_file"]) if False else _ok(runtime)) == "ok"
    )


async def _ok(runtime: ToolRuntime) -> str:
    runtime.swizzle(TOOL, lambda **args: "ok")
    return (await runtime.dispatch(INTENT)).content


@pytest.mark.parametrize(
    ("bound", "args", "code"),
    [
        (None, None, "not-bound"),
        (lambda **args: "x", {"channel": 3, "text": "x"}, "invalid-arguments"),
        (lambda **args: 1 / 0, None, "tool-failed"),
    ],
)
def test_what_goes_wrong_before_the_tool_starts_is_an_event_too(
    runtime: ToolRuntime, bound: Any, args: Any, code: str
) -> None:
    if bound is not None:
        runtime.bind(TOOL, bound)
    error = collect(runtime, args=args)[-1].to_dict()
    assert (error["type"], error["code"], error["tool"]) == ("error", code, TOOL)


def test_an_unclear_intent_is_a_single_done(runtime: ToolRuntime, recorder: Recorder) -> None:
    events = collect(runtime, "sing me a lullaby")
    assert types(events) == ["resolving", "done"]
    assert events[-1].to_dict()["outcome"] == "refine"
    assert list(runtime.sync.inference_stream("sing me a lullaby")) == []
    runtime.close()


def test_garbage_where_a_models_text_belongs(runtime: ToolRuntime) -> None:
    async def numbers(args: Any) -> AsyncIterator[Any]:
        yield 3

    runtime.bind(TOOL, Tiers(inference=numbers))
    assert collect(runtime)[-1].to_dict()["message"] == f"{TOOL}: gave int where a model's text belongs"


def test_closing_the_stream_closes_the_tool_and_leaves_nothing_behind(runtime: ToolRuntime) -> None:
    closed = []

    async def inner() -> AsyncIterator[str]:
        try:
            while True:
                yield "x"
                await asyncio.sleep(0)
        finally:
            closed.append("inner")

    async def tool(**args: Any) -> AsyncIterator[str]:
        try:
            async for piece in inner():
                yield piece
        finally:
            closed.append("tool")

    async def main() -> None:
        runtime.bind(TOOL, tool)
        stream = runtime.dispatch_stream(INTENT)
        async for event in stream:
            if isinstance(event, Chunk) and event.index == 3:
                break
        await stream.aclose()
        assert closed[0] == "tool"
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


@pytest.mark.parametrize("asynchronous", [True, False])
def test_cancelling_the_consumer_closes_the_tool_and_its_file(runtime: ToolRuntime, asynchronous: bool) -> None:
    async def reads(**args: Any) -> AsyncIterator[str]:
        with open(__file__) as file:
            for line in file:
                yield line
                await asyncio.sleep(0.001)

    def reads_plainly(**args: Any) -> Iterator[str]:
        with open(__file__) as file:
            yield from file

    runtime.bind(TOOL, reads if asynchronous else reads_plainly)

    async def consume() -> None:
        async for _ in runtime.dispatch_stream(INTENT):
            await asyncio.sleep(0.001)

    async def main() -> None:
        task = asyncio.create_task(consume())
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    runtime.resolve(INTENT)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        asyncio.run(main())
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) <= before


def test_the_tool_waits_while_nobody_asks(runtime: ToolRuntime) -> None:
    made = []

    async def tool(**args: Any) -> AsyncIterator[int]:
        for number in range(100):
            made.append(number)
            yield number

    async def main() -> None:
        runtime.bind(TOOL, tool)
        stream = runtime.dispatch_stream(INTENT)
        async for event in stream:
            if isinstance(event, Chunk) and event.index == 2:
                await asyncio.sleep(0.02)
                assert made == [0, 1, 2]
                break
        await stream.aclose()

    asyncio.run(main())


def test_streams_nest(runtime: ToolRuntime) -> None:
    async def outer(**args: Any) -> AsyncIterator[str]:
        async for text in runtime.inference_stream("files.read_file"):
            yield text.upper()

    def inner(**args: Any) -> Iterator[str]:
        yield "ab"
        yield "cd"

    runtime.bind(TOOL, outer)
    runtime.bind("files/read_file", inner)
    assert [event.content for event in collect(runtime) if isinstance(event, Chunk)] == ["AB", "CD"]


def test_inference_stream_gives_only_text_and_raises_what_goes_wrong(runtime: ToolRuntime) -> None:
    runtime.bind(TOOL, Tiers(inference=words))
    assert list(runtime.sync.inference_stream(INTENT)) == ["Hello ", "wor", "ld"]
    runtime.bind(TOOL, Tiers(stream=pages))
    assert list(runtime.sync.inference_stream(INTENT)) == ['{"page": 1}', '{"page": 2}']
    runtime.bind(TOOL, lambda **args: [{"type": "text", "text": "from MCP"}])
    assert list(runtime.sync.inference_stream(INTENT)) == ["from MCP"]
    runtime.bind(TOOL, lambda **args: 1 / 0)
    with pytest.raises(ToolFailed, match="ZeroDivisionError"):
        list(runtime.sync.inference_stream(INTENT))
    runtime.close()


def test_decomposed_intents_carry_their_step(runtime: ToolRuntime, recorder: Recorder) -> None:
    events = collect(runtime, "list the files in the folder and then send an email to anna")
    if events[-1].to_dict()["outcome"] != "ok":
        pytest.fail(str(events[-1].to_dict()["result"]))
    steps = [(event.type, event.step) for event in events]
    assert steps == [
        ("resolving", None),
        *[(kind, step) for step in (0, 1) for kind in ("resolving", "tool-start", "chunk")],
        ("done", None),
    ]
    assert recorder.tools == ["files/list_folder", "mail/send_email"]
