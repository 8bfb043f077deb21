"""Dispatch: from an intent to a tool's result (CONCEPTS: behaviour 9)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from runtime_min import ToolRuntime, UnknownTool
from runtime_min.errors import (
    AmbiguousCall,
    Cancelled,
    DuplicateSignature,
    InvalidArguments,
    NamespaceViolation,
    NotBound,
    RateLimited,
    ToolFailed,
    ToolTimeout,
)
from runtime_min.events import ToolResult
from runtime_min.objects import SCData, SCToolReference
from runtime_min.overload import NUMBER, STRING, Param, Signature
from runtime_min.ratelimit import RateLimit

from .conftest import Recorder

MESSAGE = {"channel": "#release", "text": "done"}


def run(awaitable: Any) -> Any:
    return asyncio.run(awaitable)


def test_exact_text_passes_its_arguments_through(runtime: ToolRuntime, recorder: Recorder) -> None:
    for intent in ("slack/send_message", "slack.send_message", "Slack send-message"):
        result = run(runtime.dispatch(intent, MESSAGE))
        assert (result.tool, result.content, result.outcome) == ("slack/send_message", "ran slack/send_message", "ok")
    assert recorder.calls == [("slack/send_message", MESSAGE)] * 3


def test_an_unknown_intent_is_no_error_and_comes_with_proof_and_tier(runtime: ToolRuntime, recorder: Recorder) -> None:
    result = run(runtime.dispatch("sing me a lullaby"))
    assert (result.is_error, result.tool, result.outcome) == (False, None, "refine")
    assert str(result.resolution.tier) == "none"
    assert result.resolution.proof.to_dict()["steps"]
    assert 1 <= len(result.refinement.options) <= 5
    assert all(option.selector for option in result.refinement.options)
    assert [step["step"] for step in result.fallback_steps] == ["superclass", "broadened", "disambiguate"]
    assert "tool_refinement_needed" in result.to_dict()
    assert recorder.calls == []


def test_a_superclass_answers_for_its_subclass(runtime: ToolRuntime, recorder: Recorder) -> None:
    run(runtime.dispatch("drive.delete_file", {"path": "a.txt"}))
    assert recorder.calls == [("files/delete_file", {"path": "a.txt"})]
    assert runtime.can_handle("drive.delete_file")


def test_the_right_provider_of_two(runtime: ToolRuntime, recorder: Recorder) -> None:
    run(runtime.dispatch("send a message in the matrix room"))
    run(runtime.dispatch("send a message to the slack channel"))
    assert recorder.tools == ["matrix/send_message", "slack/send_message"]


def test_a_protocol_answers_with_its_preferred_class(runtime: ToolRuntime, recorder: Recorder) -> None:
    run(runtime.dispatch("messaging.send_message"))
    assert recorder.tools == ["slack/send_message"]


def test_after_swizzle_every_wording_gets_the_new_imp(runtime: ToolRuntime, recorder: Recorder) -> None:
    wordings = ["slack.send_message", "slack send message", "slack/send_message", "Slack: send message!"]
    for wording in wordings:
        run(runtime.dispatch(wording))
    former = runtime.swizzle("slack/send_message", lambda **args: "swizzled")
    assert former is None
    assert [run(runtime.dispatch(wording)).content for wording in wordings] == ["swizzled"] * 4
    swizzled = runtime.swizzle("slack/send_message", lambda **args: "again")
    assert run(runtime.dispatch(wordings[0])).content == "again"
    runtime.swizzle("slack/send_message", swizzled)
    assert run(runtime.dispatch(wordings[0])).content == "swizzled"
    runtime.swizzle("slack/send_message", None)
    assert run(runtime.dispatch(wordings[0])).content == "ran slack/send_message"


def test_a_swizzle_flushes_its_selector_and_no_other(runtime: ToolRuntime, recorder: Recorder) -> None:
    for intent in ("slack.send_message", "files.read_file"):
        runtime.resolve(intent)
    events: list[Any] = []
    runtime.cache.subscribe(events.append)
    runtime.swizzle("slack/send_message", print)
    assert [(event.kind, event.subject, event.entries) for event in events] == [("selector", "slack.send_message", 1)]
    assert runtime.cache.said("slack.send_message") is None
    assert runtime.cache.said("files.read_file") is not None


def test_two_intents_in_turn_ban_nothing(runtime: ToolRuntime, recorder: Recorder) -> None:
    for _ in range(5):
        run(runtime.dispatch("files.read_file", {"path": "a"}))
        run(runtime.dispatch("files.list_folder", {"path": "a"}))
    assert recorder.tools == ["files/read_file", "files/list_folder"] * 5


@pytest.mark.parametrize(
    ("args", "kinds"),
    [
        ({"channel": 3, "text": "x"}, ["mismatch"]),
        ({"channel": "x"}, ["missing"]),
        ({}, ["missing", "missing"]),
        ({"channel": "x", "text": "y", "nope": 1}, ["excess"]),
        ({"text": [], "nope": 1}, ["missing", "mismatch", "excess"]),
    ],
)
def test_wrong_arguments_are_an_error_that_names_tool_and_argument(
    runtime: ToolRuntime, recorder: Recorder, args: dict[str, Any], kinds: list[str]
) -> None:
    for intent in ("slack.send_message", "post a message to the slack channel"):
        with pytest.raises(InvalidArguments) as caught:
            run(runtime.dispatch(intent, args))
        assert caught.value.tool == "slack/send_message"
        assert [violation.kind for violation in caught.value.violations] == kinds
    assert recorder.calls == []
    assert run(runtime.dispatch("slack.send_message", MESSAGE)).outcome == "ok"


def test_arguments_that_are_no_object_or_have_no_end(runtime: ToolRuntime, recorder: Recorder) -> None:
    loop: dict[str, Any] = {}
    loop["me"] = loop
    with pytest.raises(InvalidArguments, match="cyclic"):
        run(runtime.send("slack/send_message", {"channel": loop, "text": "x"}))
    with pytest.raises(InvalidArguments, match="expected object, got array"):
        run(runtime.send("slack/send_message", ["x", "y"]))  # type: ignore[arg-type]


def test_the_intent_alone_is_sent_unchecked(runtime: ToolRuntime, recorder: Recorder) -> None:
    run(runtime.dispatch("slack.send_message"))
    assert recorder.calls == [("slack/send_message", {})]


def test_what_is_not_bound_says_so(runtime: ToolRuntime) -> None:
    with pytest.raises(NotBound, match="slack/send_message: nothing is bound to this tool") as caught:
        run(runtime.dispatch("slack.send_message"))
    assert caught.value.tool == "slack/send_message"
    assert caught.value.hint.startswith("bind it")


def test_what_is_not_in_the_artifact_cannot_be_bound_or_swizzled(runtime: ToolRuntime) -> None:
    for attempt in (runtime.bind, runtime.swizzle):
        with pytest.raises(UnknownTool, match="no tool 'slack/nothing'"):
            attempt("slack/nothing", print)
    with pytest.raises(UnknownTool, match="no tool class 'nobody'"):
        runtime.bind_provider("nobody", {})
    with pytest.raises(TypeError, match="neither a callable nor an imp: int"):
        runtime.bind("slack/send_message", 3)


def test_a_tool_that_raises(runtime: ToolRuntime) -> None:
    def broken(**args: Any) -> None:
        raise KeyError("x")

    runtime.bind("slack/send_message", broken)
    with pytest.raises(ToolFailed, match="slack/send_message: KeyError: 'x'") as caught:
        run(runtime.dispatch("slack.send_message"))
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_function_that_does_not_take_the_arguments(runtime: ToolRuntime) -> None:
    runtime.bind("slack/send_message", lambda: None)
    with pytest.raises(ToolFailed, match="unexpected keyword argument"):
        run(runtime.dispatch("slack.send_message", MESSAGE))


@pytest.mark.parametrize("kind", ["async", "sync", "stream"])
def test_a_tool_that_hangs_is_stopped_in_time(runtime: ToolRuntime, kind: str) -> None:
    import threading

    ended = threading.Event()

    async def hang(**args: Any) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def silent(**args: Any) -> Any:
        try:
            yield "one"
            await asyncio.sleep(60)
        finally:
            ended.set()

    def block(**args: Any) -> None:
        ended.wait(1)

    runtime.bind("slack/send_message", {"async": hang, "stream": silent, "sync": block}[kind])
    with pytest.raises(ToolTimeout, match=r"slack/send_message: nothing for 0.05 s") as caught:
        run(runtime.dispatch("slack.send_message", timeout=0.05))
    assert caught.value.retryable
    assert ended.is_set() or kind == "sync"
    ended.set()


def test_the_time_out_of_the_runtime_holds_for_every_tool(artifact: Any) -> None:
    runtime = ToolRuntime.open(artifact, timeout=0.05)
    runtime.bind("slack/send_message", lambda **args: asyncio.sleep(60))
    with pytest.raises(ToolTimeout):
        run(runtime.dispatch("slack.send_message"))


def test_a_time_out_of_the_tool_itself_is_its_failure(runtime: ToolRuntime) -> None:
    async def inner(**args: Any) -> None:
        raise TimeoutError("upstream")

    runtime.bind("slack/send_message", inner)
    with pytest.raises(ToolFailed, match="TimeoutError: upstream"):
        run(runtime.dispatch("slack.send_message", timeout=5))


def test_a_tool_that_never_ends_is_cut_off(runtime: ToolRuntime, monkeypatch: pytest.MonkeyPatch) -> None:
    from runtime_min import execution

    monkeypatch.setattr(execution, "MAX_PIECES", 100)

    def forever(**args: Any) -> Any:
        while True:
            yield "x"

    runtime.bind("slack/send_message", forever)
    with pytest.raises(ToolFailed, match="slack/send_message: more than 100 pieces and no end"):
        run(runtime.dispatch("slack.send_message"))


def test_cancelling_the_task_cancels_the_tool(runtime: ToolRuntime) -> None:
    seen = []

    async def tool(**args: Any) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def main() -> None:
        runtime.bind("slack/send_message", tool)
        task = asyncio.create_task(runtime.dispatch("slack.send_message"))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1

    run(main())
    assert seen == ["cancelled"]


def test_a_tool_that_cancels_itself_is_an_error_and_no_cancellation(runtime: ToolRuntime) -> None:
    async def tool(**args: Any) -> None:
        raise asyncio.CancelledError

    runtime.bind("slack/send_message", tool)
    with pytest.raises(Cancelled, match="slack/send_message: cancelled itself"):
        run(runtime.dispatch("slack.send_message"))


def test_objects_unwrap_at_the_tool_and_wrap_where_it_asks_for_them(runtime: ToolRuntime) -> None:
    seen: list[Any] = []

    def plainly(**args: Any) -> None:
        seen.append(args["text"])

    def wrapped(channel: Any, text: SCData) -> None:
        seen.append(text)

    original = {"a": [1]}
    for function in (plainly, wrapped):
        runtime.bind("slack/send_message", function)
        imp = runtime.imps.bound("slack/send_message")
        imp.start({"channel": "x", "text": SCData(original)})
        imp.start({"channel": "x", "text": original})
    assert seen == [original, original, SCData(original), SCData(original)]
    seen[1]["a"].append(2)
    assert original == {"a": [1]}, "a tool gets a copy"


def test_a_tool_sends_to_a_tool_it_was_handed(runtime: ToolRuntime, recorder: Recorder) -> None:
    async def relay(channel: str, text: SCToolReference) -> str:
        inner = await text.send({"path": channel})
        return f"relayed: {inner.content}"

    runtime.bind("slack/send_message", relay)
    imp = runtime.imps.bound("slack/send_message")

    async def main() -> str:
        return await imp.start({"channel": "a.txt", "text": runtime.reference("files/read_file")})

    assert run(main()) == "relayed: ran files/read_file"
    assert recorder.calls == [("files/read_file", {"path": "a.txt"})]


def test_a_result_of_a_tool_keeps_its_own_word_for_failure(runtime: ToolRuntime) -> None:
    runtime.bind(
        "slack/send_message", lambda **args: ToolResult("no such channel", is_error=True, structured={"code": 4})
    )
    result = run(runtime.dispatch("slack.send_message"))
    assert (result.is_error, result.content, result.structured, result.tool) == (
        True,
        "no such channel",
        {"code": 4},
        "slack/send_message",
    )
    assert result.outcome == "error"


def test_overloaded_imps_are_picked_by_their_arguments(runtime: ToolRuntime) -> None:
    by_text = Signature((Param("channel", STRING), Param("text", STRING)))
    longer = Signature((Param("channel", STRING), Param("text", STRING), Param("thread_ts", STRING)))
    runtime.bind("slack/send_message", lambda **args: "two", signature=by_text)
    runtime.bind("slack/send_message", lambda **args: "three", signature=longer)
    assert run(runtime.dispatch("slack.send_message", MESSAGE)).content == "two"
    with pytest.raises(InvalidArguments) as caught:
        run(runtime.send("slack/send_message"))
    assert {violation.kind for violation in caught.value.violations} == {"missing"}
    with pytest.raises(DuplicateSignature):
        runtime.bind("slack/send_message", print, signature=by_text)
    runtime.bind(
        "slack/send_message",
        lambda **args: "",
        signature=Signature((Param("channel", STRING), Param("n", NUMBER, False), Param("text", STRING))),
    )
    runtime.bind(
        "slack/send_message",
        lambda **args: "",
        signature=Signature((Param("channel", STRING), Param("m", NUMBER, False), Param("text", STRING))),
    )
    with pytest.raises(AmbiguousCall, match=r"fit .* equally well"):
        run(runtime.dispatch("slack.send_message", MESSAGE))


def test_a_protected_selector_cannot_be_swizzled(runtime: ToolRuntime, recorder: Recorder) -> None:
    runtime.namespaces.protect("slack", ["slack.send_message"])
    with pytest.raises(NamespaceViolation, match=r"'slack.send_message' is protected"):
        runtime.swizzle("slack/send_message", print)
    runtime.namespaces.unregister("slack")
    runtime.namespaces.protect("slack", ["slack.send_message"], swizzlable=True)
    runtime.swizzle("slack/send_message", lambda **args: "new")
    assert run(runtime.dispatch("slack.send_message")).content == "new"


def test_a_client_that_floods_is_held_back_alone(artifact: Any) -> None:
    runtime = ToolRuntime.open(artifact, rate_limit=RateLimit(maximum=2, window=60))
    for _ in range(2):
        runtime.resolve("read a file", client="a")
    with pytest.raises(RateLimited) as caught:
        run(runtime.dispatch("read a file", client="a"))
    assert caught.value.retryable
    runtime.resolve("read a file", client="b")
    runtime.resolve("read a file")


def test_the_whole_of_json_schema_when_asked_for_by_name(artifact: Any) -> None:
    runtime = ToolRuntime.open(artifact, validate="jsonschema")
    runtime.bind("slack/send_message", lambda **args: "ran")
    result = run(runtime.dispatch("slack.send_message", MESSAGE))
    assert result.steps[-1].detail["how"] == "jsonschema"
    with pytest.raises(InvalidArguments, match="required"):
        run(runtime.dispatch("slack.send_message", {"channel": "x"}))
    with pytest.raises(ValueError, match="'compiled' or 'jsonschema', not 'maybe'"):
        ToolRuntime.open(artifact, validate="maybe")
