"""The one table of changes: what each kind means, how bad it is, and what it is called seen from the other side.

docs/diff.md is generated from here. A kind's level is what it may cost those who call:
breaking, a call that worked fails; risky, a request may go elsewhere or do more; safe, neither.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

BREAKING, RISKY, SAFE = "breaking", "risky", "safe"
LEVELS = (SAFE, RISKY, BREAKING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of change."""

    slug: str
    meaning: str
    level: str = ""  # set where the table is put together
    hint: str = ""
    mirrors: tuple[str, ...] = ()  # what the same change is from new to old; () for itself

    @property
    def reverse(self) -> tuple[str, ...]:
        """The kinds that it may be from new to old."""
        return self.mirrors or (self.slug,)


def _at(level: str, *kinds: Kind) -> dict[str, Kind]:
    return {kind.slug: replace(kind, level=level) for kind in kinds}


_ALIAS = "keep the old name as an alias"
_LATER = "make it optional, or give the tool another name"

KINDS: dict[str, Kind] = {
    **_at(
        BREAKING,
        Kind(slug="provider-removed", meaning="a provider is gone", mirrors=("provider-added",)),
        Kind(
            slug="tool-removed",
            meaning="a tool is gone",
            hint="keep it for a release, and say in its description what takes its place",
            mirrors=("tool-added",),
        ),
        Kind(
            slug="tool-renamed",
            meaning="a tool has another name; what it takes or says is the same or nearly",
            hint=_ALIAS,
        ),
        Kind(
            slug="name-removed",
            meaning="an alias or a pin no longer names the tool",
            hint=_ALIAS,
            mirrors=("name-added",),
        ),
        Kind(
            slug="required-argument-added",
            meaning="an argument that must be given is new",
            hint=_LATER,
            mirrors=("argument-removed",),
        ),
        Kind(
            slug="argument-became-required",
            meaning="an argument that could be left out must be given",
            hint=_LATER,
            mirrors=("argument-became-optional",),
        ),
        Kind(
            slug="argument-removed",
            meaning="an argument is gone: a call that gives it is refused or says less",
            hint="keep it, and ignore it",
            mirrors=("required-argument-added", "optional-argument-added"),
        ),
        Kind(
            slug="type-narrowed",
            meaning="an argument takes fewer types than before",
            hint="accept the old types too",
            mirrors=("type-widened",),
        ),
        Kind(slug="type-changed", meaning="an argument takes other types than before", hint="accept the old types too"),
        Kind(
            slug="values-narrowed",
            meaning="values that could be given are gone",
            hint="keep the old values",
            mirrors=("values-widened",),
        ),
        Kind(slug="values-changed", meaning="some values are gone and others are new", hint="keep the old values"),
        Kind(
            slug="limit-tightened",
            meaning="a bound, a pattern or a format allows less than before",
            hint="keep the old limit",
            mirrors=("limit-loosened",),
        ),
        Kind(
            slug="limit-changed",
            meaning="a pattern or a format is another one",
            hint="make sure that the old values still match",
        ),
        Kind(
            slug="arguments-closed",
            meaning="arguments that no schema names are refused now",
            mirrors=("arguments-opened",),
        ),
        Kind(slug="output-removed", meaning="a part of the result is gone", mirrors=("output-added",)),
    ),
    **_at(
        RISKY,
        Kind(
            slug="description-changed",
            meaning="a tool is described in other words, with a new version of its provider",
            hint="read the words, and which requests they move",
        ),
        Kind(
            slug="description-changed-silently",
            meaning="a tool is described in other words, and its provider says no new version (rug pull)",
            hint="read the words as if the tool were new",
        ),
        Kind(slug="argument-described-otherwise", meaning="an argument is described in other words"),
        Kind(slug="default-changed", meaning="a call that leaves an argument out does something else"),
        Kind(
            slug="schema-changed",
            meaning="arguments are described in a way that cannot be compared piece by piece",
            hint="compare the schemas by hand",
        ),
        Kind(slug="output-changed", meaning="a part of the result has another schema"),
        Kind(
            slug="turned-destructive",
            meaning="a tool that did no harm may do some now, by its annotations or their defaults",
            mirrors=("turned-harmless",),
        ),
        Kind(slug="selector-changed", meaning="a tool answers to another selector"),
        Kind(slug="hints-changed", meaning="a hint that weighs in selection is another one"),
        Kind(slug="call-changed", meaning="an operation of an API is called in another way"),
        Kind(
            slug="transport-changed",
            meaning="a provider is reached in another way: another command, another address",
            hint="trust it anew",
        ),
        Kind(slug="provider-changed", meaning="a provider inherits or conforms otherwise"),
        Kind(slug="overload-changed", meaning="tools that are one operation are grouped otherwise"),
        Kind(
            slug="look-alike-added",
            meaning="two tools are close enough to be confused, and were not",
            hint="say in each description when it is the one to take",
            mirrors=("look-alike-removed",),
        ),
        Kind(
            slug="selection-broken",
            meaning="a request no longer leads to the tool that it should",
            mirrors=("selection-mended",),
        ),
        Kind(slug="selection-moved", meaning="a request leads to another tool than before"),
        Kind(slug="encoder-changed", meaning="another encoder, or another rule, made the vectors"),
        Kind(slug="settings-changed", meaning="a setting or a threshold of the artifact is another one"),
    ),
    **_at(
        SAFE,
        Kind(slug="provider-added", meaning="a provider is new", mirrors=("provider-removed",)),
        Kind(slug="tool-added", meaning="a tool is new", mirrors=("tool-removed",)),
        Kind(slug="name-added", meaning="an alias or a pin names the tool too", mirrors=("name-removed",)),
        Kind(
            slug="optional-argument-added",
            meaning="an argument that may be left out is new",
            mirrors=("argument-removed",),
        ),
        Kind(
            slug="argument-became-optional",
            meaning="an argument may be left out now",
            mirrors=("argument-became-required",),
        ),
        Kind(slug="type-widened", meaning="an argument takes more types than before", mirrors=("type-narrowed",)),
        Kind(slug="values-widened", meaning="more values may be given", mirrors=("values-narrowed",)),
        Kind(
            slug="limit-loosened",
            meaning="a bound, a pattern or a format allows more than before",
            mirrors=("limit-tightened",),
        ),
        Kind(
            slug="arguments-opened",
            meaning="arguments that no schema names are let through",
            mirrors=("arguments-closed",),
        ),
        Kind(slug="output-added", meaning="a part of the result is new", mirrors=("output-removed",)),
        Kind(
            slug="turned-harmless",
            meaning="a tool that could do harm does none now, by its annotations",
            mirrors=("turned-destructive",),
        ),
        Kind(slug="annotations-changed", meaning="annotations say something else of how a tool behaves"),
        Kind(
            slug="definition-changed",
            meaning="something else in a definition changed: a title, an icon, the spelling of a schema",
        ),
        Kind(slug="provider-version-changed", meaning="a provider has another version"),
        Kind(slug="provider-described-otherwise", meaning="a provider's title or description changed"),
        Kind(
            slug="look-alike-removed",
            meaning="two tools are no longer close enough to be confused",
            mirrors=("look-alike-added",),
        ),
        Kind(
            slug="selection-mended",
            meaning="a request leads to the tool that it should, and did not",
            mirrors=("selection-broken",),
        ),
    ),
}
"""Every kind, worst level first."""


def kinds_page() -> str:
    """docs/diff.md's table, generated."""
    lines = []
    for level in reversed(LEVELS):
        lines += [f"### {level.capitalize()}", "", "| change | meaning | what to do |", "| --- | --- | --- |"]
        lines += [f"| `{kind.slug}` | {kind.meaning} | {kind.hint} |" for kind in KINDS.values() if kind.level == level]
        lines.append("")
    return "\n".join(lines)
