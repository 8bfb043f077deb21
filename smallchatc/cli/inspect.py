"""`smallchatc inspect`: what is in this artifact?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .params import ARTIFACT


@click.command(name="inspect")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.option("--providers", is_flag=True, help="List the providers.")
@click.option("--selectors", is_flag=True, help="List the selectors and the tools that answer to them.")
@click.option("--overloads", is_flag=True, help="List the overload groups with their signatures.")
@click.option("--collisions", is_flag=True, help="List the pairs that may be confused.")
@click.option("--tool", metavar="P/N", help="Show everything about one tool.")
@click.option("--similar", metavar="P/N", help="List the tools nearest to one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def inspect_command(
    artifact: Path,
    providers: bool,
    selectors: bool,
    overloads: bool,
    collisions: bool,
    tool: str | None,
    similar: str | None,
    as_json: bool,
) -> int:
    """Show what an artifact holds, after verifying its digest.

    Without an option: an overview. With --json, a list that was asked for takes the place of its count.
    """
    from runtime_min.artifact import open_artifact
    from smallchatc import describe
    from smallchatc.render.document import print_json
    from smallchatc.render.inspected import show
    from smallchatc.similar import similar as nearest

    opened = open_artifact(artifact)
    opened.verify()
    views: dict[str, Any] = {}
    if providers:
        views["providers"] = describe.providers(opened)
    if selectors:
        views["selectors"] = describe.selectors(opened)
    if overloads:
        views["overloads"] = describe.overloads(opened)
    if collisions:
        views["collisions"] = describe.collisions(opened)
        views["duplicates"] = describe.duplicates(opened)
    if tool is not None:
        views["tool"] = describe.tool(opened, tool)
    if similar is not None:
        views["similar"], views["similar_by"] = nearest(opened, similar)
    overview = describe.overview(opened)
    if as_json:
        print_json({**overview, "verified": True, **views})
    else:
        show(overview, views)
    return 0
