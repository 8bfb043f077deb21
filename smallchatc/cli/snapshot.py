"""`smallchatc snapshot`: live servers in, a file for each out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from .params import asking_options


@click.command(name="snapshot")
@click.argument("sources", nargs=-1, required=True, metavar="CONFIG|URL...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to write to; it is made where it is missing.",
)
@asking_options
@click.option("-v", "--verbose", is_flag=True, help="Show every warning and note.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def snapshot_command(
    sources: tuple[str, ...],
    output: Path,
    timeout: float,
    fail_fast: bool,
    allow_failed: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Record the tools of live MCP servers, so that they compile without being started.

    CONFIG is a client's configuration; a server may also be given as a URL or as "stdio:COMMAND LINE". Each server
    becomes DIR/NAME.json: what it listed, without secrets, the same bytes for the same tools. Later:

    \b
      smallchatc compile DIR -o app.smallchat.db
      smallchatc compile .mcp.json DIR --offline -o app.smallchat.db

    Exit 1 when a server failed; the others are recorded all the same.
    """
    from smallchatc.diagnostics import has_errors, stops
    from smallchatc.pipeline import Asking, record_servers
    from smallchatc.recording import write_recordings
    from smallchatc.render.progress import progress
    from smallchatc.render.recorded import show

    with progress(quiet=as_json) as report:
        recorded = record_servers(
            sources,
            asking=Asking(environment=os.environ, timeout_s=timeout, fail_fast=fail_fast, tell=report.server),
            stdin=sys.stdin.buffer.read() if "-" in sources else None,
            allow_failed=allow_failed,
        )
    write_recordings(recorded.files, output)
    show(recorded, folder=output, verbose=verbose, as_json=as_json)
    return 2 if stops(recorded.diagnostics) else 1 if has_errors(recorded.diagnostics) else 0
