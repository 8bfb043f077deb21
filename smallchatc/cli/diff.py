"""`smallchatc diff`: what does a change of the tools do to those who call them, and to selection?"""

from __future__ import annotations

from pathlib import Path

import click

from .params import ARTIFACT

FORMATS = ("text", "markdown", "json", "sarif")


@click.command(name="diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="What to print.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--fail-on",
    type=click.Choice(("breaking", "risky", "any", "never")),
    default="any",
    show_default=True,
    help="The least change that makes the exit code 1.",
)
@click.option(
    "--intents",
    multiple=True,
    type=ARTIFACT,
    metavar="FILE",
    help="Ask these intent tests of both sides too; may be repeated.",
)
@click.option("--no-impact", is_flag=True, help="Compare what is written; ask nothing of either side.")
@click.option("-v", "--verbose", is_flag=True, help="Show safe changes one by one too.")
def diff_command(
    old: str,
    new: str,
    form: str,
    as_json: bool,
    fail_on: str,
    intents: tuple[Path, ...],
    no_impact: bool,
    verbose: bool,
) -> int:
    """Compare two artifacts: breaking, risky and safe changes, and the requests that lead elsewhere now.

    OLD and NEW are artifacts, sources as compile takes them (compiled in memory), or REV:PATH for a file of a git
    revision, like HEAD~1:app.smallchat.db. docs/diff.md lists every kind of change.

    Which requests move is found by asking both sides: the intents of --intents, the aliases of tools, and each
    tool's own first sentence, then and now.
    """
    from smallchatc.diff import diff_artifacts
    from smallchatc.diff.given import open_given
    from smallchatc.render import diffed as render
    from smallchatc.testing.cases import read_all

    cases = read_all(intents)
    with open_given(old) as before, open_given(new, like=before) as after:
        diff = diff_artifacts(before, after, cases=cases, impact=not no_impact)
    render.show(diff, form="json" if as_json else form, verbose=verbose)
    return 1 if diff.fails(fail_on) else 0
