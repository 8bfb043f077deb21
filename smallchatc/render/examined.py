"""What `doctor` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from . import bold, dim, plain, table

SQLITE = {
    "strict": "STRICT tables: needed, SQLite 3.37 or newer",
    "mmap": "memory-mapped reading",
    "fts5": "full-text search: not needed",
    "load_extension": "loading of extensions: for sqlite-vec only",
    "sqlite_vec": "sqlite-vec loads: `inspect --similar` uses it, else plain Python does the same",
}


def show(told: Mapping[str, Any]) -> None:
    """Print the findings, what is missing in red."""
    packages = [
        (_mark(version is not None), name, version or bold("missing", "red"))
        for name, version in told["packages"].items()
    ]
    extras = [
        (_mark(extra["installed"], needed=False), f"smallchatc[{name}]", dim(extra["adds"]))
        for name, extra in told["extras"].items()
    ]
    sqlite = [(_mark(told["sqlite"][name], needed=name == "strict"), name, dim(text)) for name, text in SQLITE.items()]
    click.echo(f"Python {told['python']}, format {told['format']}\n{table(packages)}\n")
    click.echo(f"Extras\n{table(extras)}\n")
    click.echo(f"SQLite {told['sqlite']['version']}\n{table(sqlite)}\n")
    click.echo(f"Token tables: {', '.join(map(plain, told['encoders']['student'])) or bold('none', 'red')}")


def _mark(there: bool, *, needed: bool = True) -> str:
    if there:
        return click.style("yes", fg="green")
    return click.style("no", fg="red") if needed else dim("no")
