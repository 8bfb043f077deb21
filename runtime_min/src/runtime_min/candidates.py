"""Candidates: the few dozen tools that an intent's words point to, without a look at the others.

One inverted index, computed by the compiler: each word names the tools that it speaks for most, by meaning
and by letter together, in units of the final score. A word that names a provider favours all of its tools.
"""

from __future__ import annotations

from collections.abc import Iterable

from .words import Word

FEWEST, MOST = 6, 16
"""How many tools are scored exactly: those with at least `SHARE` of the points of the first, but at least `FEWEST`, and
at most one more for each word that points to tools, up to `MOST`."""
SHARE = 0.5
"""Measured against a full scan, docs/selection.md: nine tools on average, and none is missed that twenty would find."""

_POOL = 256  # tools that a named provider is looked for among: a long text points to very many


def gather(words: Iterable[Word], tools: int) -> list[int]:
    """Ids of the tools worth scoring for some distinct words, most promising first; of few `tools`, all."""
    if tools <= MOST:
        return list(range(tools))
    near: dict[int, int] = {}
    named: list[tuple[int, int, int]] = []
    most = FEWEST
    for _, _, _, pointed, points, owners, _, _, _ in words:
        if pointed:
            most += 1
            if near:
                for tool, amount in zip(pointed, points):  # noqa: B905  equal by construction; this is the hot path
                    if tool in near:
                        near[tool] += amount
                    else:
                        near[tool] = amount
            else:
                near.update(zip(pointed, points))  # noqa: B905
        if owners:
            named += owners
    if not near:
        return []
    if named:
        _favour(near, named)
    best = sorted(near, key=near.__getitem__, reverse=True)[: min(most, MOST)]
    least = SHARE * near[best[0]]
    while near[best[-1]] < least and len(best) > FEWEST:
        best.pop()
    return best


def _favour(near: dict[int, int], owners: list[tuple[int, int, int]]) -> None:
    """Add to the points of the best tools those of their provider where a word names it."""
    best = list(near) if len(near) <= _POOL else sorted(near, key=near.__getitem__, reverse=True)[:_POOL]
    for first, end, amount in owners:
        for tool in best:
            if first <= tool < end:
                near[tool] += amount
