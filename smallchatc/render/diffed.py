"""What `diff` prints: lines for people, Markdown for a pull request, a document for a program or a code scanner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from smallchatc.diff.kinds import BREAKING, KINDS, LEVELS, RISKY, SAFE
from smallchatc.model import Diagnostic, Span

from . import bold, count, dim, plain
from .document import print_json
from .markdown import escaped
from .sarif import sarif_document

if TYPE_CHECKING:
    from smallchatc.diff import Change, Diff

_COLOURS = {BREAKING: "red", RISKY: "yellow", SAFE: "green"}
_SEVERITIES = {BREAKING: "error", RISKY: "warning", SAFE: "note"}
_WORST_FIRST = tuple(reversed(LEVELS))


def show(diff: Diff, *, form: str, verbose: bool) -> None:
    """Print the changes."""
    if form == "json":
        print_json(diff_dict(diff))
    elif form == "sarif":
        print_json(sarif_document([_diagnostic(change) for change in diff.changes], (), rule=_rule))
    else:
        lines = _markdown(diff) if form == "markdown" else _text(diff, verbose=verbose)
        click.echo("\n".join(lines))


def diff_dict(diff: Diff) -> dict[str, Any]:
    """The document of `--json`."""
    levels = Counter(change.level for change in diff.changes)
    return {
        "old": diff.old,
        "new": diff.new,
        "level": diff.level,
        "counts": {level: levels[level] for level in _WORST_FIRST},
        "changes": [_dict(change) for change in diff.changes],
    }


def _dict(change: Change) -> dict[str, Any]:
    return {
        "level": change.level,
        "kind": change.kind,
        "subject": change.subject,
        "message": change.message,
        "before": change.before,
        "after": change.after,
        "pointer": change.pointer or None,
        "file": change.file or None,
        "line": change.line or None,
    }


def _text(diff: Diff, *, verbose: bool) -> Iterator[str]:
    if diff.level is None:
        yield f"{bold('no difference', 'green')}  {dim(diff.new[:12])}"
        return
    for level in _WORST_FIRST:
        changes = [change for change in diff.changes if change.level == level]
        if not changes:
            continue
        yield f"{bold(level, _COLOURS[level])}  {dim(count(len(changes), 'change'))}"
        if level == SAFE and not verbose:
            kinds = Counter(change.kind for change in changes)
            yield "  " + ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
        else:
            yield from (line for change in changes for line in _lines(change))
        yield ""
    yield f"{_tally(diff)}  {dim(f'{diff.old[:12]} -> {diff.new[:12]}')}"


def _lines(change: Change) -> Iterator[str]:
    yield f"  {plain(change.message)}  {dim(f'[{change.kind}]')}"
    if change.kind.startswith("description-changed"):
        yield f"    {click.style('-', fg='red')} {plain(str(change.before))}"
        yield f"    {click.style('+', fg='green')} {plain(str(change.after))}"


def _markdown(diff: Diff) -> Iterator[str]:
    """A section a level; the requests that move as a table of their own, and what is safe folded away."""
    yield "## Tools changed" if diff.level else "## No tool changed"
    yield ""
    yield _tally(diff) if diff.level else "The artifacts are equal."
    moved = [change for change in diff.changes if change.kind.startswith("selection-")]
    for level in _WORST_FIRST:
        changes = [change for change in diff.changes if change.level == level and change not in moved]
        if not changes:
            continue
        items = [f"- {escaped(change.message)} `{change.kind}`" for change in changes]
        if level == SAFE:
            items = [f"<details><summary>{count(len(items), 'safe change')}</summary>", "", *items, "", "</details>"]
        else:
            items = [f"### {level.capitalize()}", "", *items]
        yield from ("", *items)
    if moved:
        yield from (
            "",
            "### Requests that lead elsewhere",
            "",
            "| request | before | after | |",
            "| --- | --- | --- | --- |",
        )
        for change in moved:
            sides = [escaped(str(choice or "no tool")) for choice in (change.before, change.after)]
            yield f"| {escaped(change.subject)} | {sides[0]} | {sides[1]} | {change.kind.removeprefix('selection-')} |"


def _tally(diff: Diff) -> str:
    levels = Counter(change.level for change in diff.changes)
    return ", ".join(f"{levels[level]} {level}" for level in _WORST_FIRST if levels[level])


def _diagnostic(change: Change) -> Diagnostic:
    provider, _, tool = change.subject.partition("/")
    named = change.file and change.kind[:9] != "selection"
    return Diagnostic(
        slug=change.kind,
        severity=_SEVERITIES[change.level],
        message=change.message,
        span=Span(file=change.file, line=max(change.line, 1), column=1) if change.file else None,
        provider=provider if named else None,
        tool=tool or None if named else None,
        hint=KINDS[change.kind].hint,
    )


def _rule(slug: str) -> dict[str, Any]:
    kind = KINDS[slug]
    return {
        "id": slug,
        "shortDescription": {"text": kind.meaning},
        "help": {"text": kind.hint or kind.meaning},
        "defaultConfiguration": {"level": _SEVERITIES[kind.level]},
    }
