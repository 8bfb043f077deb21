"""Replay: a proof asked again gives itself, or says what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min import ToolRuntime
from runtime_min.replay import replay

WORDS = "send message file read weather in paris create an issue delete note not search 42 slack the 天気".split()


@pytest.fixture(scope="module")
def one(artifact: Path) -> ToolRuntime:
    return ToolRuntime.open(artifact)


@pytest.fixture(scope="module")
def other(artifact: Path) -> ToolRuntime:
    return ToolRuntime.open(artifact)


@settings(max_examples=2000, deadline=None)
@given(
    intent=st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join) | st.text(max_size=30),
    args=st.none()
    | st.dictionaries(
        st.sampled_from(["text", "path", "x"]), st.sampled_from(["a", 1, None, [], {}, True]), min_size=1
    ),
    k=st.sampled_from([5, 1, 9]),
    among=st.none()
    | st.sets(st.sampled_from(["slack/send_message", "files/read_file", "notes/delete_note"]), min_size=1),
)
def test_a_replay_equals_the_original(
    one: ToolRuntime, other: ToolRuntime, intent: str, args: object, k: int, among: object
) -> None:
    proof = json.loads(json.dumps(one.resolve(intent, args, k=k, among=among).proof.to_dict()))  # type: ignore[arg-type]
    again = replay(proof, other)
    assert again.differences == ()
    assert again.same


def test_a_proof_does_not_hold_the_values_of_arguments(one: ToolRuntime) -> None:
    assert "secret" not in json.dumps(one.resolve("send a message", {"text": "secret"}).proof.to_dict())


def test_another_runtime_says_where_it_differs(one: ToolRuntime, artifact: Path) -> None:
    taught = ToolRuntime.open(artifact)
    taught.resolve_refinement("ping everybody", "slack/send_message")
    found = replay(taught.resolve("ping everybody").proof, one)
    assert not found.same
    assert any("/steps" in line for line in found.differences)
    changed = {**one.resolve("send a message").proof.to_dict(), "artifact": "0" * 64}
    assert replay(changed, one).differences == (f'/artifact: "{"0" * 64}" -> "{one.artifact.digest}"',)
