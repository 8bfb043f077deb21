"""Search: what a client wants done becomes the few tools that may do it, with definitions that fit into a prompt.

The two tools of the `search` face. Definitions are made small: a schema of any size stays some hundred tokens, and
the whole is a question away (`detail: full`). The arguments of a call are checked against the tool's own schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime_min.resolution import Resolution

    from ..model import Json

FIND, CALL = "find_tools", "call_tool"
FOUND, FOUND_AT_MOST = 5, 20
REFERENCES = "smallchat/tool_references"
"""The key of `_meta` under which a host finds the same tools as blocks that Anthropic's API takes."""

SEARCH_TOOLS: tuple[Mapping[str, Json], ...] = (
    {
        "name": FIND,
        "title": "Find tools",
        "description": "Find the tools that can do something. Say what you want done, in plain words; the best"
        " matches come first, with the arguments they take. Then use call_tool.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "request": {"type": "string", "description": "what is to be done, one thing at a time"},
                "limit": {"type": "integer", "minimum": 1, "maximum": FOUND_AT_MOST, "default": FOUND},
                "detail": {
                    "type": "string",
                    "enum": ["small", "full"],
                    "default": "small",
                    "description": "full: complete schemas",
                },
            },
            "required": ["request"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False},
    },
    {
        "name": CALL,
        "title": "Call a tool",
        "description": "Call a tool by a name that find_tools gave. In place of a name, a request in plain words is"
        " sent to the tool that fits it; if that is not clear, the answer is a question with options.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "description": "the name, or the request"},
                "arguments": {"type": "object", "description": "the tool's arguments, by name", "default": {}},
            },
            "required": ["tool"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True},
    },
)

_EXACT = 1200
"""Characters of a schema that is shown as it is."""

_DEEP = 3
_SAID = 160
_OPTIONS = 24
_KEPT = ("type", "enum", "const", "format", "pattern", "required", "minimum", "maximum", "minItems", "maxItems")
_UNIONS = ("anyOf", "oneOf", "allOf")


def found(resolution: Resolution, tools: list[dict[str, Json]], *, full: bool) -> dict[str, Any]:
    """The answer of find_tools; `tools` are those of tools/list, best first."""
    shown = tools if full else [small(tool) for tool in tools]
    answer: dict[str, Any] = {"fit": str(resolution.tier), "tools": shown}
    question = resolution.refinement
    if question is not None:
        answer["question"] = question.question
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    references = [{"type": "tool_reference", "tool_name": tool["name"]} for tool in tools]
    return {"content": [{"type": "text", "text": text}], "_meta": {REFERENCES: references}}


def small(tool: Mapping[str, Json]) -> dict[str, Json]:
    """A tool's definition with a schema of bounded size."""
    schema = tool["inputSchema"]
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    out: dict[str, Json] = {"name": tool["name"]}
    if tool.get("description"):
        out["description"] = _clipped(tool["description"], 2 * _SAID)
    out["inputSchema"] = schema if len(text) <= _EXACT else _small(schema, schema, 0)
    return out


def _small(node: Json, root: Json, depth: int) -> Json:
    """A schema to a depth, without what a caller can do without."""
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        target = _target(root, node["$ref"])
        return _small(target, root, depth + 1) if target is not None and depth < _DEEP else {}
    out = {key: node[key] for key in _KEPT if key in node}
    if isinstance(out.get("enum"), list) and len(out["enum"]) > _OPTIONS:
        out["description"] = f"one of {len(out['enum'])}, such as {json.dumps(out['enum'][:5], ensure_ascii=False)}"
        del out["enum"]
    if isinstance(node.get("description"), str) and depth:
        out["description"] = _clipped(node["description"], _SAID)
    if depth >= _DEEP:
        return out
    if isinstance(node.get("properties"), dict):
        out["properties"] = _properties(node, root, depth)
    if isinstance(node.get("items"), dict):
        out["items"] = _small(node["items"], root, depth + 1)
    for key in _UNIONS:
        if isinstance(node.get(key), list):
            out[key] = [_small(arm, root, depth + 1) for arm in node[key][:_OPTIONS]]
    return out


def _properties(node: Mapping[str, Json], root: Json, depth: int) -> dict[str, Json]:
    """What is required comes first and whole; beyond that, as many as may be looked at."""
    required = node.get("required")
    needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    names = sorted(node["properties"], key=lambda name: name not in needed)
    shown = names[: max(len(needed), _OPTIONS)]
    return {name: _small(node["properties"][name], root, depth + 1) for name in shown}


def _target(root: Json, reference: str) -> Json:
    """What a local reference points to; None for any other."""
    if not reference.startswith("#"):
        return None
    node = root
    for part in filter(None, reference[1:].split("/")):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            return None
    return node


def _clipped(text: str, length: int) -> str:
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else line[: length - 3].rsplit(" ", 1)[0] + "..."
