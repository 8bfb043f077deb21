"""Mutants: which changes of a description there are, and in which order they are tried."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from smallchatc.model import Tool
from smallchatc.parse import parse_sources
from smallchatc.testing.mutants import DROP, SHORTEN, SWAP, Mutant, mutants_of, partners_of


@pytest.fixture
def tools(compiled_project: Path) -> Sequence[Tool]:
    return parse_sources([compiled_project]).catalog.tools  # delete_file, read_file, get_forecast


def of(tools: Sequence[Tool], *chosen: int) -> list[Mutant]:
    return list(mutants_of(tools, chosen, partners_of(tools, [])))


def test_words_are_dropped_in_every_form(tools: Sequence[Tool]) -> None:
    dropped = {mutant.what: mutant.descriptions for mutant in of(tools, 0) if mutant.kind == DROP}
    assert dropped == {
        "remove": {0: "a file from disk for good"},
        "file": {0: "Remove a from disk for good"},
        "disk": {0: "Remove a file from for good"},
        "good": {0: "Remove a file from disk for"},
    }


def test_a_description_is_shortened_to_less_and_to_nothing(tools: Sequence[Tool]) -> None:
    shortened = {mutant.what: mutant.descriptions for mutant in of(tools, 0) if mutant.kind == SHORTEN}
    assert shortened == {"the first half": {0: "Remove a file"}, "nothing": {0: ""}}


def test_words_that_only_one_says_are_swapped_with_the_sibling(tools: Sequence[Tool]) -> None:
    swapped = [mutant for mutant in of(tools, 0) if mutant.kind == SWAP]
    assert {mutant.other for mutant in swapped} == {"files/read_file"}
    for mutant in swapped:
        assert mutant.what in ("remove", "disk", "good")
        assert mutant.other_what in ("read", "contents")
        assert mutant.other_what in mutant.descriptions[0].lower()
        assert mutant.what in mutant.descriptions[1].lower()


def test_a_tool_without_a_look_alike_swaps_with_none(tools: Sequence[Tool]) -> None:
    assert {mutant.kind for mutant in of(tools, 2)} == {DROP, SHORTEN}


def test_the_closest_look_alike_comes_before_the_sibling(tools: Sequence[Tool]) -> None:
    assert partners_of(tools, [(0, 2, 0.8), (1, 2, 0.9)]) == {0: 2, 1: 2, 2: 1}


def test_tools_and_kinds_take_turns(tools: Sequence[Tool]) -> None:
    first = list(islice(of(tools, 0, 1), 4))
    assert len({mutant.tool for mutant in first[:2]}) == 2
    assert [mutant.kind for mutant in first] == [SHORTEN, SHORTEN, DROP, DROP]


def test_the_order_depends_on_the_texts_alone(tools: Sequence[Tool]) -> None:
    said = [(mutant.kind, mutant.tool, mutant.what) for mutant in of(tools, 0, 1, 2)]
    assert said == [(mutant.kind, mutant.tool, mutant.what) for mutant in of(tools, 2, 1, 0)]
    assert [each for each in said if each[1] == "files/read_file"] == [
        (mutant.kind, mutant.tool, mutant.what) for mutant in of(tools, 1)
    ]


def test_a_tool_without_a_description_has_no_mutant(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"provider": "p", "name": "n", "inputSchema": {"type": "object"}}\n')
    assert of(parse_sources([tmp_path / "t.jsonl"]).catalog.tools, 0) == []
