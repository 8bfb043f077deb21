"""Overlays: tools that come and go on top of an artifact."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from runtime_min import Tier, ToolRuntime, UnknownTool
from runtime_min.errors import InvalidArguments, NamespaceViolation
from runtime_min.overlay import BadTool

ROAST = {
    "name": "roast_coffee_beans",
    "description": "Roast green coffee beans to a chosen degree in the drum roaster.",
    "inputSchema": {
        "type": "object",
        "properties": {"degree": {"type": "string"}, "minutes": {"type": "integer"}},
        "required": ["degree"],
    },
    "compilerHints": {"aliases": ["make it dark"]},
}
GRIND = {
    "name": "grind_beans",
    "description": "Grind roasted coffee beans for the espresso machine.",
    "inputSchema": {},
}
INTENT = "roast the coffee beans in the drum"


def test_an_overlay_is_found_by_name_and_by_meaning_and_taken_off_again(runtime: ToolRuntime) -> None:
    before = runtime.resolve(INTENT).to_dict()
    overlay = runtime.overlay([ROAST, GRIND], provider="kitchen")
    assert overlay.paths == ["kitchen/roast_coffee_beans", "kitchen/grind_beans"]
    for name in ("kitchen/roast_coffee_beans", "kitchen.roast_coffee_beans", "roast coffee beans", "Make it dark!"):
        assert runtime.resolve(name).tool == "kitchen/roast_coffee_beans"
        assert runtime.resolve(name).tier is Tier.EXACT
    assert runtime.resolve(INTENT).candidates[0].tool == "kitchen/roast_coffee_beans"
    assert runtime.resolve("grind the beans for an espresso").candidates[0].tool == "kitchen/grind_beans"
    overlay.remove()
    assert runtime.resolve(INTENT).to_dict() == before
    with pytest.raises(UnknownTool):
        runtime.bind("kitchen/grind_beans", print)


def test_the_artifacts_tools_answer_as_before(runtime: ToolRuntime) -> None:
    intents = [
        "read the file a.txt",
        "post a message to the slack channel",
        "slack.send_message",
        "what is the weather",
    ]
    before = [runtime.resolve_anew(intent).to_dict() for intent in intents]
    with runtime.overlay([ROAST, GRIND], provider="kitchen"):
        for intent, answer in zip(intents, before, strict=True):
            now = runtime.resolve_anew(intent).to_dict()
            assert now["tool"] == answer["tool"]
            assert now["candidates"][0]["score"] == answer["candidates"][0]["score"]


def test_an_overlay_tool_is_dispatched_and_its_arguments_are_checked(runtime: ToolRuntime) -> None:
    with runtime.overlay([ROAST], provider="kitchen"):
        runtime.bind("kitchen/roast_coffee_beans", lambda **args: f"roasted {args['degree']}")
        assert asyncio.run(runtime.dispatch("make it dark", {"degree": "city"})).content == "roasted city"
        with pytest.raises(InvalidArguments, match="/minutes: mismatch"):
            asyncio.run(runtime.dispatch("make it dark", {"degree": "city", "minutes": "ten"}))
        assert runtime.snapshot.proxy("kitchen/roast_coffee_beans").selector == "kitchen.roast_coffee_beans"
        assert "## kitchen" in runtime.generate_header(10_000)
        assert runtime.snapshot.classes.get("kitchen").can_handle("roast_coffee_beans")


def test_arguments_leave_out_overlay_tools_that_cannot_take_them(runtime: ToolRuntime) -> None:
    with runtime.overlay([ROAST], provider="kitchen"):
        assert "kitchen/roast_coffee_beans" not in [c.tool for c in runtime.resolve(INTENT, {"degree": 3}).candidates]


def test_an_overlay_can_join_a_class_of_the_artifact(runtime: ToolRuntime) -> None:
    with runtime.overlay([{"name": "pin_message", "description": "Pin a message in a channel"}], provider="slack"):
        assert runtime.snapshot.classes.get("slack").can_handle("pin_message")
        assert runtime.snapshot.classes.get("slack").can_handle("send_message")
        assert runtime.resolve("slack.pin_message").tier is Tier.EXACT
    assert not runtime.snapshot.classes.get("slack").can_handle("pin_message")


def test_overlays_come_and_go_independently(runtime: ToolRuntime) -> None:
    one = runtime.overlay([ROAST], provider="kitchen")
    other = runtime.overlay([GRIND], provider="kitchen")
    one.remove()
    assert runtime.resolve("grind_beans").tool == "kitchen/grind_beans"
    assert runtime.resolve("roast_coffee_beans").tier is not Tier.EXACT
    other.remove()
    one.remove()
    assert runtime.added == ()


@pytest.mark.parametrize(
    ("tools", "provider", "says"),
    [
        ([{"description": "no name"}], "kitchen", "a tool of 'kitchen' has no name"),
        (["text"], "kitchen", "a tool of 'kitchen' has no name"),
        ([ROAST], "a/b", "'a/b' is no provider's name"),
        ([ROAST, ROAST], "kitchen", "there is a tool 'kitchen/roast_coffee_beans' already"),
        ([{"name": "send_message"}], "slack", "there is a tool 'slack/send_message' already"),
        ([{"name": f"t{number}"} for number in range(257)], "kitchen", "257 tools are too many"),
    ],
)
def test_what_is_no_tool_or_has_a_taken_name_is_refused_whole(
    runtime: ToolRuntime, tools: list[Any], provider: str, says: str
) -> None:
    with pytest.raises(BadTool, match=says):
        runtime.overlay(tools, provider=provider)
    assert runtime.added == ()


def test_a_protected_selector_is_not_overlaid(runtime: ToolRuntime) -> None:
    runtime.namespaces.protect("core", ["kitchen.grind_beans"])
    with pytest.raises(NamespaceViolation, match=r"'kitchen.grind_beans' is protected: it belongs to 'core'"):
        runtime.overlay([GRIND], provider="kitchen")
    assert runtime.added == ()


def test_learned_choices_and_pins_reach_overlay_tools(runtime: ToolRuntime) -> None:
    overlay = runtime.overlay([ROAST, GRIND], provider="kitchen")
    runtime.resolve_refinement("the usual please", "kitchen/roast_coffee_beans")
    assert runtime.resolve("the usual please").tool == "kitchen/roast_coffee_beans"
    runtime.pin("kitchen/grind_beans")
    assert runtime.resolve("grind_beans").tool == "kitchen/grind_beans"
    assert runtime.resolve("grind the beans for an espresso").tool != "kitchen/grind_beans"
    overlay.remove()
    assert runtime.resolve("the usual please").tool != "kitchen/roast_coffee_beans"


def test_nothing_is_written(runtime: ToolRuntime, artifact: Path) -> None:
    before = artifact.read_bytes(), sorted(artifact.parent.iterdir())
    with runtime.overlay([ROAST], provider="kitchen"):
        runtime.resolve(INTENT)
    assert (artifact.read_bytes(), sorted(artifact.parent.iterdir())) == before
