"""Remembered: that a request was compiled into an artifact, so that the same one again is only looked at.

A request is remembered under all that was asked for and the compiler it was asked of; it still holds while everything
that was seen then is so now, and the artifact is the file that was written. Loads nothing of the pipeline.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .build import build_digest
from .cache import Cache, cache_key
from .seen import Seen, file_digest, still_so

KIND = "compile"


def request_key(request: Mapping[str, Any]) -> bytes:
    """The key of a request: sources by their absolute paths, and options."""
    return cache_key(KIND, build_digest(), json.dumps(request, sort_keys=True, default=str))


def recall(cache: Cache, key: bytes) -> dict[str, Any] | None:
    """What was printed of the compile that still holds; None where there is none."""
    stored = cache.recall([key]).get(key)
    if stored is None:
        return None
    record = json.loads(zlib.decompress(stored))
    files = all(file_digest(path) == digest for path, digest in record["written"].items())
    if not files or not _same_teacher(record["teacher"]) or not still_so(record["seen"]):
        return None
    told: dict[str, Any] = record["told"]
    return told


def remember(
    cache: Cache, key: bytes, *, told: Mapping[str, Any], seen: Seen, written: Mapping[str, str], teacher: str | None
) -> None:
    """Keep that this request gave these files; `teacher` is the file of its weights, "" for no teacher at hand."""
    record = {"told": told, "seen": seen.to_dict(), "written": dict(written), "teacher": _teacher(teacher)}
    cache.keep(KIND, {key: zlib.compress(json.dumps(record).encode(), 1)})


def _teacher(weights: str | None) -> list[Any] | None:
    """What says that the same encoder would be chosen: weights are too large to be hashed each time."""
    if not weights:
        return None if weights is None else []
    status = os.stat(weights)
    return [weights, status.st_size, status.st_mtime_ns]


def _same_teacher(noted: list[Any] | None) -> bool:
    if noted is None:  # another encoder was asked for by name
        return True
    installed = find_spec("sentence_transformers") is not None
    if not noted:
        return not installed
    try:
        return installed and _teacher(noted[0]) == noted
    except OSError:
        return False


def absolute(source: str) -> str:
    """A source as a request has it: a path from anywhere; what is no path as it is."""
    return os.path.abspath(source) if Path(source).exists() else source
