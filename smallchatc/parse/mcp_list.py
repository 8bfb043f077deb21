"""MCP tool lists: a bare list, `{tools: [...]}`, JSON-RPC envelopes, pages of any of them, one tool a line."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import diagnostic
from ..fingerprint import fingerprint
from ..model import Diagnostic, Json, Span
from .documents import Pointer
from .listing import Entry, Listing, entries_of, is_tool_like

Placed = tuple[Json, Pointer]


def is_page(value: Json) -> bool:
    """`{tools: [...]}`, maybe inside a JSON-RPC envelope."""
    return _page(value, ()) is not None


def is_failed_answer(value: Json) -> bool:
    """A JSON-RPC answer that is an error."""
    return (
        isinstance(value, dict) and "error" in value and "result" not in value and ("jsonrpc" in value or "id" in value)
    )


def is_wire_message(value: Json) -> bool:
    """Any JSON-RPC message: requests and notifications stand beside the answers in a recording."""
    return isinstance(value, dict) and value.get("jsonrpc") == "2.0"


def is_wire_talk(value: Json) -> bool:
    """A message, or the result of one without its envelope."""
    return is_wire_message(value) or is_page(value)


def is_tool_list(value: Json) -> bool:
    """A bare list of tools: more entries look like tools than do not."""
    return isinstance(value, list) and bool(value) and 2 * sum(map(is_tool_like, value)) >= len(value)


def read_tool_list(value: Json, pointer: Pointer) -> Listing:
    """A bare list."""
    return Listing(kind="mcp-list", entries=entries_of(value, pointer), pointer=pointer)


def read_pages(pages: Sequence[Placed], span: Span) -> Listing:
    """The pages of one listing; reading stops where the cursor does not advance, as a client must."""
    entries: list[Entry] = []
    said: list[Diagnostic] = []
    cursor: Json = None
    seen: set[str] = set()
    for value, pointer in pages:
        found = _page(value, pointer)
        if found is None:
            continue
        page, at = found
        digest = fingerprint(page["tools"])
        following = page.get("nextCursor")
        if following is not None and following == cursor:
            said.append(
                diagnostic("cursor-did-not-advance", f"two pages in turn name the cursor '{following}'", span=span)
            )
            if digest in seen:
                break
        seen.add(digest)
        cursor = following
        entries.extend(entries_of(page["tools"], (*at, "tools")))
    if cursor is not None and not said:
        said.append(diagnostic("list-incomplete", f"the last page names another one, '{cursor}'", span=span))
    server, title, version = _server_of(pages)
    return Listing(
        kind="mcp-list", id=server, title=title, version=version, entries=tuple(entries), said=tuple(said),
        pointer=pages[0][1] if pages else (),
    )  # fmt: skip


def _page(value: Json, pointer: Pointer) -> tuple[dict[str, Json], Pointer] | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("tools"), list):
        return value, pointer
    result = value.get("result")
    if isinstance(result, dict) and isinstance(result.get("tools"), list):
        return result, (*pointer, "result")
    return None


def _server_of(pages: Sequence[Placed]) -> tuple[str | None, str, str]:
    """What an `initialize` answer in the same recording says about the server."""
    for value, _ in pages:
        result = value.get("result") if isinstance(value, dict) else None
        info = result.get("serverInfo") if isinstance(result, dict) else None
        if isinstance(info, dict) and isinstance(info.get("name"), str) and info["name"].strip():
            title, version = info.get("title"), info.get("version")
            return (
                info["name"],
                title if isinstance(title, str) else info["name"],
                version if isinstance(version, str) else "",
            )
    return None, "", ""
