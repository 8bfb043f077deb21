"""JSON values to the text and the digests that identify them.

Compact text keeps what was written (key order, numbers); canonical text drops what does not matter
(key order, the order of `required`, 1.0 against 1).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from json.encoder import encode_basestring

from .model import Json


class WrittenNumber(float):
    """A number whose text is not what Python would print (1.10, 1e3, 1e999); remembers its text."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> WrittenNumber:
        number = super().__new__(cls, text)
        number.text = text
        return number


CALLER_SEES = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


def compact_json(value: Json) -> str:
    """The value as compact JSON, keys in their order, numbers as written."""
    parts: list[str] = []
    _write(value, parts)
    return "".join(parts)


def canonical_json(value: Json) -> str:
    """Equal for values that mean the same: keys sorted, `required` sorted, integral floats as integers."""
    return json.dumps(_canonical(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def fingerprint(value: Json) -> str:
    """sha256 of the canonical JSON, as hex."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def tool_fingerprint(tool: Mapping[str, Json]) -> str:
    """The fingerprint of what a caller of this tool sees; absent and null are the same."""
    return fingerprint({key: tool[key] for key in CALLER_SEES if tool.get(key) is not None})


def _write(value: Json, parts: list[str]) -> None:
    if isinstance(value, str):
        parts.append(encode_basestring(value))
    elif value is None or isinstance(value, bool):
        parts.append("null" if value is None else "true" if value else "false")
    elif isinstance(value, WrittenNumber):
        parts.append(value.text)
    elif isinstance(value, int | float):
        parts.append(repr(value))
    elif isinstance(value, dict):
        separator = "{"
        for key, item in value.items():
            parts.append(separator + encode_basestring(key) + ":")
            _write(item, parts)
            separator = ","
        parts.append("}" if value else "{}")
    else:
        separator = "["
        for item in value:
            parts.append(separator)
            _write(item, parts)
            separator = ","
        parts.append("]" if value else "[]")


def _canonical(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            key: sorted(item) if key == "required" and _all_text(item) else _canonical(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    if isinstance(value, float):
        if value in (float("inf"), float("-inf")) and isinstance(value, WrittenNumber):
            return value.text
        return int(value) if value.is_integer() else float(value)
    return value


def _all_text(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
