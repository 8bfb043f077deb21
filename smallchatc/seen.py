"""Seen: everything outside that a compile depended on, and whether it is still so.

Taken down while it is read: what was compiled is what is compared, whatever happens to the files in between.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .folders import Look, look


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Files with the digests of their bytes ("" where they could not be read), and where files were looked for."""

    files: Mapping[str, str]  # by absolute path
    looks: tuple[Look, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"files": dict(self.files), "looks": [list(each) for each in self.looks]}


def still_so(seen: Mapping[str, Any]) -> bool:
    """Whether what `to_dict` took down holds now: a look at every folder, a hash of every file."""
    return all(
        list(look(kind, Path(folder), argument)) == [kind, folder, argument, tuple(found)]
        for kind, folder, argument, found in seen["looks"]
    ) and all(file_digest(path) == digest for path, digest in seen["files"].items())


def file_digest(path: str | Path) -> str:
    """sha256 of a file's bytes; "" where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
