"""The chain: what is tried when a message is not clear, and in which order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_min import Tier, ToolRuntime
from runtime_min.confidence import Cuts
from runtime_min.decompose import decompose
from runtime_min.proof import Option

from .conftest import Recorder

UNCLEAR = "ping everybody about lunch"


def run(awaitable: Any) -> Any:
    return asyncio.run(awaitable)


@pytest.mark.parametrize(
    ("intent", "parts"),
    [
        ("list the files and then send an email", ["list the files", "send an email"]),
        ("list the files, then send an email", ["list the files", "send an email"]),
        (
            "create an issue; post it in slack; close the door",
            ["create an issue", "post it in slack", "close the door"],
        ),
        ("1. list the files\n2. send an email", ["list the files", "send an email"]),
        ("- list the files\n- send an email", ["list the files", "send an email"]),
        ("first list the files, then send an email.", ["list the files", "send an email"]),
        ("read the file and also check the weather", ["read the file", "check the weather"]),
        ('post "first this and then that" in slack', []),
        ("find flights from Paris and Rome", []),
        ("My file is gone. Please help me.", []),
        ("wait; what", []),
        ("then", []),
        ("", []),
        ("x y; " * 50, []),
    ],
)
def test_only_plain_seams_are_cut(intent: str, parts: list[str]) -> None:
    assert decompose(intent) == parts


@given(st.text("ab;\"'`“”\n \x001-.then", max_size=200))
def test_any_text_decomposes_into_its_own_words(text: str) -> None:
    for part in decompose(text):
        assert part


VERIFY_ALL = Cuts(fit=0.0, high=2.0, medium=0.0, apart=0.0)
"""Nothing is HIGH and everything MEDIUM."""


@pytest.fixture
def wary(artifact: Path) -> ToolRuntime:
    return ToolRuntime.open(artifact, cuts=VERIFY_ALL)


def verified(result: Any) -> Any:
    return next(step for step in result.fallback_steps if step["step"] == "verify")


def test_a_medium_choice_runs_when_verified(wary: ToolRuntime) -> None:
    recorder = Recorder(wary)
    result = run(wary.dispatch("post a message to the slack channel", {"channel": "#a", "text": "b"}))
    assert result.resolution.tier is Tier.MEDIUM
    assert verified(result)["passed"] is True
    assert recorder.tools == ["slack/send_message"]


def test_a_medium_choice_whose_arguments_do_not_fit_is_asked_about(wary: ToolRuntime) -> None:
    recorder = Recorder(wary)
    result = run(wary.dispatch("post a message to the slack channel", {"channel": "#a"}))
    assert result.outcome == "refine"
    assert verified(result)["violations"] == ["/text: missing: expected string, got nothing"]
    assert recorder.calls == []


def test_a_medium_choice_that_the_letters_do_not_confirm_is_asked_about(wary: ToolRuntime) -> None:
    recorder = Recorder(wary)
    result = run(wary.dispatch(UNCLEAR))
    assert result.outcome == "refine"
    step = verified(result)
    assert step["responds"]
    assert step["agreement"] <= 0.1 or step["agreement"] < step["best_other"]
    assert recorder.calls == []


def test_a_medium_choice_that_nobody_answers_for_is_not_run(wary: ToolRuntime) -> None:
    result = run(wary.dispatch("post a message to the slack channel"))
    assert result.outcome == "refine"
    assert verified(result)["responds"] is False


@pytest.mark.parametrize("asynchronous", [True, False])
def test_the_hosts_disambiguator_decides_what_is_unclear(
    runtime: ToolRuntime, recorder: Recorder, asynchronous: bool
) -> None:
    def choose(intent: str, options: Sequence[Option]) -> str:
        assert intent == UNCLEAR
        return options[0].selector

    async def choose_later(intent: str, options: Sequence[Option]) -> str:
        return choose(intent, options)

    runtime.disambiguator = choose_later if asynchronous else choose
    result = run(runtime.dispatch(UNCLEAR))
    assert recorder.tools == [result.tool]
    assert result.fallback_steps[-1]["step"] == "disambiguate"
    assert result.fallback_steps[-1]["tool"] == result.tool


@pytest.mark.parametrize("answer", [None, "no/such_tool", 3, "files/delete_file", ValueError("down")])
def test_a_disambiguator_that_does_not_help_leaves_the_question(
    runtime: ToolRuntime, recorder: Recorder, answer: Any
) -> None:
    def choose(intent: str, options: Sequence[Option]) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    runtime.disambiguator = choose
    result = run(runtime.dispatch(UNCLEAR))
    assert result.outcome == "refine"
    assert recorder.calls == []
    last = result.fallback_steps[-1]
    assert last.get("failed") == ("ValueError: down" if isinstance(answer, Exception) else None)


def test_the_choice_of_a_disambiguator_is_checked(runtime: ToolRuntime, recorder: Recorder) -> None:
    runtime.disambiguator = lambda intent, options: "slack/send_message"
    result = run(runtime.dispatch("message lullaby", {"no_such_argument": 1}))
    assert result.outcome == "refine"
    assert result.fallback_steps[-1]["violations"]
    assert recorder.calls == []


def test_arguments_pick_among_tools_that_cannot_be_told_apart(runtime: ToolRuntime, recorder: Recorder) -> None:
    resolution = runtime.resolve("search_messages")
    if not resolution.ambiguous:
        pytest.fail(f"{resolution.to_dict()}")
    assert run(runtime.dispatch("search_messages")).outcome == "refine"
    slack = {p.name for s in runtime.snapshot.proxy("slack/search_messages").signatures for p in s.params}
    matrix = {p.name for s in runtime.snapshot.proxy("matrix/search_messages").signatures for p in s.params}
    assert slack != matrix, "the fixtures must tell them apart"


def test_the_parts_of_a_message_take_their_own_arguments(runtime: ToolRuntime, recorder: Recorder) -> None:
    intent = "list the files in the folder and then send an email to anna"
    result = run(runtime.dispatch(intent, {"no_part_takes_this": 1}))
    assert result.outcome == "refine"
    assert recorder.calls == []


def test_one_unclear_part_stops_all(runtime: ToolRuntime, recorder: Recorder) -> None:
    runtime.decomposer = lambda intent: ["list the files in the folder", "sing me a lullaby"]
    for intent in ("list the files in the folder and then sing me a lullaby", "folder lullaby mail"):
        run(runtime.dispatch(intent))
    assert [tool for tool in recorder.tools if tool != "files/list_folder"] == []
