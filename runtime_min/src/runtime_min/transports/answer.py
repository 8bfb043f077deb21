"""Answer: an HTTP response becomes a result, or pieces of one as they arrive."""

from __future__ import annotations

import base64
import json
from typing import Any

from ..events import ToolResult

EVENTS = "text/event-stream"
_LINES = (
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json-seq",
)


def streams_events(media_type: str) -> bool:
    """Whether a body is a stream of events."""
    return media_type == EVENTS


def streams_lines(media_type: str) -> bool:
    """Whether a body is one JSON value a line."""
    return media_type in _LINES


def piece_of(text: str) -> Any:
    """A line or the data of an event: a JSON value, else text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def answer_of(status: int, reason: str, media_type: str, charset: str, body: bytes, path: str) -> ToolResult:
    """The result of a whole body: JSON as a value, text as text, anything else as MCP's blocks have it."""
    content = _content(media_type, charset, body)
    if status < 400:
        return ToolResult(content, tool=path, structured=content if isinstance(content, dict) else None)
    told = {"status": status, "reason": reason, "body": content}
    return ToolResult(told, tool=path, structured=told, is_error=True)


def _content(media_type: str, charset: str, body: bytes) -> Any:
    if not body:
        return ""
    if media_type.endswith("json"):
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            pass  # what it is, then, is text
    kind = media_type.partition("/")[0]
    if kind in ("image", "audio"):
        return [{"type": kind, "data": base64.b64encode(body).decode(), "mimeType": media_type}]
    if kind == "text" or media_type.endswith(("json", "xml", "yaml", "javascript", "x-www-form-urlencoded")):
        return _text(body, charset)
    if not media_type:
        try:
            return body.decode()
        except UnicodeDecodeError:
            media_type = "application/octet-stream"
    data = base64.b64encode(body).decode()
    return [{"type": "resource", "resource": {"uri": "response:", "mimeType": media_type, "blob": data}}]


def _text(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
