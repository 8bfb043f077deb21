"""What `compile` prints: diagnostics on stderr, the summary on stdout, or one JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from smallchatc.job import told_of

from . import bold, count, dim, plain, table
from . import size as size_text
from .diagnostics import diagnostics_text, hidden_text, tally_text
from .document import print_json

if TYPE_CHECKING:
    from smallchatc.job import Done
    from smallchatc.model import Diagnostic

COUNTED = ("providers", "tools", "selectors", "overloads", "collisions")


def show(done: Done, *, verbose: bool, as_json: bool) -> None:
    """Print what came of a job."""
    if done.told is not None:
        _show_unchanged(done.told, verbose=verbose, as_json=as_json)
        return
    assert done.compiled is not None
    told = told_of(done.compiled, out=done.out, size=done.size)
    if as_json:
        print_json(told)
        return
    show_diagnostics(done.compiled.diagnostics, verbose=verbose)
    if done.out is None:
        click.echo("nothing written: --strict takes warnings for errors", err=True)
    else:
        click.echo(summary_text(told))


def show_notes(notes: Sequence[str]) -> None:
    """Print what there is to say about the cache."""
    for note in notes:
        click.echo(f"{bold('note', 'cyan')}: {plain(note)}", err=True)


def _show_unchanged(told: Mapping[str, Any], *, verbose: bool, as_json: bool) -> None:
    if as_json:
        print_json(told)
        return
    if verbose:
        from smallchatc.diagnostics import from_dict

        show_diagnostics([from_dict(item) for item in told["diagnostics"]], verbose=True)
    warnings = sum(item["severity"] == "warning" for item in told["diagnostics"])
    kept = f"; {count(warnings, 'warning')} as before: --verbose shows them" if warnings and not verbose else ""
    click.echo(f"{bold(plain(told['artifact']), 'green')}  up to date, {count(told['tools'], 'tool')}{kept}")


def show_failure(diagnostics: Sequence[Diagnostic], *, alone: bool, verbose: bool, as_json: bool) -> None:
    """Print why there is no image; `alone` when there is nothing else that could be written."""
    if as_json:
        from smallchatc.diagnostics import to_dict

        nothing: dict[str, Any] = {"artifact": None, "digest": None, "bytes": 0, **dict.fromkeys(COUNTED, 0)}
        print_json({**nothing, "diagnostics": [to_dict(item) for item in diagnostics], "seconds": {}})
        return
    show_diagnostics(diagnostics, verbose=verbose)
    keep_going = "" if alone else "; --keep-going writes what is sound"
    click.echo(f"nothing written{keep_going}", err=True)


def show_diagnostics(diagnostics: Sequence[Diagnostic], *, verbose: bool) -> None:
    """What was found in the sources, on stderr: in full, then counted."""
    texts = [diagnostics_text(diagnostics, verbose=verbose), tally_text(diagnostics)]
    if not verbose:
        texts.append(hidden_text(diagnostics))
    for text in texts:
        if text:
            click.echo(text, err=True)


def summary_text(told: Mapping[str, Any]) -> str:
    """A page for a person: what was made, of what, and where the time went."""
    total = sum(told["seconds"].values())
    head = f"{bold(plain(told['artifact']), 'green')}  {size_text(told['bytes'])} in {total:.1f} s"
    left_out = sum(item["slug"] == "excluded" for item in told["diagnostics"])
    selector_note = "" if told["selectors"] == told["tools"] else dim("some tools share one")
    rows = [
        ("providers", f"{told['providers']:,}", ""),
        ("tools", f"{told['tools']:,}", dim(f"{left_out} excluded") if left_out else ""),
        ("selectors", f"{told['selectors']:,}", selector_note),
        ("overloads", f"{told['overloads']:,}", dim("one operation, several signatures: the arguments pick")),
        (
            "collisions",
            f"{told['collisions']:,}",
            dim("pairs that may be confused: smallchatc inspect DB --collisions"),
        ),
    ]
    stages = " · ".join(f"{stage} {seconds:.2f}" for stage, seconds in told["seconds"].items())
    facts = [
        ("tools by", told["tool_encoder"]),
        ("intents by", told["encoder"]),
        ("digest", told["digest"]),
        ("seconds", stages),
    ]
    return "\n".join([head, table(rows, right=(1,)), "", table(facts)])


def stage_title(stage: str) -> str:
    """What a stage does, for the progress line."""
    titles = {
        "parse": "reading sources",
        "ask": "asking servers",
        "embed": "embedding tools",
        "cluster": "grouping overloads",
        "index": "indexing",
        "calibrate": "calibrating",
        "link": "linking",
        "resolve": "resolving",
        "mutate": "trying mutants",
    }
    return titles.get(stage, stage)
