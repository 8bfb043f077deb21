"""The rules as a page: docs/rules.md, generated."""

from __future__ import annotations

from . import RULES
from .rule import ERROR, NOTE, WARNING


def rules_page() -> str:
    """The page, a table for each severity."""
    lines = [
        "# Diagnostics",
        "",
        "Generated from `smallchatc/rules`. An error stops the compile (`--keep-going` writes what is sound), a",
        "warning costs at most a tool, a note costs nothing. A source that was named and cannot be used is an error;",
        "the same file found inside a folder is a note.",
        "",
    ]
    for severity, title in ((ERROR, "Errors"), (WARNING, "Warnings"), (NOTE, "Notes")):
        lines += [f"## {title}", "", "| slug | meaning | what to do |", "| --- | --- | --- |"]
        lines += [f"| `{r.slug}` | {r.meaning} | {r.hint} |" for r in RULES.values() if r.severity == severity]
        lines.append("")
    return "\n".join(lines)
