"""Manifests compiled to an artifact in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runtime_min.artifact import Artifact
from smallchatc.memory import open_rows
from smallchatc.pipeline import compile_sources
from smallchatc.settings import Settings


@contextmanager
def compiled(folder: Path, manifests: dict[str, Any], **settings: Any) -> Iterator[Artifact]:
    """The artifact of some manifests, by provider id; `folder` is made for their files."""
    folder.mkdir()
    for name, manifest in manifests.items():
        (folder / f"{name}.json").write_text(json.dumps({"id": name, **manifest}))
    tables = compile_sources([folder], settings=Settings(**{"encoder": "base", **settings})).image.tables
    artifact = open_rows(tables, dict(map(tuple, tables["meta"])))
    try:
        yield artifact
    finally:
        artifact.close()
