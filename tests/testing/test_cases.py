"""Reading labelled intents: the forms people and labelled sets use, and every fault with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from running import ROOT

from smallchatc.diagnostics import CompileError, text_of
from smallchatc.testing.cases import read_all, read_intents


def written(folder: Path, text: str, name: str = "app.intents.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(CompileError) as caught:
        read_intents(path)
    return [text_of(item).replace(str(path.parent), "") for item in caught.value.diagnostics]


def test_yaml_lists_cases_in_a_persons_words(tmp_path: Path) -> None:
    path = written(tmp_path, "- intent: open a ticket\n  expect: github/create_issue\n- intent: sing\n  expect: []\n")
    first, second = read_intents(path)
    assert (first.query, first.gold, first.slots) == (
        "open a ticket",
        ("github/create_issue",),
        (("github/create_issue",),),
    )
    assert (second.gold, second.slots, second.line) == ((), (), 3)


def test_cases_may_stand_under_intents(tmp_path: Path) -> None:
    path = written(tmp_path, "version: 1\nintents:\n  - intent: a\n    expect: p/n\n")
    assert [case.line for case in read_intents(path)] == [3]


def test_jsonl_of_labelled_sets_is_read_with_its_own_words(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"id": "q1", "query": "a", "gold": ["p/a", "p/b"], "gold_mode": "all", "candidates": ["p/a", "p/b", "p/c"],'
        ' "args": [{"tool": "p/a", "arguments": {}}], "category": "x"}\n'
        '{"id": "q2", "query": "b", "gold": ["p/a"], "equiv": ["p/c"]}\n',
        "queries.jsonl",
    )
    first, second = read_intents(path)
    assert first.slots == (("p/a",), ("p/b",))
    assert first.among == ("p/a", "p/b", "p/c")
    assert first.args is None  # a label, not what the user gave
    assert (second.slots, second.among, second.line) == ((("p/a", "p/c"),), None, 2)


def test_one_line_is_one_case(tmp_path: Path) -> None:
    assert len(read_intents(written(tmp_path, '{"query": "a", "gold": []}\n', "one.jsonl"))) == 1


def test_several_that_are_right_fill_one_slot(tmp_path: Path) -> None:
    [case] = read_intents(written(tmp_path, "- intent: a\n  expect: [p/a, p/b]\n"))
    assert case.slots == (("p/a", "p/b"),)


def test_arguments_that_come_with_the_intent_are_kept(tmp_path: Path) -> None:
    [case] = read_intents(written(tmp_path, "- intent: a\n  expect: p/a\n  args: {path: x}\n"))
    assert case.args == {"path": "x"}


def test_every_fault_of_every_file_is_told_with_its_place(tmp_path: Path) -> None:
    one = written(tmp_path, "- intent: a\n  expcet: p/a\n- intent: [b]\n  expect: p/a\n", "one.yaml")
    two = written(tmp_path, "- intent: c\n  expect: p/a\n  gold: p/b\n", "two.yaml")
    with pytest.raises(CompileError) as caught:
        read_all([one, two])
    told = [text_of(item).replace(f"{tmp_path}/", "") for item in caught.value.diagnostics]
    assert told == [
        'one.yaml:1:3: error: `expect` must be a tool ("provider/name"), a list of tools, or [] when nothing fits'
        " [bad-intents]",
        "one.yaml:2:11: error: unknown key 'expcet': did you mean 'expect'? [bad-intents]",
        "one.yaml:3:3: error: `intent` must be a text [bad-intents]",
        "two.yaml:3:9: error: 'gold' says again what another key of this case says [bad-intents]",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "/app.intents.yaml:1:1: error: there is nothing in it [source-empty]"),
        ("[]", "/app.intents.yaml:1:1: error: there are no intents in it [bad-intents]"),
        ("- just text\n", "/app.intents.yaml:1:3: error: a case is an object with `intent` and `expect` [bad-intents]"),
        (
            "- {intent: a, expect: p/a, gold_mode: some}\n",
            "/app.intents.yaml:1:39: error: `gold_mode` must be any or all [bad-intents]",
        ),
        (
            "- {intent: a, expect: p/a, args: text}\n",
            "/app.intents.yaml:1:34: error: `args` must be an object of arguments [bad-intents]",
        ),
    ],
)
def test_what_is_no_list_of_intents_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert faults(written(tmp_path, text)) == [message]


def test_a_missing_key_expect_is_a_fault_and_not_nothing_fits(tmp_path: Path) -> None:
    assert len(faults(written(tmp_path, "- intent: a\n- intent: b\n  expect:\n"))) == 2


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"SQLite format 3\x00rest")
    assert "this is an SQLite file" in faults(path)[0]


ACCEPTED = [
    [{"intent": "a", "expect": "p/n"}],
    {"intents": [{"query": "a", "gold": []}]},
    {"query": "a", "gold": ["p/n"], "equiv": ["p/m"], "candidates": ["p/n"], "gold_mode": "all", "kind": "x"},
    [{"intent": "a", "expect": ["p/a", "p/b"], "gold_slots": [["p/a"], ["p/b"]], "args": {"x": 1}, "id": 7}],
]
REFUSED = [
    [],
    [{"intent": "a"}],
    [{"intent": "a", "query": "b", "expect": []}],
    [{"intent": 1, "expect": []}],
    [{"intent": "a", "expect": [1]}],
    [{"intent": "a", "expect": "no-provider"}],
    [{"intent": "a", "expect": [], "gold_mode": "some"}],
    [{"intent": "a", "expect": [], "args": "x"}],
]


@pytest.mark.parametrize("document", ACCEPTED + REFUSED, ids=json.dumps)
def test_the_reader_and_the_published_schema_agree(tmp_path: Path, document: object) -> None:
    schema = json.loads((ROOT / "schemas" / "intents.schema.json").read_text(encoding="utf-8"))
    path = written(tmp_path, json.dumps(document), "x.json")
    assert Draft202012Validator(schema).is_valid(document) == (document in ACCEPTED)
    if document in ACCEPTED:
        assert read_intents(path)
    else:
        assert faults(path)


def test_the_examples_follow_the_published_schema() -> None:
    schema = json.loads((ROOT / "schemas" / "intents.schema.json").read_text(encoding="utf-8"))
    files = sorted((ROOT / "fixtures").rglob("*.intents.yaml"))
    assert files
    for path in files:
        Draft202012Validator(schema).validate(yaml.safe_load(path.read_text(encoding="utf-8")))
