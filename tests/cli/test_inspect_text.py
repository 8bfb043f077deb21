"""`smallchatc inspect --text`: an artifact as sorted lines, and as git shows its changes."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from running import ROOT, invoke

from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact

HOSTILE = 'a\x1b[31mb\u202ec = "d"\r\n<script>'


def compiled(folder: Path, *tools: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "t.json").write_text(json.dumps({"id": "p", "tools": tools}))
    out = folder / "t.smallchat.db"
    write_artifact(compile_sources([folder / "t.json"], settings=Settings(encoder="small")).image, out)
    return out


def test_every_line_is_a_fact_sorted_and_for_printing(tmp_path: Path) -> None:
    tool = {"name": HOSTILE, "description": HOSTILE, "inputSchema": {"type": "object", "properties": {HOSTILE: {}}}}
    text = invoke("inspect", "--text", compiled(tmp_path, tool)).stdout
    lines = text.split("\n")[:-1]
    assert lines == sorted(set(lines))
    assert all(line.isprintable() and " = " in line for line in lines)
    assert {line.split()[0] for line in lines} == {"artifact", "measured", "provider", "selector", "source", "tool"}


def test_git_shows_what_changed(tmp_path: Path) -> None:
    """The two settings of docs/diff.md, as they stand there."""
    page = (ROOT / "docs" / "diff.md").read_text("utf-8")
    attributes = next(line for line in page.splitlines() if line.startswith("*.smallchat.db"))
    setting = next(line for line in page.splitlines() if "smallchat.textconv" in line)

    def git(*arguments: str) -> str:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
        run = subprocess.run(["git", *who, *arguments], cwd=tmp_path, capture_output=True, check=True)
        return run.stdout.decode()

    tool = {"name": "find", "description": "Find a book by its title.", "inputSchema": {"type": "object"}}
    git("init", "--quiet")
    *_, name, command = shlex.split(setting)
    git("config", name, command.replace("smallchatc", f"{shlex.quote(sys.executable)} -m smallchatc"))
    (tmp_path / ".gitattributes").write_text(attributes + "\n")
    compiled(tmp_path, tool)
    git("add", "--all")
    git("commit", "--quiet", "--message", "one")
    compiled(tmp_path, {**tool, "description": "Find a film by its title."})
    shown = git("diff", "--", "t.smallchat.db").splitlines()
    assert '-tool p/find description = "Find a book by its title."' in shown
    assert '+tool p/find description = "Find a film by its title."' in shown
