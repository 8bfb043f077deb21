"""What `init` says: what it found, its two questions, what it wrote and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runtime_min.identity import SUFFIX
from smallchatc.folders import LOCK_SUFFIX

from . import bold, count, plain
from .compiled import show_diagnostics
from .document import print_json

if TYPE_CHECKING:
    from smallchatc.found import Found
    from smallchatc.model import Configured
    from smallchatc.starting import Start

_NAMED = 10


def show_nothing(folder: Path, *, as_json: bool) -> None:
    """Neither a configuration nor tools."""
    if as_json:
        print_json({"written": [], "reason": "nothing-found"})
    click.echo(
        f"nothing to make a project of in {plain(str(folder))}: no client configuration and no file that holds tools\n"
        "  hint: put a tools/list result, a manifest or an OpenAPI document here, or record a server:\n"
        '        smallchatc snapshot "stdio:npx -y @modelcontextprotocol/server-filesystem /data" -o manifests',
        err=True,
    )


def show_taken(there: Sequence[str], *, as_json: bool) -> None:
    """Files that would be replaced."""
    if as_json:
        print_json({"written": [], "reason": "files-exist", "files": list(there)})
    verb = "is" if len(there) == 1 else "are"
    click.echo(
        f"{bold('error', 'red')}: {', '.join(map(plain, there))} {verb} there already; nothing was written\n"
        "  hint: --force replaces",
        err=True,
    )


def show_found(found: Found) -> None:
    """What the folder holds."""
    for title, names in (
        ("client configurations", found.configurations),
        ("tools in", found.sources),
        ("intent tests", found.intents),
    ):
        if names:
            more = f", and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
            click.echo(f"{title}: {', '.join(map(plain, names[:_NAMED]))}{more}", err=True)


def confirm_record(servers: Sequence[Configured]) -> bool:
    """May these be started? No is what silence means."""
    from smallchatc.found import reached

    click.echo(f"{count(len(servers), 'server')} without recorded tools:", err=True)
    for each in servers:
        click.echo(f"  {plain(each.label)}: {plain(reached(each))}", err=True)
    return click.confirm("Start and record?", default=False, err=True)


def confirm_files(start: Start) -> bool:
    """May these be written?"""
    return click.confirm(f"Write {', '.join(start.files)}?", default=True, err=True)


def show(start: Start, found: Found, *, as_json: bool) -> None:
    """The files on stdout, what to do next on stderr; or one JSON document."""
    from smallchatc.starting import ARTIFACT
    from smallchatc.workflow import WHEELS

    steps = _next(found)
    if as_json:
        print_json(
            {
                "written": list(start.files),
                "configurations": list(found.configurations),
                "sources": list(found.sources),
                "unrecorded": [each.label for each in found.unrecorded],
                "tools": start.tools,
                "cases": start.cases,
                "lost": list(start.lost),
                "next": steps,
            }
        )
        return
    show_diagnostics(start.diagnostics, verbose=False)
    for name in start.files:
        click.echo(name)
    if start.tools:
        tests = f", {count(start.cases, 'first test')}" if start.cases else ""
        click.echo(f"{count(start.tools, 'tool')}{tests}", err=True)
    if start.lost:
        names = ", ".join(map(plain, start.lost[:_NAMED]))
        click.echo(f"not found by their own first sentence: {names}; `smallchatc lint` says why", err=True)
    click.echo("next:", err=True)
    for step in steps:
        click.echo(f"  {step}", err=True)
    lock = ARTIFACT.removesuffix(SUFFIX) + LOCK_SUFFIX
    click.echo(f"keep these files and {lock} in version control; {ARTIFACT} need not be there", err=True)
    for text in start.files.values():
        if f"--find-links {WHEELS} " in text:
            click.echo(f"the build takes smallchatc from an index or from {WHEELS}/: its workflow says how", err=True)


def _next(found: Found) -> list[str]:
    from smallchatc.starting import RECORDINGS

    steps = []
    if found.unrecorded:
        steps.append(f"smallchatc snapshot {' '.join(map(plain, found.configurations))} -o {RECORDINGS}")
    if found.unrecorded and found.sources and RECORDINGS not in found.sources:
        steps.append(f"add {RECORDINGS} to the sources of smallchat.yaml")
    return [*steps, "smallchatc compile", "smallchatc test", "smallchatc lint"]
