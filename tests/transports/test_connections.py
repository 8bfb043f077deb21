"""Connections: made when first called, kept while their record is the same, beside what the host binds."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from upstream import connected, eventually, raw_manifest, said

from runtime_min import NotBound, NotTrusted, ToolRuntime
from runtime_min.trust import Allow, trust

GO = [{"name": "go", "description": "Go somewhere"}]


async def test_a_reload_keeps_the_connections_that_are_still_the_same(
    compiled: Callable[..., Path], tmp_path: Path
) -> None:
    here = tmp_path / "app.smallchat.db"
    shutil.copy(compiled(raw_manifest("same"), raw_manifest("other")), here)
    async with connected(here) as runtime:
        same, other = await said(runtime, "same/pid"), await said(runtime, "other/pid")
        under_way = asyncio.ensure_future(said(runtime, "other/slow", seconds=0.5))
        await asyncio.sleep(0.1)
        _replace(here, compiled(raw_manifest("same"), raw_manifest("other", "--banner")))
        runtime.reload()
        assert await said(runtime, "same/pid") == same
        assert await said(runtime, "other/pid") != other
        assert await under_way == "slow", "a call that began on the old artifact ends on its connection"
        await eventually(lambda: not Path(f"/proc/{other}").exists())


async def test_another_digest_asks_again(
    compiled: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLCHAT_CONFIG_DIR", str(tmp_path / "config"))
    here = tmp_path / "app.smallchat.db"
    shutil.copy(compiled(raw_manifest()), here)
    async with ToolRuntime.open(here) as runtime:
        trust(runtime.artifact)
        runtime.connect()
        assert await said(runtime, "raw/echo") == "{}"
        _replace(here, compiled(raw_manifest("raw", "--banner")))
        runtime.reload()
        with pytest.raises(NotTrusted):
            await runtime.send("raw/echo", {})
        trust(runtime.artifact)
        assert await said(runtime, "raw/echo") == "{}"


async def test_what_is_bound_comes_before_what_is_recorded(raw: Path) -> None:
    async with connected(raw) as runtime:
        runtime.bind("raw/echo", lambda **args: "mine")
        assert (await runtime.send("raw/echo", {})).content == "mine"
        runtime.swizzle("raw/echo", None)
        assert await said(runtime, "raw/echo") == "{}"


async def test_what_cannot_be_reached_is_said_by_name(compiled: Callable[..., Path]) -> None:
    path = compiled(
        {"id": "far", "transportType": "grpc", "url": "grpc://example.com", "tools": GO},
        {"id": "here", "transportType": "local", "tools": GO},
        {"id": "api", "transport": {"type": "rest", "url": "https://api.example.com"}, "tools": GO},
    )
    async with connected(path) as runtime:
        for tool, message in (
            ("far/go", "far/go: its provider is reached by 'grpc', which no transport here speaks"),
            ("here/go", "here/go: nothing is bound to this tool, and its provider records no way to reach it"),
            ("api/go", "api/go: nothing says which operation of api this is"),
        ):
            with pytest.raises(NotBound) as raised:
                await runtime.send(tool, {})
            assert str(raised.value) == message


async def test_only_the_providers_that_were_named_are_connected(compiled: Callable[..., Path]) -> None:
    path = compiled(raw_manifest("one"), raw_manifest("two"))
    async with connected(path, providers=["one"]) as runtime:
        assert await said(runtime, "one/echo") == "{}"
        with pytest.raises(NotBound):
            await runtime.send("two/echo", {})


async def test_the_official_clients_answers_and_ours_are_the_same(compiled: Callable[..., Path], shared: Path) -> None:
    """Text, images, audio, resources, errors, structured content: as the SDK's own client reads them."""
    from mcp import Client, StdioServerParameters

    program = [str(shared / "tools" / "mcp_fixture_server.py")]
    asks = {"test_missing_capability", "test_streaming_elicitation", "test_input_required_result_elicitation"}
    async with Client(StdioServerParameters(command=sys.executable, args=program)) as client:
        tools = [
            tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in (await client.list_tools()).tools
        ]
        transport = {"type": "mcp", "command": sys.executable, "args": program}
        path = compiled({"id": "fixture", "transport": transport, "tools": tools})
        async with connected(path) as runtime:
            for tool in tools:
                if tool["name"] in asks:
                    continue
                args: dict[str, Any] = {"a": 1, "b": 2} if tool["name"] == "add" else {}
                args = {"email": "a@b"} if tool["name"].startswith("json_schema") else args
                theirs = await client.call_tool(tool["name"], args)
                ours = await runtime.send(f"fixture/{tool['name']}", args)
                told = theirs.model_dump(by_alias=True, exclude_none=True, mode="json")
                assert ours.content == told["content"]
                assert ours.structured == told.get("structuredContent")
                assert ours.is_error == bool(told.get("isError"))
                assert ours.raw == told


def test_connect_without_mcp_names_the_extra(raw: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "mcp" or name.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    runtime = ToolRuntime.open(raw)
    runtime.connect(Allow.everything())
    with pytest.raises(NotBound, match="needs the package mcp") as raised:
        runtime.sync.send("raw/echo", {})
    assert raised.value.hint == "pip install 'runtime-min[mcp]'"
    runtime.close()


def _replace(here: Path, other: Path) -> None:
    beside = here.with_name("next.db")
    shutil.copy(other, beside)
    beside.replace(here)
