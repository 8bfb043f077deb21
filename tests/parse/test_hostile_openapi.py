"""API descriptions that mean harm: what multiplies, what leads elsewhere, what never ends. Each ends, with a word."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from writing import parse, refused, write

from smallchatc.diagnostics import CompileError
from smallchatc.parse import Parsed, parse_sources
from smallchatc.parse.openapi import schemas as limits

RESPONSES = {"200": {"description": "ok"}}


def api(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Hostile", "version": "1"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": paths,
        **more,
    }


def posting(schema: Any) -> dict[str, Any]:
    body = {"content": {"application/json": {"schema": schema}}}
    return {"post": {"summary": "post it", "requestBody": body, "responses": RESPONSES}}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def said(parsed: Parsed) -> set[str]:
    return {d.slug for d in parsed.diagnostics}


def size(parsed: Parsed) -> int:
    return sum(len(tool.definition) for tool in parsed.catalog.tools)


@pytest.mark.slow
def test_100_000_properties_are_one_tool(tmp_path: Path) -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(100_000)}
    parsed = parse(tmp_path, {"api.json": api({"/x": posting({"type": "object", "properties": properties})})})
    (tool,) = parsed.catalog.tools
    assert len(tool.signatures[0].params) == 100_000
    assert len(tool.args) <= 256
    assert "schema-large" in said(parsed)


@pytest.mark.slow
def test_100_000_parameters_are_cut_with_a_word(tmp_path: Path) -> None:
    parameters = [{"name": f"p{number}", "in": "query", "schema": {}} for number in range(100_000)]
    operation = {"summary": "get it", "parameters": parameters, "responses": RESPONSES}
    parsed = parse(tmp_path, {"api.json": api({"/x": {"get": operation}})})
    assert len(parsed.catalog.tools[0].signatures[0].params) == 10_000
    assert "bad-parameter" in said(parsed)


def test_a_path_of_placeholders_only_ends(tmp_path: Path) -> None:
    path = "/" + "".join(f"{{p{number}}}" for number in range(20_000)) + "{" * 20_000
    parsed = parse(tmp_path, {"api.json": api({path: {"get": {"summary": "get it", "responses": RESPONSES}}})})
    assert len(parsed.catalog.tools[0].name) <= 64


def test_schemas_that_all_refer_to_all_are_not_multiplied(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(60)]
    schemas = {name: {"type": "object", "properties": {other: ref(other) for other in names}} for name in names}
    paths = {f"/{name}": posting(ref(name)) for name in names}
    parsed = parse(tmp_path, {"api.json": api(paths, components={"schemas": schemas})})
    assert len(parsed.catalog.tools) == 60
    assert size(parsed) < 60 * 200_000
    assert "schema-large" in said(parsed)


@pytest.mark.slow
def test_what_every_operation_shares_is_written_out_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred kilobytes in each of a thousand tools would be a hundred megabytes."""
    monkeypatch.setitem(limits.MAX_VALUES_IN_ALL, limits.INPUT, 50_000)
    large = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(3_000)}}
    parameter = {"name": "large", "in": "query", "schema": large}
    operation = {"summary": "get it", "parameters": [{"$ref": "#/components/parameters/large"}], "responses": RESPONSES}
    paths = {f"/{number}": {"get": operation} for number in range(1_000)}
    parsed = parse(tmp_path, {"api.json": api(paths, components={"parameters": {"large": parameter}})})
    assert len(parsed.catalog.tools) == 1_000
    assert size(parsed) < 3_000_000
    assert "schema-large" in said(parsed)


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_doubling_through_references_is_not_followed_to_its_end(tmp_path: Path, keyword: str) -> None:
    schemas: dict[str, Any] = {f"s{n}": {keyword: [ref(f"s{n + 1}"), ref(f"s{n + 1}")]} for n in range(60)}
    schemas["s60"] = {"type": "object", "properties": {"a": {"type": "string"}}}
    parsed = parse(tmp_path, {"api.json": api({"/x": posting(ref("s0"))}, components={"schemas": schemas})})
    assert len(parsed.catalog.tools) == 1
    assert size(parsed) < 100_000


@pytest.mark.slow
def test_a_chain_of_100_000_references_ends(tmp_path: Path) -> None:
    schemas: dict[str, Any] = {f"s{number}": ref(f"s{number + 1}") for number in range(100_000)}
    parsed = parse(tmp_path, {"api.json": api({"/x": posting(ref("s0"))}, components={"schemas": schemas})})
    assert "circular-ref" in said(parsed)


