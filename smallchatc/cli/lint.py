"""`smallchatc lint`: what is wrong with these tools, and what will be misunderstood?"""

from __future__ import annotations

import sys

import click

from .params import project_here

FORMATS = ("text", "json", "sarif", "github")


@click.command(name="lint")
@click.argument("sources", nargs=-1, metavar="SOURCE|DB...")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="What to print.")
@click.option(
    "--fail-on",
    type=click.Choice(("error", "warning", "never")),
    default="error",
    show_default=True,
    help="Severity from which the exit code is 1.",
)
@click.option("--select", multiple=True, metavar="RULE", help="Only these rules or kinds; may be repeated.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Not these rules or kinds; may be repeated.")
@click.option("-v", "--verbose", is_flag=True, help="Show notes too.")
def lint_command(
    sources: tuple[str, ...], form: str, fail_on: str, select: tuple[str, ...], ignore: tuple[str, ...], verbose: bool
) -> int:
    """Check tools for faults, for words that deceive, and for requests that would go astray.

    SOURCE is whatever compile takes; DB is an artifact. Without any, the project file of this folder is
    checked. RULE is a slug of docs/rules.md or one of its kinds: sources, project, tools, schemas, portable,
    words, deceit, linked, selection, ignoring.

    The project file sets levels (lint: {RULE: off|note|warning|error}) and limits (lintLimits: {RULE: NUMBER}). The
    hint lintIgnore: {RULE: reason} excuses a tool or a provider. Exit 1 when something is found that --fail-on
    names, 2 when a source cannot be read.
    """
    from smallchatc.lint import lint
    from smallchatc.lint.choice import chosen_rules
    from smallchatc.render import linted as render
    from smallchatc.render.progress import progress

    rules = chosen_rules(_names(select), _names(ignore))
    if isinstance(rules, str):
        raise click.UsageError(rules)
    names = [*sources] or project_here()
    with progress(quiet=form != "text") as report:
        linted = lint(
            names,
            rules=rules,
            stdin=sys.stdin.buffer.read() if "-" in names else None,
            progress=report.stage,
        )
    render.show(linted, form=form, verbose=verbose or bool(select))
    if linted.trouble:
        return 2
    failing = {"error": ("error",), "warning": ("error", "warning"), "never": ()}[fail_on]
    return 1 if any(d.severity in failing for d in linted.diagnostics) else 0


def _names(given: tuple[str, ...]) -> list[str]:
    """Names given one by one or with commas between them."""
    return [name.strip() for text in given for name in text.split(",") if name.strip()]
