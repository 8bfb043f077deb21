"""Everything of the shared manifests in one run: each file gives tools, or is named with the reason why not."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from smallchatc.diagnostics import CompileError
from smallchatc.parse import Parsed, parse_sources

ROOTS = ("live", "mcp", "openapi", "configs", "client-configs")


@pytest.fixture(scope="module")
def world(shared: Path) -> Parsed:
    return parse_sources([shared / "data" / "manifests" / root for root in ROOTS], keep_going=True)


@pytest.mark.parametrize("root", ROOTS)
def test_no_file_is_passed_over_in_silence(shared: Path, world: Parsed, root: str) -> None:
    folder = shared / "data" / "manifests" / root
    told = {d.span.file for d in world.diagnostics if d.span}
    read = {source.path for source in world.catalog.sources}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files
    assert files - told - read == set()


@pytest.mark.slow
def test_what_is_lost_is_lost_for_a_reason(shared: Path, world: Parsed) -> None:
    """The tools of all folders together are those of each folder alone, but for what was merged into its equal."""
    alone = 0
    for root in ROOTS:
        with suppress(CompileError):  # of configurations alone: they name servers, and hold no tools
            alone += len(parse_sources([shared / "data" / "manifests" / root], keep_going=True).catalog.tools)
    merged = sum(d.slug == "merged-provider" for d in world.diagnostics)
    assert len(world.catalog.tools) <= alone
    assert merged or len(world.catalog.tools) == alone
    assert len(world.catalog.tools) > 4000
