"""`smallchatc inspect`: the overview, the lists, one tool, and its neighbours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
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


def test_the_overview_says_what_the_compiler_measured(artifact: Path) -> None:
    document = told(artifact)
    text = invoke("inspect", artifact).stdout
    assert 0.9 < document["self"]["right"] <= 1.0
    assert document["self"]["asked"] <= document["tools"]
    assert f"of {document['self']['asked']} tools" in text
    assert document["tables"]["tool"]["rows"] == document["tools"]
    assert 0.5 < sum(table["bytes"] for table in document["tables"].values()) / document["bytes"] < 1


def test_the_calibration_is_what_a_resolution_is_judged_by(artifact: Path) -> None:
    from runtime_min import ToolRuntime

    shown = told(artifact, "--calibration")["calibration"]
    cuts = ToolRuntime.open(artifact).resolve("send a mail").proof.to_dict()["steps"][-1]["cuts"]
    assert {name: shown["cuts"][name] for name in cuts} == cuts
    assert shown["talk"]["score"]["mean"] > 0
    assert sum(row["asked"] for row in shown["reliability"]) == shown["self"]["asked"]
    text = invoke("inspect", artifact, "--calibration").stdout
    assert f"{shown['talk']['dense']['mean']:.3f}" in text
    assert f"{shown['reliability'][-1]['right']:.3f}" in text


def test_an_artifact_without_measurements_is_shown_without_them(artifact: Path, tmp_path: Path) -> None:
    bare = changed(artifact, tmp_path, lambda key: key in ("calibration", "reliability", "kind_weights"))
    text = invoke("inspect", bare, "--calibration").stdout
    assert "cuts" in text
    assert "reliability" not in text


@pytest.mark.parametrize(
    ("gates", "code"),
    [
        (["--max-collisions", "1000", "--max-duplicates", "0", "--min-self", "0.5"], 0),
        (["--max-collisions", "0"], 1),
        (["--max-collisions", "1000", "--min-self", "1", "--max-duplicates", "0"], 0),
    ],
)
def test_gates_decide_the_exit_code(artifact: Path, gates: list[str], code: int) -> None:
    assert invoke("inspect", artifact, *gates).exit_code == code
    result = invoke("inspect", artifact, *gates, "--json")
    assert result.exit_code == code
    assert [gate["ok"] for gate in json.loads(result.stdout)["gates"]].count(False) == code


def test_a_gate_that_fails_says_what_how_many_and_the_next_move(artifact: Path) -> None:
    count = told(artifact)["collisions"]
    result = invoke("inspect", artifact, "--max-collisions", "0", "--max-duplicates", "0")
    assert result.stderr == (
        f"FAIL collisions {count}, wanted at most 0\n"
        f"  hint: `smallchatc inspect {artifact} --collisions` lists them:"
        " tell their descriptions apart, or exclude one of each pair\n"
    )


def test_a_gate_on_what_was_not_measured_is_shut(artifact: Path, tmp_path: Path) -> None:
    result = invoke("inspect", changed(artifact, tmp_path, lambda key: key == "reliability"), "--min-self", "0")
    assert result.exit_code == 1
    assert "self cannot be measured" in result.stderr


def changed(artifact: Path, folder: Path, lost: Callable[[str], bool]) -> Path:
    """A sound artifact without some of the meta rows."""
    import sqlite3
    from contextlib import closing

    from runtime_min import format as fmt

    out = folder / "changed.smallchat.db"
    shutil.copy(artifact, out)
    with closing(sqlite3.connect(out)) as connection:
        for (key,) in connection.execute("SELECT key FROM meta").fetchall():
            if lost(key):
                connection.execute("DELETE FROM meta WHERE key = ?", (key,))
        rows = {
            table.name: [
                table.row(*row)
                for row in connection.execute(
                    f"SELECT * FROM {table.name} ORDER BY {', '.join(table.row._fields[: table.keys])}"
                )
            ]
            for table in fmt.TABLES
        }
        connection.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (fmt.digest(rows),))
        connection.commit()
    return out
