"""The header: what a system prompt says of the tools, within its budget (CONCEPTS: behaviour 12)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min import ToolRuntime
from runtime_min.header import INSTRUCTION, tokens
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact


@pytest.fixture(scope="module")
def opened(artifact: Path) -> ToolRuntime:
    return ToolRuntime.open(artifact)


def test_it_lists_providers_protocols_and_signatures(opened: ToolRuntime) -> None:
    text = opened.generate_header(budget=10_000)
    assert text.startswith(INSTRUCTION)
    assert "## slack" in text
    assert "- messaging (list_channels, list_rooms, search_messages, send_message): matrix, slack" in text
    assert "- send_message(channel: string, text: string" in text


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6000))
def test_it_keeps_to_its_budget(opened: ToolRuntime, budget: int) -> None:
    assert tokens(opened.generate_header(budget)) <= budget


def test_less_budget_means_less_detail_and_not_fewer_classes(opened: ToolRuntime) -> None:
    sizes = [len(opened.generate_header(budget)) for budget in (5000, 2000, 700, 250)]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 4
    for budget in (5000, 2000, 700, 250):
        assert all(f"## {cls.name}" in opened.generate_header(budget) for cls in opened.snapshot.classes)


def test_it_says_what_it_leaves_out(opened: ToolRuntime) -> None:
    assert "more classes)" in opened.generate_header(100)
    with pytest.raises(ValueError, match="at least one token"):
        opened.generate_header(0)


def test_it_is_the_same_in_every_process(opened: ToolRuntime, artifact: Path) -> None:
    script = "import sys, runtime_min as r; sys.stdout.write(r.ToolRuntime.open(sys.argv[1]).generate_header(800))"
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", script, str(artifact)],
            env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.stdout == opened.generate_header(800), done.stderr


def test_tokens_are_never_underestimated() -> None:
    assert tokens("hello world") == 4
    assert tokens("1234") == 4
    assert tokens("日本語") == 3


def test_names_and_catalogues_without_end_are_left_out_and_counted(tmp_path: Path) -> None:
    tools = [{"name": f"n{n}_" + "x_" * 20_000, "description": "Do it.", "inputSchema": {}} for n in range(5)]
    few = [{"name": "ping", "description": "Answer.", "inputSchema": {"type": "object"}}]
    (tmp_path / "long.json").write_text(json.dumps({"id": "long", "tools": tools}))
    (tmp_path / "few.json").write_text(json.dumps({"id": "few", "tools": few}))
    out = tmp_path / "out.smallchat.db"
    write_artifact(compile_sources([tmp_path], settings=Settings(encoder="small")).image, out)
    text = ToolRuntime.open(out).generate_header(500)
    assert text == f"{INSTRUCTION}\n\n## few: 1 tool\n\n## long: 5 tools\n"
