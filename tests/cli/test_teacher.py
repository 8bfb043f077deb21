"""Compiling with the teacher: asked for by name, found by itself, and what is said when it is not there."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from running import ROOT, invoke

MANIFESTS = ROOT / "fixtures" / "manifests"
THERE = find_spec("sentence_transformers") is not None


@pytest.mark.skipif(THERE, reason="the teacher is installed")
def test_a_missing_teacher_is_trouble_when_asked_for_by_name(tmp_path: Path) -> None:
    out = tmp_path / "out.smallchat.db"
    result = invoke("compile", MANIFESTS, "-o", out, "--encoder", "teacher")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "smallchatc[teacher]" in result.stderr
    assert not out.exists()


@pytest.mark.slow
@pytest.mark.skipif(not THERE, reason="the teacher is not installed")
def test_the_teacher_is_used_when_it_is_there_and_inspect_says_so(tmp_path: Path) -> None:
    by_name, by_itself, student = (tmp_path / f"{name}.smallchat.db" for name in ("name", "itself", "student"))
    for out, encoder in ((by_name, "teacher"), (by_itself, "auto"), (student, "base")):
        result = invoke("compile", MANIFESTS, "-o", out, "--encoder", encoder)
        assert result.exit_code == 0, result.stderr
    told = {out: json.loads(invoke("inspect", out, "--json").stdout) for out in (by_name, by_itself, student)}
    assert told[by_name]["digest"] == told[by_itself]["digest"] != told[student]["digest"]
    assert told[by_name]["meta"]["tool_encoder"].startswith("all-MiniLM-L6-v2@256/")
    assert told[by_name]["encoder"] == told[student]["encoder"]  # intents are the student's in both
    assert "all-MiniLM-L6-v2@256/" in invoke("inspect", by_name).stdout
