"""What an export changed, for people: what is lost by name, the rest by count."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from . import bold, count, plain

if TYPE_CHECKING:
    from smallchatc.export import Export

_NAMED = 20
_HINTS = {
    "functions": "choose with --tools, or use --for openai-responses --lazy",
    "strict tools": "choose with --tools",
    "optional parameters": "choose with --tools, or use --for anthropic",
    "union parameters": "choose with --tools, or use --for anthropic",
}


def show(made: Export, *, named: bool, reported: bool) -> None:
    """The talk on stderr: how much was changed, what cannot be said, what is too much for one request."""
    lines = [_summary(made)]
    strict = Counter(tool.strict[vendor].verdict for vendor in _vendor(made.target) for tool in made.tools)
    if strict:
        lines.append(f"  strict: {', '.join(f'{strict[verdict]} {verdict}' for verdict in sorted(strict))}")
    serious = [
        (tool.path, change)
        for tool in made.tools
        for change in tool.projection.changes
        if change.kind in ("lost", "blocked", "repaired")
    ]
    for path, change in serious[:_NAMED]:
        where = f" at {plain(change.pointer)}" if change.pointer else ""
        lines.append(f"{bold(change.kind, 'yellow')}: {plain(path)}{where}: {plain(change.said)} [{change.rule}]")
    if len(serious) > _NAMED:
        lines.append(f"  and {len(serious) - _NAMED:,} more")
    for limit in made.limits:
        lines.append(
            f"{bold('warning', 'yellow')}: {limit.found:,} {limit.what}, and a request takes {limit.allowed}; "
            f"{_HINTS[limit.what]} [request-limit]"
        )
    if not named and any(tool.projection.plan for tool in made.tools):
        lines.append("  arguments have to be led back for some tools: --names FILE writes the map")
    if not reported and any(tool.projection.changes for tool in made.tools):
        lines.append("  --report FILE writes every change with its place")
    click.echo("\n".join(lines), err=True)


def _summary(made: Export) -> str:
    unchanged = sum(not tool.projection.changes for tool in made.tools)
    rules = Counter(rule for tool in made.tools for rule in {change.rule for change in tool.projection.changes})
    listed = ", ".join(
        f"{rule} {number:,}" for rule, number in sorted(rules.items(), key=lambda item: (-item[1], item[0]))
    )
    changed = f"{len(made.tools) - unchanged:,} changed ({listed})" if rules else "none changed"
    return f"exported {count(len(made.tools), 'tool')} for {made.target}: {unchanged:,} as written, {changed}"


def _vendor(target: str) -> list[str]:
    return [target.removesuffix("-strict")] if target.endswith("-strict") else []
