"""APIs as providers: an operation is called on a real socket, and its answer becomes a result."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from api_server import PNG, api
from upstream import connected

from runtime_min import DispatchError, NotTrusted, ToolFailed, ToolRuntime, ToolTimeout
from runtime_min.errors import CircuitOpen, MissingVariable, Unreachable
from runtime_min.events import Chunk
from runtime_min.transports import http, steady
from runtime_min.trust import Allow

OK = {"200": {"description": "Fine"}}
ENV = {"PATH": os.environ["PATH"], "PETS_KEY": "s3cret"}


def operation(name: str, **more: Any) -> dict[str, Any]:
    return {"operationId": name, "summary": f"The {name} of the API", "responses": OK, "security": [], **more}


PETS = {
    "openapi": "3.1.0",
    "info": {"title": "pets", "version": "1"},
    "servers": [{"url": "https://pets.example.com/v1"}],
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "key"}}},
    "paths": {
        "/echo/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "put": operation(
                "update",
                parameters=[
                    {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                    {"name": "session", "in": "cookie", "schema": {"type": "string"}},
                ],
                requestBody={
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {"type": "object", "properties": {"name": {"type": "string"}}}
                        }
                    },
                },
            ),
        },
        "/echo": {"get": operation("secured", security=[{"key": []}])},
        **{
            f"/{name}": {"get": operation(name), "post": operation(f"post_{name}")}
            for name in (
                "missing", "image", "text", "busy", "hang", "cut", "garbage", "huge", "events", "lines", "away", "here",
            )
        },
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def pets(compiled: Callable[..., Path]) -> Path:
    return compiled({"id": "pets", **PETS})


@pytest.fixture
def server() -> Iterator[Any]:
    with api() as started:
        yield started


def calls(server: Any, path: str) -> int:
    return sum(1 for seen in server.seen if seen[1] == path)


async def test_arguments_go_where_the_description_says(pets: Path, server: Any) -> None:
    async with connected(pets, base_urls={"pets": f"{server.url}/"}, env=ENV) as runtime:
        args = {"id": "a/b ü", "tags": ["x&y", "z"], "X-Trace": "t", "session": "s", "name": "Rex"}
        result = await runtime.send("pets/update", args)
    told = result.structured
    assert told == result.content
    assert (told["method"], told["path"]) == ("PUT", "/echo/a%2Fb%20%C3%BC?tags=x%26y&tags=z")
    assert json.loads(told["body"]) == {"name": "Rex"}
    headers = told["headers"]
    assert (headers["x-trace"], headers["cookie"], headers["content-type"]) == ("t", "session=s", "application/json")


async def test_a_credential_comes_from_the_variable_that_the_artifact_names(pets: Path, server: Any) -> None:
    async with connected(pets, base_urls={"pets": server.url}, env=ENV) as runtime:
        assert (await runtime.send("pets/secured", {})).content["path"] == "/echo?key=s3cret"
    async with connected(pets, base_urls={"pets": server.url}, env={}) as runtime:
        with pytest.raises(MissingVariable, match=r"^pets/secured: not set: PETS_KEY$"):
            await runtime.send("pets/secured", {})


async def test_no_message_quotes_a_credential(pets: Path) -> None:
    async with connected(pets, base_urls={"pets": "http://127.0.0.1:9"}, env=ENV) as runtime:
        with pytest.raises(Unreachable) as raised:
            await runtime.send("pets/secured", {})
    assert "s3cret" not in f"{raised.value} {raised.value.hint}"


async def test_a_host_that_is_not_allowed_is_not_contacted(pets: Path, server: Any) -> None:
    async with ToolRuntime.open(pets) as runtime:
        with pytest.raises(NotTrusted, match=r"pets: contact pets\.example\.com; pets: read \$PETS_KEY"):
            runtime.connect(Allow(hosts=["127.0.0.1"]))
        runtime.connect(Allow.everything(), base_urls={"pets": server.url})
        with pytest.raises(ToolFailed, match="a redirect to another place"):
            await runtime.send("pets/away", {})
    assert [seen[1] for seen in server.seen] == ["/away"]


async def test_a_redirect_that_stays_is_followed(pets: Path, server: Any) -> None:
    async with connected(pets, base_urls={"pets": server.url}) as runtime:
        assert (await runtime.send("pets/here", {})).content["path"] == "/echo?moved=1"


async def test_what_an_api_refuses_is_a_result_that_says_so(pets: Path, server: Any) -> None:
    async with connected(pets, base_urls={"pets": server.url}) as runtime:
        result = await runtime.send("pets/missing", {})
    assert result.is_error
    assert result.content == {"status": 404, "reason": "Not Found", "body": {"message": "no such pet"}}


async def test_other_content_than_json(pets: Path, server: Any) -> None:
    async with connected(pets, base_urls={"pets": server.url}) as runtime:
        image = await runtime.send("pets/image", {})
        text = await runtime.send("pets/text", {})
    assert image.content == [{"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"}]
    assert text.content == "grüße"


@pytest.mark.parametrize(
    ("tool", "pieces"), [("events", [{"n": 1}, "two\nlines"]), ("lines", [{"n": 1}, {"n": 2}, "three"])]
)
async def test_a_body_that_is_a_stream_comes_in_chunks(pets: Path, server: Any, tool: str, pieces: list[Any]) -> None:
    async with connected(pets, base_urls={"pets": server.url}) as runtime:
        events = [event async for event in runtime.dispatch_stream(f"pets/{tool}", {})]
    assert [event.content for event in events if isinstance(event, Chunk)] == pieces
    assert events[-1].to_dict()["result"]["content"] == pieces


async def test_a_busy_server_is_asked_again_where_that_is_harmless(pets: Path, server: Any) -> None:
    async with connected(pets, base_urls={"pets": server.url}) as runtime:
        assert (await runtime.send("pets/busy", {})).content == {"tries": 3}
        server.seen.clear()
        result = await runtime.send("pets/post_busy", {})
    assert (result.is_error, result.content["status"], calls(server, "/busy")) == (True, 503, 1)


@pytest.mark.parametrize(("tool", "tries"), [("cut", 3), ("post_cut", 1), ("garbage", 3), ("post_garbage", 1)])
async def test_an_answer_that_breaks_off_is_an_error(pets: Path, server: Any, tool: str, tries: int) -> None:
    async with connected(pets, base_urls={"pets": server.url}) as runtime:
        with pytest.raises(Unreachable):
            await runtime.send(f"pets/{tool}", {})
    assert calls(server, f"/{tool.removeprefix('post_')}") == tries


async def test_an_answer_without_end_is_cut_off(pets: Path, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BODY", 1 << 20)
    async with connected(pets, base_urls={"pets": server.url}) as runtime:
        with pytest.raises(ToolFailed, match="more than 1 MB"):
            await runtime.send("pets/huge", {})


async def test_a_server_that_hangs_is_given_up_and_then_left_alone(
    pets: Path, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steady, "REST", 0.3)
    async with connected(pets, base_urls={"pets": server.url}, timeout=0.1) as runtime:
        for _ in range(steady.FAILURES):
            with pytest.raises(ToolTimeout, match=r"^pets/hang: nothing for 0\.1 s$"):
                await runtime.send("pets/hang", {})
        with pytest.raises(CircuitOpen, match="pets failed 5 times in a row"):
            await runtime.send("pets/text", {})
        assert calls(server, "/text") == 0
        await asyncio.sleep(0.4)
        assert (await runtime.send("pets/text", {})).content == "grüße"


async def test_so_many_calls_at_once_and_no_more(pets: Path, server: Any) -> None:
    async with connected(pets, base_urls={"pets": server.url}, limit=3) as runtime:
        waiting = [asyncio.ensure_future(runtime.send("pets/hang", {})) for _ in range(9)]
        await asyncio.sleep(0.5)
        assert calls(server, "/hang") == 3
        for task in waiting:
            task.cancel()
        assert all(
            isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*waiting, return_exceptions=True)
        )
        assert (await runtime.send("pets/text", {})).content == "grüße"


async def test_an_api_without_a_host_says_what_to_do(compiled: Callable[..., Path]) -> None:
    paths = {"/x": {"get": operation("x")}}
    path = compiled(
        {"id": "nowhere", **PETS, "info": {"title": "nowhere", "version": "1"}, "servers": [], "paths": paths}
    )
    async with connected(path, env=ENV) as runtime:
        with pytest.raises(DispatchError, match="does not say where nowhere is") as raised:
            await runtime.send("nowhere/x", {})
    assert raised.value.hint == "say it: rt.connect(base_urls={'nowhere': 'https://...'})"
