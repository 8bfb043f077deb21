"""Names and texts that tools share: within a server, and across servers that a client uses together."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..model import Catalog, Tool
from ..wording import shown
from .finding import Finding, of_provider, of_tool

_APART = re.compile(r"[^a-z0-9]+")
_SPACE = re.compile(r"\s+")
_NAMED = 3


def name_findings(catalog: Catalog, limits: Mapping[str, int]) -> Iterator[Finding]:
    """What the names of a catalogue do to each other."""
    yield from _prefixed(catalog, limits["name-prefixed-length-64"])
    yield from _crowds(catalog, limits["tools-per-server"])
    for tools in _groups(catalog.tools, lambda tool: tool.name):
        if len({tool.provider for tool in tools}) > 1:
            message = f"tool '{shown(tools[0].name)}' is also offered by {_others(tools, lambda tool: tool.provider)}"
            yield of_tool("name-collision-across-servers", message, tools[0], also=tools[1:])
    for tools in _groups(catalog.tools, lambda tool: _APART.sub("", tool.name.lower()) or tool.name):
        spellings = list({tool.name: tool for tool in tools}.values())
        if len(spellings) > 1:
            others = _others(spellings, lambda tool: tool.path)
            message = f"tool '{shown(spellings[0].name)}' differs from {others} in case or punctuation only"
            yield of_tool("name-near-collision", message, spellings[0], also=spellings[1:])


def text_findings(catalog: Catalog) -> Iterator[Finding]:
    """Descriptions that several tools have, and providers that never say whether a tool changes anything."""
    for tools in _groups(catalog.tools, lambda tool: _SPACE.sub(" ", tool.description).strip().lower()):
        if tools[0].description.strip() and len({tool.fingerprint for tool in tools}) > 1:
            message = f"tool '{shown(tools[0].name)}' has the description of {_others(tools, lambda tool: tool.path)}"
            yield of_tool("description-duplicate", message, tools[0], below=("description",), also=tools[1:])
    members: dict[str, list[Tool]] = defaultdict(list)
    for tool in catalog.tools:
        members[tool.provider].append(tool)
    for provider in catalog.providers:
        tools = members[provider.id]
        silent = [tool for tool in tools if _takes_annotations(tool) and not _says_what_it_changes(tool)]
        if silent and len(silent) == len(tools):
            count = "its one tool does not say" if len(tools) == 1 else f"none of its {len(tools)} tools says"
            message = f"provider '{shown(provider.id)}': {count} whether it changes anything"
            yield of_provider("annotations-absent", message, provider)
        else:
            for tool in silent:
                message = f"tool '{shown(tool.name)}' does not say whether it changes anything"
                yield of_tool("annotations-absent", message, tool)


def _prefixed(catalog: Catalog, limit: int) -> Iterator[Finding]:
    for tool in catalog.tools:
        length = len(f"mcp__{tool.provider}__{tool.name}")
        if length > limit >= len(tool.name):
            message = f"tool '{shown(tool.name)}': with its provider as prefix the name has {length} characters"
            yield of_tool("name-prefixed-length-64", message, tool, below=("name",))


def _crowds(catalog: Catalog, limit: int) -> Iterator[Finding]:
    sizes: dict[str, int] = defaultdict(int)
    for tool in catalog.tools:
        sizes[tool.provider] += 1
    for provider in catalog.providers:
        if sizes[provider.id] > limit:
            message = f"provider '{shown(provider.id)}' has {sizes[provider.id]} tools, more than {limit}"
            yield of_provider("tools-per-server", message, provider)


def _takes_annotations(tool: Tool) -> bool:
    """Forms other than MCP's have no place for them."""
    definition = json.loads(tool.definition)
    return not {"parameters", "input_schema", "arguments"} & definition.keys()


def _says_what_it_changes(tool: Tool) -> bool:
    return any(isinstance(tool.annotations.get(key), bool) for key in ("readOnlyHint", "destructiveHint"))


def _groups(tools: Iterable[Tool], key: Callable[[Tool], str]) -> list[list[Tool]]:
    found: dict[str, list[Tool]] = defaultdict(list)
    for tool in tools:
        found[key(tool)].append(tool)
    return [group for group in found.values() if len(group) > 1]


def _others(tools: Sequence[Tool], name: Callable[[Tool], str]) -> str:
    """The tools after the first, by name."""
    names = list(dict.fromkeys(f"'{shown(name(tool))}'" for tool in tools[1:]))
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
