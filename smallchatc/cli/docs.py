"""`smallchatc docs`: an artifact as Markdown for a repository."""

from __future__ import annotations

from pathlib import Path

import click

from .params import ARTIFACT


@click.command(name="docs")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to write to; it is made where it is missing.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a page is missing, old or left over.")
def docs_command(artifact: Path, output: Path, check: bool) -> int:
    """Write Markdown: an index, and a page for each provider with its tools, arguments and look-alikes.

    The same artifact gives the same pages. Pages that an earlier run wrote and that this one does not are removed; a
    file that was written by somebody else is never touched, and makes the exit code 1.
    """
    from runtime_min.artifact import open_artifact
    from smallchatc.render import documented as render
    from smallchatc.written import replace_pages

    opened = open_artifact(artifact)
    opened.verify()
    changed, kept = replace_pages(output, render.markdown_pages(opened), mark=render.MARK, check=check)
    render.show(changed, kept, check=check)
    return 1 if kept or (check and changed) else 0
