"""Candidates: the few dozen tools that an intent's words point to, without a look at the others.

Two inverted indexes, both computed by the compiler: each word's pieces name the tools whose vectors they
are nearest to, each term names the tools it counts most for.
"""

from __future__ import annotations

from collections.abc import Sequence

from .words import Word

DENSE = 16
LEXICAL = 8
"""How many tools each index contributes; measured against a full scan, docs/selection.md."""


def gather(words: Sequence[Word]) -> list[int]:
    """Tool ids worth scoring for some distinct words, in no particular order but always the same one."""
    near: dict[int, int] = {}
    get = near.get
    for word in words:
        for tool, excess in zip(word.tools, word.excess):  # noqa: B905  equal by construction; this is the hot path
            near[tool] = get(tool, 0) + excess
    found = dict.fromkeys(sorted(near, key=lambda tool: (-near[tool], tool))[:DENSE])
    named: dict[int, int] = {}
    get = named.get
    for word in words:
        for term in word.terms:
            for tool, impact in zip(term.leaders, term.impacts):  # noqa: B905
                named[tool] = get(tool, 0) + impact
    found.update(dict.fromkeys(sorted(named, key=lambda tool: (-named[tool], tool))[:LEXICAL]))
    return list(found)
