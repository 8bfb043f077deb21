"""The page of an artifact as text: nothing that a manifest says can get out of its place."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from paging import HOSTILE, hostile_artifact, write_page

from smallchatc.page.patterns import browser_pattern


def test_no_text_of_a_manifest_leaves_its_json(tmp_path: Path) -> None:
    page = write_page(hostile_artifact(tmp_path), tmp_path).read_text("utf-8")
    blocks = re.findall(r'<script type="application/json" id="(\w+)">([^<>&]*)</script>', page)
    assert [name for name, _ in blocks] == ["catalogue", "rules", "rows"]
    catalogue: dict[str, Any] = json.loads(blocks[0][1])
    assert {tool["description"] for tool in catalogue["tools"]} == {HOSTILE, ""}
    rest = re.sub(r'<script type="application/json".*?</script>', "", page)
    assert "evil" not in rest
    assert rest.count("<script") == 1
    assert "{{rows" not in rest


def test_the_same_artifact_gives_the_same_page(artifact: Path, tmp_path: Path) -> None:
    first = write_page(artifact, tmp_path).read_bytes()
    assert write_page(artifact, tmp_path).read_bytes() == first


@pytest.mark.parametrize(
    ("pattern", "translated"),
    [
        (r"[^\W_]+", r"(?:(?![_])[\p{L}\p{N}_])+"),
        (r"(?P<a>\d{1,2})\.", r"(?<a>[\p{Nd}]{1,2})\."),
        (r"[\w.\-]\"", r"[\p{L}\p{N}_.\-]" + '"'),
        (".", r"[^\n]"),
    ],
)
def test_patterns_mean_the_same_to_a_browser(pattern: str, translated: str) -> None:
    assert browser_pattern(pattern) == translated


@pytest.mark.parametrize("pattern", [r"\Z", r"[\W_]", r"(a)\1"])
def test_what_has_no_translation_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="no translation"):
        browser_pattern(pattern)
