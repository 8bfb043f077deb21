"""Portable names: every model API takes them, no two are equal, and none depends on another tool."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from runtime_min import portable
from runtime_min.artifact import open_artifact
from runtime_min.portable import portable_name, portable_names

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
TEXT = st.text(min_size=1, max_size=90) | st.text("ab_-.@/ é", min_size=1, max_size=8)
TOOLS = st.sets(st.tuples(TEXT, TEXT), max_size=30)
CASES = Path(__file__).resolve().parents[2] / "fixtures" / "world" / "cases"


@given(TOOLS)
def test_names_are_portable_and_distinct(tools: set[tuple[str, str]]) -> None:
    names = portable_names(tools)
    assert set(names) == tools
    assert len(set(names.values())) == len(tools)
    assert all(NAME.fullmatch(name) for name in names.values())


@given(TOOLS, st.tuples(TEXT, TEXT))
def test_another_tool_renames_none(tools: set[tuple[str, str]], added: tuple[str, str]) -> None:
    before = portable_names(tools)
    after = portable_names([added, *tools])
    assert {tool: after[tool] for tool in tools} == before
    assert all(portable_name(*tool) == name for tool, name in before.items())


def test_a_plain_name_is_provider_and_name() -> None:
    assert portable_name("github", "create_issue") == "github__create_issue"
    assert portable_name("@scope-server", "read") == "_scope-server__read"


def test_a_name_of_another_script_keeps_a_name_of_its_own() -> None:
    shown = [portable_name(provider, "open") for provider in ("café", "cafè", "数据库", "Web-Search-(new)")]
    assert len(set(shown)) == 4
    assert "Create_Share" in portable_name("m", "Create Share")


def test_the_exact_name_keeps_its_own_when_others_become_equal_to_it() -> None:
    tools = json.loads((CASES / "036-sanitize-collision.json").read_text("utf-8"))["input"]["manifests"]["m.json"]
    names = portable_names(("m", tool["name"]) for tool in tools["tools"])
    assert names["m", "foo_list"] == "m__foo_list"
    assert len(set(names.values())) == 3


def test_the_limit_counts_what_is_added_to_tell_long_names_apart() -> None:
    provider = "enterprise-knowledge-management-platform"
    names = [
        portable_name(provider, f"list_directory_entries_including_sizes_and_{what}") for what in ("owners", "dates")
    ]
    assert [len(name) for name in names] == [64, 64]
    assert names[0] != names[1]
    assert all("__list_directory_entries" in name for name in names)


def test_a_name_that_imitates_a_digest_does_not_take_the_name_of_another() -> None:
    imitation = ("m", portable_name("m", "foo.list").partition("__")[2])
    names = portable_names([("m", "foo.list"), imitation])
    assert names[imitation] == portable_name("m", "foo.list")
    assert names["m", "foo.list"] != names[imitation]


def test_an_artifact_holds_them(artifact: Path) -> None:
    rows = open_artifact(artifact).rows(
        "SELECT provider.name, tool.name, portable FROM tool JOIN provider ON provider.id = provider"
    )
    assert {row[:2]: row[2] for row in rows} == portable.portable_names(row[:2] for row in rows)
