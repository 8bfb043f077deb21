"""The programs in examples/: short, on runtime_min alone, and they print what they promise."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SAYS = {
    "streaming": [
        "resolving {}",
        "chunk {'content': 'Lisbon, day 2: sun. '}",
        "done {'outcome': 'ok'}",
        "Text alone: Lisbon, day 1: sun. Lisbon, day 2: sun.",
        "Closed early:\n   (the tool has ended)",
    ],
    "overloads": [
        "-> all of orders as csv",
        "-> the rows of 'select 1' as parquet",
        "invalid-arguments: database/export_table: /table: mismatch: expected string, got number",
    ],
    "refinement": [
        "refine - ",
        "now: posted {'channel': '#office', 'text': 'Lunch?'}",
        "later: exact",
    ],
    "swizzle_and_reload": ["\ncached contents of notes.txt\n", "cache: selector flushed 1", "reloaded, notes: []"],
    "tool_to_tool": [
        "reference: SCToolReference('notes/read_note') True",
        "\"text of 'meeting 2'\"",
        "invalid-arguments: notes/read_note: /title: mismatch",
    ],
    "connect": [
        "{'provider': 'slack', 'transport': 'stdio', 'command': 'slack-mcp --stdio', 'variables': ['SLACK_TOKEN']}",
        "not-trusted: calendar: read $CALENDAR_TOKEN; drive: contact drive.example.com; ",
        "may database/execute_statement run with {'sql': 'drop table orders'}? no\ndeclined: ",
        "missing-variable: calendar: not set: CALENDAR_TOKEN",
    ],
    "guards": [
        "free:   files/delete_file",
        "pinned: refine",
        "alias:  deleted a.txt",
        "namespace-violation: selector 'files.delete_file' is protected",
        "rate-limited: client 'eve' asked 2 times within 60 s",
        "others: files/read_file",
    ],
}


def test_every_example_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", sorted(SAYS))
def test_an_example_prints_what_it_promises(name: str, artifact: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), str(artifact)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    for line in SAYS[name]:
        assert line in done.stdout


@pytest.mark.parametrize("name", sorted(SAYS))
def test_an_example_is_short_and_needs_only_the_runtime(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text()
    assert len(text.splitlines()) <= 40
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {module.partition(".")[0] for module in modules} <= {"runtime_min", *sys.stdlib_module_names}
