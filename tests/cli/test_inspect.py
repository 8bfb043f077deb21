"""`smallchatc inspect`: the overview, the lists, one tool, and its neighbours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from running import invoke


def told(artifact: Path, *options: str) -> dict[str, Any]:
    result = invoke("inspect", artifact, *options, "--json")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert isinstance(document, dict)
    return document


def test_the_overview_says_what_it_is_and_who_embedded_it(artifact: Path) -> None:
    document = told(artifact)
    text = invoke("inspect", artifact).stdout
    assert document["verified"] is True
    assert document["bytes"] == artifact.stat().st_size
    assert document["encoder"] in text
    assert document["digest"] in text
    assert document["format"] == "1.0"


@pytest.mark.parametrize("view", ["providers", "selectors", "overloads", "collisions"])
def test_a_list_takes_the_place_of_its_count(artifact: Path, view: str) -> None:
    assert len(told(artifact, f"--{view}")[view]) == told(artifact)[view]


def test_every_tool_answers_to_a_selector(artifact: Path) -> None:
    rows = told(artifact, "--selectors")["selectors"]
    assert len({tool for row in rows for tool in row["tools"]}) == told(artifact)["tools"]


def test_providers_count_their_tools(artifact: Path) -> None:
    rows = told(artifact, "--providers")["providers"]
    assert sum(row["tools"] for row in rows) == told(artifact)["tools"]
    text = invoke("inspect", artifact, "--providers").stdout
    assert all(row["provider"] in text for row in rows)


def test_a_tool_is_shown_with_its_definition_verbatim(artifact: Path) -> None:
    path = told(artifact, "--selectors")["selectors"][0]["tools"][0]
    shown = told(artifact, "--tool", path)["tool"]
    assert shown["tool"] == path
    assert shown["definition"]["name"] == path.partition("/")[2]
    assert shown["signatures"]
    text = invoke("inspect", artifact, "--tool", path).stdout
    assert text.startswith(path)
    assert f"{shown['file']}:{shown['line']}" in text


def test_an_unknown_tool_is_trouble_and_the_nearest_is_named(artifact: Path) -> None:
    path = told(artifact, "--selectors")["selectors"][0]["tools"][0]
    result = invoke("inspect", artifact, "--tool", f"nowhere/{path.partition('/')[2]}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"did you mean {path}" in result.stderr
    assert "[unknown-tool]" in result.stderr


def test_the_nearest_tools_come_in_order_and_without_the_tool_itself(artifact: Path) -> None:
    path = told(artifact, "--selectors")["selectors"][0]["tools"][0]
    document = told(artifact, "--similar", path)
    rows = document["similar"]
    assert rows
    assert [row["similarity"] for row in rows] == sorted((row["similarity"] for row in rows), reverse=True)
    assert path not in [row["tool"] for row in rows]
    assert document["similar_by"] in ("python", "sqlite-vec")


def test_sqlite_vec_and_python_agree(artifact: Path) -> None:
    pytest.importorskip("sqlite_vec")
    from runtime_min.artifact import open_artifact
    from smallchatc import similar

    opened = open_artifact(artifact)
    number = 0
    row = opened.row("SELECT vector FROM profile WHERE tool = ?", number)
    assert row is not None
    try:
        by_sql = similar._similar_sql(opened, number, row[0], 10)
    except similar._NoVec as reason:
        pytest.skip(str(reason))
    assert by_sql == pytest.approx(similar._similar_python(opened, number, row[0], 10))


def test_control_characters_of_a_manifest_do_not_reach_the_terminal(tmp_path: Path) -> None:
    source = tmp_path / "odd.json"
    tool = {"name": "a", "description": "x\u001b[2Jy\u202ez", "inputSchema": {"type": "object"}}
    source.write_text(json.dumps([tool]))
    out = tmp_path / "odd.smallchat.db"
    assert invoke("compile", source, "-o", out).exit_code == 0
    shown = invoke("inspect", out, "--tool", "odd/a").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
