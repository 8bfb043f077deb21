"""The resolution cache: what is dropped when, and who hears of it (CONCEPTS: behaviour 8)."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import OrderedDict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_min import ToolRuntime
from runtime_min.cache import Event, ResolutionCache, Tag, fingerprint

GITHUB = Tag("github", "github.create_issue", "1", "base", "f1")
SLACK = Tag("slack", "slack.send_message", "1", "base", "f2")


@pytest.fixture
def cache() -> ResolutionCache:
    cache = ResolutionCache(capacity=100)
    cache.store("open issue", "issue", GITHUB, said="Open issue!")
    cache.store("send message", "message", SLACK, said="Send message!")
    return cache


def heard(cache: ResolutionCache) -> list[Event]:
    events: list[Event] = []
    cache.subscribe(events.append)
    return events


def test_a_miss_is_none() -> None:
    cache = ResolutionCache()
    assert cache.meant("x") is None
    assert cache.said("x") is None


def test_capacity_two_evicts_the_oldest() -> None:
    cache = ResolutionCache(capacity=2)
    cache.store("a", 1, said="A")
    cache.store("b", 2)
    assert cache.said("A") == 1  # used: b is the oldest now
    cache.store("c", 3)
    assert (cache.meant("a"), cache.meant("b"), cache.meant("c")) == (1, None, 3)
    cache.store("d", 4)
    assert cache.said("A") is None, "a wording does not outlive its entry"


def test_another_wording_leads_to_the_same_entry(cache: ResolutionCache) -> None:
    assert cache.said("OPEN issue") is None
    assert cache.meant("open issue") == "issue"
    cache.say("OPEN issue", "open issue")
    assert cache.said("OPEN issue") == "issue"
    cache.flush_selector("github.create_issue")
    assert cache.said("OPEN issue") is None


def test_flush_drops_everything(cache: ResolutionCache) -> None:
    events = heard(cache)
    assert cache.flush() == 2
    assert len(cache) == 0
    assert cache.said("Open issue!") is None
    assert events == [Event("flush", "", "flushed", 2)]


def test_flush_of_a_provider_is_selective(cache: ResolutionCache) -> None:
    events = heard(cache)
    cache.flush_provider("github")
    assert (cache.said("Open issue!"), cache.said("Send message!")) == (None, "message")
    assert events == [Event("provider", "github", "flushed", 1)]


def test_flush_of_a_selector_is_selective(cache: ResolutionCache) -> None:
    events = heard(cache)
    cache.flush_selector("slack.send_message")
    assert (cache.said("Open issue!"), cache.said("Send message!")) == ("issue", None)
    assert events == [Event("selector", "slack.send_message", "flushed", 1)]


def test_a_provider_version_evicts_its_entries_and_says_so_once(cache: ResolutionCache) -> None:
    events = heard(cache)
    assert cache.set_provider_version("github", "1") == 0
    assert cache.set_provider_version("github", "2") == 1
    assert (cache.said("Open issue!"), cache.said("Send message!")) == (None, "message")
    assert events == [Event("stale", "github", "provider-version", 1)]


def test_an_encoder_version_evicts_everything_of_another(cache: ResolutionCache) -> None:
    events = heard(cache)
    assert cache.set_encoder("base") == 0
    assert cache.set_encoder("small") == 2
    assert events == [Event("stale", "small", "encoder-version", 2)]


def test_a_schema_fingerprint_evicts_its_selector(cache: ResolutionCache) -> None:
    events = heard(cache)
    assert cache.set_schema("github.create_issue", "f1") == 0
    assert cache.set_schema("github.create_issue", "f9") == 1
    assert cache.said("Send message!") == "message"
    assert events == [Event("stale", "github.create_issue", "schema-fingerprint", 1)]


def test_unsubscribing_works(cache: ResolutionCache) -> None:
    events: list[Event] = []
    unsubscribe = cache.subscribe(events.append)
    unsubscribe()
    unsubscribe()
    cache.flush()
    assert events == []


def test_a_fingerprint_does_not_depend_on_key_order() -> None:
    assert fingerprint({"a": 1, "b": {"c": 2, "d": 3}}) == fingerprint({"b": {"d": 3, "c": 2}, "a": 1})
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})


def test_what_was_resolved_before_a_change_is_not_stored_after_it(cache: ResolutionCache) -> None:
    before = cache.generation
    cache.flush_selector("github.create_issue")
    cache.store("late", "issue", GITHUB, generation=before)
    assert cache.meant("late") is None


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 7)), max_size=60), st.integers(1, 5))
def test_eviction_is_that_of_a_plain_lru(steps: list[tuple[bool, int]], capacity: int) -> None:
    cache = ResolutionCache(capacity)
    twin: OrderedDict[int, int] = OrderedDict()
    for stores, key in steps:
        if stores:
            cache.store(key, key)
            twin[key] = key
            twin.move_to_end(key)
            if len(twin) > capacity:
                twin.popitem(last=False)
        else:
            assert cache.meant(key) == twin.get(key)
            if key in twin:
                twin.move_to_end(key)
    assert {key for key in range(8) if key in cache} == set(twin)


def test_wordings_are_bounded() -> None:
    cache = ResolutionCache(capacity=2)
    cache.store("a", 1)
    for number in range(1000):
        cache.say(f"wording {number}", "a")
    assert len(cache._said) == len(cache._meant["a"].said) == 8


def test_threads_store_look_up_and_flush_at_once() -> None:
    cache = ResolutionCache(capacity=16)
    faults: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for step in range(3000):
                key = (seed * 31 + step * 7) % 40
                cache.store(key, key, Tag(provider=str(key % 3)), said=f"{key}")
                assert cache.said(f"{key + 1}") in (None, key + 1)
                if step % 50 == 0:
                    cache.flush_provider(str(seed % 3))
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(cache) <= 16


def test_what_was_dropped_is_not_kept_alive() -> None:
    class Answer:
        pass

    cache = ResolutionCache()
    answer = Answer()
    alive = weakref.ref(answer)
    cache.store("a", answer, said="A")
    del answer
    cache.flush()
    gc.collect()
    assert alive() is None


ONE_FORM = [
    "read src/main.py",
    "read src main py",
    "Read: src, main & PY!",
    "open PROJ-14 at 14:30",
    "open proj 14 at 14 30",
    'find "release notes" in the drive',
    "find release notes in the drive",
    "createIssue now",
    "create issue now",
    "delete/archive the mail",
    "delete archive the mail",
]


@pytest.mark.parametrize("first", ONE_FORM)
def test_an_answer_does_not_depend_on_who_asked_before(artifact: Path, first: str) -> None:
    asked = ToolRuntime.open(artifact)
    asked.resolve(first)
    for text in ONE_FORM:
        alone = ToolRuntime.open(artifact).resolve(text)
        after = asked.resolve(text)
        assert (after.tool, after.tier, after.confidence, after.fit) == (
            alone.tool,
            alone.tier,
            alone.confidence,
            alone.fit,
        )
        assert [each.score for each in after.candidates] == [each.score for each in alone.candidates]


def test_wordings_that_are_read_alike_share_one_answer(artifact: Path) -> None:
    runtime = ToolRuntime.open(artifact)
    first = runtime.resolve("find flights to Lisbon")
    assert runtime.resolve("Find flights, to LISBON!") is first
