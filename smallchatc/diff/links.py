"""What holds between tools, and for the artifact as a whole: groups, look-alikes, encoder, settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..model import Json
from ..wording import shown
from .change import Change
from .side import Side
from .words import said_of

CUTS_APART = 0.05
"""Two artifacts whose thresholds are nearer than this refuse much the same."""


def link_changes(old: Side, new: Side, renamed: Mapping[str, str]) -> Iterator[Change]:
    """Groups and pairs that are others now; tools go by their new names."""
    before = {frozenset(renamed.get(path, path) for path in group) for group in old.overloads}
    for was, now in _components(before - new.overloads, new.overloads - before):
        members = sorted({path for group in (*was, *now) for path in group})
        yield Change(
            kind="overload-changed",
            subject=members[0],
            message=f"one operation: {_groups(now)}; was: {_groups(was)}",
            before=sorted(map(sorted, was)),
            after=sorted(map(sorted, now)),
        )
    pairs = {tuple(sorted(renamed.get(path, path) for path in pair)): value for pair, value in old.alike.items()}
    alike = {tuple(sorted(pair)): value for pair, value in new.alike.items()}
    for first, second in sorted(alike.keys() - pairs.keys()):
        message = f"'{shown(first)}' and '{shown(second)}' may be confused"
        yield Change(kind="look-alike-added", subject=first, message=message, after=round(alike[first, second], 4))
    for first, second in sorted(pairs.keys() - alike.keys()):
        message = f"'{shown(first)}' and '{shown(second)}' are no longer alike"
        yield Change(kind="look-alike-removed", subject=first, message=message, before=round(pairs[first, second], 4))


def setting_changes(old: Side, new: Side) -> Iterator[Change]:
    """The encoder and the settings, where they differ."""
    for kind, one, other in (
        ("encoder-changed", old.encoder, new.encoder),
        ("settings-changed", old.settings, new.settings),
    ):
        for key in sorted({*one, *other}):
            if not _same(one.get(key), other.get(key)):
                message = f"{key.replace('_', ' ')} is {said_of(other.get(key))}, was {said_of(one.get(key))}"
                yield Change(kind=kind, subject="", message=message, before=one.get(key), after=other.get(key))


def _same(one: Json, other: Json) -> bool:
    """Whether two settings are equal; cuts are measured anew in each catalogue, and move a little with every tool."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return all(abs(one[name] - other[name]) < CUTS_APART for name in one)
    return bool(one == other)


def _components(
    was: Iterable[frozenset[str]], now: Iterable[frozenset[str]]
) -> Iterator[tuple[list[frozenset[str]], list[frozenset[str]]]]:
    """Groups of both sides that share tools, directly or by others: a split is one change in both directions."""
    left = [(group, False) for group in sorted(was, key=sorted)] + [(group, True) for group in sorted(now, key=sorted)]
    while left:
        together = [left.pop(0)]
        members = set(together[0][0])
        grown = True
        while grown:
            touching = [item for item in left if members & item[0]]
            grown = bool(touching)
            together += touching
            members |= {path for group, _ in touching for path in group}
            left = [item for item in left if item not in touching]
        yield [group for group, is_new in together if not is_new], [group for group, is_new in together if is_new]


def _groups(groups: Iterable[frozenset[str]]) -> str:
    return "; ".join(", ".join(map(shown, sorted(group))) for group in groups) or "none"
