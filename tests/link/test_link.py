"""Link: classes, selectors, names and ids; every fault of the declarations is said, none of the tools is lost."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest

from runtime_min import format as fmt
from smallchatc.cluster import cluster_overloads
from smallchatc.link import link, seal
from smallchatc.model import Diagnostic, Hints, LinkedImage


def linked(build: Any, *args: Any, vectors: Any = None, **kwargs: Any) -> tuple[LinkedImage, tuple[Diagnostic, ...]]:
    catalog = build.catalog(*args, **kwargs)
    return link(cluster_overloads(build.embedded(catalog, vectors)), extra={}, meta={"tools": str(len(catalog.tools))})


def apart(count: int) -> list[list[int]]:
    """Vectors that are like no other."""
    return [[int(row == column) for column in range(count)] for row in range(count)]


def table(image: LinkedImage, name: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in image.tables[name]]


def said(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(each.slug, each.message) for each in diagnostics]


def dispatch(image: LinkedImage) -> set[tuple[str, str, str]]:
    """(class, selector, tool) of every dispatch entry, by name."""
    providers, selectors = dict_of(image, "provider"), dict_of(image, "selector")
    tools = {row[0]: f"{providers[row[1]]}/{row[2]}" for row in image.tables["tool"]}
    return {(providers[p], selectors[s], tools[t]) for p, s, t in image.tables["method"]}


def dict_of(image: LinkedImage, name: str) -> dict[int, str]:
    return {row[0]: row[1] for row in image.tables[name]}


# Classes


def test_a_superclass_is_linked_by_id(build: Any) -> None:
    image, diagnostics = linked(build, [build.tool("a/x"), build.tool("b/y")], [build.provider("b", superclass="a")])
    assert [(row[1], row[6]) for row in image.tables["provider"]] == [("a", None), ("b", 0)]
    assert diagnostics == ()


def test_every_superclass_fault_is_said_in_one_run(build: Any) -> None:
    providers = [
        build.provider("a", superclass="b"),
        build.provider("b", superclass="c"),
        build.provider("c", superclass="a"),
        build.provider("d", superclass="a"),
        build.provider("e", superclass="e"),
        build.provider("f", superclass="gamma"),
    ]
    image, diagnostics = linked(build, [], providers)
    assert said(diagnostics) == [
        ("superclass-cycle", "superclasses form a cycle: a -> b -> c -> a"),
        ("superclass-cycle", "superclasses form a cycle: e -> e"),
        ("unknown-superclass", "superclass 'gamma' of 'f' is not a provider of this catalogue"),
    ]
    assert {each.severity for each in diagnostics} == {"error"}
    assert [row[6] for row in image.tables["provider"]] == [None, None, None, 0, None, None]


def test_a_class_that_lacks_a_required_tool_does_not_conform(build: Any) -> None:
    image, diagnostics = linked(
        build,
        [build.tool("whole/read"), build.tool("whole/write"), build.tool("half/read")],
        [build.provider("whole", conforms=("Store",)), build.provider("half", conforms=("Store",))],
        [build.protocol("Store", "read", "write", "sync", optional=["watch"])],
        vectors=apart(3),
    )
    assert said(diagnostics) == [
        ("protocol-unmet", "'half' does not conform to 'Store': it has no sync, write"),
        ("protocol-unmet", "'whole' does not conform to 'Store': it has no sync"),
    ]
    assert table(image, "conformance") == []
    assert table(image, "protocol_method") == [(0, "read", 1), (0, "sync", 1), (0, "watch", 0), (0, "write", 1)]


def test_an_inherited_tool_meets_a_protocol(build: Any) -> None:
    image, diagnostics = linked(
        build,
        [build.tool("base/read"), build.tool("disk/writeAll")],
        [build.provider("disk", superclass="base", conforms=("Store",))],
        [build.protocol("Store", "read", "write_all")],
    )
    assert (table(image, "conformance"), diagnostics) == ([(1, 0)], ())


def test_an_unknown_protocol_is_an_error_with_the_nearest_name(build: Any) -> None:
    _, diagnostics = linked(
        build, [build.tool("a/x")], [build.provider("a", conforms=("Stroe",))], [build.protocol("Store", "x")]
    )
    assert [(d.slug, d.severity, d.hint) for d in diagnostics] == [
        ("unknown-protocol", "error", "did you mean 'Store'?")
    ]


def test_category_methods_are_in_the_tables_of_conforming_classes_only(build: Any) -> None:
    image, diagnostics = linked(
        build,
        [build.tool("a/read"), build.tool("b/look"), build.tool("c/read"), build.tool("extra/search")],
        [build.provider("a", conforms=("Store",)), build.provider("c", conforms=("Store",))],
        [build.protocol("Store", "read")],
        [build.category("Searching", "Store", "extra/search")],
        vectors=apart(4),
    )
    assert diagnostics == ()
    assert dispatch(image) == {
        ("a", "a.read", "a/read"),
        ("a", "extra.search", "extra/search"),
        ("b", "b.look", "b/look"),
        ("c", "c.read", "c/read"),
        ("c", "extra.search", "extra/search"),
        ("extra", "extra.search", "extra/search"),
    }
    assert (table(image, "category"), table(image, "category_method")) == ([(0, "Searching", "Store")], [(0, 3)])


def test_a_category_can_extend_one_class_by_its_id(build: Any) -> None:
    image, _ = linked(
        build,
        [build.tool("a/read"), build.tool("extra/search")],
        categories=[build.category("C", "a", "extra/search")],
        vectors=apart(2),
    )
    assert ("a", "extra.search", "extra/search") in dispatch(image)


def test_what_a_category_gets_wrong_is_said(build: Any) -> None:
    image, diagnostics = linked(
        build,
        [build.tool("a/read"), build.tool("b/write")],
        [],
        [build.protocol("Lonely", "fly")],
        [
            build.category("A", "nothing", "a/read"),
            build.category("B", "a", "a/missing", "a/read"),
            build.category("C", "Lonely", "a/read"),
            build.category("D", "a", "a/read"),
            build.category("D", "b", "a/read"),
        ],
        vectors=apart(2),
    )
    assert said(diagnostics) == [
        ("category-extends-nothing", "category 'C' extends 'Lonely', to which no class conforms"),
        ("duplicate-category", "category 'D' extends 'a' and 'b'; the first declaration is kept"),
        ("unknown-category-target", "category 'A' extends 'nothing', which is neither a provider nor a protocol"),
        ("unknown-category-tool", "category 'B' adds a/missing, which this catalogue does not have"),
    ]
    assert [row[1] for row in image.tables["category"]] == ["B", "C", "D"]


# Selectors


def test_a_selector_is_the_provider_and_the_name(build: Any) -> None:
    image, _ = linked(build, [build.tool("git/log"), build.tool("git/add")], vectors=apart(2))
    assert table(image, "selector") == [(0, "git.add"), (1, "git.log")]


def test_a_namespace_stands_for_the_provider(build: Any) -> None:
    image, _ = linked(
        build,
        [build.tool("git/log"), build.tool("git/add", hints=Hints(namespace="index"))],
        [build.provider("git", hints=Hints(namespace="vcs"))],
        vectors=apart(2),
    )
    assert [row[1] for row in image.tables["selector"]] == ["index.add", "vcs.log"]
    assert [row[7] for row in image.tables["provider"]] == ["vcs"]


def test_a_pin_is_the_canonical_name_and_is_never_shared(build: Any) -> None:
    tools = [
        build.tool("a/delete_record", hints=Hints(pin="records.delete")),
        build.tool("b/delete_record"),
        build.tool("c/delete_record"),
    ]
    image, _ = linked(build, tools)
    assert dispatch(image) == {
        ("a", "records.delete", "a/delete_record"),
        ("b", "b.delete_record", "b/delete_record"),
        ("c", "b.delete_record", "c/delete_record"),
    }
    assert json.loads(image.tables["tool"][0].hints) == {"pin": "records.delete"}


def test_the_second_of_two_equal_pins_is_pinned_to_its_default_name(build: Any) -> None:
    tools = [build.tool(f"{p}/drop", hints=Hints(pin=pin)) for p, pin in (("a", "data.drop"), ("b", "Data drop"))]
    image, diagnostics = linked(build, tools)
    assert said(diagnostics) == [
        (
            "pin-clash",
            "'b/drop' is pinned to 'Data drop', which 'a/drop' has already; it is pinned to 'b.drop' instead",
        ),
        ("same-operation", "'a/drop' and 'b/drop' do the same and take the same arguments"),
    ]
    assert {selector for _, selector, _ in dispatch(image)} == {"data.drop", "b.drop"}
    assert json.loads(image.tables["tool"][1].hints) == {"pin": "b.drop"}


def test_a_default_name_gives_way_to_a_pin(build: Any) -> None:
    tools = [build.tool("a/one", hints=Hints(pin="b.two")), build.tool("b/two")]
    image, diagnostics = linked(build, tools, vectors=apart(2))
    assert said(diagnostics) == [
        (
            "selector-clash",
            "selector 'b.two' of 'b/two' is that of 'a/one' too; it is pinned there, and this one is 'b.two-2'",
        )
    ]
    assert dispatch(image) == {("a", "b.two", "a/one"), ("b", "b.two-2", "b/two")}


def test_one_namespace_for_two_providers_is_one_selector_with_two_entries(build: Any) -> None:
    tools = [build.tool(f"{p}/log", hints=Hints(namespace="vcs")) for p in "ab"]
    image, diagnostics = linked(build, tools, vectors=apart(2))
    assert said(diagnostics) == [
        ("selector-clash", "selector 'vcs.log' of 'b/log' is that of 'a/log' too; they share it")
    ]
    assert dispatch(image) == {("a", "vcs.log", "a/log"), ("b", "vcs.log", "b/log")}


def test_tools_that_share_a_selector_keep_their_dispatch_entries(build: Any) -> None:
    tools = [build.tool(f"{p}/get_user", **{p: "s"}) for p in "abc"]
    image, _ = linked(build, [*tools, build.tool("d/delete_user")])
    assert dispatch(image) == {
        ("a", "a.get_user", "a/get_user"),
        ("b", "a.get_user", "b/get_user"),
        ("c", "a.get_user", "c/get_user"),
        ("d", "d.delete_user", "d/delete_user"),
    }


# Names


def test_every_literal_text_that_means_a_tool_has_a_row(build: Any) -> None:
    hints = Hints(pin="vcs.history", aliases=("show history", "Show history!"), namespace="repo")
    image, _ = linked(build, [build.tool("git/getLog", hints=hints)])
    assert table(image, "name") == [
        ("get log", 0, "name"),
        ("git get log", 0, "path"),
        ("show history", 0, "alias"),
        ("vcs history", 0, "pin"),
        ("vcs history", 0, "selector"),
    ]


def test_a_name_of_two_tools_has_two_rows_and_a_path_only_one(build: Any) -> None:
    image, _ = linked(build, [build.tool("a/search"), build.tool("b/search")])
    rows = table(image, "name")
    assert [row[1] for row in rows if row[0] == "search"] == [0, 1]
    assert [row[1:] for row in rows if row[0] == "b search"] == [(1, "path"), (1, "selector")]


def test_an_alias_is_a_name_and_never_a_tool(build: Any) -> None:
    image, diagnostics = linked(
        build,
        [build.tool("a/log", hints=Hints(aliases=("history", "list commits"))), build.tool("b/list_commits")],
        vectors=apart(2),
    )
    assert [row[2] for row in image.tables["tool"]] == ["log", "list_commits"]
    assert len(image.tables["selector"]) == len(image.tables["method"]) == 2
    assert said(diagnostics) == [("ambiguous-alias", "alias 'list commits' of 'a/log' also means 'b/list_commits'")]


def test_a_name_of_symbols_only_has_no_empty_key(build: Any) -> None:
    image, _ = linked(build, [build.tool("a/???")])
    assert [row[0] for row in image.tables["name"]] == ["a", "a"]


# Rows


def test_only_hints_that_say_something_are_stored(build: Any) -> None:
    hints = Hints(
        selector="history", aliases=("log",), priority=1.5, preferred=True, vendor={"b": 1, "a": 2}, namespace="x"
    )
    image, _ = linked(build, [build.tool("a/one"), build.tool("a/two", hints=hints)], vectors=apart(2))
    assert [row.hints for row in image.tables["tool"]] == [
        "{}",
        '{"aliases":["log"],"namespace":"x","preferred":true,"priority":1.5,"selector":"history",'
        '"vendorMeta":{"a":2,"b":1}}',
    ]


def test_a_providers_transport_is_stored_with_sorted_keys_and_its_references(build: Any) -> None:
    transport = {"url": "https://example.org", "headers": {"Authorization": "Bearer ${TOKEN}"}}
    image, _ = linked(build, [build.tool("a/x")], [build.provider("a", transport=transport)])
    assert image.tables["provider"][0][5] == (
        '{"headers":{"Authorization":"Bearer ${TOKEN}"},"url":"https://example.org"}'
    )


def test_signatures_keep_name_type_and_need(build: Any) -> None:
    image, _ = linked(build, [build.tool("a/one", text="S", größe="n")])
    assert table(image, "signature") == [(0, 0, 0, '[["größe","n",0],["text","s",1]]')]


def test_duplicates_are_noted_unless_one_is_preferred(build: Any) -> None:
    tools = [build.tool("a/get_user", id="S"), build.tool("b/get_user", id="S")]
    image, diagnostics = linked(build, tools)
    assert said(diagnostics) == [
        ("same-operation", "'a/get_user' and 'b/get_user' do the same and take the same arguments")
    ]
    assert table(image, "duplicate") == [(0, 1, 1.0)]
    tools[1] = dataclasses.replace(tools[1], hints=Hints(preferred=True))
    assert linked(build, tools)[1] == ()


def test_duplicate_rows_are_all_pairs_of_a_group(build: Any) -> None:
    image, _ = linked(build, [build.tool(f"{p}/get_user", id="S") for p in "abc"])
    assert table(image, "duplicate") == [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]


def test_duplicate_rows_of_a_very_large_group_grow_with_its_tools(build: Any) -> None:
    image, _ = linked(build, [build.tool(f"p{index:03}/get_user", id="S") for index in range(80)])
    assert [row[:2] for row in image.tables["duplicate"]] == [(0, other) for other in range(1, 80)]


def test_overload_rows_list_their_members(build: Any) -> None:
    image, _ = linked(build, [build.tool("a/get_user", id="S"), build.tool("b/get_user", mail="S")])
    assert (table(image, "overload"), table(image, "overload_member")) == (
        [(0, "get_user", 1.0)],
        [(0, 0), (0, 1)],
    )


def test_all_tables_are_there_sorted_by_key_and_sealed(build: Any) -> None:
    image, _ = linked(build, [build.tool(f"{p}/{n}") for p in "ba" for n in ("z", "y")])
    assert list(image.tables) == [each.name for each in fmt.TABLES]
    for each in fmt.TABLES:
        keys = [row[: each.keys] for row in image.tables[each.name]]
        assert keys == sorted(keys)
        assert len(keys) == len(set(keys))
    sealed = seal(image)
    assert dict(table(sealed, "meta"))["digest"] == fmt.digest(image.tables) == fmt.digest(sealed.tables)
    assert seal(sealed) == sealed


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_everything_given_changes_no_row(build: Any, seed: int) -> None:
    tools = [build.tool(f"{p}/{n}", **{p: "s"}) for p in "abc" for n in ("get_user", "read", "put_file")]
    providers = [build.provider(p, conforms=("R", "S"), superclass="a" if p != "a" else None) for p in "abc"]
    protocols = [build.protocol("R", "read"), build.protocol("S", "put_file", "get_user")]
    categories = [build.category("K", "R", "a/read", "b/put_file"), build.category("L", "S", "c/read")]
    expected = seal(linked(build, tools, providers, protocols, categories)[0])
    dice = random.Random(seed)
    for each in (tools, providers, protocols, categories):
        dice.shuffle(each)
    assert seal(linked(build, tools, providers, protocols, categories)[0]) == expected
