"""Candidates: the few dozen tools that an intent's words point to, without a look at the others.

One inverted index, computed by the compiler: each word names the tools that it speaks for most, by meaning
and by letter together, in units of the final score. A word that names a provider favours all of its tools.
"""

from __future__ import annotations

from collections.abc import Iterable

from .words import Word

FEWEST, MOST = 6, 16
"""How many tools are scored exactly: those with at least `SHARE` of the points of the first, within these bounds."""
SHARE = 0.5
"""Measured against a full scan, docs/selection.md: nine tools on average, and none is missed that twenty would find."""


_POOL = 256  # tools that a named provider is looked for among: a long text points to very many


def gather(words: Iterable[Word], tools: int) -> list[int]:
    """Ids of the tools worth scoring for some distinct words, most promising first; of few `tools`, all."""
    if tools <= MOST:
        return list(range(tools))
    several = [word for word in words if word.tools]
    if not several:
        return []
    several.sort(key=_points, reverse=True)
    near = dict(zip(several[0].tools, several[0].points, strict=True))
    get = near.get
    for word in several[1:]:
        for tool, amount in zip(word.tools, word.points):  # noqa: B905  equal by construction; this is the hot path
            near[tool] = get(tool, 0) + amount
    owners = [owner for word in several for owner in word.owners]
    if owners:
        _favour(near, owners)
    least = SHARE * max(near.values())
    found = [tool for tool, amount in near.items() if amount >= least]
    if len(found) < FEWEST:
        return sorted(near, key=near.__getitem__, reverse=True)[:FEWEST]
    found.sort(key=near.__getitem__, reverse=True)
    return found[:MOST]


def _favour(near: dict[int, int], owners: list[tuple[int, int, int]]) -> None:
    """Add to the points of the best tools those of their provider where a word names it."""
    best = list(near) if len(near) <= _POOL else sorted(near, key=near.__getitem__, reverse=True)[:_POOL]
    for first, end, amount in owners:
        for tool in best:
            if first <= tool < end:
                near[tool] += amount


def _points(word: Word) -> int:
    return len(word.points)
