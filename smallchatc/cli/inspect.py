"""`smallchatc inspect`: what is in this artifact?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from .params import ARTIFACT, NUMBER, SHARE, artifact_here, given


@click.command(name="inspect")
@click.argument("artifact", type=ARTIFACT, metavar="[DB]", required=False)
@click.option("--providers", is_flag=True, help="List the providers.")
@click.option("--selectors", is_flag=True, help="List the selectors and the tools that answer to them.")
@click.option("--overloads", is_flag=True, help="List the overload groups with their signatures.")
@click.option("--collisions", is_flag=True, help="List the pairs that may be confused.")
@click.option(
    "--calibration",
    is_flag=True,
    help="Show what the compiler measured: generic talk, cuts, confidence against what came true.",
)
@click.option("--tool", metavar="P/N", help="Show everything about one tool.")
@click.option("--similar", metavar="P/N", help="List the tools nearest to one.")
@click.option(
    "--text", "as_text", is_flag=True, help="Print every fact as a sorted line: for `git diff` (docs/diff.md)."
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write one page with everything in it: a map, each tool, and a search that resolves in the page.",
)
@click.option("--max-collisions", type=NUMBER, metavar="N", help="Gate: pairs that may be confused.")
@click.option("--max-duplicates", type=NUMBER, metavar="N", help="Gate: pairs that are the same operation.")
@click.option("--min-self", type=SHARE, help="Gate: share of tools that come first for half of their own words.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def inspect_command(
    artifact: Path | None,
    providers: bool,
    selectors: bool,
    overloads: bool,
    collisions: bool,
    calibration: bool,
    tool: str | None,
    similar: str | None,
    as_text: bool,
    html: Path | None,
    as_json: bool,
    **limits: float | None,
) -> int:
    """Show what an artifact holds, after verifying its digest.

    Without a DB: the artifact of this folder's project file.

    Without an option: an overview. With --json, a list that was asked for takes the place of its count.

    As a step of a build, with gates: exit 1 when one of them fails.
    """
    from runtime_min.artifact import open_artifact
    from smallchatc import describe, measured
    from smallchatc.gates import ARTIFACT_LIMITS, judge
    from smallchatc.render.document import print_json
    from smallchatc.render.inspected import show, show_gates
    from smallchatc.similar import similar as nearest

    opened = open_artifact(artifact or artifact_here())
    opened.verify()
    if as_text:
        from smallchatc.facts import facts

        click.echo("\n".join(facts(opened)))
        return 0
    if html is not None:
        from smallchatc.page import html_page
        from smallchatc.replacing import replace_text

        replace_text(html, html_page(opened))
        click.echo(f"{html} written", err=True)
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
    if calibration:
        views["calibration"] = measured.calibration(opened)
    if tool is not None:
        views["tool"] = describe.tool(opened, tool)
    if similar is not None:
        views["similar"], views["similar_by"] = nearest(opened, similar)
    overview = describe.overview(opened)
    gates = judge({**overview, "self": overview["self"]["right"]}, given(limits), ARTIFACT_LIMITS)
    if as_json:
        print_json({**overview, "verified": True, **views, "gates": [asdict(gate) for gate in gates]})
    else:
        show(overview, views)
    show_gates(gates, opened.path)
    return 0 if all(gate.ok for gate in gates) else 1
