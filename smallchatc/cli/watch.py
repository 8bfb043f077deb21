"""`smallchatc watch`: an artifact that follows its sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .params import cache_option, project_here

if TYPE_CHECKING:
    from smallchatc.job import Job


@click.command(name="watch")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="The artifact to write. [default: as the project file says]",
)
@click.option(
    "--encoder",
    type=click.Choice(("auto", "teacher", "base", "small")),
    help="Who embeds the tools, as for compile. [default: auto]",
)
@click.option("--strict", is_flag=True, help="Treat warnings as errors: leave the last artifact in place.")
@click.option("--offline", is_flag=True, help="Start and fetch nothing.")
@cache_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document a round, each on its line.")
def watch_command(
    sources: tuple[str, ...],
    output: Path | None,
    encoder: str | None,
    strict: bool,
    offline: bool,
    no_cache: bool,
    as_json: bool,
) -> int:
    """Compile, and compile again whenever a source changes, until interrupted.

    SOURCE is what compile takes; a file that appears in a folder, and a change of the project file, count. Each
    round that does something is told on one line: what changed and how long it took. A source that is broken, or
    half written, is told and leaves the last good artifact in place. A runtime that was opened with hot reload picks
    up each new one.
    """
    from smallchatc.job import Job

    names = [*sources] or project_here()
    if "-" in names:
        raise click.UsageError("standard input cannot be watched")
    follow(
        Job(sources=tuple(names), output=output, encoder=encoder, strict=strict, offline=offline),
        no_cache=no_cache,
        as_json=as_json,
    )
    return 0


def follow(job: Job, *, no_cache: bool, as_json: bool) -> None:
    """Watch until interrupted, and print each round."""
    from smallchatc.cache import cache_folder
    from smallchatc.render.watched import show_round
    from smallchatc.watch import watch

    watch(job, cache_folder=None if no_cache else cache_folder(), tell=lambda each: show_round(each, as_json=as_json))