def test_an_alias_bomb_is_refused(tmp_path: Path) -> None:
    lines = ["openapi: 3.1.0", "a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    found = refused(tmp_path, {"api.yaml": "\n".join([*lines, "paths: {/x: {get: {responses: {}}}}"])})
    assert "yaml-alias-explosion" in {d.slug for d in found}


@pytest.mark.parametrize(
    ("reference", "slug"),
    [
        ("http://127.0.0.1:9/schema.json", "ref-remote"),
        ("https://example.com/schema.json#/a", "ref-remote"),
        ("//example.com/schema.json", "ref-remote"),
        ("ftp://example.com/schema.json", "ref-remote"),
        ("file:///etc/passwd", "ref-remote"),
        ("file://{secret}", "ref-remote"),
        ("jar:file:{secret}!/x", "ref-remote"),
        ("C:\\secret.json", "ref-remote"),
        ("\\\\host\\share\\secret.json", "ref-remote"),
        ("{secret}", "ref-outside"),
        ("../secret.json", "ref-outside"),
        ("a/../../secret.json#/x", "ref-outside"),
        ("..\\secret.json", "ref-outside"),
        ("%2e%2e%2fsecret.json", "ref-outside"),
        ("link.json", "ref-outside"),
        ("linked/secret.json", "ref-outside"),
        ("pipe", "unresolved-ref"),
        (".", "unresolved-ref"),
        ("a\0b.json", "unresolved-ref"),
        ("gone.json", "unresolved-ref"),
    ],
)
def test_what_leads_out_of_the_folder_is_neither_opened_nor_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str, slug: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    secret = tmp_path / "secret.json"
    secret.write_text('{"type": "object", "properties": {"secret": {}}, "x": {"type": "string"}}')
    folder = tmp_path / "api"
    folder.mkdir()
    (folder / "link.json").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    schema = {"$ref": reference.replace("{secret}", str(secret))}
    write(folder, {"api.json": api({"/x": posting({"type": "object", "properties": {"a": schema}})})})
    parsed = parse_sources([folder / "api.json"])
    (tool,) = parsed.catalog.tools
    assert json.loads(tool.definition)["inputSchema"]["properties"] == {"a": {}}
    assert slug in said(parsed)


def test_standard_input_has_no_files_beside_it() -> None:
    document = api({"/x": posting({"$ref": "pyproject.toml"})})
    parsed = parse_sources(["-"], stdin=json.dumps(document).encode())
    assert "ref-outside" in said(parsed)


def test_a_file_that_is_referred_to_and_cannot_be_read_is_named(tmp_path: Path) -> None:
    files = {"a.json": b"\xff\xfe\xff", "b.yaml": "a: [", "c.json": ""}
    properties = {name: {"$ref": name} for name in files}
    document = api({"/x": posting({"type": "object", "properties": properties})})
    write(tmp_path, {**files, "api.json": document})
    parsed = parse_sources([tmp_path / "api.json"])
    assert [d.slug for d in parsed.diagnostics if d.slug == "unresolved-ref"] == ["unresolved-ref"] * 3


def test_no_credential_of_a_description_reaches_the_catalogue(tmp_path: Path) -> None:
    secret = "hunter2hunter2"
    document = api(
        {
            "/x": {
                "get": {"summary": "get it", "servers": [{"url": f"https://u:{secret}@a.b/"}], "responses": RESPONSES}
            },
            "/y": {"get": {"summary": "get it", "security": [{"key": []}], "responses": RESPONSES}},
        },
        components={
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "X-Key", "x-value": secret, "default": secret},
                "login": {"type": "http", "scheme": "basic", "password": secret},
                "oauth": {
                    "type": "oauth2",
                    "flows": {"password": {"tokenUrl": f"https://a.b/?token={secret}", "scopes": {}}},
                },
            }
        },
    )
    document["servers"] = [{"url": f"https://admin:{secret}@api.example.com/?api_key={secret}"}]
    parsed = parse(tmp_path, {"api.json": document})
    assert secret not in repr(parsed.catalog)
    assert "secret-value" in said(parsed)
    (provider,) = parsed.catalog.providers
    assert provider.transport["security"]["key"]["value"] == "${HOSTILE_KEY}"


def test_swagger_1_is_named_and_not_guessed_at(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as raised:
        parse(tmp_path, {"old.json": {"swaggerVersion": "1.2", "apis": [{"path": "/pets"}]}})
    assert any("Swagger 1" in d.message for d in raised.value.diagnostics)


FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "openapi"
JUNK: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, "", "x", "#", "#/paths", [], {}, [[]], [{}], {"": None}, ["a", "a"],
    {"$ref": "#"}, {"$ref": 5}, {"$ref": "#/components/schemas/Named"}, {"type": ["null"]},
]  # fmt: skip
KEYS = ("$ref", "allOf", "content", "get", "in", "items", "name", "parameters", "properties", "required", "schema", "")


@pytest.mark.parametrize("seed", range(8))
def test_a_description_with_parts_exchanged_never_breaks(tmp_path: Path, seed: int) -> None:
    import yaml

    random = Random(seed)
    files = sorted(path for path in FIXTURES.iterdir() if path.suffix in (".yaml", ".json"))
    for file in files:
        document = json.loads(json.dumps(yaml.safe_load(file.read_text("utf-8"))))
        for _ in range(random.randint(1, 6)):
            holder, key = random.choice(places(document))
            if random.random() < 0.2 and isinstance(holder, dict):
                holder[random.choice(KEYS)] = deepcopy(random.choice(JUNK))
            else:
                holder[key] = deepcopy(random.choice(JUNK))
        (tmp_path / "api.json").write_text(json.dumps(document))
        with contextlib.suppress(CompileError):
            parse_sources([tmp_path / "api.json"], keep_going=True)


def places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        holder = todo.pop()
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        found += [(holder, key) for key in keys]
        todo += [holder[key] for key in keys if isinstance(holder[key], dict | list)]
    return found
