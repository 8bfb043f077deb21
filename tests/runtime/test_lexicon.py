"""Words and canonical forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_min.lexicon import canonical, stem, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("createIssue", ["create", "issue"]),
        ("HTTPServer_list.items", ["http", "server", "list", "items"]),
        ("repos/get-content", ["repos", "get", "content"]),
        ("s3 bucket k8s", ["s3", "bucket", "k8s"]),
        ("Öffne die Garagentür", ["offne", "die", "garagentur"]),
        ("列出所有文件", ["列出", "出所", "所有", "有文", "文件"]),
        ("ＦＵＬＬ　ｗｉｄｔｈ", ["full", "width"]),
        ("", []),
        ("!?", []),
    ],
)
def test_words_split_identifiers_and_unspaced_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("createIssue", "create_issue"),
        ("create-issue", "Create issue!"),
        ("repos/list.tags", "repos list tags"),
        ("Straße", "STRASSE"),
        ("ﬁle", "file"),
    ],
)
def test_canonical_forms_meet(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("do not delete it", "do delete it"),
        ("from A to B", "from B to A"),
        ("set it to -5", "set it to 5"),
        ("version 1.5", "version 15"),
        ("C++ code", "C code"),
        ("删除 文件", "列出 文件"),
        ("é", "e"),
    ],
)
def test_canonical_forms_keep_what_carries_meaning(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_terms_leave_out_stop_words_unless_nothing_is_left() -> None:
    assert terms("please list the issues") == ["list", "issu"]
    assert terms("what is it") == [stem(word) for word in ("what", "is", "it")]


@pytest.mark.parametrize(
    ("word", "expected"), [("issues", "issu"), ("queries", "query"), ("running", "run"), ("api", "api")]
)
def test_stem_meets_inflections(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(st.text())
def test_no_text_raises_and_canonical_is_idempotent(text: str) -> None:
    assert all(word and not word.isspace() for word in words(text))
    assert canonical(canonical(text)) == canonical(text)
