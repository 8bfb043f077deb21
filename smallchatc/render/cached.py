"""The cache as text: where it is, what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from . import bold, count, plain, size, table
from .compiled import show_notes
from .document import print_json

KINDS = {
    "compile": "whole compiles",
    "nearest": "nearest terms",
    "reading": "tools as read",
    "vector": "tools' vectors",
    "words": "tools' words",
}


def show(
    path: Path | None, kinds: Mapping[str, tuple[int, int]], *, limit: int, notes: Sequence[str], as_json: bool
) -> None:
    """Print what a cache holds."""
    show_notes(notes)
    total = sum(amount for _, amount in kinds.values())
    if as_json:
        held = {kind: {"entries": number, "bytes": amount} for kind, (number, amount) in kinds.items()}
        print_json({"cache": str(path), "bytes": total, "limit": limit, "kinds": held})
        return
    click.echo(f"{bold(plain(str(path)))}  {size(total)} of at most {size(limit)}")
    rows = [
        (KINDS.get(kind, plain(kind)), count(number, "entry", "entries"), size(amount))
        for kind, (number, amount) in kinds.items()
    ]
    click.echo(table(rows, right=(1, 2)) if rows else "  nothing yet")


def show_cleared(folder: Path, gone: int, *, as_json: bool) -> None:
    """Say what was deleted."""
    if as_json:
        print_json({"cache": str(folder), "bytes": gone})
    else:
        click.echo(f"{plain(str(folder))}: {f'deleted {size(gone)}' if gone else 'there was no cache'}")
