"""`smallchatc header`: the capability summary for a system prompt."""

from __future__ import annotations

from pathlib import Path

import click

from .params import ARTIFACT


@click.command(name="header")
@click.argument("artifact", type=ARTIFACT, metavar="DB")
@click.option(
    "--budget", default=2000, show_default=True, type=click.IntRange(min=1), metavar="TOKENS", help="Tokens at most."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def header_command(artifact: Path, budget: int, as_json: bool) -> int:
    """Print what a system prompt should say of an artifact's tools, within a budget.

    What there is no room for is said on stderr: descriptions go first, then arguments, then names, then classes.
    """
    from runtime_min import ToolRuntime
    from runtime_min.header import fitted_header, tokens
    from smallchatc.render.document import print_json

    runtime = ToolRuntime.open(artifact)
    text, left_out = fitted_header(runtime.snapshot, budget)
    if as_json:
        digest = runtime.artifact.digest
        print_json({"header": text, "tokens": tokens(text), "budget": budget, "left_out": left_out, "artifact": digest})
    else:
        click.echo(text, nl=not text.endswith("\n"))
        if left_out:
            click.echo(f"{budget} tokens have no room for {left_out}; give more with --budget", err=True)
    return 0
