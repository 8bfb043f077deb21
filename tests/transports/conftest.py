"""Artifacts whose providers are real processes and real sockets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asynchronous import pytest_pyfunc_call as pytest_pyfunc_call
from upstream import raw_manifest

from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings
from smallchatc.write import write_artifact


@pytest.fixture(autouse=True)
def _the_client_library_is_there() -> None:
    pytest.importorskip("mcp", reason="the extra [mcp] is not installed")


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles manifests into an artifact."""

    def compile_manifests(*manifests: dict[str, Any]) -> Path:
        folder = tmp_path_factory.mktemp("transports")
        for manifest in manifests:
            (folder / f"{manifest['id']}.json").write_text(json.dumps(manifest))
        out = folder / "app.smallchat.db"
        write_artifact(compile_sources([str(folder)], settings=Settings(encoder="small")).image, out)
        return out

    return compile_manifests


@pytest.fixture(scope="session")
def raw(compiled: Callable[..., Path]) -> Path:
    """The artifact of one server by hand."""
    return compiled(raw_manifest())
