"""Diagnostics as text: `file:line:column: severity: message [slug]`, the hint below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import bold, count, dim, plain

if TYPE_CHECKING:
    from smallchatc.model import Diagnostic

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
SHOWN = 3
"""How many warnings of one slug are shown in full."""


def diagnostic_text(diagnostic: Diagnostic) -> str:
    """One diagnostic, as docs and tests know it."""
    severity = bold(diagnostic.severity, COLOURS.get(diagnostic.severity))
    where = ""
    if diagnostic.span is not None:
        where = f"{plain(diagnostic.span.file)}:{diagnostic.span.line}:{diagnostic.span.column}: "
    hint = f"\n  hint: {plain(diagnostic.hint)}" if diagnostic.hint else ""
    return f"{where}{severity}: {plain(diagnostic.message)} [{diagnostic.slug}]{hint}"


def diagnostics_text(diagnostics: Sequence[Diagnostic], *, verbose: bool) -> str:
    """All errors, the first few warnings of each slug, and a count of the rest; everything when verbose."""
    if verbose:
        return "\n".join(map(diagnostic_text, diagnostics))
    lines, seen = [], Counter[str]()
    for diagnostic in diagnostics:
        seen[diagnostic.slug] += 1
        if diagnostic.severity == "error" or (diagnostic.severity == "warning" and seen[diagnostic.slug] <= SHOWN):
            lines.append(diagnostic_text(diagnostic))
    return "\n".join(lines)


def tally_text(diagnostics: Sequence[Diagnostic]) -> str:
    """How many of each severity, and of which slugs, one line a severity."""
    lines = []
    for severity in ("error", "warning", "note"):
        slugs = Counter(item.slug for item in diagnostics if item.severity == severity)
        if slugs:
            total = bold(count(sum(slugs.values()), severity), COLOURS[severity])
            lines.append(f"{total}: " + ", ".join(f"{slug} {number}" for slug, number in slugs.most_common()))
    return "\n".join(lines)


def hidden_text(diagnostics: Sequence[Diagnostic]) -> str:
    """What `diagnostics_text` left out, and how to see it."""
    slugs = Counter(item.slug for item in diagnostics if item.severity == "warning")
    warnings = sum(max(0, number - SHOWN) for number in slugs.values())
    notes = sum(item.severity == "note" for item in diagnostics)
    left = [count(number, noun) for number, noun in ((warnings, "more warning"), (notes, "note")) if number]
    return dim(f"{' and '.join(left)} not shown: --verbose lists all") if left else ""
