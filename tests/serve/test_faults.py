"""What goes wrong around a server, under load: no call is lost or made twice, and no process stays behind."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from serving import begun, command, compiled, manifests, served
from upstream import eventually, raw_manifest

ERAS = ("auto", "legacy")
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture(scope="session")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two servers, the first of which tells what was cancelled."""
    first = raw_manifest("raw", env={"CANCELLED": "${CANCELLED}"})
    return compiled(tmp_path_factory.mktemp("two") / "two.smallchat.db", first, raw_manifest("other"))


@pytest.fixture(scope="session")
def pair(artifact: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same artifact before and after a tool was added."""
    [manifest] = manifests()
    more = {"name": "more", "description": "One tool more", "inputSchema": {"type": "object"}}
    out = tmp_path_factory.mktemp("pair") / "more.smallchat.db"
    return artifact, compiled(out, {**manifest, "tools": [*manifest["tools"], more]})


async def pid(client: Client, provider: str = "raw") -> int:
    return int((await client.call_tool(f"{provider}__pid", {})).content[0].text)


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_server_that_dies_costs_its_own_calls_and_comes_back(two: Path, tmp_path: Path) -> None:
    with served(two, "--trust", "--expose", "tools", CANCELLED=str(tmp_path / "cancelled")) as server:
        async with Client(server.url) as client:
            victim, other = await pid(client), await pid(client, "other")
            begun_calls = tmp_path / "begun"
            slow = {"seconds": 20, "count": str(begun_calls)}
            lost = [client.call_tool("raw__slow", slow) for _ in range(10)]
            kept = [client.call_tool("other__slow", {"seconds": 0.5, "number": number}) for number in range(10)]
            waiting = asyncio.gather(*lost, *kept)
            await eventually(lambda: begun_calls.exists() and begun_calls.read_text().count("\n") == 10)
            os.kill(victim, signal.SIGKILL)
            results = await waiting
            assert [result.content[0].text for result in results[10:]] == [str(number) for number in range(10)]
            for result in results[:10]:
                assert result.is_error
                assert "the server of raw went away" in result.content[0].text
                assert result.content[0].text.endswith("[unreachable]")
            again = await pid(client)
            assert again != victim
            assert await pid(client, "other") == other
    assert is_gone(again)
    assert is_gone(other)


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("hang", {}, "nothing for 2 s [tool-timeout]"),
        ("broken", {}, "[unreachable]"),
        ("odd_result", {}, "[tool-failed]"),
        ("odd_content", {}, "[tool-failed]"),
        ("endless", {}, "[unreachable]"),
        ("die", {}, "[unreachable]"),
    ],
)
async def test_what_a_server_does_wrong_is_told_and_costs_the_others_nothing(
    two: Path, tmp_path: Path, tool: str, args: dict[str, Any], said: str
) -> None:
    with served(two, "--trust", "--expose", "tools", "--timeout", "2", CANCELLED=str(tmp_path / "cancelled")) as server:
        async with Client(server.url) as client:
            wrong = asyncio.ensure_future(client.call_tool(f"raw__{tool}", args))
            answers = [await client.call_tool("other__echo", {"a": number}) for number in range(20)]
            assert [answer.structured_content for answer in answers] == [{"a": number} for number in range(20)]
            answer = await wrong
            assert answer.is_error
            assert said in answer.content[0].text
            assert (await client.call_tool("raw__echo", {"a": 1})).structured_content == {"a": 1}


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
async def test_a_flood_of_progress_reaches_its_end_and_holds_up_nobody(two: Path, tmp_path: Path, era: str) -> None:
    with served(two, "--trust", "--expose", "tools", CANCELLED=str(tmp_path / "cancelled")) as server:
        async with Client(server.url, mode=era) as client:
            flooded = asyncio.ensure_future(client.call_tool("raw__flood", {"times": 5000}))
            answers = [await client.call_tool("other__echo", {"a": number}) for number in range(20)]
            assert [answer.structured_content for answer in answers] == [{"a": number} for number in range(20)]
            assert not (await flooded).is_error
            assert (await client.call_tool("raw__echo", {"a": 1})).structured_content == {"a": 1}


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_that_a_client_cancels_is_cancelled_behind_it(two: Path, tmp_path: Path, era: str) -> None:
    cancelled = tmp_path / "cancelled"
    with served(two, "--trust", "--expose", "tools", CANCELLED=str(cancelled)) as server:
        async with Client(server.url, mode=era) as client:
            await pid(client)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.call_tool("raw__hang", {}), 0.5)
            await eventually(cancelled.exists)
            assert (await client.call_tool("raw__echo", {"a": 1})).structured_content == {"a": 1}


async def test_a_client_that_goes_away_mid_call_has_cancelled_it(two: Path, tmp_path: Path) -> None:
    cancelled, audit = tmp_path / "cancelled", tmp_path / "audit"
    options = ("--trust", "--expose", "tools", "--audit", str(audit))
    with served(two, *options, CANCELLED=str(cancelled)) as server:
        connection = begun(server, "raw__hang", {})
        await asyncio.sleep(1.5)
        connection.close()
        await eventually(cancelled.exists)
        await eventually(lambda: bool(audit.read_text()))
        [line] = [json.loads(line) for line in audit.read_text().splitlines()]
        assert (line["chosen"], line["outcome"]) == ("raw/hang", "cancelled")


@pytest.mark.parametrize("era", ERAS)
async def test_told_to_stop_it_lets_calls_end(two: Path, tmp_path: Path, era: str) -> None:
    with served(two, "--trust", "--expose", "tools", CANCELLED=str(tmp_path / "cancelled")) as server:
        async with Client(server.url, mode=era) as client:
            child = await pid(client)
            calls = [client.call_tool("raw__slow", {"seconds": 1, "number": number}) for number in range(12)]
            waiting = asyncio.gather(*calls)
            await asyncio.sleep(0.4)
            server.signal(signal.SIGTERM)
            results = await waiting
        assert [result.content[0].text for result in results] == [str(number) for number in range(12)]
        assert server.process.wait(20) == 0
    assert is_gone(child)


@pytest.mark.slow
async def test_told_to_stop_it_gives_up_calls_that_do_not_end(two: Path, tmp_path: Path) -> None:
    options = ("--trust", "--expose", "tools", "--grace", "0.3")
    with served(two, *options, CANCELLED=str(tmp_path / "cancelled")) as server:
        async with Client(server.url) as client:
            child = await pid(client)
            waiting = asyncio.gather(*(client.call_tool("raw__hang", {}) for _ in range(5)), return_exceptions=True)
            await asyncio.sleep(0.3)
            server.signal(signal.SIGTERM)
            await asyncio.to_thread(server.process.wait, 20)
            assert server.process.returncode == 0
            waiting.cancel()
    assert is_gone(child)
    assert "smallchatc: calls did not end within 0.3 s and are given up\n" in server.said


@pytest.mark.slow
async def test_a_client_that_closes_the_pipe_ends_everything(artifact: Path) -> None:
    program, *words = command(artifact, "--trust", "--expose", "tools")
    async with Client(StdioServerParameters(command=program, args=words, env=dict(os.environ))) as client:
        child = await pid(client)
        hanging = asyncio.ensure_future(client.call_tool("raw__hang", {}))
        await asyncio.sleep(0.2)
        hanging.cancel()
    await eventually(lambda: is_gone(child))


async def test_over_a_pipe_it_stops_when_told_to_although_the_client_stays(artifact: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *command(artifact, "--trust", "--expose", "tools"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    params = {"name": "raw__pid", "arguments": {}, "_meta": MODERN}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    process.stdin.write(json.dumps(request).encode() + b"\n")
    answer = json.loads(await process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0
    assert is_gone(int(answer["result"]["content"][0]["text"]))


@pytest.mark.slow
async def test_reloads_under_load_lose_no_call_and_start_no_second_server(
    pair: tuple[Path, Path], tmp_path: Path
) -> None:
    path, count = shutil.copy(pair[0], tmp_path / "app.smallchat.db"), tmp_path / "count"
    with served(path, "--trust", "--expose", "tools", "--watch", "0.1") as server:
        async with Client(server.url, mode="legacy") as client:
            child = await pid(client)
            places = asyncio.Semaphore(20)

            async def call(number: int) -> Any:
                async with places:
                    args = {"number": number, "count": str(count), "seconds": 0.1}
                    return (await client.call_tool("raw__slow", args)).content[0].text

            waiting = asyncio.gather(*(call(number) for number in range(200)))
            for number in range(6):
                shutil.copy(pair[number % 2 == 0], tmp_path / "new")
                os.replace(tmp_path / "new", path)
                await asyncio.sleep(0.25)
            answers = await waiting
            assert await pid(client) == child
        assert sum("reload:" in line for line in server.said) >= 2, server.said
    assert answers == [str(number) for number in range(200)]
    assert Counter(count.read_text().split("\n")[:-1]) == Counter(f"slow {number}" for number in range(200))


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
async def test_clients_hear_that_the_tools_have_changed(pair: tuple[Path, Path], tmp_path: Path, era: str) -> None:
    path = shutil.copy(pair[0], tmp_path / "app.smallchat.db")
    heard = asyncio.Event()

    async def hear(message: Any) -> None:
        if type(message).__name__ == "ToolListChangedNotification":
            heard.set()

    with served(path, "--trust", "--expose", "tools") as server:
        async with Client(server.url, mode=era, message_handler=hear) as client:
            listening = asyncio.ensure_future(_listen(client, heard)) if era == "auto" else None
            await asyncio.sleep(0.5)
            shutil.copy(pair[1], tmp_path / "new")
            os.replace(tmp_path / "new", path)
            server.signal(signal.SIGHUP)
            await heard.wait()
            if listening is not None:
                await listening
            assert "raw__more" in {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files cannot be counted here")
async def test_clients_that_come_and_go_leave_no_file_open(artifact: Path) -> None:
    with served(artifact, "--trust", "--expose", "tools") as server:
        files = Path(f"/proc/{server.process.pid}/fd")

        async def come_and_go(times: int) -> None:
            for number in range(times):
                async with Client(server.url, mode=ERAS[number % 2]) as client:
                    await client.call_tool("raw__echo", {"number": number})

        await come_and_go(4)
        before = len(list(files.iterdir()))
        await come_and_go(30)
        await eventually(lambda: len(list(files.iterdir())) <= before)


@pytest.mark.slow
async def test_a_file_that_is_not_sound_is_not_taken(artifact: Path, tmp_path: Path) -> None:
    path = shutil.copy(artifact, tmp_path / "app.smallchat.db")
    with served(path, "--trust", "--expose", "tools") as server:
        path.unlink()
        path.write_bytes(b"not an artifact")
        server.signal(signal.SIGHUP)
        await eventually(lambda: any("goes on answering" in line for line in server.said))
        async with Client(server.url) as client:
            assert (await client.call_tool("raw__echo", {"a": 1})).structured_content == {"a": 1}


async def _listen(client: Client, heard: asyncio.Event) -> None:
    from mcp.client.subscriptions import listen

    async with listen(client.session, tools_list_changed=True) as subscription:
        async for _ in subscription:
            heard.set()
            return
