"""What a runtime remembers and guards, as its resolutions show it (CONCEPTS: behaviours 3, 8, 11)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from runtime_min import Tier, ToolRuntime, UnknownTool
from runtime_min.errors import PinViolation

from .conftest import Recorder

UNCLEAR = "ping everybody about lunch"


def run(awaitable: Any) -> Any:
    return asyncio.run(awaitable)


def steps(resolution: Any) -> list[str]:
    return [step.name for step in resolution.proof.steps]


def test_an_answered_refinement_is_never_asked_again(runtime: ToolRuntime, recorder: Recorder) -> None:
    asked = run(runtime.dispatch(UNCLEAR))
    assert asked.refinement is not None
    runtime.resolve_refinement(UNCLEAR, "slack/send_message")
    for wording in (UNCLEAR, "Ping everybody, about lunch!"):
        resolution = runtime.resolve(wording)
        assert (resolution.tool, resolution.tier, resolution.confidence) == ("slack/send_message", Tier.EXACT, 1.0)
        assert steps(resolution) == ["semantic_map", "decide"], "before any search"
    assert run(runtime.dispatch(UNCLEAR)).content == "ran slack/send_message"


def test_a_choice_is_given_by_tool_or_by_selector(runtime: ToolRuntime) -> None:
    runtime.resolve_refinement(UNCLEAR, "slack.send_message")
    assert runtime.resolve(UNCLEAR).tool == "slack/send_message"
    for unknown in ("slack/nothing", "nothing.at_all"):
        with pytest.raises(UnknownTool):
            runtime.resolve_refinement(UNCLEAR, unknown)


def test_a_similar_intent_leans_towards_the_choice_and_the_proof_says_so(runtime: ToolRuntime) -> None:
    similar = "ping everybody about the lunch"
    before = runtime.resolve("please ping everybody about a lunch today")
    for _ in range(3):
        runtime.resolve_refinement("ping everybody about lunch today", "slack/send_message")
    after = runtime.resolve("please ping everybody about a lunch today")
    assert after.tool == "slack/send_message"
    assert after.tier is not Tier.EXACT
    assert after.confidence > next((c.confidence for c in before.candidates if c.tool == after.tool), 0.0)
    boost = next(step for step in after.proof.steps if step.name == "semantic_map").detail["boosts"][0]
    assert boost["times"] == 3
    assert boost["similarity"] > 0.8
    assert runtime.resolve(similar).tool is None or runtime.resolve(similar).tier is not Tier.EXACT


def test_what_was_learned_does_not_move_other_intents(runtime: ToolRuntime) -> None:
    others = ["read the file notes.txt", "what is the weather in paris", "create an issue about the login page"]
    before = [runtime.resolve_anew(intent).to_dict() for intent in others]
    runtime.resolve_refinement(UNCLEAR, "slack/send_message")
    assert [runtime.resolve_anew(intent).to_dict() for intent in others] == before


def test_among_holds_for_learned_choices_too(runtime: ToolRuntime) -> None:
    runtime.resolve_refinement(UNCLEAR, "slack/send_message")
    assert runtime.resolve(UNCLEAR, among=["matrix/send_message", "mail/send_email"]).tool != "slack/send_message"


def test_a_correction_takes_the_tool_from_that_intent(runtime: ToolRuntime, recorder: Recorder) -> None:
    intent = "open a new issue about the login bug"
    assert runtime.resolve(intent).tool == "github/create_issue"
    runtime.correct(intent, "github/create_issue")
    corrected = runtime.resolve(intent)
    assert corrected.tool != "github/create_issue" or corrected.tier in (Tier.LOW, Tier.NONE)
    assert "observer" in steps(corrected)
    run(runtime.dispatch(intent))
    assert "github/create_issue" not in recorder.tools
    runtime.correct(intent, "github/create_issue", right="github/create_issue")
    assert runtime.resolve(intent).tier is Tier.EXACT


def test_three_corrections_ask_more_of_a_tool(runtime: ToolRuntime) -> None:
    for number in range(3):
        runtime.correct(f"some unrelated request number {number}", "slack/send_message")
    assert runtime.learned.observer.raised("slack/send_message", runtime.cuts.high) == round(
        runtime.cuts.high + 0.03, 6
    )
    raised = runtime.resolve("send a message to the slack channel")
    assert {"tool": "slack/send_message", "cut": 0.85, "raised": 0.88} in [step.detail for step in raised.proof.steps]
    runtime.learned.reset()
    assert "observer" not in steps(runtime.resolve("send a message to the slack channel"))


def test_learned_state_travels(runtime: ToolRuntime, artifact: Path, tmp_path: Path) -> None:
    runtime.resolve_refinement(UNCLEAR, "slack/send_message")
    runtime.learned.save(tmp_path / "learned.json")
    other = ToolRuntime.open(artifact)
    assert other.learned.load(tmp_path / "learned.json") == []
    assert other.resolve(UNCLEAR).tier is Tier.EXACT


def test_a_pinned_tool_is_reached_by_name_only(runtime: ToolRuntime, recorder: Recorder) -> None:
    runtime.pin("files/delete_file", aliases=["shred the file"])
    for intent in ("files.delete_file", "files/delete_file", "delete_file", "Shred the file!"):
        run(runtime.dispatch(intent))
    assert recorder.tools == ["files/delete_file"] * 4
    recorder.calls.clear()
    for asking in range(10):
        for intent in ("archive the file safely", "delete the file a.txt", "shred the files", "drive.delete_file"):
            run(runtime.dispatch(intent))
        run(runtime.dispatch("shred the file"))
        assert recorder.tools.count("files/delete_file") == asking + 1, intent


def test_a_pin_holds_through_every_side_door(runtime: ToolRuntime, recorder: Recorder) -> None:
    intent = "delete the file a.txt"
    assert runtime.resolve(intent).tool == "files/delete_file"
    runtime.resolve_refinement("get rid of a.txt", "files/delete_file")
    runtime.pin("files/delete_file")
    runtime.disambiguator = lambda asked, options: "files/delete_file"
    runtime.decomposer = lambda asked: [intent, intent]
    for asked in (intent, "get rid of a.txt", "get rid of a.txt and then delete the file b.txt", f"{intent}; {intent}"):
        resolution = runtime.resolve(asked)
        assert resolution.tool != "files/delete_file"
        result = run(runtime.dispatch(asked))
        options = [option.tool for option in result.refinement.options] if result.refinement else []
        assert "files/delete_file" not in options
    assert "files/delete_file" not in recorder.tools
    assert "pin" in steps(runtime.resolve(intent))
    with pytest.raises(PinViolation, match="files/delete_file is pinned"):
        runtime.resolve_refinement("get rid of it", "files/delete_file")
    runtime.unpin("files/delete_file")
    assert runtime.resolve(intent).tool == "files/delete_file"


def test_an_elevated_pin_takes_what_is_nearly_its_name(runtime: ToolRuntime) -> None:
    runtime.pin("files/delete_file", aliases=["delete the file from disk"], elevated=True)
    assert runtime.resolve("delete file from the disk").tool == "files/delete_file"
    assert runtime.resolve("delete a file and all its copies").tool != "files/delete_file"
    assert runtime.resolve("do not delete the file from disk").tool != "files/delete_file"


def test_the_same_answer_from_the_cache_and_without_it(runtime: ToolRuntime) -> None:
    for intent in ("send a message", "read the file", "sing me a lullaby", "create_issue"):
        assert runtime.resolve(intent).to_dict() == runtime.resolve_anew(intent).to_dict()
        assert runtime.resolve(intent) is runtime.resolve(intent)


def test_wordings_of_one_canonical_form_share_an_answer(runtime: ToolRuntime) -> None:
    first = runtime.resolve("send a message")
    for wording in ("Send a message!", "SEND A MESSAGE", "send_a_message"):
        assert runtime.resolve(wording) is first
    assert len(runtime.cache) == 1
    assert first.proof.intent == "send a message"


def test_arguments_among_and_k_are_part_of_the_question(runtime: ToolRuntime) -> None:
    free = runtime.resolve("send a message")
    assert runtime.resolve("send a message", {"subject": "x"}).to_dict() != free.to_dict()
    assert runtime.resolve("send a message", among=["mail/send_email"]).candidates[0].tool == "mail/send_email"
    assert len(runtime.resolve("send a message", k=2).candidates) == 2
    assert runtime.resolve("send a message", {"subject": "y"}) is runtime.resolve("send a message", {"subject": "x"})


def test_a_book_is_answered_and_not_cached(runtime: ToolRuntime) -> None:
    runtime.resolve("read the file " * 1000)
    assert len(runtime.cache) == 0
