"""Names that may hold anything become names of files, each another one on every file system."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST = 100


def file_stems(names: Sequence[str], instead: str) -> list[str]:
    """A stem for each name, in their order; `instead` for a name of which nothing is left."""
    stems: list[str] = []
    taken: set[str] = set()
    for name in names:
        stem = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:_LONGEST] or instead
        number, unique = 1, stem
        while unique.casefold() in taken:
            number += 1
            unique = f"{stem}-{number}"
        taken.add(unique.casefold())
        stems.append(unique)
    return stems
