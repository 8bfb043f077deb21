"""API descriptions: what does not depend on how they are written, and what they are not mistaken for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from writing import parse, paths, slugs, tool

from smallchatc.parse import parse_sources
from smallchatc.parse.openapi.names import method_and_path, portable, tool_names

OPERATION = {"summary": "Do it", "responses": {"200": {"description": "ok"}}}


def api(paths: dict[str, Any], title: str = "Shop", **more: Any) -> dict[str, Any]:
    servers = [{"url": "https://api.example.com"}]
    return {"openapi": "3.1.0", "info": {"title": title, "version": "1"}, "servers": servers, "paths": paths, **more}


def getting(**more: Any) -> dict[str, Any]:
    return {"get": {**OPERATION, **more}}


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("DELETE", "/orders/{id}", "delete_orders_by_id"),
        ("get", "/orders/id", "get_orders_id"),
        ("GET", "/a/{b}/c/{d}.json", "get_a_by_b_c_by_d_json"),
        ("GET", "/", "get_root"),
        ("GET", "/数据", "get_root"),
        ("POST", "/chat.postMessage", "post_chat_postMessage"),
    ],
)
def test_method_and_path_are_a_readable_name(method: str, path: str, name: str) -> None:
    assert method_and_path(method, path) == name


def test_a_long_name_keeps_its_beginning_and_differs_from_its_neighbour() -> None:
    one, two = portable("a" * 100 + "1"), portable("a" * 100 + "2")
    assert one != two
    assert len(one) == len(two) == 64
    assert one.startswith("a" * 55)


def test_a_name_stays_when_operations_are_moved_or_added() -> None:
    given = [
        ("/b", "GET", "same"),
        ("/a", "GET", "same"),
        ("/a-b", "GET", ""),
        ("/a/b", "GET", ""),
        ("/c", "GET", "x.y"),
    ]
    names = dict(zip(given, tool_names(given), strict=True))
    assert names["/a", "GET", "same"] == "same"
    assert dict(zip(given[::-1], tool_names(given[::-1]), strict=True)) == names
    more = [("/z", "PUT", "other"), *given]
    assert dict(zip(more, tool_names(more), strict=True)).items() >= names.items()
    assert len(set(names.values())) == len(given)


def test_no_derived_name_takes_one_that_was_given(tmp_path: Path) -> None:
    document = api({"/a": getting(), "/b": getting(operationId="get_a")})
    parsed = parse(tmp_path, {"api.json": document})
    assert {json.loads(each.call)["path"]: each.name for each in parsed.catalog.tools}["/b"] == "get_a"
    assert len(parsed.catalog.tools) == 2


def test_two_versions_of_an_api_with_equal_tools_stay_apart(tmp_path: Path) -> None:
    files = {f"v{n}.json": api({f"/v{n}/pets": getting(operationId="pets")}) for n in (1, 2)}
    assert paths(parse(tmp_path, files)) == ["shop/pets", "shop-2/pets"]


def test_a_description_twice_is_one_provider(tmp_path: Path) -> None:
    parsed = parse(tmp_path, {"a.json": api({"/pets": getting()}), "b.json": api({"/pets": getting()})})
    assert paths(parsed) == ["shop/get_pets"]
    assert ("merged-provider", "note") in slugs(parsed.diagnostics)


def test_the_order_of_keys_changes_no_tool(tmp_path: Path) -> None:
    document = api({"/a": getting(), "/b": {"post": OPERATION, "get": OPERATION}})
    turned = {**document, "paths": {"/b": {"get": OPERATION, "post": OPERATION}, "/a": getting()}}
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    one, two = parse(tmp_path / "x", {"api.json": document}), parse(tmp_path / "y", {"api.json": turned})
    assert [(t.path, t.fingerprint, t.call) for t in one.catalog.tools] == [
        (t.path, t.fingerprint, t.call) for t in two.catalog.tools
    ]


@pytest.mark.parametrize("written", ["2.0", "2", '"2.0"'])
def test_a_version_may_be_a_number(tmp_path: Path, written: str) -> None:
    text = (
        f"swagger: {written}\ninfo: {{title: Old, version: 1}}\nhost: a.b\npaths: {{/a: {{get: {{responses: {{}}}}}}}}"
    )
    parsed = parse(tmp_path, {"api.yaml": text})
    assert paths(parsed) == ["old/get_a"]
    assert parsed.catalog.providers[0].transport["base_url"] == "https://a.b"


def test_several_descriptions_in_one_file(tmp_path: Path) -> None:
    documents = [json.dumps(api({"/a": getting()}, title)) for title in ("One", "Two")]
    assert paths(parse(tmp_path, {"all.yaml": "\n---\n".join(documents)})) == ["one/get_a", "two/get_a"]


def test_without_a_title_the_files_name_decides(tmp_path: Path) -> None:
    document = {**api({"/a": getting()}), "info": {}}
    assert paths(parse(tmp_path, {"shop.json": document})) == ["shop/get_a"]


def test_parameters_in_a_file_of_their_own_are_no_tools(tmp_path: Path) -> None:
    limit = {"name": "limit", "in": "query", "description": "how many", "schema": {"type": "integer"}}
    files = {
        "api.json": api({"/a": getting(parameters=[{"$ref": "parameters.json#/0"}])}),
        "parameters.json": [limit, {**limit, "name": "offset"}],
    }
    parsed = parse(tmp_path, files)
    assert paths(parsed) == ["shop/get_a"]
    assert [d.message for d in parsed.diagnostics] == ["a part of the API description that refers to it"]


def test_tools_that_mention_openapi_stay_a_tool_list(tmp_path: Path) -> None:
    assert paths(parse(tmp_path, {"m.json": {"openapi": "3.0.0", "tools": [tool("one")]}})) == ["m/one"]


def test_a_file_that_is_given_by_name_refers_to_its_neighbours_only(tmp_path: Path) -> None:
    body = {"content": {"application/json": {"schema": {"$ref": "../common/pet.json"}}}}
    document = api({"/pets": {"post": {**OPERATION, "requestBody": body}}})
    files = {
        "spec/api.json": document,
        "common/pet.json": {"type": "object", "properties": {"name": {"type": "string"}}},
    }
    whole = parse(tmp_path, files)
    alone = parse_sources([tmp_path / "spec" / "api.json"])
    assert [p.name for p in whole.catalog.tools[0].signatures[0].params] == ["name"]
    assert [p.name for p in alone.catalog.tools[0].signatures[0].params] == ["body"]
    assert ("ref-outside", "warning") in slugs(alone.diagnostics)


def test_arguments_of_operations_are_searched_as_those_of_any_tool(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"ship_to": {"$ref": "#/components/schemas/Address"}}}
    address = {"type": "object", "properties": {"city": {"type": "string", "description": "where the parcel goes"}}}
    body = {"content": {"application/json": {"schema": schema}}}
    document = api(
        {"/orders": {"post": {**OPERATION, "requestBody": body}}}, components={"schemas": {"Address": address}}
    )
    (order,) = parse(tmp_path, {"api.json": document}).catalog.tools
    assert {arg.name: arg.description for arg in order.args}["ship_to.city"] == "where the parcel goes"
    assert order.signatures[0].closed


def test_the_call_is_in_the_artifact_and_shown(tmp_path: Path) -> None:
    from running import invoke

    (tmp_path / "api.json").write_text(json.dumps(api({"/orders/{id}": {"delete": OPERATION}})))
    out = tmp_path / "api.smallchat.db"
    assert invoke("compile", tmp_path / "api.json", "-o", out).exit_code == 0
    told = json.loads(invoke("inspect", out, "--tool", "shop/delete_orders_by_id", "--json").stdout)["tool"]
    assert told["call"]["method"] == "DELETE"
    assert told["call"]["parameters"][0] == {
        "argument": "id", "name": "id", "in": "path", "style": "simple", "explode": False,
    }  # fmt: skip
    assert "DELETE /orders/{id}" in invoke("inspect", out, "--tool", "shop/delete_orders_by_id").stdout
