"""Selectors: texts of intents become interned selectors.

The table is the artifact's and frozen. A text that names one of its selectors, or nearly so, is that selector;
any other is a transient one: equal texts give the same object while somebody holds it, and nothing is stored.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from .lexicon import canonical

if TYPE_CHECKING:
    from .artifact import Artifact
    from .catalogue import Catalogue
    from .words import Vocabulary

DEDUP = 0.95


class Selector:
    """An interned intent. Two are the same message when they are the same object."""

    __slots__ = ("__weakref__", "canonical", "transient")

    def __init__(self, canonical: str, transient: bool) -> None:
        self.canonical = canonical
        self.transient = transient

    def __repr__(self) -> str:
        return f"Selector({self.canonical!r}{', transient' if self.transient else ''})"


class SelectorTable:
    """The selectors of one artifact."""

    def __init__(
        self, artifact: Artifact, catalogue: Catalogue, vocabulary: Vocabulary, threshold: float = DEDUP
    ) -> None:
        self._artifact = artifact
        self._catalogue = catalogue
        self._vocabulary = vocabulary
        self._threshold = threshold
        self._held: weakref.WeakValueDictionary[tuple[str, bool], Selector] = weakref.WeakValueDictionary()

    def __len__(self) -> int:
        row = self._artifact.row("SELECT count(*) FROM selector")
        return int(row[0]) if row else 0

    def intern(self, text: str) -> Selector:
        """The selector that a text is: of equal canonical form, else similar enough, else a transient one."""
        key = canonical(text)
        row = self._artifact.row("SELECT canonical FROM selector WHERE canonical = ?", text)
        named = self._catalogue.named(key) if row is None else {}
        if row is not None:
            return self._hold(row[0], transient=False)
        if len(named) == 1:
            return self._hold(self._catalogue.entry(next(iter(named))).selector, transient=False)
        near = self._nearest(text)
        return self._hold(near, transient=False) if near else self._hold(key, transient=True)

    def similarity(self, one: str, other: str) -> float:
        """How alike two texts are; texts of opposite polarity are not."""
        from .polarity import polarity
        from .similarity import cosine, vector_of

        if canonical(one) == canonical(other):
            return 1.0
        if polarity(one) != polarity(other):
            return 0.0
        return cosine(vector_of(self._vocabulary, one), vector_of(self._vocabulary, other))

    def _nearest(self, text: str) -> str | None:
        """The selector whose own words resemble the text at least as much as the threshold asks."""
        from . import candidates

        pool = candidates.gather(self._vocabulary.read(text).words.values(), self._artifact.tools)
        names = sorted({self._catalogue.entry(tool).selector for tool in pool} - {""})
        scored = [(self.similarity(text, _spoken(name)), name) for name in names]
        best = max(scored, default=(0.0, ""), key=lambda pair: pair[0])
        return best[1] if best[0] >= self._threshold else None

    def _hold(self, text: str, *, transient: bool) -> Selector:
        selector = self._held.get((text, transient))
        if selector is None:
            selector = self._held.setdefault((text, transient), Selector(text, transient))
        return selector


def _spoken(selector: str) -> str:
    """A selector without its namespace, as a person would say it."""
    return selector.partition(".")[2] or selector
