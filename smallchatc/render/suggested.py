"""What `test --suggest` prints: a tests file to be reviewed, or one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import click

from smallchatc.testing.case_text import case_text
from smallchatc.testing.suggestions import Suggestion, Suggestions

from . import count, plain
from .document import print_json

HEAD = """\
# Suggested by `smallchatc test --suggest`: nobody has reviewed these. Say each as your users would, decide whether the
# tool is the right one, and only then move it into a tests file. What it leads to today stands above it."""


def show(suggestions: Suggestions, *, budget: int | None, as_json: bool) -> None:
    """Print so many suggestions."""
    found = suggestions.found[:budget]
    if as_json:
        print_json(suggestions_dict(suggestions, found))
        return
    if not found:
        click.echo("# Nothing to suggest: every tool has a test, and look-alikes are told apart.")
    else:
        click.echo("\n".join([HEAD, *suggestion_lines(found)]))
    for first, second in suggestions.alike:
        click.echo(f"# Nothing to suggest for {plain(first)} and {plain(second)}: no word of theirs tells them apart.")
    if len(found) < len(suggestions.found):
        click.echo(f"{count(len(suggestions.found) - len(found), 'more suggestion')} left out: --budget", err=True)
    failing = sum(not each.outcome.passed for each in found)
    if failing:
        click.echo(f"{failing:,} of {count(len(found), 'suggestion')} would fail today", err=True)


def suggestion_lines(found: Sequence[Suggestion]) -> Iterator[str]:
    """The cases as YAML, with their reasons as comments."""
    for (tool, why), group in groupby(found, key=lambda each: (each.tool, each.why)):
        yield f"\n# {plain(tool)}: {plain(why)}"
        for each in group:
            yield f"# {plain(each.words_from)}; {_led_to(each)}"
            yield case_text(each.intent, each.tool)


def _led_to(each: Suggestion) -> str:
    outcome = each.outcome
    if outcome.passed:
        return f"today it leads there ({outcome.tier})"
    return f"FAILS today: it leads to {plain(outcome.tool or 'no tool')} ({outcome.tier})"


def suggestions_dict(suggestions: Suggestions, found: Sequence[Suggestion]) -> dict[str, Any]:
    """The document of `--json`."""
    return {
        "suggestions": [
            {
                "intent": each.intent,
                "expect": [each.tool],
                "why": each.why,
                "words_from": each.words_from,
                "passes": each.outcome.passed,
                "tool": each.outcome.tool,
                "tier": each.outcome.tier,
            }
            for each in found
        ],
        "left_out": len(suggestions.found) - len(found),
        "alike": [list(pair) for pair in suggestions.alike],
    }
