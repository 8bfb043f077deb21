"""Models: streams of the real SDKs over a real socket, cut in every unkind place, and the tools that a model calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Script, Wire, chat, messages, responses, serving, wire

from runtime_min import ToolRuntime
from runtime_min.artifact import open_artifact
from runtime_min.errors import ToolFailed, Unreachable
from runtime_min.restore import Exported
from runtime_min.transports.offered import Offered
from smallchatc.export import export, name_map

pytest.importorskip("openai", reason="the extra [openai] is not installed")
pytest.importorskip("anthropic", reason="the extra [anthropic] is not installed")

TEXTS = ["Grüße", " aus", " 東京 🗼,", '\n"data: x"', " \u2028\r\nend"]
ASKED = {"text": "Write to Ana"}
TARGETS = {"chat": "openai", "responses": "openai-responses", "messages": "anthropic"}
WIRES: dict[str, Wire] = {"chat": chat, "responses": responses, "messages": messages}
APIS = pytest.mark.parametrize("api", list(WIRES))


@pytest.fixture(scope="session")
def post(compiled: Callable[..., Path]) -> Path:
    """A provider with a tool that a model answers, and one with tools that it may call."""
    body = {"text": {"type": "string"}}
    writer = {"name": "draft", "description": "Draft a letter", "inputSchema": {"type": "object", "properties": body}}
    page = {"type": "object", "properties": {"page[size]": {"type": "integer"}}, "required": ["page[size]"]}
    shop: list[dict[str, Any]] = [
        {"name": "orders", "description": "List the orders of a shop", "inputSchema": page},
        {"name": "today", "description": "The day of today", "inputSchema": {"type": "object"}},
    ]
    local = {"transport": {"type": "local"}}
    return compiled({"id": "writer", **local, "tools": [writer]}, {"id": "shop", **local, "tools": shop})


def model_of(api: str, server: ModelServer, offered: Offered | None = None, retries: int = 0, **options: Any) -> Any:
    """The transport of an API, its client made as a host makes it."""
    if api == "messages":
        from anthropic import AsyncAnthropic

        from runtime_min.transports.anthropic import Messages

        client: Any = AsyncAnthropic(api_key="k", base_url=server.url, max_retries=retries)
        return Messages(client, model="m", offered=offered, **options)
    from openai import AsyncOpenAI

    from runtime_min.transports.openai import Chat, Responses

    client = AsyncOpenAI(api_key="k", base_url=f"{server.url}/v1", max_retries=retries)
    return (Chat if api == "chat" else Responses)(client, model="m", offered=offered, **options)


def offered_of(runtime: ToolRuntime, api: str) -> tuple[Offered, list[tuple[str, dict[str, Any]]]]:
    """The tools of the shop, and what they will have been called with."""
    called: list[tuple[str, dict[str, Any]]] = []
    made = export(runtime.artifact, target=TARGETS[api], tools=["shop/*"])

    def answer(name: str) -> Callable[..., str]:
        def run(**args: Any) -> str:
            called.append((name, args))
            return f"{name} ran"

        return run

    runtime.bind_provider("shop", {"orders": answer("orders"), "today": answer("today")})
    assert isinstance(made.document, list)
    return Offered(runtime, made.document, Exported(name_map(made))), called  # type: ignore[arg-type]


async def texts_of(runtime: ToolRuntime, model: Any) -> list[str]:
    runtime.bind_provider("writer", model)
    return [text async for text in runtime.inference_stream("writer/draft", ASKED)]


@APIS
@pytest.mark.parametrize(
    ("pieces", "newline", "noise"), [(0, "\n", False), (1, "\r\n", True), (1, "\n", True), (5, "\r\n", False)]
)
async def test_text_arrives_piece_by_piece_wherever_its_bytes_are_cut(
    post: Path, api: str, pieces: int, newline: str, noise: bool
) -> None:
    body = wire(WIRES[api](TEXTS), newline=newline, noise=noise)
    async with serving(Script(body, pieces=pieces)) as server:
        assert await texts_of(ToolRuntime.open(post), model_of(api, server)) == TEXTS
    [(_, _, request)] = server.requests
    assert "Draft a letter" in str(request)
    assert "Write to Ana" in str(request)


@APIS
async def test_two_calls_that_take_turns_become_two_dispatches(post: Path, api: str) -> None:
    runtime = ToolRuntime.open(post)
    offered, called = offered_of(runtime, api)
    size = next(iter(offered.definitions[0].get("input_schema", {}).get("properties", ())), "page[size]")
    calls = [("shop__orders", ['{"', size, '": ', "1", "0}"]), ("shop__today", ["{", "}"])]
    first = wire(WIRES[api](["Let me look. "], calls))
    async with serving(Script(first, pieces=3), Script(wire(WIRES[api](["Done."])))) as server:
        assert await texts_of(runtime, model_of(api, server, offered)) == ["Let me look. ", "Done."]
    assert called == [("orders", {"page[size]": 10}), ("today", {})]
    told = server.requests[1][2]
    history = told.get("messages") or told["input"]
    assert [str(history).count(text) for text in ("Let me look. ", "orders ran", "today ran")] == [1, 1, 1]
    assert str(history).index("Let me look.") < str(history).index("orders ran")


@APIS
@pytest.mark.parametrize("arguments", [[], [""], ["{}"], [" "]])
async def test_no_arguments_at_all_are_no_arguments(post: Path, api: str, arguments: list[str]) -> None:
    runtime = ToolRuntime.open(post)
    offered, called = offered_of(runtime, api)
    first = wire(WIRES[api]([], [("shop__today", arguments)]))
    async with serving(Script(first), Script(wire(WIRES[api](["Done."])))) as server:
        assert await texts_of(runtime, model_of(api, server, offered)) == ["Done."]
    assert called == [("today", {})]


def piece(call_id: str | None, name: str | None, arguments: str | None, **index: int) -> tuple[str, Any]:
    part = {"id": call_id, "function": {"name": name, "arguments": arguments}, **index}
    return "", {"choices": [{"delta": {"tool_calls": [part]}}]}


@pytest.mark.parametrize("index", [{}, {"index": 0}], ids=["no index", "the same index"])
async def test_calls_are_told_apart_as_servers_write_them_that_only_resemble_the_api(
    post: Path, index: dict[str, int]
) -> None:
    runtime = ToolRuntime.open(post)
    offered, called = offered_of(runtime, "chat")
    odd = [("", {"choices": None}), ("", {"id": "1"}), ("", {"choices": [{"delta": None}]}), ("", {"choices": [{}]})]
    calls = [
        piece("a", "shop__today", "", **index),
        piece("b", "shop__orders", '{"page[size]"', **index),
        piece(None, None, ": 1}", **index),
        piece("b", "shop__orders", None, **index),
    ]
    end = ("", {"choices": [{"delta": {}, "finish_reason": "stop"}]})
    async with serving(Script(wire([*odd, *calls, end])), Script(wire(chat(["Done."])))) as server:
        assert await texts_of(runtime, model_of("chat", server, offered)) == ["Done."]
    assert called == [("today", {}), ("orders", {"page[size]": 1})]


@APIS
async def test_what_is_wrong_with_a_call_is_told_to_the_model(post: Path, api: str) -> None:
    runtime = ToolRuntime.open(post)
    offered, called = offered_of(runtime, api)
    wrong = [("no_such", ["{}"]), ("shop__today", ['{"a": NaN}']), ("shop__today", ["[1]"]), ("shop__orders", ["{}"])]
    async with serving(Script(wire(WIRES[api]([], wrong))), Script(wire(WIRES[api](["Sorry."])))) as server:
        assert await texts_of(runtime, model_of(api, server, offered)) == ["Sorry."]
    assert called == []
    told = str(server.requests[1][2])
    for words in ("unknown-tool: no exported tool is called", "NaN is no JSON", "got list", "page[size]: missing"):
        assert words in told, told


@APIS
async def test_a_call_that_was_cut_off_is_not_run(post: Path, api: str) -> None:
    runtime = ToolRuntime.open(post)
    offered, called = offered_of(runtime, api)
    cut = wire(WIRES[api](["So"], [("shop__today", ['{"city": "Par'])], "length"))
    async with serving(Script(cut)) as server:
        with pytest.raises(ToolFailed, match=r"limit of tokens .* within the arguments of 'shop__today'"):
            await texts_of(runtime, model_of(api, server, offered))
    assert called == []


@APIS
@pytest.mark.parametrize("end", ["cut", "whole"])
async def test_a_stream_that_ends_before_its_end_is_an_error_after_its_text(post: Path, api: str, end: str) -> None:
    body = wire(WIRES[api](["Hel", "lo"], reason=None)[: -1 if api == "chat" else None])
    async with serving(Script(body, end=end)) as server:
        runtime = ToolRuntime.open(post)
        runtime.bind_provider("writer", model_of(api, server))
        events = [event.to_dict() async for event in runtime.dispatch_stream("writer/draft", ASKED)]
    assert [event["type"] for event in events] == ["resolving", "tool-start", *["inference-delta"] * 2, "error"]
    assert events[-1]["code"] == "unreachable"
    assert events[-1]["retryable"]


@APIS
async def test_an_error_in_the_stream_is_what_the_api_said(post: Path, api: str) -> None:
    kind = "overloaded_error" if api == "messages" else "server_error"
    body = wire(WIRES[api](["Hel"], error={"code": kind, "message": "Overloaded, sorry"}))
    async with serving(Script(body, pieces=1)) as server:
        with pytest.raises(Unreachable, match="writer/draft: the model's API: Overloaded, sorry"):
            await texts_of(ToolRuntime.open(post), model_of(api, server))


@APIS
async def test_who_is_told_to_wait_waits_or_hears_for_how_long(post: Path, api: str) -> None:
    body = b'{"type": "error", "error": {"type": "rate_limit_error", "message": "Too much"}}'
    busy = Script(body, 429, (("content-type", "application/json"), ("retry-after", "7")))
    soon = busy._replace(headers=(("content-type", "application/json"), ("retry-after-ms", "1")))
    async with serving(busy) as server:
        with pytest.raises(Unreachable, match="Too much") as raised:
            await texts_of(ToolRuntime.open(post), model_of(api, server))
        assert raised.value.retry_after == 7
    async with serving(soon, Script(wire(WIRES[api](["Hi"])))) as server:
        assert await texts_of(ToolRuntime.open(post), model_of(api, server, retries=1)) == ["Hi"]


@APIS
async def test_what_the_api_refuses_fails_with_its_words(post: Path, api: str) -> None:
    refused = b'{"type": "error", "error": {"type": "invalid_request_error", "message": "No model m"}}'
    async with serving(Script(refused, 400, (("content-type", "application/json"),))) as server:
        with pytest.raises(ToolFailed, match="the model's API: No model m"):
            await texts_of(ToolRuntime.open(post), model_of(api, server))
    async with serving(Script(b"event: x\ndata: {broken\n\n")) as server:
        with pytest.raises(ToolFailed, match="answered with what cannot be read"):
            await texts_of(ToolRuntime.open(post), model_of(api, server))
    with pytest.raises(Unreachable):  # nobody listens there any more
        await texts_of(ToolRuntime.open(post), model_of(api, server))


@APIS
async def test_closing_the_stream_closes_the_socket(post: Path, api: str) -> None:
    started = wire(WIRES[api](["Hel"], reason=None)[: -1 if api == "chat" else None])
    async with serving(Script(started, end="hang")) as server:
        runtime = ToolRuntime.open(post)
        runtime.bind_provider("writer", model_of(api, server))
        stream = runtime.inference_stream("writer/draft", ASKED)
        assert await anext(stream) == "Hel"
        await stream.aclose()
        await asyncio.wait_for(server.left.wait(), 10)


@APIS
async def test_cancelling_a_dispatch_closes_the_socket(post: Path, api: str) -> None:
    started = wire(WIRES[api](["Hel"], reason=None)[: -1 if api == "chat" else None])
    async with serving(Script(started, end="hang")) as server:
        runtime = ToolRuntime.open(post)
        runtime.bind_provider("writer", model_of(api, server))
        task = asyncio.ensure_future(runtime.dispatch("writer/draft", ASKED))
        while not server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.left.wait(), 10)


@APIS
async def test_a_reader_that_stops_holds_the_model_back(post: Path, api: str) -> None:
    flood = wire(WIRES[api](["x" * 20_000] * 2_000))
    async with serving(Script(flood, pieces=1 << 16)) as server:
        runtime = ToolRuntime.open(post)
        runtime.bind_provider("writer", model_of(api, server))
        stream = runtime.inference_stream("writer/draft", ASKED)
        await anext(stream)
        before = -1
        while before != server.sent:  # until the server waits for us
            before = server.sent
            await asyncio.sleep(0.2)
        assert server.sent < len(flood) / 2
        await stream.aclose()


@APIS
async def test_a_model_that_never_stops_calling_is_stopped(post: Path, api: str) -> None:
    runtime = ToolRuntime.open(post)
    offered, called = offered_of(runtime, api)
    async with serving(Script(wire(WIRES[api]([], [("shop__today", ["{}"])])))) as server:
        with pytest.raises(ToolFailed, match="had not finished after 3 rounds"):
            await texts_of(runtime, model_of(api, server, offered, rounds=3))
    assert (len(called), len(server.requests)) == (3, 3)


async def test_a_model_answers_for_one_tool_of_many(post: Path) -> None:
    async with serving(Script(wire(chat(["Dear Ana"])))) as server:
        runtime, model = ToolRuntime.open(post), model_of("chat", server)
        runtime.bind("writer/draft", model)
        assert (await runtime.dispatch("writer/draft", ASKED)).content == "Dear Ana"
        assert runtime.swizzle("writer/draft", None) is model
        runtime.bind_provider("writer", {"draft": model})
        assert (await runtime.dispatch("writer/draft", ASKED)).content == "Dear Ana"


@pytest.mark.parametrize("api", ["chat", "messages"])
async def test_each_loop_has_a_client_of_its_own(post: Path, api: str) -> None:
    async with serving(Script(wire(WIRES[api](["Hi"])))) as server:
        runtime, made = ToolRuntime.open(post), model_of(api, server)
        runtime.bind("writer/draft", made)
        assert (await runtime.dispatch("writer/draft", ASKED)).content == "Hi"
        with pytest.raises(ToolFailed, match="belongs to another event loop"):
            await asyncio.to_thread(runtime.sync.dispatch, "writer/draft", ASKED)
        runtime.bind("writer/draft", type(made)(lambda: model_of(api, server).client, model="m"))
        for _ in range(2):
            assert (await runtime.dispatch("writer/draft", ASKED)).content == "Hi"
            assert (await asyncio.to_thread(runtime.sync.dispatch, "writer/draft", ASKED)).content == "Hi"
        await asyncio.to_thread(runtime.close)


async def test_a_model_cannot_wait_for_itself(post: Path) -> None:
    runtime = ToolRuntime.open(post)
    made = export(open_artifact(post), target="openai")
    offered = Offered(runtime, made.document, Exported(name_map(made)))  # type: ignore[arg-type]
    first = wire(chat([], [("writer__draft", ['{"text": "again"}'])]))
    async with serving(Script(first), Script(wire(chat(["Fine."])))) as server:
        assert await texts_of(runtime, model_of("chat", server, offered)) == ["Fine."]
    assert "writer/draft waits for this very call" in str(server.requests[1][2])


async def test_a_call_without_tools_to_call_is_an_error(post: Path) -> None:
    async with serving(Script(wire(chat([], [("shop__today", ["{}"])])))) as server:
        with pytest.raises(ToolFailed, match="calls 'shop__today', and no tools are offered"):
            await texts_of(ToolRuntime.open(post), model_of("chat", server))
