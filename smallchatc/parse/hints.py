"""compilerHints to what the compiler honours: checked one by one, inherited, overridden.

A hint that cannot be honoured is refused with a diagnostic, never dropped in silence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ..diagnostics import diagnostic, nearest_name
from ..model import Diagnostic, Hints, Json, Span

FIELDS = {
    "selectorHint": "selector",
    "pinSelector": "pin",
    "aliases": "aliases",
    "namespace": "namespace",
    "priority": "priority",
    "preferred": "preferred",
    "exclude": "exclude",
    "vendorMeta": "vendor",
}
"""Names in a manifest and in `model.Hints`."""

OF_ONE_TOOL = ("pinSelector", "aliases")
"""Hints that cannot hold for all tools of a provider: they name one imp."""

MAX_PRIORITY = 100.0

Locate = Callable[[tuple[str | int, ...]], Span]


def read_hints(raw: Json, locate: Locate, *, of_provider: bool) -> tuple[dict[str, Json], list[Diagnostic]]:
    """The hints that are set and sound, by their names in the manifest."""
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
            if fault:
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
    )


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
    if name in ("preferred", "exclude"):
        return None if isinstance(value, bool) else "must be true or false"
    return None


def _unfit(namespace: str) -> bool:
    return any(character.isspace() or character == "/" for character in namespace)
