"""`smallchatc call`: which tool does this intent mean, and what does it answer?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .params import ARTIFACT, JSON_OBJECT, running_options


@click.command(name="call")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.argument("intent", metavar="INTENT")
@click.argument("words", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--args", "arguments", type=JSON_OBJECT, metavar="JSON", help="Arguments, as one JSON object.")
@click.option("--among", multiple=True, metavar="P/N", help="Choose only among these tools; may be repeated.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds of silence at most.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask before a tool that may change or destroy something.")
@running_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def call_command(
    artifact: Path,
    intent: str,
    words: tuple[str, ...],
    arguments: dict[str, Any] | None,
    among: tuple[str, ...],
    timeout: float | None,
    yes: bool,
    trust: bool,
    bindings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Resolve an intent, run its tool, and print what it answers as it comes.

    \b
      smallchatc call app.smallchat.db "what is in this folder" path=docs
      smallchatc call app.smallchat.db files/read_file --args '{"path": "README.md"}'

    Exit 1 when no tool is clear, the tool says that it failed, or it was not confirmed.
    """
    from runtime_min.errors import Declined
    from smallchatc.calling import call
    from smallchatc.given import given_arguments
    from smallchatc.render import render_error
    from smallchatc.render.called import Shown, ask
    from smallchatc.running import open_connected

    texts = given_arguments(words)
    runtime = open_connected(artifact, trust=trust, bindings=bindings)
    shown = Shown(as_json=as_json)
    try:
        return call(
            runtime,
            intent,
            arguments or {},
            texts,
            among=among or None,
            timeout=timeout,
            confirm=None if yes else ask,
            show=shown.event,
        )
    except Declined as err:
        render_error(err)
        return 1
