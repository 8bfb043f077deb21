"""Calls within limits, and what is written of them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from serving import compiled, in_process

from runtime_min.ratelimit import RateLimit
from smallchatc.serve.audit import Audit
from smallchatc.serve.calls import Calls
from smallchatc.serve.endpoint import Endpoint
from smallchatc.serve.limits import Places
from smallchatc.serve.metrics import Prometheus

SECRET = "hunter2-and-more"


@pytest.fixture(scope="session")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    tools = [
        {"name": "shout", "description": "Shout a text", "inputSchema": schema},
        {"name": "stream", "description": "Give letters one by one", "inputSchema": schema},
        {"name": "fail", "description": "Fail at once", "inputSchema": schema},
        {"name": "record", "description": "Give a record", "inputSchema": schema},
    ]
    provider = {"id": "local", "transport": {"type": "local"}, "tools": tools}
    return compiled(tmp_path_factory.mktemp("functions") / "f.smallchat.db", provider)


def fail(text: str) -> str:
    raise RuntimeError(f"no {text}")


def letters(text: str) -> Any:
    yield from text


FUNCTIONS = {
    "shout": lambda text: text.upper(),
    "stream": letters,
    "fail": fail,
    "record": lambda text: {"text": text},
}


def client(calls: Calls) -> Client:
    return Client(Endpoint(calls, name="s", version="1", instructions="").server)


async def test_what_a_function_gives_becomes_text_and_structure(functions: Path) -> None:
    async with client(in_process(functions, FUNCTIONS)) as asking:
        shouted = await asking.call_tool("local__shout", {"text": "ü"})
        record = await asking.call_tool("local__record", {"text": "ü"})
        failed = await asking.call_tool("local__fail", {"text": "luck"})
    assert (shouted.content[0].text, shouted.structured_content) == ("Ü", None)
    assert (json.loads(record.content[0].text), record.structured_content) == ({"text": "ü"}, {"text": "ü"})
    assert failed.is_error
    assert failed.content[0].text == "local/fail: RuntimeError: no luck [tool-failed]"


async def test_pieces_are_told_as_progress_and_their_whole_is_the_answer(functions: Path) -> None:
    told: list[Any] = []

    async def progress(*said: Any) -> None:
        told.append(said)

    async with client(in_process(functions, FUNCTIONS)) as asking:
        result = await asking.call_tool("local__stream", {"text": "abc"}, progress_callback=progress)
    assert result.content[0].text == "abc"
    assert told == [(1, None, "a"), (2, None, "b"), (3, None, "c")]


async def test_the_audit_says_what_was_asked_and_chosen_and_keeps_arguments_to_itself(
    functions: Path, tmp_path: Path
) -> None:
    path = tmp_path / "audit"
    calls = in_process(functions, FUNCTIONS, face="search", audit=Audit(path))
    async with client(calls) as asking:
        await asking.call_tool("find_tools", {"request": "shout a text"})
        await asking.call_tool("call_tool", {"tool": "local__shout", "arguments": {"text": SECRET}})
        await asking.call_tool("call_tool", {"tool": "shout", "arguments": {"text": SECRET}})
        await asking.call_tool("call_tool", {"tool": "local__shout", "arguments": {"txt": SECRET}})
        await asking.call_tool("call_tool", {"tool": "bake a cake", "arguments": {}})
    text = path.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert SECRET not in text
    assert path.stat().st_mode & 0o077 == 0
    assert [(line["asked"], line["chosen"], line["outcome"], line["code"]) for line in lines] == [
        ("shout a text", "local/shout", "found", None),
        ("local__shout", "local/shout", "ok", None),
        ("shout", "local/shout", "ok", None),
        ("local__shout", "local/shout", "error", "invalid-arguments"),
        ("bake a cake", None, "refine", None),
    ]
    assert lines[1]["arguments"] == {"text": "str(16)"}
    assert lines[2]["tier"] == "exact"
    assert all(len(line["proof"]) == 16 for line in lines if line["code"] is None)


async def test_the_audit_writes_arguments_where_the_operator_wants_them(functions: Path, tmp_path: Path) -> None:
    path = tmp_path / "audit"
    async with client(in_process(functions, FUNCTIONS, audit=Audit(path, arguments=True))) as asking:
        await asking.call_tool("local__shout", {"text": "loud"})
    assert json.loads(path.read_text())["arguments"] == {"text": "loud"}


async def test_calls_wait_for_a_place_and_beyond_that_are_told_so(functions: Path) -> None:
    inside, most, go = 0, 0, asyncio.Event()

    async def shout(text: str) -> str:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await go.wait()
        inside -= 1
        return text

    calls = in_process(functions, {"shout": shout}, places=Places(2))
    async with client(calls) as asking:
        waiting = asyncio.gather(*(asking.call_tool("local__shout", {"text": str(n)}) for n in range(40)))
        while calls.places.running < 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        go.set()
        results = await waiting
    busy = [result for result in results if result.is_error]
    assert most == 2
    assert len(busy) == 40 - 2 - 32
    assert busy[0].content[0].text == "2 calls are running and 32 are waiting; ask again in a moment [busy]"
    assert calls.places.running == 0


async def test_a_client_that_asks_too_often_is_told_so(functions: Path) -> None:
    async with client(in_process(functions, FUNCTIONS, rate=RateLimit(2))) as asking:
        results = [await asking.call_tool("local__shout", {"text": "a"}) for _ in range(3)]
    assert [result.is_error for result in results] == [False, False, True]
    assert results[2].content[0].text.endswith("[rate-limited]")


async def test_metrics_count_calls_by_provider_and_outcome(functions: Path) -> None:
    pytest.importorskip("prometheus_client", reason="the extra [serve] is not installed")
    metrics = Prometheus()
    async with client(in_process(functions, FUNCTIONS, metrics=metrics)) as asking:
        await asking.call_tool("local__shout", {"text": "a"})
        await asking.call_tool("local__fail", {"text": "a"})
    text = metrics.text().decode()
    assert 'smallchat_calls_total{outcome="ok",provider="local"} 1.0' in text
    assert 'smallchat_calls_total{outcome="error",provider="local"} 1.0' in text
    assert "smallchat_calls_running 0.0" in text


async def test_nothing_is_started_for_an_artifact_that_nobody_trusts(artifact: Path, tmp_path: Path) -> None:
    async with client(in_process(artifact, allow=None)) as asking:
        result = await asking.call_tool("raw__pid", {})
    assert result.is_error
    assert result.content[0].text == "whoever runs this server has not allowed what this tool needs [not-trusted]"
