"""Names of tools: the operationId where it can be used everywhere, else method and path.

Neither depends on the order in which operations are written, so that a name stays when another one is added.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

MAX_NAME = 64
"""What the strictest model API takes."""

_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_PLACE = re.compile(r"\{([^{}]*)\}")


def tool_names(operations: Sequence[tuple[str, str, str]]) -> list[str]:
    """A name for each (path, method, operationId), all different."""
    given: dict[int, str] = {}
    taken: set[str] = set()
    order = sorted(range(len(operations)), key=lambda index: operations[index][:2])
    # Names that were chosen first, so that no derived one takes them.
    for index in order:
        name = portable(operations[index][2])
        if name and name not in taken:
            given[index] = name
            taken.add(name)
    for index in order:
        if index not in given:
            path, method, _ = operations[index]
            name = _free(method_and_path(method, path), f"{method} {path}", taken)
            given[index] = name
            taken.add(name)
    return [given[index] for index in range(len(operations))]


def portable(text: str) -> str:
    """A name of at most 64 of A-Z a-z 0-9 _ -; a longer one keeps its beginning and gets a digest."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    name = _OTHER.sub("_", plain).strip("_")
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 9]}_{_digest(text)}"


def method_and_path(method: str, path: str) -> str:
    """`DELETE /orders/{id}` as `delete_orders_by_id`."""
    words = _OTHER.sub("_", _PLACE.sub(_by, path)).strip("_")
    return portable(f"{method.lower()}_{words or 'root'}")


def _by(match: re.Match[str]) -> str:
    return f"by_{match[1]}"


def _free(name: str, full: str, taken: set[str]) -> str:
    """The name, or where it is taken (paths that differ in signs only) the name with a digest of what it stands for."""
    while name in taken:
        name, full = f"{name[: MAX_NAME - 9]}_{_digest(full)}", f"{full}+"
    return name


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
