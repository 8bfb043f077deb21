"""docs/concepts.md: every name in its table is where the table says."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from runtime_min import ToolRuntime

PAGE = Path(__file__).resolve().parents[2] / "docs" / "concepts.md"
NAME = re.compile(r"`(rt\.)?([A-Za-z_]+)(?:\.([a-z_]+))?(?:\([^`]*\))?`")


def rows() -> list[list[str]]:
    table = PAGE.read_text(encoding="utf-8").partition("| seed term |")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


@pytest.mark.parametrize(("term", "here", "where"), rows(), ids=[row[0] for row in rows()])
def test_a_name_is_where_the_page_says(term: str, here: str, where: str, artifact: Path) -> None:
    paths = re.findall(r"`([a-z_.]+)`", where)
    assert paths, f"{term} has no module"
    modules = [
        importlib.import_module(path if path.startswith("smallchatc") else f"runtime_min.{path}") for path in paths
    ]
    for on_runtime, name, attribute in NAME.findall(here):
        if on_runtime:
            assert hasattr(ToolRuntime.open(artifact), name), f"rt.{name}"
        elif name[0].isupper():
            owners = [module for module in modules if hasattr(module, name)]
            assert owners, f"{name} is in none of {paths}"
            assert not attribute or hasattr(getattr(owners[0], name), attribute)
