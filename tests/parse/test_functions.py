"""Function lists: what programs hand to a model's API, in every spelling, becomes tools with schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from writing import parse, paths, slugs

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
GEMINI = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}
SAID = {"name": "weather", "description": "The weather of a city"}

SPELLINGS: dict[str, Any] = {
    "chat": [{"type": "function", "function": {**SAID, "parameters": SCHEMA, "strict": True}}],
    "responses": [{"type": "function", **SAID, "parameters": SCHEMA, "strict": True}],
    "functions": {"model": "m", "messages": [], "functions": [{**SAID, "parameters": SCHEMA}]},
    "a single one": {"type": "function", "function": {**SAID, "parameters": SCHEMA}},
    "a request": {"model": "m", "input": "hi", "tools": [{"type": "function", **SAID, "parameters": SCHEMA}]},
    "a recorded answer": {
        "id": "r",
        "object": "response",
        "model": "m",
        "tools": [{"type": "function", **SAID, "parameters": SCHEMA}],
    },
    "a batch": {
        "custom_id": "1",
        "body": {"model": "m", "tools": [{"type": "function", "function": {**SAID, "parameters": SCHEMA}}]},
    },
    "anthropic": [{**SAID, "input_schema": SCHEMA, "defer_loading": True}],
    "an anthropic request": {
        "model": "m",
        "messages": [],
        "max_tokens": 1,
        "tools": [{**SAID, "input_schema": SCHEMA}],
    },
    "an anthropic batch": {"custom_id": "1", "params": {"model": "m", "tools": [{**SAID, "input_schema": SCHEMA}]}},
    "gemini": [{"functionDeclarations": [{**SAID, "parameters": GEMINI}]}],
    "gemini in snake case": {"tools": [{"function_declarations": [{**SAID, "parameters": GEMINI}]}]},
    "gemini with JSON Schema": {"functionDeclarations": [{**SAID, "parametersJsonSchema": SCHEMA}]},
    "a gemini request": {
        "contents": [],
        "config": {"tools": [{"functionDeclarations": [{**SAID, "parameters": GEMINI}]}]},
    },
    "bedrock": {"modelId": "m", "toolConfig": {"tools": [{"toolSpec": {**SAID, "inputSchema": {"json": SCHEMA}}}]}},
    "langchain schema": [{**SAID, "args_schema": {"title": "W", **SCHEMA}, "return_direct": False}],
    "langchain args": [{**SAID, "args": {"city": {"title": "City", "type": "string"}}}],
    "a list of parameters": [{**SAID, "parameters": [{"name": "city", "type": "string", "required": True}]}],
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_gives_the_same_tool(tmp_path: Path, spelling: str) -> None:
    parsed = parse(tmp_path, {"file.json": SPELLINGS[spelling]})
    (tool,) = parsed.catalog.tools
    assert (tool.path, tool.description) == ("file/weather", SAID["description"])
    assert [(p.name, p.code, p.required) for p in tool.signatures[0].params] == [("city", "s", True)]
    assert slugs(parsed.diagnostics) == [("gemini-types", "note")] * (GEMINI["type"] in json.dumps(SPELLINGS[spelling]))


def test_what_gemini_wrote_stays_and_its_json_schema_stands_beside_it(tmp_path: Path) -> None:
    written = {
        "type": "OBJECT",
        "properties": {
            "tags": {"type": "ARRAY", "items": {"type": "STRING"}, "min_items": "1", "maxItems": "9", "nullable": True},
            "value": {"any_of": [{"type": "NUMBER"}, {"type": "BOOLEAN"}]},
            "type": {"type": "STRING", "enum": ["STRING", "OBJECT"]},
            "free": {"type": "TYPE_UNSPECIFIED", "description": "what you like"},
        },
        "propertyOrdering": ["tags"],
    }
    (tool,) = parse(tmp_path, {"m.json": {"functionDeclarations": [{**SAID, "parameters": written}]}}).catalog.tools
    definition = json.loads(tool.definition)
    assert definition["parameters"] == written
    assert definition["inputSchema"] == {
        "type": "object",
        "properties": {
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 9, "nullable": True},
            "value": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
            "type": {"type": "string", "enum": ["STRING", "OBJECT"]},
            "free": {"description": "what you like"},
        },
        "propertyOrdering": ["tags"],
    }
    assert {p.name: p.code for p in tool.signatures[0].params} == {
        "tags": "az",
        "value": "bn",
        "type": "s",
        "free": "*",
    }


def test_the_response_of_a_declaration_is_the_output_schema(tmp_path: Path) -> None:
    declared = {**SAID, "parameters": GEMINI, "response": {"type": "OBJECT", "properties": {"c": {"type": "NUMBER"}}}}
    (tool,) = parse(tmp_path, {"m.json": [{"functionDeclarations": [declared]}]}).catalog.tools
    assert json.loads(tool.definition)["outputSchema"]["properties"] == {"c": {"type": "number"}}


def test_a_namespace_is_a_provider(tmp_path: Path) -> None:
    crm = {
        "type": "namespace",
        "name": "crm",
        "description": "Customers",
        "tools": [
            {"type": "function", "name": "get", "description": "One", "parameters": SCHEMA, "defer_loading": True}
        ],
    }
    parsed = parse(
        tmp_path, {"m.json": {"model": "m", "tools": [crm, {"type": "function", **SAID, "parameters": SCHEMA}]}}
    )
    assert paths(parsed) == ["crm/get", "m/weather"]
    assert [provider.description for provider in parsed.catalog.providers] == ["Customers", ""]


HOSTED = [
    {"type": "web_search"},
    {"type": "mcp", "server_label": "s", "server_url": "https://s.example/mcp"},
    {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
    {"type": "tool_search", "execution": "server"},
    {"googleSearch": {}},
    {"code_execution": {}},
]


@pytest.mark.parametrize("hosted", HOSTED, ids=lambda tool: str(tool.get("type") or next(iter(tool))))
def test_a_tool_that_the_api_runs_itself_is_named_and_left_out(tmp_path: Path, hosted: dict[str, Any]) -> None:
    parsed = parse(tmp_path, {"m.json": [hosted, {"type": "function", **SAID, "parameters": SCHEMA}]})
    assert paths(parsed) == ["m/weather"]
    assert slugs(parsed.diagnostics) == [("hosted-tool", "note")]


def test_declarations_beside_a_hosted_tool_lose_neither(tmp_path: Path) -> None:
    both = {"functionDeclarations": [{**SAID, "parametersJsonSchema": SCHEMA}], "googleSearch": {}}
    parsed = parse(tmp_path, {"m.json": [both]})
    assert (paths(parsed), slugs(parsed.diagnostics)) == (["m/weather"], [("hosted-tool", "note")])


@pytest.mark.parametrize(
    "written",
    [[{"type": "function", "function": SAID}], [{"type": "function", **SAID}], {"functionDeclarations": [SAID]}],
)
def test_a_function_without_parameters_takes_none(tmp_path: Path, written: Any) -> None:
    parsed = parse(tmp_path, {"m.json": written})
    assert slugs(parsed.diagnostics) == []
    assert parsed.catalog.tools[0].signatures[0].params == ()


def test_a_tool_for_free_text_takes_one_text(tmp_path: Path) -> None:
    (tool,) = parse(tmp_path, {"m.json": [{"type": "custom", **SAID, "format": {"type": "text"}}]}).catalog.tools
    assert [(p.name, p.code, p.required) for p in tool.signatures[0].params] == [("input", "s", True)]


def test_places_are_those_of_the_file(tmp_path: Path) -> None:
    tool = '{"name": "a", "description": "x", "parameters": {"type": "STRING"}}'
    text = f'{{"tools": [\n {{"functionDeclarations": [\n  {tool}]}}]}}'
    parsed = parse(tmp_path, {"m.json": text})
    (found,) = parsed.catalog.tools
    assert (found.span.line, found.span.pointer) == (3, "/tools/0/functionDeclarations/0")
    assert {d.span.pointer for d in parsed.diagnostics if d.span} == {
        "/tools/0/functionDeclarations/0/parameters",
        "/tools/0/functionDeclarations/0/parameters/type",
    }


def test_data_that_only_has_names_and_parameters_somewhere_is_no_function_list(tmp_path: Path) -> None:
    runs = [{"name": "run", "parameters": {"lr": 1}}, *({"loss": n, "at": n} for n in range(5))]
    parsed = parse(tmp_path, {"runs.json": runs, "ok.json": SPELLINGS["chat"]})
    assert paths(parsed) == ["ok/weather"]


def test_defaults_make_langchains_args_optional(tmp_path: Path) -> None:
    args = {"a": {"type": "integer"}, "b": {"type": "integer", "default": 1}}
    (tool,) = parse(tmp_path, {"m.json": [{**SAID, "args": args}]}).catalog.tools
    assert [(p.name, p.required) for p in tool.signatures[0].params] == [("a", True), ("b", False)]
