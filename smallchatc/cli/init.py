"""`smallchatc init`: a folder becomes a project."""

from __future__ import annotations

import os
from pathlib import Path

import click

from .params import asking_options


@click.command(name="init")
@click.argument(
    "folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="[FOLDER]"
)
@click.option("-y", "--yes", is_flag=True, help="Ask nothing; start no server unless --record says so.")
@click.option("--record", is_flag=True, help="Start the servers that are configured here and record their tools.")
@click.option("--ci", type=click.Choice(("github", "none")), default="github", show_default=True, help="Whose CI.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@asking_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document; asks nothing.")
def init_command(
    folder: Path,
    yes: bool,
    record: bool,
    ci: str,
    force: bool,
    timeout: float,
    fail_fast: bool,
    allow_failed: bool,
    as_json: bool,
) -> int:
    """Make a project of this folder: smallchat.yaml, first intent tests, and a build that runs them.

    Looks for client configurations in their usual places (.mcp.json, .vscode/mcp.json, .cursor/mcp.json, ...)
    and for files that hold tools (tools/list results, manifests, OpenAPI documents, ...). The first tests are the
    tools' own words, and pass.

    A server is started only when you say so: its tools are then recorded in manifests/, as `smallchatc snapshot`
    does, so that builds need not start it. A file that is there is replaced with --force only; else nothing is
    written and the exit code is 1, as it is when there is nothing to make a project of.
    """
    from smallchatc.diagnostics import has_errors
    from smallchatc.found import look_around
    from smallchatc.render import started as render
    from smallchatc.starting import starting_files, taken, write_files

    found = look_around(folder)
    if not (found.sources or found.configurations):
        render.show_nothing(folder, as_json=as_json)
        return 1
    if not as_json:
        render.show_found(found)
    there = [] if force else taken(folder, found, workflow=ci == "github")
    if there:
        render.show_taken(there, as_json=as_json)
        return 1
    failed = False
    ask = not (yes or as_json)
    if found.unrecorded and (record or (ask and render.confirm_record(found.unrecorded))):
        failed = _record(folder, found.configurations, timeout, fail_fast, allow_failed, quiet=as_json)
        found = look_around(folder)
    start = starting_files(folder, found, workflow=ci == "github")
    if ask and not render.confirm_files(start):
        return 1
    write_files(folder, start.files)
    render.show(start, found, as_json=as_json)
    return 1 if failed or has_errors(start.diagnostics) else 0


def _record(
    folder: Path, configurations: tuple[str, ...], timeout: float, fail_fast: bool, allow_failed: bool, *, quiet: bool
) -> bool:
    """Record the servers of the configurations; whether one failed."""
    from smallchatc.diagnostics import has_errors
    from smallchatc.pipeline import Asking, record_servers
    from smallchatc.recording import write_recordings
    from smallchatc.render import recorded as render
    from smallchatc.render.progress import progress
    from smallchatc.starting import RECORDINGS

    with progress(quiet=quiet) as report:
        recorded = record_servers(
            [folder / name for name in configurations],
            asking=Asking(environment=os.environ, timeout_s=timeout, fail_fast=fail_fast, tell=report.server),
            allow_failed=allow_failed,
        )
    write_recordings(recorded.files, folder / RECORDINGS)
    render.show_failures(recorded)
    return has_errors(recorded.diagnostics)
