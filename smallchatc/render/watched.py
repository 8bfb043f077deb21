"""What `watch` prints: a line a round, its diagnostics on stderr."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from smallchatc.diagnostics import to_dict
from smallchatc.diff.kinds import LEVELS
from smallchatc.job import told_of

from . import bold, count, plain
from .compiled import show_notes
from .diagnostics import diagnostics_text
from .diffed import diff_dict

if TYPE_CHECKING:
    from smallchatc.diff import Diff
    from smallchatc.watch import Round

_NAMED = 3


def show_round(each: Round, *, as_json: bool) -> None:
    """Print one round at once, however stdout is read."""
    show_notes(each.notes)
    if as_json:
        click.echo(json.dumps(_round_dict(each), allow_nan=False))
    else:
        errors = [item for item in each.diagnostics if item.severity == "error"]
        if errors:
            click.echo(diagnostics_text(errors, verbose=True), err=True)
        click.echo(round_text(each))
    sys.stdout.flush()


def round_text(each: Round) -> str:
    """The line of a round."""
    if each.failure:
        first = plain(each.failure.partition("\n")[0])
        return f"{bold('not compiled', 'red')}: {first}; the last artifact stays"
    assert each.done is not None
    out = bold(plain(str(each.done.out)), "green")
    if each.done.told is not None:
        return f"{out}  up to date, {count(each.done.told['tools'], 'tool')}; watching"
    assert each.done.compiled is not None
    tools = count(len(each.done.compiled.catalog.tools), "tool")
    return f"{out}  {tools} in {each.seconds:.1f} s: {_changes_text(each.diff)}"


def _changes_text(diff: Diff | None) -> str:
    if diff is None:
        return "new"
    if not diff.changes:
        return "same" if diff.old == diff.new else "nothing that a caller sees"
    levels = Counter(change.level for change in diff.changes)
    counted = ", ".join(f"{levels[level]} {level}" for level in reversed(LEVELS) if levels[level])
    named = [f"{plain(change.subject)} {change.kind}".strip() for change in diff.changes[:_NAMED]]
    more = ", ..." if len(diff.changes) > _NAMED else ""
    return f"{counted} ({', '.join(named)}{more})"


def _round_dict(each: Round) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if each.done is not None and each.done.compiled is not None and each.done.out is not None:
        told = told_of(each.done.compiled, out=each.done.out, size=each.done.size)
    elif each.done is not None and each.done.told is not None:
        told = dict(each.done.told)
    kept = ("artifact", "digest", "up_to_date", "providers", "tools")
    return {
        "round": each.number,
        "ok": not each.failure,
        "failure": each.failure or None,
        **{key: told.get(key) for key in kept},
        "changes": diff_dict(each.diff)["changes"] if each.diff else [],
        "diagnostics": [to_dict(item) for item in each.diagnostics],
        "seconds": round(each.seconds, 3),
    }
