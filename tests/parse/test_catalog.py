"""What becomes of the same thing twice, and of hints: the rules of DESIGN 4.4, each with its outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from writing import parse, paths, slugs, taking, tool, write

from smallchatc.model import Hints
from smallchatc.parse import parse_sources


def test_the_same_provider_twice_is_merged_with_a_note(tmp_path: Path) -> None:
    one = {"id": "p", "tools": [taking("a", x="string")]}
    same = {"tools": [dict(reversed(one["tools"][0].items()))], "id": "p"}  # type: ignore[index]
    parsed = parse(tmp_path, {"1.json": one, "2.json": same})
    assert paths(parsed) == ["p/a"]
    assert slugs(parsed.diagnostics) == [("merged-provider", "note")]


def test_a_merged_provider_keeps_the_way_to_reach_it(tmp_path: Path) -> None:
    one = {"id": "p", "tools": [tool()]}
    parsed = parse(tmp_path, {"1.json": one, "2.json": {**one, "url": "https://example.com"}})
    assert [provider.transport for provider in parsed.catalog.providers] == [{"url": "https://example.com"}]


def test_other_tools_under_the_same_id_get_a_number_that_no_file_name_decides(tmp_path: Path) -> None:
    one, two = {"id": "p", "tools": [tool("a")]}, {"id": "p", "tools": [tool("b")]}
    first = parse(tmp_path / "x", {"1.json": one, "2.json": two})
    second = parse(tmp_path / "y", {"1.json": two, "2.json": one})
    assert paths(first) == paths(second)
    assert {path.partition("/")[0] for path in paths(first)} == {"p", "p-2"}
    assert slugs(first.diagnostics) == [("duplicate-provider", "warning")]


def test_a_number_never_takes_an_id_that_somebody_has(tmp_path: Path) -> None:
    files = {f"{name}.json": {"id": "p", "tools": [tool(name)]} for name in "abc"}
    parsed = parse(tmp_path, {**files, "d.json": {"id": "p-2", "tools": [tool("d")]}})
    assert {provider.id for provider in parsed.catalog.providers} == {"p", "p-2", "p-3", "p-4"}
    assert "p-2/d" in paths(parsed)


def test_diagnostics_name_the_provider_by_its_final_id(tmp_path: Path) -> None:
    files = {"1.json": {"id": "p", "tools": [tool("a", "")]}, "2.json": {"id": "p", "tools": [tool("b", "")]}}
    parsed = parse(tmp_path, files)
    missing = {f"{d.provider}/{d.tool}" for d in parsed.diagnostics if d.slug == "missing-description"}
    assert missing == set(paths(parsed))


@pytest.mark.parametrize(
    ("other", "severity", "signatures"),
    [
        pytest.param(taking("a", x="string"), "note", 1, id="an exact copy"),
        pytest.param(taking("a", y="number"), "warning", 2, id="other arguments"),
        pytest.param({**taking("a", x="string"), "description": "Other words"}, "warning", 1, id="other words"),
    ],
)
def test_the_same_name_twice_in_one_provider_is_one_tool(
    tmp_path: Path, other: Any, severity: str, signatures: int
) -> None:
    parsed = parse(tmp_path, {"p.json": [taking("a", x="string"), other]})
    (one,) = parsed.catalog.tools
    assert one.description == "Does it"
    assert len(one.signatures) == signatures
    assert slugs(parsed.diagnostics) == [("duplicate-tool", severity)]


def test_a_second_signature_is_searched_with_its_arguments_and_words(tmp_path: Path) -> None:
    other = {**taking("a", y="number"), "description": "Of a temperature"}
    (one,) = parse(tmp_path, {"p.json": [taking("a", x="string"), other]}).catalog.tools
    assert [(arg.name, arg.required) for arg in one.args] == [("x", False), ("y", False)]
    assert one.hints.selector == "Of a temperature"


def test_the_same_name_in_two_providers_is_two_tools(tmp_path: Path) -> None:
    parsed = parse(tmp_path, {"a.json": [tool("t", "Does a")], "b.json": [tool("t", "Does b")]})
    assert paths(parsed) == ["a/t", "b/t"]
    assert parsed.diagnostics == ()


def test_identical_tools_of_two_providers_are_named_together_unless_one_is_preferred(tmp_path: Path) -> None:
    same = parse(tmp_path / "x", {"a.json": [tool()], "b.json": [tool()]})
    assert [(d.slug, d.message) for d in same.diagnostics] == [("identical-tools", "tool 'a/t' is identical to 'b/t'")]
    chosen = {"id": "b", "compilerHints": {"preferred": True}, "tools": [tool()]}
    assert parse(tmp_path / "y", {"a.json": [tool()], "b.json": chosen}).diagnostics == ()


def test_hints_are_inherited_and_a_tools_own_win(tmp_path: Path) -> None:
    manifest = {
        "id": "p",
        "compilerHints": {"selectorHint": "of all", "namespace": "n", "priority": 2},
        "tools": [
            tool("a"),
            tool("b", compilerHints={"selectorHint": "own", "aliases": ["do b", " do b "], "pinSelector": "x.b"}),
        ],
    }
    a, b = parse(tmp_path, {"p.json": manifest}).catalog.tools
    assert a.hints == Hints(selector="of all", namespace="n", priority=2.0)
    assert b.hints == Hints(selector="own", namespace="n", priority=2.0, aliases=("do b",), pin="x.b")


def test_excluded_tools_are_left_out_and_reported(tmp_path: Path) -> None:
    manifest = {"id": "p", "tools": [tool("a"), tool("b", compilerHints={"exclude": True})]}
    whole = {"id": "q", "compilerHints": {"exclude": True}, "tools": [tool("c"), tool("d")]}
    parsed = parse(tmp_path, {"p.json": manifest, "q.json": whole})
    assert paths(parsed) == ["p/a"]
    assert [d.message for d in parsed.diagnostics if d.slug == "excluded"] == [
        "tool 'b' is left out",
        "provider 'q' is left out with 2 tools",
    ]


def test_key_order_changes_no_fingerprint_and_words_do(tmp_path: Path) -> None:
    one = tool("a", inputSchema={"type": "object", "properties": {"x": {}, "y": {}}, "required": ["x", "y"]})
    other = tool("a", inputSchema={"required": ["y", "x"], "properties": {"y": {}, "x": {}}, "type": "object"})
    (first,) = parse(tmp_path / "1", {"p.json": [one]}).catalog.tools
    (second,) = parse(tmp_path / "2", {"p.json": [dict(reversed(other.items()))]}).catalog.tools
    (third,) = parse(tmp_path / "3", {"p.json": [{**one, "description": "Other"}]}).catalog.tools
    assert (first.fingerprint, first.schema_fingerprint) == (second.fingerprint, second.schema_fingerprint)
    assert first.fingerprint != third.fingerprint
    assert first.schema_fingerprint == third.schema_fingerprint


def test_order_and_place_of_sources_change_nothing(tmp_path: Path) -> None:
    files = {
        "b.json": [tool("z"), tool("a")],
        "a.json": [tool("m")],
        "c.yaml": "id: b\ntools: [{name: q, inputSchema: {}}]",
    }
    one, two = write(tmp_path / "x", files), write(tmp_path / "deep" / "y", files)
    names = sorted(files)
    first = parse_sources([one / name for name in names])
    second = parse_sources([two / name for name in reversed(names)])
    assert first == second
    order = [(each.provider, each.name) for each in first.catalog.tools]
    assert order == sorted(order)
    assert parse_sources([one]) == first
