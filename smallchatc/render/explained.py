"""A rule as `explain` shows it."""

from __future__ import annotations

from typing import Any

from smallchatc.rules import KINDS, Rule
from smallchatc.rules.example import example_of
from smallchatc.rules.page import rule_text

from . import bold, dim
from .diagnostics import COLOURS


def explained_text(rule: Rule) -> str:
    """Slug and severities, the rule in words, its examples."""
    lint = rule.in_lint or rule.severity
    said = [f"lint: {bold(lint, COLOURS[lint])}"]
    if not rule.only_lint:
        said.insert(0, f"compile: {bold(rule.severity, COLOURS[rule.severity])}")
    if rule.limit is not None:
        said.append(f"limit {rule.limit:,} (lintLimits in the project file)")
    if rule.deceives:
        said.append("only the project file may ignore it")
    parts = [f"{bold(rule.slug)}  {dim(', '.join(said))}", rule_text(rule)]
    example = example_of(rule.slug)
    for title, text in (("Bad", example.bad), ("Good", example.good)) if example else ():
        parts.append("\n".join([bold(f"{title}:"), *(f"    {line}" for line in text.rstrip().split("\n"))]))
    return "\n\n".join(parts)


def explained_dict(rule: Rule) -> dict[str, Any]:
    """The document of `--json`."""
    example = example_of(rule.slug)
    return {
        "slug": rule.slug,
        "kind": next(name for name, kind in KINDS.items() if rule in kind.RULES),
        "compile": None if rule.only_lint else rule.severity,
        "lint": rule.in_lint or rule.severity,
        "meaning": rule.meaning,
        "why": rule.why,
        "hint": rule.hint,
        "limit": rule.limit,
        "bad": example.bad if example else None,
        "good": example.good if example else None,
    }
