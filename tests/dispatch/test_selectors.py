"""Interning: one selector for one meaning, and nothing stored for anything else (CONCEPTS: behaviour 1)."""

from __future__ import annotations

import gc

import pytest

from runtime_min import ToolRuntime
from runtime_min.polarity import polarity
from runtime_min.selectors import SelectorTable


@pytest.fixture
def table(runtime: ToolRuntime) -> SelectorTable:
    return runtime.snapshot.selectors


def test_the_same_canonical_twice_is_the_same_selector_and_one_entry(table: SelectorTable) -> None:
    before = len(table)
    one, other = table.intern("slack.send_message"), table.intern("Slack send-message")
    assert one is other
    assert (one.canonical, one.transient) == ("slack.send_message", False)
    assert len(table) == before == 62


def test_two_wordings_above_the_threshold_share_one(table: SelectorTable) -> None:
    assert table.intern("search the flights") is table.intern("flights search") is table.intern("search_flights")


def test_other_texts_are_transient_and_stored_nowhere(table: SelectorTable) -> None:
    one = table.intern("sing me a lullaby")
    assert one.transient
    assert table.intern("Sing me a LULLABY!") is one
    del one
    gc.collect()
    assert not [key for key in table._held if key[1]]


@pytest.mark.parametrize("text", ["do not search flights", "never send message", "delete nothing but the note"])
def test_negation_is_not_the_same_selector(table: SelectorTable, text: str) -> None:
    assert table.intern(text).transient


def test_direction_matters(table: SelectorTable) -> None:
    assert table.intern("from paris to rome") is not table.intern("from rome to paris")
    assert table.similarity("copy from drive to mail", "copy to drive from mail") == 0.0


def test_polarity_sees_negation_direction_and_numbers() -> None:
    assert polarity("don't delete it") == polarity("do not delete it") != polarity("delete it")
    assert polarity("ne supprime pas")[0] == 2
    assert polarity("不要删除")[0] == 1
    assert polarity("page 3") != polarity("page 4")
