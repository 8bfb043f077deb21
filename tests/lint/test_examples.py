"""Every rule has a bad example that gives its slug and a good one that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from smallchatc.lint import COMPILED, lint
from smallchatc.rules import RULES

WITHOUT = {
    "source-unreadable": "a matter of the operating system",
    "source-too-large": "an example of 64 MB is none",
    "no-sources": "is said of a command line",
    "symlink-outside": "a link is no text",
}
"""Rules of which no text is an example; tests/parse has them."""


def write(example: str, folder: Path) -> list[Path]:
    """The files of an example; what they are given as."""
    files: dict[str, list[str]] = {}
    name = "tools.yaml"
    for line in example.split("\n"):
        if line.startswith("-- ") and line.endswith(" --"):
            name = line[3:-3]
            files[name] = []
        else:
            files.setdefault(name, []).append(line)
    for name, lines in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    return [folder / name] if len(files) == 1 else [folder]


def found(slug: str, example: str, folder: Path) -> bool:
    rules = (frozenset(RULES) - COMPILED) | {slug}
    return slug in {d.slug for d in lint(write(example, folder), rules=rules).diagnostics}


WITH = [slug for slug in RULES if slug not in WITHOUT and RULES[slug].bad]


@pytest.mark.parametrize("slug", WITH)
def test_the_bad_example_gives_its_slug(tmp_path: Path, slug: str) -> None:
    assert found(slug, RULES[slug].bad, tmp_path)


@pytest.mark.parametrize("slug", WITH)
def test_the_good_example_does_not(tmp_path: Path, slug: str) -> None:
    assert RULES[slug].good
    assert not found(slug, RULES[slug].good, tmp_path)


def test_what_has_no_example_is_a_rule() -> None:
    assert set(WITHOUT) <= set(RULES)
    assert [slug for slug in WITHOUT if RULES[slug].bad or RULES[slug].good] == []
