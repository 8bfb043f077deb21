"""Runtimes of the example manifests."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtime_min import ToolRuntime


@pytest.fixture
def runtime(artifact: Path) -> ToolRuntime:
    """A fresh runtime: nothing bound, learned or cached."""
    return ToolRuntime.open(artifact)
