"""Function lists of the model APIs: what a program hands to OpenAI, Anthropic, Gemini or Bedrock, bare or in a request.

Here only the lists are found; `definition` reads the entries. A namespace is a provider of its own, since that
is what its tools are found under.
"""

from __future__ import annotations

from dataclasses import replace

from ..model import Json
from .documents import Pointer
from .listing import DECLARATIONS, MAX_ENTRIES, Entry, Listing, entries_of, is_namespace, is_tool_like, spread, text_at
from .mcp_list import is_page

_LISTS = ("tools", "functions")
_WRAPPERS = ("body", "params", "request", "config", "toolConfig", "tool_config")
_MAX_WRAPPERS = 3
_OF_REQUESTS = ("model", "modelId", "messages", "contents", "input")
_SCHEMAS = ("input_schema", "parametersJsonSchema", "parameters_json_schema", "args_schema")


def is_request(value: Json) -> bool:
    """A request to a model API, or its recorded answer, that carries tools."""
    found = _list_in(value, ())
    if not isinstance(value, dict) or found is None:
        return False
    if isinstance(value.get("model"), str):
        return True
    return any(map(is_function, found[0])) and (not is_page(value) or any(key in value for key in _OF_REQUESTS))


def is_function_list(value: Json) -> bool:
    """Tools of which one is written as only model APIs want it; or a single such tool."""
    found = _list_in(value, ())
    if found is None:
        return is_function(value)
    alike = sum(is_function(tool) or is_tool_like(tool) or _is_setting(tool) for tool in found[0])
    return any(map(is_function, found[0])) and 2 * alike >= len(found[0])


def is_function(value: Json) -> bool:
    """A tool as only model APIs and their libraries write it, or a group of such."""
    if not isinstance(value, dict):
        return False
    if value.get("type") in ("function", "custom") and ("name" in value or value["type"] in value):
        return True
    if is_namespace(value) or any(isinstance(value.get(key), list) for key in DECLARATIONS):
        return True
    if isinstance(value.get("toolSpec"), dict):
        return True
    named = isinstance(value.get("name"), str) and "inputSchema" not in value and "command" not in value
    return named and (
        any(key in value for key in _SCHEMAS)
        or isinstance(value.get("parameters"), dict)
        or (isinstance(value.get("args"), dict) and "description" in value)
    )


def read_function_list(value: Json, pointer: Pointer) -> tuple[Listing, ...]:
    """The list's own tools, then each namespace's."""
    found = _list_in(value, pointer)
    if found is None:
        return (Listing(kind="function-list", entries=spread(value, pointer), pointer=pointer),)
    tools, at = found
    own: list[Entry] = []
    spaces: list[Listing] = []
    for index, tool in enumerate(tools[: MAX_ENTRIES + 1]):
        if is_namespace(tool):
            spaces.append(_namespace(tool, (*at, index)))
        else:
            own.extend(
                replace(entry, is_function=entry.is_function or _is_setting(tool))
                for entry in spread(tool, (*at, index))
            )
    name = text_at(value, "name") or None
    listing = Listing(kind="function-list", id=name, entries=tuple(own), pointer=pointer)
    return (listing, *spaces) if own or not spaces else tuple(spaces)


def _namespace(value: Json, pointer: Pointer) -> Listing:
    return Listing(
        kind="function-list",
        id=text_at(value, "name") or None,
        description=text_at(value, "description"),
        entries=entries_of(value["tools"], (*pointer, "tools")),
        pointer=pointer,
    )


def _is_setting(value: Json) -> bool:
    """`{type: web_search}` or `{googleSearch: {}}`: a tool that the API has and a request only switches on."""
    return isinstance(value, dict) and (isinstance(value.get("type"), str) or len(value) == 1)


def _list_in(value: Json, pointer: Pointer, depth: int = 0) -> tuple[list[Json], Pointer] | None:
    """The list of tools of a bare list, a request, or what wraps one."""
    if isinstance(value, list):
        return (value, pointer) if depth == 0 else None
    if not isinstance(value, dict) or depth > _MAX_WRAPPERS:
        return None
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return value[key], (*pointer, key)
    nested = (_list_in(value[key], (*pointer, key), depth + 1) for key in _WRAPPERS if key in value)
    return next((found for found in nested if found is not None), None)
