"""Each file of fixtures/lint with the whole text of what lint says about it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from smallchatc.diagnostics import text_of
from smallchatc.lint import COMPILED, lint
from smallchatc.rules import RULES

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "lint"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix == ".yaml")


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_the_whole_text(file: Path) -> None:
    linted = lint([file], rules=frozenset(RULES) - COMPILED)
    told = "".join(f"{text_of(d)}\n" + (f"  hint: {d.hint}\n" if d.hint else "") for d in linted.diagnostics)
    told += "".join(f"ignored: {text_of(e.diagnostic)}: {e.ignore.reason}\n" for e in linted.ignored)
    expected = file.with_name(file.name + ".expected")
    if os.environ.get("UPDATE_EXPECTED"):
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
