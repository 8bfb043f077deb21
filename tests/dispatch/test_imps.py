"""Who answers for a tool: bound functions, transports, objects and mappings of a provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from runtime_min import ToolRuntime
from runtime_min.errors import NotBound
from runtime_min.proxy import ToolProxy

POST = {"channel": "#a", "text": "b"}


def run(runtime: ToolRuntime, path: str, args: Mapping[str, Any] | None = None) -> Any:
    return asyncio.run(runtime.send(path, args)).content


class Wire:
    """A transport with two tiers."""

    async def execute(self, tool: ToolProxy, args: Mapping[str, Any]) -> Any:
        return f"{tool.path} {dict(args)}"

    async def execute_stream(self, tool: ToolProxy, args: Mapping[str, Any]) -> AsyncIterator[str]:
        if tool.path != "slack/search_messages":
            raise NotImplementedError
        yield "one "
        yield "two"


def test_a_transport_answers_for_all_tools_of_its_provider_by_its_best_tier(runtime: ToolRuntime) -> None:
    runtime.bind_provider("slack", Wire())
    assert run(runtime, "slack/send_message", POST) == f"slack/send_message {POST}"
    assert run(runtime, "slack/search_messages", {"query": "x"}) == "one two"
    with pytest.raises(NotBound):
        run(runtime, "matrix/send_message")


def test_a_mapping_or_an_object_answers_by_the_names_of_its_functions(runtime: ToolRuntime) -> None:
    runtime.bind_provider("slack", {"send_message": lambda **args: "mapped"})
    assert run(runtime, "slack/send_message", POST) == "mapped"
    with pytest.raises(NotBound, match="slack/set_status"):
        run(runtime, "slack/set_status")
    former = runtime.bind_provider("slack", SimpleNamespace(set_status=lambda text: f"set {text}", topic="x"))
    assert list(former) == ["send_message"]
    assert run(runtime, "slack/set_status", {"text": "away"}) == "set away"


def test_what_is_bound_to_a_tool_goes_before_its_provider(runtime: ToolRuntime) -> None:
    runtime.bind_provider("slack", Wire())
    runtime.bind("slack/send_message", lambda **args: "mine")
    assert run(runtime, "slack/send_message", POST) == "mine"
    runtime.bind_provider("slack", None)
    assert run(runtime, "slack/send_message", POST) == "mine"


def test_any_kind_of_callable_can_be_bound(runtime: ToolRuntime) -> None:
    class Callable:
        def __call__(self, channel: str, text: str) -> str:
            return f"{channel}: {text}"

        def method(self, channel: str, text: str) -> str:
            return f"method {text}"

    for target, content in ((Callable(), "#a: b"), (Callable().method, "method b")):
        runtime.bind("slack/send_message", target)
        assert run(runtime, "slack/send_message", POST) == content


def test_a_bound_class_is_called_and_not_taken_for_an_imp(runtime: ToolRuntime) -> None:
    class Result:
        def __init__(self, channel: str, text: str) -> None:
            self.text = text

        def execute(self) -> None:
            raise AssertionError

    runtime.bind("slack/send_message", Result)
    assert run(runtime, "slack/send_message", POST).text == "b"
