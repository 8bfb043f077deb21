"""Every form of input, told by its content: what it is called, whose tools it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from writing import parse, paths, slugs, tool, write

from smallchatc.parse import parse_sources

ONE, TWO = tool("one"), tool("two", "Does another thing")
LINES = f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\n"
WIRE = "\n".join(
    json.dumps(message)
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 0, "result": {"serverInfo": {"name": "wired", "version": "2"}}},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [ONE], "nextCursor": "p2"}},
        {"jsonrpc": "2.0", "method": "notifications/message"},
        {"jsonrpc": "2.0", "id": 2, "result": {"tools": [TWO]}},
    )
)
DOCKER = [{"name": "one", "description": "Does it", "arguments": [{"name": "a", "type": "string", "desc": "an a"}]}]
YAML = """
id: y
tools:
  - name: one
    description: Does it
    inputSchema: {type: object}
"""


FORMS: dict[str, tuple[Any, str, str, list[str]]] = {
    "a bare list": ([ONE, TWO], "mcp-list", "file", ["one", "two"]),
    "tools": ({"tools": [ONE]}, "mcp-list", "file", ["one"]),
    "envelope": ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [ONE]}}, "mcp-list", "file", ["one"]),
    "pages": ([{"tools": [ONE], "nextCursor": ""}, {"tools": [TWO]}], "mcp-list", "file", ["one", "two"]),
    "a single tool": (ONE, "mcp-list", "file", ["one"]),
    "a tool a line": (LINES, "jsonl", "file", ["one", "two"]),
    "a recording of the wire": (WIRE, "mcp-list", "wired", ["one", "two"]),
    "server": ({"server": "rec", "tools": [ONE]}, "recorded-server", "rec", ["one"]),
    "server object": ({"server": {"name": "rec"}, "tools": [ONE]}, "recorded-server", "rec", ["one"]),
    "package": (
        {"package": "@scope/pkg", "serverInfo": {"name": "other"}, "tools": [ONE]},
        "recorded-server",
        "@scope-pkg",
        ["one"],
    ),
    "server info": ({"serverInfo": {"name": "my server"}, "tools": [ONE]}, "recorded-server", "my-server", ["one"]),
    "docker": (DOCKER, "docker", "file", ["one"]),
    "a manifest": ({"id": "m", "name": "Title", "tools": [ONE]}, "manifest", "m", ["one"]),
    "a manifest in YAML": (YAML, "manifest", "y", ["one"]),
    "functions of a model API": (
        [{"type": "function", "function": {"name": "one", "parameters": {"type": "object"}}}],
        "function-list",
        "file",
        ["one"],
    ),
    "tools of a model API": (
        [{"name": "one", "description": "x", "input_schema": {"type": "object"}}],
        "function-list",
        "file",
        ["one"],
    ),
    "byte order mark": ("\ufeff" + json.dumps([ONE]), "mcp-list", "file", ["one"]),
    "UTF-16 with a mark": (json.dumps([ONE]).encode("utf-16"), "mcp-list", "file", ["one"]),
    "UTF-16 without": (json.dumps([ONE]).encode("utf-16-le"), "mcp-list", "file", ["one"]),
    "UTF-32 without": (json.dumps([ONE]).encode("utf-32-be"), "mcp-list", "file", ["one"]),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("suffix", [".json", ".txt"])
def test_a_form_is_told_by_its_content(tmp_path: Path, form: str, suffix: str) -> None:
    content, kind, provider, names = FORMS[form]
    catalog = parse(tmp_path, {f"file{suffix}": content}).catalog
    assert [(source.path, source.kind) for source in catalog.sources] == [(f"file{suffix}", kind)]
    assert [(each.provider, each.name) for each in catalog.tools] == [(provider, name) for name in names]


@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize("schema", [{}, {"inputSchema": {"type": "object"}}, {"input_schema": {"type": "object"}}])
def test_a_line_names_the_provider_of_its_tool(tmp_path: Path, lines: int, schema: dict[str, Any]) -> None:
    tools = [{"provider": "acme", "name": f"tool{number}", "description": "x", **schema} for number in range(lines)]
    path = tmp_path / "file.jsonl"
    path.write_text("".join(f"{json.dumps(tool)}\n" for tool in tools))
    catalog = parse_sources([path]).catalog
    assert [each.path for each in catalog.tools] == [f"acme/tool{number}" for number in range(lines)]
    assert "provider" not in json.loads(catalog.tools[0].definition), "it is the line's, not the tool's"


def test_several_yaml_documents_are_several_manifests(tmp_path: Path) -> None:
    assert paths(parse(tmp_path, {"all.yaml": f"{YAML}---{YAML.replace('id: y', 'id: z')}"})) == ["y/one", "z/one"]


def test_a_list_of_manifests_keeps_each_provider(tmp_path: Path) -> None:
    content = [{"id": "a", "tools": [ONE]}, {"package": "b", "tools": [TWO]}]
    assert paths(parse(tmp_path, {"all.json": content})) == ["a/one", "b/two"]


def test_the_folder_names_a_provider_whose_file_name_says_nothing(tmp_path: Path) -> None:
    assert paths(parse(tmp_path, {"github/tools.json": [ONE], "gitlab/tools.json": [TWO]})) == [
        "github/one",
        "gitlab/two",
    ]


def test_standard_input_is_a_source() -> None:
    parsed = parse_sources(["-"], stdin=json.dumps([ONE]).encode())
    assert paths(parsed) == ["stdin/one"]


def test_a_cursor_that_does_not_advance_ends_the_listing(tmp_path: Path) -> None:
    page = {"tools": [ONE, TWO], "nextCursor": "0"}
    parsed = parse(tmp_path, {"m.json": [page, page, page]})
    assert paths(parsed) == ["m/one", "m/two"]
    assert slugs(parsed.diagnostics) == [("cursor-did-not-advance", "warning")]


def test_docker_arguments_become_a_schema_and_stay_in_the_definition(tmp_path: Path) -> None:
    arguments = [
        {"name": "a", "type": "string", "desc": "an a"},
        {"name": "b", "type": "array", "items": {"type": "string"}, "desc": "some b", "optional": True},
    ]
    (one,) = parse(tmp_path, {"m.json": [{"name": "one", "description": "x", "arguments": arguments}]}).catalog.tools
    assert [(p.name, p.code, p.required) for p in one.signatures[0].params] == [("a", "s", True), ("b", "a", False)]
    assert [arg.description for arg in one.args] == ["an a", "some b"]
    definition = json.loads(one.definition)
    assert definition["arguments"] == arguments
    assert definition["inputSchema"]["required"] == ["a"]


def test_the_definition_is_verbatim(tmp_path: Path) -> None:
    text = (
        '{"name":"t","x-own":{"b":1,"a":[1.10,1e3,-0.0,1E400,12345678901234567890]},'
        '"description":"é \\u2028 \\"q\\"","inputSchema":{"type":"object"}}'
    )
    (one,) = parse(tmp_path, {"m.json": f"[ {text} ]"}).catalog.tools
    assert one.definition == text.replace("\\u2028", "\u2028")


def test_a_place_is_that_of_the_tool(tmp_path: Path) -> None:
    text = '{\n  "tools": [\n    {"name": "a", "inputSchema": {}},\n\n    {"name": "é", "inputSchema": {}}\n  ]\n}'
    spans = [each.span for each in parse(tmp_path, {"m.json": text}).catalog.tools]
    assert [(span.file, span.line, span.column, span.pointer) for span in spans] == [
        ("m.json", 3, 5, "/tools/0"),
        ("m.json", 5, 5, "/tools/1"),
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_place_does_not_depend_on_line_ends(tmp_path: Path, line_end: str) -> None:
    folder = write(tmp_path, {"m.yaml": YAML.replace("\n", line_end).encode()})
    (one,) = parse_sources([folder]).catalog.tools
    assert (one.span.line, one.span.column) == (4, 5)
