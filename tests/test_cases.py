"""The cases: what went wrong elsewhere, as files, and what happens here.

Each case compiles with the warnings and the number of tools it names, and its intents resolve as it says. What
its checks say in words stands below as assertions. `LATER` lists by number what waits, and for what.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from in_memory import compiled

from runtime_min import ToolRuntime
from runtime_min.abbreviations import SPELLED as SPELLED_OUT
from runtime_min.header import tokens
from runtime_min.lexicon import STOP
from smallchatc.lint import lint
from smallchatc.model import Signature, Tool
from smallchatc.parse import Parsed, parse_sources
from smallchatc.parse.documents import read_documents
from smallchatc.rules import RULES
from smallchatc.schema import read_signatures

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "world" / "cases"
CASES: dict[str, dict[str, Any]] = {
    path.stem[:3]: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.iterdir())
}

LATER = {
    "066": "the size of generated catalogues is a matter of bench/",
}
"""Cases of which the expectation as a whole needs a later capability; docs/decisions/0003-cases.md says the same."""

ELSEWHERE = {
    **dict.fromkeys(("045", "046", "060", "072"), "tests/incremental"),
    **dict.fromkeys(("064", "073"), "tests/serve/test_unknown.py"),
}
"""Cases that are about what happens between two compiles, or to who serves one, by where they are run."""

SOFT = "soft in the case itself: the words are shared, the meaning is another"
LATER_INTENTS = {
    ("056", "search my notes"): "rivals are listed as ambiguous",
    (
        "062",
        "I feel under the weather, whom should I call?",
    ): SOFT,
    (
        "062",
        "plot the results of my simulation",
    ): SOFT,
}
"""Intents whose answer is not yet what the case says. Strict: one that is answered must leave this table."""


SPELLED = {"shop: DELETE /orders/{id}": "shop/delete_orders_by_id"}
"""Tools that a case names in words of its own."""


def manifests_of(case: dict[str, Any]) -> dict[str, Any]:
    """The files of a case."""
    given = case["input"]
    if "manifests" in given:
        return dict(given["manifests"])
    if "pages" in given:
        return {"m.json": given["pages"]}
    return {}


WITH_FILES = [number for number, case in CASES.items() if number not in LATER and manifests_of(case)]


def write(number: str, folder: Path) -> Path:
    """A case's files in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in manifests_of(CASES[number]).items():
        (folder / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A case's catalog, by number."""
    return cache(lambda number: parse_sources([write(number, tmp_path_factory.mktemp("case"))]))


@pytest.mark.parametrize("number", WITH_FILES)
def test_a_case_compiles_as_it_says(parsed: Any, number: str) -> None:
    result: Parsed = parsed(number)
    expected = CASES[number]["expect"].get("compile", {})
    if "tools" in expected:
        assert len(result.catalog.tools) == expected["tools"]
    said = {d.slug for d in result.diagnostics}
    assert {slug for slug in expected.get("warnings", []) if not RULES[slug].only_lint} <= said
    assert all(d.severity != "error" for d in result.diagnostics)


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A case's artifact, opened, by number."""
    from runtime_min import ToolRuntime
    from smallchatc.pipeline import compile_sources
    from smallchatc.settings import Settings
    from smallchatc.write import write_artifact

    @cache
    def opened(number: str) -> ToolRuntime:
        folder = tmp_path_factory.mktemp("case")
        out = folder / "case.smallchat.db"
        image = compile_sources([write(number, folder / "sources")], settings=Settings(encoder="base")).image
        write_artifact(image, out)
        return ToolRuntime.open(out)

    return opened


INTENTS = [
    pytest.param(
        number,
        wanted,
        id=f"{number}-{position}",
        marks=[pytest.mark.xfail(strict=True, reason=LATER_INTENTS[number, wanted["query"]])]
        if (number, wanted["query"]) in LATER_INTENTS
        else [],
    )
    for number in WITH_FILES
    for position, wanted in enumerate(CASES[number]["expect"].get("resolve", []))
]


@pytest.mark.parametrize(("number", "wanted"), INTENTS)
def test_an_intent_of_a_case_resolves_as_it_says(runtime: Any, number: str, wanted: dict[str, Any]) -> None:
    answer = runtime(number).resolve(wanted["query"])
    if "top_in" in wanted:
        assert answer.tool in (*wanted["top_in"], None)
    elif wanted["top"] is None:
        assert answer.tool is None
    else:
        assert answer.tool is not None
        assert SPELLED.get(wanted["top"], wanted["top"]) in (answer.tool, answer.tool.partition("/")[2])
    if "tier" in wanted:
        assert answer.tier == wanted["tier"]
    if isinstance(wanted.get("ambiguous"), list):
        assert set(answer.ambiguous) == set(wanted["ambiguous"])
    elif wanted.get("ambiguous"):
        assert set(answer.ambiguous) >= set(wanted["top_in"])


def tools(result: Parsed) -> dict[str, Tool]:
    return {tool.name: tool for tool in result.catalog.tools}


def shape(signature: Signature) -> tuple[dict[str, str], list[str]]:
    return {p.name: p.code for p in signature.params}, [p.name for p in signature.params if p.required]


def test_001_alternatives_at_the_root_are_two_signatures(parsed: Any) -> None:
    find = tools(parsed("001"))["find_contact"]
    assert [shape(s) for s in find.signatures] == [({"email": "s"}, ["email"]), ({"phone": "s"}, ["phone"])]
    named = [d for d in parsed("001").diagnostics if d.tool == "find_contact"]
    assert any("anyOf" in d.message for d in named)


def test_002_three_arms_are_three_signatures_and_the_schema_stays(parsed: Any) -> None:
    attach = tools(parsed("002"))["attach_file"]
    assert [required for _, required in map(shape, attach.signatures)] == [
        ["page", "text"],
        ["link", "page"],
        ["page", "upload_id"],
    ]
    assert json.loads(attach.definition) == CASES["002"]["input"]["manifests"]["notes.json"]["tools"][0]


def test_003_conditional_properties_are_indexed(parsed: Any) -> None:
    resize = tools(parsed("003"))["resize_image"]
    assert [(arg.name, arg.code) for arg in resize.args] == [("mode", "s"), ("size", "n")]


def test_004_005_010_what_a_reference_means_is_searched(parsed: Any) -> None:
    assert {arg.name for arg in tools(parsed("004"))["list_rotas"].args} >= {"filter.team", "filter.limit"}
    assert shape(tools(parsed("004"))["list_rotas"].signatures[0]) == ({"filter": "o"}, ["filter"])
    (order,) = [arg for arg in tools(parsed("005"))["search_files"].args if arg.name == "options.order"]
    assert order.enum == ("name", "size")
    described = {arg.name: arg.description for arg in tools(parsed("010"))["create_order"].args}
    assert (described["ship_to"], described["bill_to"]) == ("where the parcel goes", "who pays")


@pytest.mark.parametrize(("number", "tool", "arg"), [("006", "search_files", "options.order"), ("009", "loop", "x")])
def test_006_009_a_reference_that_means_nothing_is_any(parsed: Any, number: str, tool: str, arg: str) -> None:
    assert [a.code for a in tools(parsed(number))[tool].args if a.name == arg] == ["*"]
    assert [d.tool for d in parsed(number).diagnostics] == [tool]


def test_006_the_diagnostic_has_the_pointer(parsed: Any) -> None:
    (said,) = parsed("006").diagnostics
    assert said.span.pointer == "/tools/0/inputSchema/properties/options/properties/order/$ref"


def test_013_015_016_boolean_schemas(parsed: Any) -> None:
    assert {a.name: a.code for a in tools(parsed("013"))["write_rows"].args} == {"rows": "az", "rows.value": "*"}
    assert {a.name: a.code for a in tools(parsed("015"))["next_page"].args} == {"cursor": "az"}
    codes, required = shape(tools(parsed("016"))["create_alert"].signatures[0])
    assert (codes, required) == ({"legacy": "", "model": "*", "title": "s"}, ["title"])


def test_017_018_what_else_may_be_given(parsed: Any) -> None:
    assert {name: tool.signatures[0].closed for name, tool in tools(parsed("017")).items()} == {
        "a_closed": True,
        "b_map": False,
        "c_any": False,
    }
    assert shape(tools(parsed("018"))["help"].signatures[0]) == ({}, [])


def test_019_020_a_schema_that_says_nothing_is_named_for_each_tool(parsed: Any) -> None:
    assert [(d.slug, d.tool) for d in parsed("019").diagnostics] == [
        ("empty-schema", "merge_request"),
        ("empty-schema", "run_query"),
    ]
    assert [(d.slug, d.tool) for d in parsed("020").diagnostics] == [("empty-schema", "read_file")]


def test_021_a_root_without_type_keeps_its_parameters(parsed: Any) -> None:
    assert shape(tools(parsed("021"))["get_quote"].signatures[0]) == ({"symbol": "s"}, ["symbol"])
    assert shape(tools(parsed("021"))["get_rate"].signatures[0]) == ({"pair": "s"}, [])


def test_022_the_likely_misplacement_is_explained(parsed: Any) -> None:
    (said,) = [d for d in parsed("022").diagnostics if d.slug == "property-schema-not-a-schema"]
    assert said.message.endswith("the keyword 'required' is probably one level too deep")


def test_031_one_broken_tool_costs_only_itself(parsed: Any) -> None:
    result: Parsed = parsed("031")
    assert set(tools(result)) == {"ping_service", "no_schema", "broken"}
    assert [d.message for d in result.diagnostics if d.slug in ("missing-name", "not-a-tool")] == [
        "entry 2 of the tool list has no name",
        "entry 3 of the tool list is not an object",
        "entry 4 of the tool list is not an object",
    ]
    assert all(shape(tools(result)[name].signatures[0]) == ({}, []) for name in ("no_schema", "broken"))


def test_034_four_names_stay_four_ids(parsed: Any) -> None:
    assert [p.id for p in parsed("034").catalog.providers] == ["Web-Search-(new)", "cafè", "café", "数据库"]


def test_036_the_three_names_are_kept(parsed: Any) -> None:
    assert set(tools(parsed("036"))) == {"foo/list", "foo.list", "foo_list"}


def test_038_operations_without_an_id_are_named_by_method_and_path(parsed: Any) -> None:
    names = ["docs/search", "shop/delete_orders_by_id", "shop/get_orders_by_id", "shop/search"]
    assert [tool.path for tool in parsed("038").catalog.tools] == names


def test_041_two_meanings_of_a_name_are_two_signatures(parsed: Any) -> None:
    convert = tools(parsed("041"))["convert"]
    assert [shape(s)[1] for s in convert.signatures] == [["metres"], ["celsius"]]
    assert [d.severity for d in parsed("041").diagnostics] == ["warning", "note"]


def test_048_order_changes_nothing(tmp_path: Path) -> None:
    given = manifests_of(CASES["048"])
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
    for name, content in given.items():
        (tmp_path / "x" / name).write_text(json.dumps(content))
        (tmp_path / "y" / name).write_text(json.dumps({"tools": content["tools"][::-1]}))
    one, two = (parse_sources([tmp_path / name]).catalog for name in ("x", "y"))
    assert [(t.path, t.fingerprint) for t in one.tools] == [(t.path, t.fingerprint) for t in two.tools]


@pytest.mark.parametrize(("number", "same"), [("049", True), ("060", False)])
def test_049_060_what_changes_a_fingerprint(tmp_path: Path, number: str, same: bool) -> None:
    prints = set()
    for side in ("before", "after"):
        (tmp_path / f"{side}.json").write_text(json.dumps(CASES[number]["input"][side]))
        (tool,) = parse_sources([tmp_path / f"{side}.json"]).catalog.tools
        prints.add((tool.fingerprint, tool.schema_fingerprint))
    assert (len(prints) == 1) == same


def test_056_the_colliding_pair_is_named_with_the_words_that_part_it(tmp_path: Path) -> None:
    (said,) = [d for d in lint([write("056", tmp_path)]).diagnostics if d.slug == "ambiguous-pair"]
    assert said.severity == "warning"
    assert said.message == (
        "'notes_search' and 'notes_smart_search' say nearly the same: only 'notes_smart_search' says 'smart'"
    )


def test_058_an_injection_is_named(parsed: Any) -> None:
    assert [(d.slug, d.tool) for d in parsed("058").diagnostics] == [("suspicious-description", "helper")]


def test_066_a_shared_schema_of_300_tools_is_read_whole() -> None:
    schema = {"type": "object", "properties": {"options": CASES["066"]["input"]["generate"]["shared_schema"]}}
    (document,) = read_documents(json.dumps(schema)).documents
    assert shape(read_signatures(document.value)[0]) == ({"options": "o"}, [])


def test_067_of_2000_tools_the_header_keeps_its_budget_and_a_resolve_reads_no_schema(tmp_path: Path) -> None:
    wanted = CASES["067"]["input"]["generate"]
    words = sorted(STOP | set(SPELLED_OUT))
    tools = [
        {
            "name": f"tool_{number}",
            "description": " ".join(words[(number * 7 + place * 3) % len(words)] for place in range(25)),
            "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
        }
        for number in range(wanted["tools"])
    ]
    with compiled(tmp_path / "large", {"large": {"tools": tools}}) as artifact:
        runtime = ToolRuntime(artifact)
        asked: list[str] = []
        artifact.connection().set_trace_callback(asked.append)
        assert runtime.resolve("tool 77").candidates
        assert asked
        assert not [sql for sql in asked if "definition" in sql or "FROM signature" in sql]
        header = runtime.generate_header(budget=300)
        assert tokens(header) <= 300
        assert "2000 tools" in header.replace(",", "")


def test_every_case_is_run_or_listed_with_its_reason() -> None:
    run = {number for number in CASES if number in WITH_FILES} | {"049", "067"} | set(ELSEWHERE)
    assert run | set(LATER) == set(CASES)
    page = (FOLDER.parents[2] / "docs" / "decisions" / "0003-cases.md").read_text("utf-8")
    assert [number for number, reason in LATER.items() if f"| {number} | {reason} |" not in page] == []
