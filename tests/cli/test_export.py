"""`smallchatc export` and `smallchatc header`: definitions and the summary on stdout, talk on stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from running import invoke

from runtime_min import ToolRuntime
from runtime_min.header import tokens
from runtime_min.restore import Exported
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.targets import LAZY, TARGETS
from smallchatc.write import write_artifact

TOOLS = [
    {
        "name": "list items",
        "description": "List items.",
        "inputSchema": {
            "type": "object",
            "properties": {"page[size]": {"type": "integer"}, "page_size": {"type": "string"}},
            "additionalProperties": False,
        },
    },
    {
        "name": "set_env",
        "description": "Set variables.",
        "inputSchema": {
            "type": "object",
            "properties": {"env": {"type": "object", "additionalProperties": {"type": "string"}}},
            "required": ["env"],
            "additionalProperties": False,
        },
    },
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.json").write_text(json.dumps({"id": "shop", "description": "A shop.", "tools": TOOLS}))
    out = folder / "shop.smallchat.db"
    write_artifact(compile_sources([folder / "shop.json"], settings=Settings(encoder="small")).image, out)
    return out


def export(db: Path, target: str, *options: str) -> Result:
    return invoke("export", str(db), "--for", target, *options)


@pytest.mark.parametrize("target", TARGETS)
def test_stdout_is_one_json_document_with_every_tool(shop: Path, target: str) -> None:
    result = export(shop, target)
    assert result.exit_code == 0
    document: Any = json.loads(result.stdout)
    tools = document["tools"] if target == "mcp" else document
    tools = tools[0]["functionDeclarations"] if target == "gemini" else tools
    assert [tool.get("function", tool)["name"] for tool in tools] == ["shop__list_items_f6dpjh", "shop__set_env"]


def test_what_is_changed_is_on_stderr(shop: Path) -> None:
    assert export(shop, "openai-strict").stderr == (
        "exported 2 tools for openai-strict: 0 as written, 2 changed (strict 1, strict-additionalProperties 1)\n"
        "  strict: 1 after rewrite, 1 never\n"
        "blocked: shop/set_env at /properties/env/additionalProperties: additionalProperties allows properties of any"
        " name [strict-additionalProperties]\n"
        "  arguments have to be led back for some tools: --names FILE writes the map\n"
        "  --report FILE writes every change with its place\n"
    )


def test_the_map_leads_names_and_arguments_back(shop: Path, tmp_path: Path) -> None:
    assert export(shop, "anthropic", "--names", str(tmp_path / "names.json")).exit_code == 0
    exported = Exported.load(tmp_path / "names.json")
    assert exported.tool("shop__list_items_f6dpjh") == "shop/list items"
    sent = {"page_size": "10", "page_size_997669": 3}
    schema = json.loads(export(shop, "anthropic").stdout)[0]["input_schema"]
    assert set(schema["properties"]) == set(sent)
    assert exported.arguments("shop__list_items_f6dpjh", sent) == {"page_size": "10", "page[size]": 3}


def test_the_report_says_every_change_and_what_strict_modes_take(shop: Path, tmp_path: Path) -> None:
    export(shop, "openai", "--report", str(tmp_path / "report.json"))
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert (report["for"], report["tools"], report["unchanged"]) == ("openai", 2, 2)
    assert report["strict"] == {
        "openai": {"after rewrite": 1, "never": 1},
        "anthropic": {"after rewrite": 1, "never": 1},
    }
    assert report["details"][1]["strict"]["openai"]["blocked"] == [
        {
            "rule": "strict-additionalProperties",
            "pointer": "/properties/env/additionalProperties",
            "said": "additionalProperties allows properties of any name",
        }
    ]


@pytest.mark.parametrize("options", [("--tools", "shop/set_env"), ("--tools", "shop/s*"), ("--tools", "*/set_*")])
def test_tools_are_chosen_by_name_and_by_glob(shop: Path, options: tuple[str, ...]) -> None:
    document = json.loads(export(shop, "anthropic", *options).stdout)
    assert [tool["name"] for tool in document] == ["shop__set_env"]


def test_an_unknown_tool_is_named_with_its_nearest(shop: Path) -> None:
    result = export(shop, "anthropic", "--tools", "shop/set_enf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: shop.smallchat.db holds no tool 'shop/set_enf'; did you mean shop/set_env? [unknown-tool]\n"
    )


def test_lazy_loading_hides_tools_behind_a_search(shop: Path) -> None:
    search, space = json.loads(export(shop, "openai-responses", "--lazy").stdout)
    assert search == {"type": "tool_search"}
    assert (space["type"], space["name"], space["description"]) == ("namespace", "shop", "A shop.")
    assert all(tool["defer_loading"] for tool in space["tools"])
    search, *tools = json.loads(export(shop, "anthropic", "--lazy").stdout)
    assert search == {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
    assert [tool["defer_loading"] for tool in tools] == [True, True]


@pytest.mark.parametrize("target", sorted(set(TARGETS) - set(LAZY)))
def test_lazy_loading_is_refused_where_there_is_none(shop: Path, target: str) -> None:
    result = export(shop, target, "--lazy")
    assert result.exit_code == 2
    assert f"--for {target} has no lazy loading; openai-responses and anthropic have" in result.stderr


def test_more_than_a_request_takes_is_a_warning(tmp_path: Path) -> None:
    tools = [{"name": f"t{n}", "description": "Do it.", "inputSchema": {"type": "object"}} for n in range(130)]
    (tmp_path / "many.json").write_text(json.dumps({"tools": tools}))
    out = tmp_path / "many.smallchat.db"
    write_artifact(compile_sources([tmp_path / "many.json"], settings=Settings(encoder="small")).image, out)
    result = export(out, "openai")
    assert result.exit_code == 0
    assert (
        "warning: 130 functions, and a request takes 128; choose with --tools, or use --for openai-responses --lazy"
        " [request-limit]"
    ) in result.stderr
    assert "130 strict tools, and a request takes 20" in export(out, "anthropic-strict").stderr


@pytest.mark.slow
def test_the_vendors_types_take_lazy_documents(shop: Path) -> None:
    pytest.importorskip("openai", reason="the openai package is not installed (extra apis)")
    pytest.importorskip("anthropic", reason="the anthropic package is not installed (extra apis)")
    from anthropic.types import ToolUnionParam
    from openai.types.responses import NamespaceToolParam, ToolSearchToolParam
    from pydantic import TypeAdapter

    search, space = json.loads(export(shop, "openai-responses", "--lazy").stdout)
    assert TypeAdapter(ToolSearchToolParam).validate_python(search) == search
    taken: Any = TypeAdapter(NamespaceToolParam).validate_python(space)
    assert {**taken, "tools": list(taken["tools"])} == space
    tools = json.loads(export(shop, "anthropic", "--lazy").stdout)
    assert len(TypeAdapter(list[ToolUnionParam]).validate_python(tools)) == 3


def test_the_header_is_the_runtimes(shop: Path) -> None:
    text = ToolRuntime.open(shop).generate_header(200)
    assert invoke("header", str(shop), "--budget", "200").stdout == text
    document = json.loads(invoke("header", str(shop), "--budget", "200", "--json").stdout)
    assert (document["header"], document["tokens"], document["budget"]) == (text, tokens(text), 200)


def test_what_a_header_has_no_room_for_is_said(artifact: Path) -> None:
    def said(budget: int) -> str:
        ran = invoke("header", artifact, "--budget", str(budget))
        assert (
            json.loads(invoke("header", artifact, "--budget", str(budget), "--json").stdout)["left_out"] in ran.stderr
        )
        return ran.stderr.replace(f"{budget} tokens have no room for ", "").replace("; give more with --budget\n", "")

    assert [said(budget) for budget in (10_000, 2000, 1000, 400, 80, 30)] == [
        "",
        "descriptions",
        "descriptions and arguments",
        "the names of all tools",
        "the names of all tools and 10 of 11 classes",
        "the names of all tools and 11 of 11 classes",
    ]


def test_a_header_needs_a_budget(shop: Path) -> None:
    assert invoke("header", str(shop), "--budget", "0").exit_code == 2
