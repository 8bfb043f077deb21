"""Parameters that a client mirrors into HTTP headers: what MCP 2026-07-28 demands of `x-mcp-header`.

A client over HTTP drops the whole tool when one of them is broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model import Json
from ..quirks import Pointer, Quirk, subschemas, where

_KEY = "x-mcp-header"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TYPES = ("string", "integer", "boolean")


def header_findings(schema: Json) -> Iterator[Quirk]:
    """The marks that are not as they must be."""
    seen: dict[str, str] = {}
    for pointer, part in subschemas(schema):
        if not isinstance(part, dict) or _KEY not in part:
            continue
        name = part[_KEY]
        fault = _fault(name, part, pointer)
        if fault is None and name.lower() in seen:
            fault = f"has the header '{name}' that {seen[name.lower()]} has too"
        if fault is not None:
            yield Quirk(slug="x-mcp-header", message=f"{where(pointer)} {fault}", pointer=(*pointer, _KEY))
        else:
            seen[name.lower()] = where(pointer)


def _fault(name: Json, part: dict[str, Json], pointer: Pointer) -> str | None:
    if not isinstance(name, str) or not name:
        return "has no name for its header"
    if not _TOKEN.fullmatch(name):
        return f"has the header '{name[:40]}', which HTTP does not allow as a name"
    if part.get("type") not in _TYPES:
        return f"has a header, but its type is {part.get('type') or 'not said'}"
    if not pointer or len(pointer) % 2 or set(pointer[::2]) != {"properties"}:
        return "has a header, but is not reached by properties alone"
    return None
