"""Whatever is sent, the answer is a result or one of our errors, and the runtime is usable afterwards."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime_min import DispatchError, ToolRuntime
from runtime_min.objects import SCArray, SCData, SCObject, SCSelector, SCToolReference

from .conftest import Recorder

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "schemas" / "proof.schema.json").read_text())
WORDS = [
    *"send message read file delete note weather paris ; then and - 1. drive.delete_file messaging.send".split(),
    "\n",
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(
        [SCObject(), SCData({"a": 1}), SCArray([1]), SCSelector("x"), SCToolReference("a/b"), b"x", {1}, object()]
    ),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(), below, max_size=3),
    max_leaves=5,
)
ARGS = st.none() | st.dictionaries(
    st.sampled_from(["path", "text", "channel", "x"]) | st.integers(), VALUES, max_size=4
)
INTENTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=40)


@pytest.fixture(scope="module")
def one(artifact: Path) -> ToolRuntime:
    runtime = ToolRuntime.open(artifact)
    Recorder(runtime)
    return runtime


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(INTENTS, ARGS | st.lists(VALUES, max_size=2))
def test_a_dispatch_gives_a_result_or_one_of_our_errors(one: ToolRuntime, intent: str, args: Any) -> None:
    with suppress(DispatchError):
        json.dumps(asyncio.run(one.dispatch(intent, args)).to_dict())
    events = asyncio.run(_collect(one, intent, args))
    assert [event["type"] for event in events].count("resolving") >= 1
    assert events[-1]["type"] in ("done", "error")
    json.dumps(events)


async def _collect(runtime: ToolRuntime, intent: str, args: Any) -> list[dict[str, Any]]:
    return [event.to_dict() async for event in runtime.dispatch_stream(intent, args)]


@settings(max_examples=150, deadline=None)
@given(INTENTS)
def test_what_was_learned_and_pinned_keeps_proofs_in_their_schema(artifact: Path, intent: str) -> None:
    runtime = ToolRuntime.open(artifact)
    runtime.resolve_refinement("send the message", "slack/send_message")
    runtime.correct("read the file", "files/read_file")
    runtime.pin("notes/delete_note")
    jsonschema.validate(runtime.resolve(intent).to_dict(), SCHEMA)


def test_a_huge_argument_is_passed_or_refused_in_bounded_time(one: ToolRuntime) -> None:
    text = "x" * 5_000_000
    result = asyncio.run(one.dispatch("slack.send_message", {"channel": "#a", "text": text}))
    assert result.content == "ran slack/send_message"
    with pytest.raises(DispatchError):
        asyncio.run(one.dispatch("slack.send_message", {"channel": "#a", "text": ["x"] * 1_000_001}))


def test_a_tool_whose_message_cannot_be_read(runtime: ToolRuntime) -> None:
    class Nasty(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def tool(**args: Any) -> None:
        raise Nasty

    runtime.bind("slack/send_message", tool)
    with pytest.raises(DispatchError, match="Nasty: a message that cannot be read"):
        asyncio.run(runtime.dispatch("slack.send_message"))
