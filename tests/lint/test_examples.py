"""Every rule has a bad example that gives its slug and a good one that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from smallchatc.lint import COMPILED, SELECTION, lint
from smallchatc.rules import RULES
from smallchatc.rules.example import example_of, files_of
from smallchatc.settings import Settings

WITHOUT = {
    "bad-baseline": "is said of intents, not of tools",
    "bad-bundle": "an archive is no text",
    "bad-intents": "is said of intents, not of tools",
    "bundle-leads-out": "an archive is no text",
    "function-annotation": "is said of Python functions, which the command line names",
    "function-by-position": "is said of Python functions, which the command line names",
    "function-import": "is said of Python functions, which the command line names",
    "no-sources": "is said of a command line",
    "not-yet-supported": "waits for a later version",
    "source-missing": "is said of a command line",
    "source-too-large": "64 MB are no example",
    "source-unreadable": "a matter of the operating system",
    "stale-baseline": "is said of intents, not of tools",
    "symlink-outside": "a link is no text",
    "tests-missing": "is said of intents, not of tools",
    **dict.fromkeys(
        (
            "mcp-extra-missing",
            "no-servers",
            "server-died",
            "server-error",
            "server-key-not-used",
            "server-not-found",
            "server-not-started",
            "server-old-transport",
            "server-printed",
            "server-recorded",
            "server-refused",
            "server-timeout",
            "server-too-large",
            "server-unreachable",
            "several-transports",
            "unknown-tool-named",
            "variable-left-out",
            "variable-unset",
        ),
        "is said of a server that is asked, which lint never does",
    ),
}
"""Rules of which no text is an example; other tests have them."""

WITH = [slug for slug in RULES if slug not in WITHOUT]


def found(slug: str, text: str, folder: Path) -> bool:
    files = files_of(text)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    source = folder / next(iter(files)) if len(files) == 1 else folder
    rules = (frozenset(RULES) - COMPILED) | {slug}
    settings = Settings(encoder="small") if slug not in SELECTION else None
    return slug in {d.slug for d in lint([source], rules=rules, settings=settings).diagnostics}


@pytest.mark.parametrize("slug", WITH)
def test_the_bad_example_gives_its_slug(tmp_path: Path, slug: str) -> None:
    example = example_of(slug)
    assert example is not None, f"add it to smallchatc/rules/examples, or to WITHOUT with a reason: {slug}"
    assert found(slug, example.bad, tmp_path)


@pytest.mark.parametrize("slug", WITH)
def test_the_good_example_does_not(tmp_path: Path, slug: str) -> None:
    example = example_of(slug)
    assert example is not None
    assert not found(slug, example.good, tmp_path)


def test_what_has_no_example_is_a_rule_and_has_none() -> None:
    assert set(WITHOUT) <= set(RULES)
    assert [slug for slug in WITHOUT if example_of(slug)] == []
