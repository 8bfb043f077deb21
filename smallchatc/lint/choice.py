"""Names of rules and of kinds become the rules that are meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..diagnostics import nearest_name
from ..rules import KINDS, RULES


def chosen_rules(select: Sequence[str], ignore: Sequence[str]) -> frozenset[str] | str:
    """The rules of `select` (all of them without any) but those of `ignore`, or what is wrong with a name."""
    for name in (*select, *ignore):
        if name not in RULES and name not in KINDS:
            return f"there is no rule '{name}'; {nearest_name(name, [*RULES, *KINDS]) or 'docs/rules.md lists them'}"
    return (_rules(select) if select else frozenset(RULES)) - _rules(ignore)


def _rules(names: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        found.update([rule.slug for rule in KINDS[name].RULES] if name in KINDS else [name])
    return frozenset(found)
