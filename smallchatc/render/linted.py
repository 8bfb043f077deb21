"""What `lint` prints: lines for people, or one document for a program, a code scanner, a workflow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from smallchatc.diagnostics import to_dict

from . import bold, count, dim
from .diagnostics import diagnostic_text, tally_text
from .document import print_json
from .sarif import sarif_document
from .workflow import called, workflow_command

if TYPE_CHECKING:
    from smallchatc.lint import Linted
    from smallchatc.model import Diagnostic


def show(linted: Linted, *, form: str, verbose: bool) -> None:
    """Print the findings."""
    if form == "json":
        print_json(linted_dict(linted))
    elif form == "sarif":
        print_json(sarif_document(_from_here(linted.diagnostics, linted), linted.ignored))
    elif form == "github":
        for line in workflow_lines(_from_here(linted.diagnostics, linted)):
            click.echo(line)
    else:
        shown = [d for d in linted.diagnostics if verbose or d.severity != "note"]
        for d in shown:
            click.echo(diagnostic_text(d))
        click.echo(summary_text(linted, hidden=len(linted.diagnostics) - len(shown)), err=True)


def linted_dict(linted: Linted) -> dict[str, Any]:
    """The document of `--format json`."""
    severities = Counter(d.severity for d in linted.diagnostics)
    return {
        "providers": linted.providers,
        "tools": linted.tools,
        "counts": {severity: severities[severity] for severity in ("error", "warning", "note")},
        "rules": dict(sorted(Counter(d.slug for d in linted.diagnostics).items())),
        "diagnostics": [to_dict(d) for d in linted.diagnostics],
        "ignored": [{**to_dict(each.diagnostic), "reason": each.ignore.reason} for each in linted.ignored],
    }


def summary_text(linted: Linted, *, hidden: int) -> str:
    """What was looked at, and what of it is worth a look."""
    looked = f"{count(linted.tools, 'tool')} of {count(linted.providers, 'provider')}"
    if not linted.diagnostics:
        lines = [f"{bold('nothing found', 'green')} in {looked}"]
    else:
        lines = [tally_text(linted.diagnostics), f"{count(len(linted.diagnostics), 'finding')} in {looked}"]
    if linted.ignored:
        lines.append(dim(f"{count(len(linted.ignored), 'finding')} ignored for a reason: --format json lists them"))
    if hidden:
        lines.append(dim(f"{count(hidden, 'note')} not shown: --verbose lists all"))
    return "\n".join(lines)


def workflow_lines(diagnostics: Iterable[Diagnostic]) -> Iterable[str]:
    """The diagnostics as workflow commands, one a line."""
    for d in diagnostics:
        text = f"{d.message}\n{d.hint}" if d.hint else d.message
        level = "notice" if d.severity == "note" else d.severity
        place = (d.span.file, d.span.line, d.span.column) if d.span else None
        yield workflow_command(level, text, title=d.slug, place=place)


def _from_here(diagnostics: Sequence[Diagnostic], linted: Linted) -> list[Diagnostic]:
    """The diagnostics with files as they are called from the current folder, which is what checkouts show."""
    names = {name: called(path) for name, path in linted.files.items()}
    return [
        replace(d, span=replace(d.span, file=names[d.span.file])) if d.span and d.span.file in names else d
        for d in diagnostics
    ]
