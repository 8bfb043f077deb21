"""Findings: what the checks of lint hand on, before levels, ignores and places are settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model import Provider, Tool
from ..quirks import Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing about a tool (and others), or about a provider; `below` leads from the tool's own place."""

    slug: str
    message: str
    about: Tool | Provider
    below: Pointer = ()
    also: tuple[Tool, ...] = ()  # tools that it is about as much: an ignore at any of them holds
    hint: str | None = None


def of_tool(
    slug: str, message: str, tool: Tool, *, below: Pointer = (), also: Sequence[Tool] = (), hint: str | None = None
) -> Finding:
    """A finding about a tool."""
    return Finding(slug=slug, message=message, about=tool, below=below, also=tuple(also), hint=hint)


def of_provider(slug: str, message: str, provider: Provider) -> Finding:
    """A finding about a provider as a whole."""
    return Finding(slug=slug, message=message, about=provider)
