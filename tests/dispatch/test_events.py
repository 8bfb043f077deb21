"""Events and results as JSON."""

from __future__ import annotations

import json

from runtime_min.errors import InvalidArguments, ToolTimeout, Violation
from runtime_min.events import Chunk, Error, InferenceDelta, Resolving, ToolResult, ToolStart
from runtime_min.objects import SCData, SCToolReference


def test_events_are_json_with_their_type_first() -> None:
    assert Resolving("find flights").to_dict() == {"type": "resolving", "intent": "find flights"}
    assert Resolving("find flights", step=1).to_dict() == {"type": "resolving", "intent": "find flights", "step": 1}
    assert ToolStart("p/t", "p.t", "high", 0.9).to_dict() == {
        "type": "tool-start",
        "tool": "p/t",
        "selector": "p.t",
        "tier": "high",
        "confidence": 0.9,
    }
    assert Chunk({"a": 1}, 0).to_dict() == {"type": "chunk", "content": {"a": 1}, "index": 0}
    assert InferenceDelta("hi", 2).to_dict() == {"type": "inference-delta", "text": "hi", "index": 2}


def test_an_error_event_says_code_tool_and_whether_to_try_again() -> None:
    assert Error(ToolTimeout("p/t took longer than 1 s", tool="p/t")).to_dict() == {
        "type": "error",
        "code": "tool-timeout",
        "message": "p/t took longer than 1 s",
        "tool": "p/t",
        "retryable": True,
    }


def test_invalid_arguments_tell_all_violations() -> None:
    error = InvalidArguments(
        [Violation("/a", "missing", "string", "nothing"), Violation("/b", "excess", "no such argument", "number")],
        tool="p/t",
    )
    assert str(error) == (
        "p/t: /a: missing: expected string, got nothing; /b: excess: expected no such argument, got number"
    )


def test_what_json_cannot_say_is_named_by_its_type() -> None:
    result = ToolResult({"file": object(), "data": SCData([1]), "tool": SCToolReference("p/t"), "set": {1}})
    assert json.loads(json.dumps(result.to_dict()))["content"] == {
        "file": "<object>",
        "data": [1],
        "tool": "SCToolReference('p/t')",
        "set": "<set>",
    }
