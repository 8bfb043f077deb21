"""What `snapshot` prints: diagnostics on stderr, the files on stdout, or one JSON document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smallchatc.diagnostics import to_dict

from . import count, plain
from .compiled import show_diagnostics
from .document import print_json

if TYPE_CHECKING:
    from smallchatc.pipeline import Recorded


def show(recorded: Recorded, *, folder: Path, verbose: bool, as_json: bool) -> None:
    """Print what was recorded."""
    files = {str(folder / name): len(json.loads(text)["tools"]) for name, text in sorted(recorded.files.items())}
    if as_json:
        told = [{"file": file, "tools": tools} for file, tools in files.items()]
        print_json({"files": told, "diagnostics": [to_dict(item) for item in recorded.diagnostics]})
        return
    show_diagnostics(recorded.diagnostics, verbose=verbose)
    for file, tools in files.items():
        click.echo(f"{plain(file)}  {count(tools, 'tool')}")


def show_failures(recorded: Recorded) -> None:
    """The talk alone: what went wrong with which server."""
    show_diagnostics(recorded.diagnostics, verbose=False)
