"""Wire: a result becomes what tools/call answers, in the words of the client's era.

What an MCP server answered passes as it came: no block is read, shortened or dropped. Values of functions and APIs
become text, and structured content beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime_min.events import ToolResult, jsonable

if TYPE_CHECKING:
    from runtime_min.errors import SmallchatError
    from runtime_min.proof import Refinement

    from ..model import Json

SERVER_INFO = "io.modelcontextprotocol/serverInfo"


def wired(result: ToolResult, *, modern: bool, names: Mapping[str, str]) -> dict[str, Json]:
    """The answer to a call; `modern` is the era without a handshake."""
    if result.raw is not None:
        return _passed_on(result, modern=modern)
    if result.refinement is not None:
        return _asked(result.refinement, names)
    content = jsonable(result.content)
    structured = jsonable(result.structured) if result.structured is not None else content
    out: dict[str, Json] = {"content": content if _is_blocks(content) else [_text(content)]}
    if isinstance(structured, dict):
        out["structuredContent"] = structured
    if result.is_error:
        out["isError"] = True
    return out


def failed(error: SmallchatError) -> dict[str, Json]:
    """A failure that a model can read and act on."""
    hint = f"; {error.hint}" if error.hint else ""
    return {"content": [_text(f"{error}{hint} [{error.code}]")], "isError": True}


def _passed_on(result: ToolResult, *, modern: bool) -> dict[str, Json]:
    assert result.raw is not None
    out = dict(result.raw)
    meta = out.pop("_meta", None)
    if isinstance(meta, dict) and (kept := {key: value for key, value in meta.items() if key != SERVER_INFO}):
        out["_meta"] = kept  # without the name of the server behind this one, which is not who answers here
    if modern:
        return out
    if result.input_required is not None:
        told = "the tool asks for more before it goes on, which only a client of MCP 2026-07-28 or newer can answer"
        return {"content": [_text(told)], "isError": True}
    out.pop("resultType", None)
    if "structuredContent" in out and not isinstance(out["structuredContent"], dict):
        del out["structuredContent"]  # any value since 2026-07-28, before that an object; its text says the same
    return out


def _asked(refinement: Refinement, names: Mapping[str, str]) -> dict[str, Json]:
    """A question is no error: whoever asked chooses an option, or says it in other words."""
    options = [
        {"tool": names.get(option.tool, option.tool), "confidence": round(option.confidence, 3)}
        for option in refinement.options
    ]
    told = {"tool_refinement_needed": {"question": refinement.question, "options": options}}
    return {"content": [_text(told)], "structuredContent": told}


def _is_blocks(content: Any) -> bool:
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content)
        and all(block["type"] in _BLOCKS for block in content)
    )


_BLOCKS = frozenset(("text", "image", "audio", "resource", "resource_link"))


def _text(value: Json) -> dict[str, Json]:
    return {"type": "text", "text": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}
