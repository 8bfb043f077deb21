"""Learned state: choices, corrections, and the file they travel in (CONCEPTS: behaviour 11)."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_min import SmallchatError, ToolRuntime
from runtime_min.learned import LearnedState
from runtime_min.observer import Observer
from runtime_min.semantic_map import SemanticMap


def learn(to: SemanticMap, intent: str, tool: str = "slack/send_message", fingerprint: str = "f1") -> int:
    return to.learn(intent, tool=tool, selector=tool.replace("/", "."), fingerprint=fingerprint).times


def test_the_identical_intent_is_known_and_reinforced() -> None:
    known = SemanticMap()
    assert [learn(known, text) for text in ("ping the team", "Ping the team!", "ping the team")] == [1, 2, 3]
    choice = known.exact("ping the team")
    assert choice is not None
    assert (choice.tool, choice.times) == ("slack/send_message", 3)
    assert len(known) == 1


def test_another_choice_replaces_the_first() -> None:
    known = SemanticMap()
    learn(known, "ping the team")
    assert learn(known, "ping the team", tool="matrix/send_message") == 1
    assert known.choices()[0].tool == "matrix/send_message"


def test_a_similar_intent_is_boosted_more_the_more_alike_and_the_oftener_learned(runtime: ToolRuntime) -> None:
    known = SemanticMap()
    learn(known, "tell the whole team about the release")
    near = known.boosts("tell the team about the release", runtime.snapshot.vocabulary)
    assert [boost.choice.tool for boost in near] == ["slack/send_message"]
    once = near[0].strength
    learn(known, "tell the whole team about the release")
    twice = known.boosts("tell the team about the release", runtime.snapshot.vocabulary)[0].strength
    assert 0 < once < twice < 1
    less = known.boosts("tell the team about the new release date", runtime.snapshot.vocabulary)
    assert not less or less[0].strength < twice
    assert known.boosts("what is the weather in paris", runtime.snapshot.vocabulary) == []


@pytest.mark.parametrize(
    "opposite", ["do not tell the whole team about the release", "tell the whole team about release 2"]
)
def test_opposites_are_not_similar(runtime: ToolRuntime, opposite: str) -> None:
    known = SemanticMap()
    learn(known, "tell the whole team about the release")
    assert known.boosts(opposite, runtime.snapshot.vocabulary) == []


def test_the_map_is_bounded_and_the_oldest_goes() -> None:
    known = SemanticMap(capacity=3)
    for word in ("alpha", "beta", "gamma", "alpha", "delta"):
        learn(known, word)
    assert [choice.intent for choice in known.choices()] == ["gamma", "alpha", "delta"]
    assert len(known._index) == 3


def test_a_choice_whose_tool_is_gone_or_changed_is_dropped_with_a_note() -> None:
    known = SemanticMap()
    learn(known, "ping the team")
    learn(known, "read it", tool="files/read_file")
    learn(known, "list them", tool="files/list_folder")
    notes = known.keep_valid({"slack/send_message": "f1", "files/read_file": "f2"}.get)
    assert notes == [
        "learned choice dropped: 'read it' meant files/read_file, which has changed",
        "learned choice dropped: 'list them' meant files/list_folder, which is gone",
    ]
    assert len(known) == 1


CHOICES = st.lists(st.tuples(st.sampled_from(["one", "two", "three"]), st.sampled_from(["a/x", "b/y"])), max_size=12)


@given(CHOICES, CHOICES)
def test_merging_is_idempotent_and_has_no_order(first: list[tuple[str, str]], second: list[tuple[str, str]]) -> None:
    def made(pairs: list[tuple[str, str]]) -> SemanticMap:
        known = SemanticMap()
        for intent, tool in pairs:
            learn(known, intent, tool)
        return known

    ab, ba = made(first), made(second)
    ab.merge(made(second).choices())
    ba.merge(made(first).choices())
    assert sorted(ab.choices()) == sorted(ba.choices())
    once = sorted(ab.choices())
    ab.merge(ba.choices())
    assert sorted(ab.choices()) == once


def test_three_corrections_raise_the_cut_by_003_up_to_095() -> None:
    observer = Observer()
    assert observer.raised("slack/send_message", 0.85) == 0.85
    for number in range(3):
        observer.correct(f"request {number}", "slack/send_message")
    assert observer.raised("slack/send_message", 0.85) == 0.88
    assert observer.raised("files/read_file", 0.85) == 0.85
    for number in range(100):
        observer.correct(f"other {number}", "slack/send_message")
    assert observer.raised("slack/send_message", 0.85) == 0.95
    assert observer.raised("slack/send_message", 0.97) == 0.97


def test_reset_clears() -> None:
    observer = Observer()
    for number in range(3):
        observer.correct(f"request {number}", "slack/send_message")
    observer.reset()
    assert observer.raised("slack/send_message", 0.85) == 0.85
    assert len(observer) == 0


def test_rings_are_bounded() -> None:
    observer = Observer(ring=5)
    for number in range(20):
        observer.correct(f"request {number}", "slack/send_message")
    assert [made.intent for made in observer.corrections()] == [f"request {number}" for number in range(15, 20)]
    assert len(observer._index) == 5


def test_a_correction_speaks_against_the_tool_for_that_intent_and_its_like(runtime: ToolRuntime) -> None:
    observer = Observer()
    observer.correct("remove the old meeting notes", "notes/delete_note")
    words = runtime.snapshot.vocabulary
    same = observer.against("Remove the old meeting notes.", "notes/delete_note", words)
    assert same is not None
    assert same[1] == 1.0
    like = observer.against("remove the old meeting note", "notes/delete_note", words)
    assert like is not None
    assert 0.9 <= like[1] < 1
    assert observer.against("remove the old meeting notes", "notes/read_note", words) is None
    assert observer.against("send a mail to anna", "notes/delete_note", words) is None
    observer.withdraw("remove the old meeting notes", "notes/delete_note")
    assert observer.against("remove the old meeting notes", "notes/delete_note", words) is None


def state(runtime: ToolRuntime) -> LearnedState:
    known = {"slack/send_message": "f1"}
    return LearnedState(known.get, lambda: runtime.artifact.digest, lambda: None)


def test_a_file_brings_everything_back(runtime: ToolRuntime, tmp_path: Path) -> None:
    one, other = state(runtime), state(runtime)
    learn(one.map, "ping the team")
    learn(one.map, "gone", tool="no/tool")
    for number in range(3):
        one.observer.correct(f"request {number}", "slack/send_message", right="matrix/send_message")
    one.save(tmp_path / "learned.json")
    assert other.load(tmp_path / "learned.json") == ["learned choice dropped: 'gone' meant no/tool, which is gone"]
    assert other.map.exact("ping the team") is not None
    assert other.observer.raised("slack/send_message", 0.85) == 0.88
    assert other.observer.corrections() == one.observer.corrections()
    assert [path.name for path in tmp_path.iterdir()] == ["learned.json"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "not a file of learned choices"),
        ("[]", "not learned state of version 1"),
        ('{"version": 2}', "not learned state of version 1"),
        ('{"version": 1, "choices": [{"intent": 3}]}', "damaged: not a learned choice"),
        ('{"version": 1, "choices": 5}', "damaged"),
        ('{"version": 1, "observer": {"counts": {"a": -1}}}', "damaged: not an observer's counts"),
        ('{"version": 1, "observer": {"corrections": [{"intent": 1}]}}', "damaged: not an observer's corrections"),
    ],
)
def test_a_file_of_another_kind_changes_nothing(runtime: ToolRuntime, tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "learned.json"
    path.write_text(text)
    learned = state(runtime)
    with pytest.raises(SmallchatError, match=says):
        learned.load(path)
    assert len(learned) == 0


def test_a_file_holds_no_vectors_and_no_clock(runtime: ToolRuntime) -> None:
    one, other = state(runtime), state(runtime)
    for learned in (one, other):
        learn(learned.map, "ping the team")
        learned.map.boosts("ping team", runtime.snapshot.vocabulary)
        time.sleep(0.001)
    assert json.dumps(one.to_dict()) == json.dumps(other.to_dict())
