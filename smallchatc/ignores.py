"""Ignores: what somebody asked, with a reason, not to be told about a tool (the hint lintIgnore).

Turns diagnostics into those that remain and those that were ignored, each with the ignore that did it, so
that an ignore that does nothing can be found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .model import Catalog, Diagnostic, Ignore, Span, Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """A diagnostic that is not said, and why."""

    diagnostic: Diagnostic
    ignore: Ignore


def apply_ignores(
    diagnostics: Iterable[Diagnostic], catalog: Catalog
) -> tuple[tuple[Diagnostic, ...], tuple[Ignored, ...]]:
    """What remains to be said, and what is ignored."""
    ignoring = Ignoring(catalog)
    kept, ignored = [], []
    for d in diagnostics:
        ignore = ignoring.of(d.slug, d.provider, d.tool)
        if ignore is None:
            kept.append(d)
        else:
            ignored.append(Ignored(diagnostic=d, ignore=ignore))
    return tuple(kept), tuple(ignored)


class Ignoring:
    """The ignores of a catalogue by what they are about."""

    def __init__(self, catalog: Catalog) -> None:
        self._tools = {(tool.provider, tool.name): tool.hints.ignores for tool in catalog.tools if tool.hints.ignores}
        self._providers = {each.id: each.hints.ignores for each in catalog.providers if each.hints.ignores}

    def of(self, slug: str, provider: str | None, tool: str | None) -> Ignore | None:
        """The ignore of this rule for a tool, or for a provider as a whole; a tool's include its provider's."""
        ignores = self._tools.get((provider or "", tool), ()) if tool else self._providers.get(provider or "", ())
        return next((each for each in ignores if each.rule == slug), None)


def ignores_of(catalog: Catalog) -> tuple[Ignore, ...]:
    """Every ignore of a catalogue, where it is written."""
    hints = [*(provider.hints for provider in catalog.providers), *(tool.hints for tool in catalog.tools)]
    found = {ignore for each in hints for ignore in each.ignores}
    return tuple(sorted(found, key=lambda ignore: (ignore.span, ignore.rule)))


def tool_span(tool: Tool, below: tuple[str | int, ...]) -> Span:
    """The place of a part of a tool when only the tool's own is known."""
    pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in below)
    return replace(tool.span, pointer=tool.span.pointer + pointer)
