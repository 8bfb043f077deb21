"""Real API descriptions: every operation is a tool or is named, and each call says what its description says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from smallchatc.diagnostics import CompileError
from smallchatc.model import Tool
from smallchatc.parse import Parsed, parse_sources

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "data" / "manifests" / "openapi"


@cache
def load(file: Path) -> Any:
    text = file.read_text("utf-8")
    return json.loads(text) if file.suffix == ".json" else yaml.load(text, yaml.CSafeLoader)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".json", ".yaml"))


def operations(document: Any) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Path, method, path item and operation, read as plainly as can be; none of these documents refers to a path."""
    if isinstance(document, dict) and ("openapi" in document or "swagger" in document):
        for path, item in (document.get("paths") or {}).items():
            for method in METHODS:
                if isinstance(item.get(method), dict):
                    yield path, method.upper(), item, item[method]


@cache
def alone(file: Path) -> Parsed | None:
    try:
        return parse_sources([file])
    except CompileError:
        return None


def called(parsed: Parsed | None) -> dict[tuple[str, str], tuple[Tool, dict[str, Any]]]:
    tools = parsed.catalog.tools if parsed else ()
    calls = [(tool, json.loads(tool.call)) for tool in tools]
    found = {(call["path"], call["method"]): (tool, call) for tool, call in calls}
    assert len(found) == len(tools)
    return found


def test_every_operation_of_every_file_alone_is_one_tool(folder: Path) -> None:
    total = 0
    for file in files(folder):
        expected = {(path, method) for path, method, _, _ in operations(load(file))}
        assert set(called(alone(file))) == expected, file.name
        total += len(expected)
    assert total > 1000


def test_the_whole_folder_holds_every_operation_and_says_what_it_merged(folder: Path) -> None:
    parsed = parse_sources([folder])
    for file in files(folder):
        path = file.relative_to(folder).as_posix()
        expected = sum(1 for _ in operations(load(file)))
        found = [tool for tool in parsed.catalog.tools if tool.source.path == path]
        said = [d for d in parsed.diagnostics if d.span and d.span.file == path]
        if len(found) != expected:
            assert not found
            assert any(d.slug == "merged-provider" for d in said), path
        if not expected:
            assert any(d.slug in ("no-tools", "unrecognised") for d in said), path
    assert all(d.severity != "error" for d in parsed.diagnostics)


def test_names_of_tools_are_portable_and_come_from_the_operation_ids(folder: Path) -> None:
    for file in files(folder):
        found = called(alone(file))
        for path, method, _, operation in operations(load(file)):
            name = found[path, method][0].name
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)
            given = operation.get("operationId", "")
            if (
                re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}[A-Za-z0-9]", given)
                and file.stem != "duplicate-operation-ids"
            ):
                assert name == given


def test_every_parameter_that_is_written_out_is_an_argument_in_its_place(folder: Path) -> None:
    checked = 0
    for file in files(folder):
        if "invalid" in file.parts:
            continue
        found = called(alone(file))
        for path, method, item, operation in operations(load(file)):
            tool, call = found[path, method]
            properties = json.loads(tool.definition)["inputSchema"]["properties"]
            sent = {(p["name"], p["in"]): p["argument"] for p in call["parameters"]}
            assert set(sent.values()) <= set(properties)
            for parameter in (*item.get("parameters", ()), *operation.get("parameters", ())):
                place = parameter.get("in")
                if place in ("path", "query", "cookie") or (place == "header" and parameter["name"] != "Authorization"):
                    assert (parameter["name"], place) in sent, (file.name, path, method)
                    checked += 1
                elif place == "formData":
                    assert parameter["name"] in call["body"].get("fields", ()) or "argument" in call["body"]
                    checked += 1
            if "requestBody" in operation:
                assert "body" in call
    assert checked > 2000


def test_every_argument_goes_somewhere_and_every_reference_is_defined(folder: Path) -> None:
    for file in files(folder):
        for tool, call in called(alone(file)).values():
            definition = json.loads(tool.definition)
            schema, body = definition["inputSchema"], call.get("body", {})
            sent = [p["argument"] for p in call["parameters"]] + body.get("fields", [])
            sent += [body["argument"]] if "argument" in body else []
            assert sorted(sent) == sorted(schema["properties"]), tool.path
            assert set(schema.get("required", ())) <= set(sent)
            for each in (schema, definition.get("outputSchema", {})):
                assert each == {} or each["type"] == "object"
                names = set(re.findall(r'"\$ref":"#/\$defs/([^"]+)"', json.dumps(each, separators=(",", ":"))))
                assert names <= set(each.get("$defs", ())), tool.path


def test_reading_twice_gives_the_same(folder: Path) -> None:
    file = folder / "restgpt" / "tmdb_oas.json"
    one, two = alone(file), parse_sources([file])
    assert one is not None
    assert one.catalog == two.catalog
