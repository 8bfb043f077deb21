"""Artifacts to serve: a server by hand, and functions of this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from asynchronous import pytest_pyfunc_call as pytest_pyfunc_call
from serving import Server, compiled, manifests, served


@pytest.fixture(autouse=True)
def _the_sdk_is_there() -> None:
    pytest.importorskip("mcp", reason="the extra [serve] is not installed")


@pytest.fixture(scope="session")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server by hand, and one that says nothing of its types."""
    return compiled(tmp_path_factory.mktemp("serve") / "app.smallchat.db", *manifests())


@pytest.fixture(scope="module")
def tools(artifact: Path) -> Iterator[Server]:
    """All tools, over HTTP."""
    with served(artifact, "--trust", "--expose", "tools") as server:
        yield server


@pytest.fixture(scope="module")
def search(artifact: Path) -> Iterator[Server]:
    """Two tools, over HTTP."""
    with served(artifact, "--trust", "--expose", "search") as server:
        yield server
