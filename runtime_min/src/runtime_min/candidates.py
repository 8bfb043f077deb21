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
    found = sorted(near, key=near.__getitem__, reverse=True)[:_POOL]
    owners = [owner for word in several for owner in word.owners]
    if owners:
        for first, end, amount in owners:
            for tool in found:
                if first <= tool < end:
                    near[tool] += amount
        found.sort(key=near.__getitem__, reverse=True)
    del found[MOST:]
    least = SHARE * near[found[0]]
    kept = FEWEST
    while kept < len(found) and near[found[kept]] >= least:
        kept += 1
    return found[:kept]


def _points(word: Word) -> int:
    return len(word.points)
