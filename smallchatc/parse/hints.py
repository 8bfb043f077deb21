"""compilerHints to what the compiler honours: checked one by one, inherited, overridden.

A hint that cannot be honoured is refused with a diagnostic, never dropped in silence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from ..diagnostics import diagnostic, nearest_name
from ..model import Diagnostic, Hints, Ignore, Json, Span
from ..rules import ERROR, RULES

FIELDS = {
    "selectorHint": "selector",
    "pinSelector": "pin",
    "aliases": "aliases",
    "namespace": "namespace",
    "priority": "priority",
    "preferred": "preferred",
    "exclude": "exclude",
    "vendorMeta": "vendor",
    "lintIgnore": "ignores",
}
"""Names in a manifest and in `model.Hints`."""

OF_ONE_TOOL = ("pinSelector", "aliases")
"""Hints that cannot hold for all tools of a provider: they name one imp."""

MAX_PRIORITY = 100.0

Locate = Callable[[tuple[str | int, ...]], Span]


def read_hints(
    raw: Json, locate: Locate, *, of_provider: bool, of_project: bool = False
) -> tuple[dict[str, Json], list[Diagnostic]]:
    """The hints that are set and sound, by their names in the manifest; lintIgnore as a tuple of `Ignore`."""
    if raw is None:
        return {}, []
    if not isinstance(raw, dict):
        return {}, [diagnostic("bad-hint", "compilerHints is not an object", span=locate(()))]
    hints: dict[str, Json] = {}
    said: list[Diagnostic] = []
    for name, value in raw.items():
        span = locate((name,))
        if name not in FIELDS:
            message = f"there is no hint '{name}'"
            said.append(diagnostic("unknown-hint", message, span=span, hint=nearest_name(name, list(FIELDS))))
        elif of_provider and name in OF_ONE_TOOL:
            message = f"the hint '{name}' cannot hold for all tools of a provider"
            said.append(diagnostic("hint-not-inherited", message, span=span))
        elif value is not None:
            fault = _fault(name, value)
            if not fault and name == "lintIgnore":
                hints[name] = tuple(_ignores(value, locate, said, of_project=of_project))
            elif fault:
                said.append(diagnostic("bad-hint", f"the hint '{name}' {fault}", span=span))
            else:
                hints[name] = value
    return hints, said


def combine_hints(*layers: Mapping[str, Json]) -> Hints:
    """The effective hints: the first layer that sets one wins; aliases add up."""
    chosen: dict[str, Json] = {}
    for layer in reversed(layers):
        chosen.update(layer)
    aliases = tuple(dict.fromkeys(alias.strip() for layer in layers for alias in layer.get("aliases", ())))
    return Hints(
        selector=chosen.get("selectorHint"),
        pin=chosen.get("pinSelector"),
        aliases=aliases,
        namespace=chosen.get("namespace"),
        priority=float(chosen.get("priority", 1.0)),
        preferred=chosen.get("preferred", False),
        exclude=chosen.get("exclude", False),
        vendor=chosen.get("vendorMeta"),
        ignores=tuple(dict.fromkeys(ignore for layer in layers for ignore in layer.get("lintIgnore", ()))),
    )


def _ignores(
    value: Mapping[str, Json], locate: Locate, said: list[Diagnostic], *, of_project: bool
) -> Iterator[Ignore]:
    """The rules to ignore. What deceives a reader may be excused by the reader's project alone, not by its author."""
    for slug, reason in value.items():
        span = locate(("lintIgnore", slug))
        if slug not in RULES:
            hint = nearest_name(slug, list(RULES))
            said.append(diagnostic("ignore-unknown-rule", f"there is no rule '{slug}' to ignore", span=span, hint=hint))
        elif RULES[slug].severity == ERROR:
            message = f"'{slug}' is an error, which cannot be ignored"
            said.append(diagnostic("ignore-refused", message, span=span, hint="mend what it is about"))
        elif RULES[slug].deceives and not of_project:
            message = f"'{slug}' cannot be ignored by the manifest that it is about"
            said.append(diagnostic("ignore-refused", message, span=span))
        elif not isinstance(reason, str) or not reason.strip():
            message = f"'{slug}' is to be ignored, but not why; it is not ignored"
            said.append(diagnostic("ignore-without-reason", message, span=span))
        else:
            yield Ignore(rule=slug, reason=reason.strip(), span=span)


def _fault(name: str, value: Json) -> str | None:
    if name in ("selectorHint", "pinSelector", "namespace"):
        if not isinstance(value, str) or not value.strip():
            return "must be a text"
        return "must not hold blanks or '/'" if name == "namespace" and _unfit(value) else None
    if name == "aliases":
        if not isinstance(value, list) or not all(isinstance(alias, str) and alias.strip() for alias in value):
            return "must be a list of texts"
        return None
    if name == "priority":
        sound = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return None if sound and 0 < value <= MAX_PRIORITY else f"must be a number above 0 and up to {MAX_PRIORITY:.0f}"
    if name == "lintIgnore":
        return None if isinstance(value, dict) else "must be an object of reasons by rule"
    if name in ("preferred", "exclude"):
        return None if isinstance(value, bool) else "must be true or false"
    return None


def _unfit(namespace: str) -> bool:
    return any(character.isspace() or character == "/" for character in namespace)
