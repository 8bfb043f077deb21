"""Reload: another file takes the place of the first, and nobody gets a wrong tool."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from runtime_min import CorruptArtifact, NotAnArtifact, Tier, ToolRuntime
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact


def tool(name: str, description: str, **properties: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": properties}}


SEND = tool("send_note", "Send a note to a colleague", text={"type": "string"})
FIND = tool("find_note", "Find notes by their words", query={"type": "string"})
SHELVE = tool("shelve_note", "Put a note on the shelf", id={"type": "string"})


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three artifacts: the first, one with a changed tool and one that lacks a tool."""
    folder = tmp_path_factory.mktemp("versions")
    changed = tool("find_note", "Find notes by their words", query={"type": "number"})
    out = {}
    for name, tools in {"first": [SEND, FIND], "changed": [SEND, changed, SHELVE], "fewer": [FIND]}.items():
        source = folder / f"{name}.json"
        source.write_text(json.dumps({"id": "desk", "name": "desk", "transportType": "local", "tools": tools}))
        out[name] = folder / f"{name}.smallchat.db"
        write_artifact(compile_sources([str(source)], settings=Settings(encoder="base")).image, out[name])
    return out


@pytest.fixture
def place(versions: dict[str, Path], tmp_path: Path) -> Path:
    path = tmp_path / "app.smallchat.db"
    shutil.copy(versions["first"], path)
    return path


def replace(place: Path, other: Path) -> None:
    beside = place.with_suffix(".new")
    shutil.copy(other, beside)
    os.replace(beside, place)


def test_a_reload_answers_with_the_new_file(versions: dict[str, Path], place: Path) -> None:
    runtime = ToolRuntime.open(place)
    assert runtime.resolve("shelve_note").tier is not Tier.EXACT
    events: list[Any] = []
    runtime.cache.subscribe(events.append)
    assert runtime.reload() == [], "the same file changes nothing"
    assert events == []
    replace(place, versions["changed"])
    assert runtime.resolve("shelve_note").tier is not Tier.EXACT, "nothing happens unasked"
    runtime.reload()
    assert runtime.resolve("shelve_note").tool == "desk/shelve_note"
    assert [(event.kind, event.reason, event.entries) for event in events] == [("stale", "artifact", 1)]


def test_a_watching_runtime_reloads_by_itself(versions: dict[str, Path], place: Path) -> None:
    runtime = ToolRuntime.open(place, watch=0.0)
    runtime.resolve("shelve_note")
    replace(place, versions["changed"])
    assert runtime.resolve("shelve_note").tool == "desk/shelve_note"


def test_a_watching_runtime_keeps_answering_when_the_new_file_is_not_sound(
    versions: dict[str, Path], place: Path, tmp_path: Path
) -> None:
    runtime = ToolRuntime.open(place, watch=0.0)
    (tmp_path / "bad").write_text("not an artifact")
    os.replace(tmp_path / "bad", place)
    assert runtime.resolve("send_note").tool == "desk/send_note"
    assert isinstance(runtime.reload_error, NotAnArtifact)
    replace(place, versions["changed"])
    assert runtime.resolve("shelve_note").tool == "desk/shelve_note"
    assert runtime.reload_error is None


def test_what_is_bound_pinned_and_learned_follows(versions: dict[str, Path], place: Path) -> None:
    runtime = ToolRuntime.open(place)
    runtime.bind("desk/send_note", lambda **args: "sent")
    runtime.bind("desk/find_note", lambda **args: "found")
    runtime.pin("desk/send_note", aliases=["post it"])
    runtime.resolve_refinement("look it up", "desk/find_note")
    replace(place, versions["changed"])
    assert runtime.reload() == ["learned choice dropped: 'look it up' meant desk/find_note, which has changed"]
    assert runtime.resolve("look it up").tier is not Tier.EXACT
    assert asyncio.run(runtime.dispatch("post it")).content == "sent"
    assert runtime.resolve("send a note to a colleague").tool != "desk/send_note"
    with pytest.raises(Exception, match="mismatch: expected number, got string"):
        asyncio.run(runtime.dispatch("find_note", {"query": "x"}))
    replace(place, versions["fewer"])
    assert runtime.reload() == ["desk/send_note is gone: what was bound to it waits for its return"]
    replace(place, versions["first"])
    runtime.reload()
    assert asyncio.run(runtime.dispatch("send_note")).content == "sent"


def test_a_message_under_way_ends_on_the_old_file(versions: dict[str, Path], place: Path) -> None:
    runtime = ToolRuntime.open(place)

    async def slow(**args: Any) -> Any:
        yield "one"
        replace(place, versions["fewer"])
        runtime.reload()
        yield "two"

    runtime.bind("desk/send_note", slow)

    async def main() -> list[str]:
        return [event.type async for event in runtime.dispatch_stream("send_note")]

    assert asyncio.run(main()) == ["resolving", "tool-start", "chunk", "chunk", "done"]
    assert runtime.resolve("send_note").tier is not Tier.EXACT


@pytest.mark.parametrize(
    ("content", "error"), [(b"", NotAnArtifact), (b"SQLite format 3\x00" + b"x" * 10, CorruptArtifact)]
)
def test_an_unsound_file_leaves_the_old_one_in_use(
    place: Path, tmp_path: Path, content: bytes, error: type[Exception]
) -> None:
    runtime = ToolRuntime.open(place)
    (tmp_path / "bad").write_bytes(content)
    os.replace(tmp_path / "bad", place)
    with pytest.raises(error):
        runtime.reload()
    assert runtime.resolve("send_note").tool == "desk/send_note"


def test_a_forked_child_resolves_dispatches_and_streams(place: Path) -> None:
    runtime = ToolRuntime.open(place)
    runtime.bind("desk/send_note", lambda **args: "sent")
    assert runtime.sync.dispatch("send_note").content == "sent"
    held, go = threading.Event(), threading.Event()

    def hold() -> None:
        with runtime.cache._lock:
            held.set()
            go.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    child = os.fork()
    if child == 0:
        try:
            same = runtime.resolve("send a note to my colleague").candidates[0].tool == "desk/send_note"
            sent = runtime.sync.dispatch("send_note").content == "sent"
            os._exit(0 if same and sent else 3)
        except BaseException:
            os._exit(4)
    go.set()
    holder.join()
    for _ in range(200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            break
        threading.Event().wait(0.05)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hung on a lock of its parent")
    runtime.close()
