"""`smallchatc resolve`: which tool does this intent mean?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .params import ARTIFACT, JSON_OBJECT


@click.command(name="resolve")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.argument("intent", metavar="INTENT")
@click.option("--args", "arguments", type=JSON_OBJECT, metavar="JSON", help="Arguments that come with the intent.")
@click.option("-k", default=5, show_default=True, type=click.IntRange(1, 1000), help="How many candidates.")
@click.option("--among", multiple=True, metavar="P/N", help="Choose only among these tools; may be repeated.")
@click.option("--explain", is_flag=True, help="Show the proof as a tree.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def resolve_command(
    artifact: Path,
    intent: str,
    arguments: dict[str, Any] | None,
    k: int,
    among: tuple[str, ...],
    explain: bool,
    as_json: bool,
) -> int:
    """Resolve an intent to a tool, with a tier and a proof. Exit 1 when nothing fits."""
    from runtime_min import ToolRuntime
    from smallchatc.render.document import print_json
    from smallchatc.render.resolution import show

    runtime = ToolRuntime.open(artifact)
    resolution = runtime.resolve(intent, arguments, k=k, among=among or None)
    if as_json:
        print_json(resolution.to_dict())
    else:
        show(resolution, explain=explain)
    return 1 if resolution.tool is None else 0
