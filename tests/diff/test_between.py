"""Changes that are about more than one tool: groups, look-alikes, the requests that move, encoder and settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from in_memory import compiled

from runtime_min.resolver import Resolver
from smallchatc.diff import Change, Diff, diff_artifacts
from smallchatc.diff.impact import first_choice, own_words, requests
from smallchatc.diff.side import read_side
from smallchatc.testing.scorecard import Case


def tool(name: str, description: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": sorted(properties)}
    return {"name": name, "description": description, "inputSchema": schema}


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
MAIL = tool("send_mail", "Send a mail to somebody", to=TEXT, text=TEXT)
LETTER = tool("post_letter", "Print a letter and post it to an address on paper", address=TEXT)
COMMIT = tool("git_commit", "Records changes to the repository", message=TEXT)
COMMIT_OTHER = tool("git_commit", "Record changes to the repository with a message", message=TEXT, path=TEXT)
NOTE = tool("save_note", "Save a note for later", text=TEXT)

OLD: dict[str, Any] = {
    "post": {"tools": [MAIL, LETTER]},
    "git": {"tools": [COMMIT]},
    "notes": {"tools": [NOTE], "version": "1"},
}
NEW: dict[str, Any] = {
    "post": {
        "tools": [{**LETTER, "description": "Send a mail to somebody"}, {**MAIL, "description": "Deliver a memo"}]
    },
    "git": {"tools": [COMMIT]},
    "other-git": {"tools": [COMMIT_OTHER]},
}
CASES = (
    Case(query="send a mail to somebody", gold=("post/send_mail",), file="app.intents.yaml", line=3),
    Case(query="save a note for later", gold=("notes/save_note",)),
    Case(query="the meaning of life", gold=()),
)


@pytest.fixture(scope="module")
def diff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Diff]:
    folder = tmp_path_factory.mktemp("between")
    with compiled(folder / "old", OLD) as old, compiled(folder / "new", NEW, overload_threshold=0.7) as new:
        yield diff_artifacts(old, new, cases=CASES)


def of_kind(diff: Diff, kind: str) -> list[Change]:
    return [change for change in diff.changes if change.kind == kind]


def test_providers_that_come_and_go(diff: Diff) -> None:
    assert [change.subject for change in of_kind(diff, "provider-added")] == ["other-git"]
    assert [change.subject for change in of_kind(diff, "provider-removed")] == ["notes"]
    assert [change.subject for change in of_kind(diff, "tool-removed")] == ["notes/save_note"]


def test_a_group_that_forms(diff: Diff) -> None:
    [change] = of_kind(diff, "overload-changed")
    assert change.before == []
    assert change.after == [["git/git_commit", "other-git/git_commit"]]


def test_tools_that_may_be_confused_now(diff: Diff) -> None:
    messages = [change.message for change in of_kind(diff, "look-alike-added")]
    assert "'git/git_commit' and 'other-git/git_commit' may be confused" in messages


def test_a_setting(diff: Diff) -> None:
    [change] = of_kind(diff, "settings-changed")
    assert change.message == "overload threshold is 0.7, was 0.82"


def test_a_test_whose_request_goes_astray_comes_with_its_place(diff: Diff) -> None:
    [change] = [change for change in of_kind(diff, "selection-broken") if change.file == "app.intents.yaml"]
    assert (change.before, change.after, change.line) == ("post/send_mail", "post/post_letter", 3)


def test_words_that_a_tool_takes_from_another_are_no_mending(tmp_path: Path) -> None:
    thief = {**LETTER, "description": "Send quick mail to somebody you know"}
    with (
        compiled(tmp_path / "a", {"post": {"tools": [MAIL, LETTER]}}) as old,
        compiled(tmp_path / "b", {"post": {"tools": [MAIL, thief]}}) as new,
    ):
        moved = {c.subject: c for c in diff_artifacts(old, new).changes if c.kind.startswith("selection-")}
    assert moved["Send quick mail to somebody you know"].level == "risky"


def test_a_request_whose_tool_is_gone_is_broken(diff: Diff) -> None:
    assert "save a note for later" in [change.subject for change in of_kind(diff, "selection-broken")]


def test_what_moves_is_what_a_full_comparison_finds(tmp_path: Path) -> None:
    """Every request of both sides asked of both sides, one by one, against the changes."""
    with compiled(tmp_path / "old", OLD) as one, compiled(tmp_path / "new", NEW) as other:
        old, new = read_side(one), read_side(other)
        asked = {case.query for case in CASES}
        for side in (old, new):
            for each in side.tools.values():
                asked |= {own_words(each)} - {""}
        moved = {
            text
            for text in asked
            if (Resolver(one).resolve(text).tool or "") != (Resolver(other).resolve(text).tool or "")
        }
        found = diff_artifacts(one, other, cases=CASES)
        assert {change.subject for change in found.changes if change.kind.startswith("selection-")} == moved
        assert {request.text for request in requests(old, new, {}, CASES)} == asked
        assert first_choice(Resolver(one), old, requests(old, new, {}, CASES)[-1]) == ""


def test_another_encoder(tmp_path: Path) -> None:
    with compiled(tmp_path / "a", OLD) as base, compiled(tmp_path / "b", OLD, encoder="small") as small:
        changes = diff_artifacts(base, small, impact=False).changes
    assert {change.kind for change in changes if change.subject == ""} >= {"encoder-changed"}


def test_an_operation_that_is_called_otherwise(tmp_path: Path) -> None:
    def document(method: str) -> dict[str, Any]:
        operation = {"operationId": "touch", "summary": "Touch the thing", "responses": {"200": {"description": "ok"}}}
        return {"openapi": "3.0.3", "info": {"title": "api", "version": "1"}, "paths": {"/thing": {method: operation}}}

    sides = []
    for side, method in (("old", "put"), ("new", "post")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "api.json").write_text(json.dumps(document(method)))
        sides.append(tmp_path / side)
    from smallchatc.diff.given import open_given

    with open_given(str(sides[0])) as old, open_given(str(sides[1]), like=old) as new:
        assert [c.subject for c in diff_artifacts(old, new, impact=False).changes if c.kind == "call-changed"] == [
            "api/touch"
        ]


def test_a_class_that_inherits_otherwise(tmp_path: Path) -> None:
    child = {"tools": [NOTE]}
    with (
        compiled(tmp_path / "a", {"post": OLD["post"], "notes": child}) as old,
        compiled(tmp_path / "b", {"post": OLD["post"], "notes": {**child, "superclass": "post"}}) as new,
    ):
        assert [c.subject for c in diff_artifacts(old, new, impact=False).changes if c.kind == "provider-changed"] == [
            "notes"
        ]
