"""Intent index: remembered intents become findable by resemblance, without a look at all of them.

An inverted index over their terms names a few that share the rarest ones; those are compared by vector, and by
polarity first. Vectors are made when first compared and kept with the intent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import terms
from .polarity import polarity
from .similarity import Vector, cosine, vector_of

if TYPE_CHECKING:
    from .words import Vocabulary

_READ = 64
"""Postings that are read for one question; rarest terms first, so that a common word cannot flood it."""

_COMPARED = 8


class IntentIndex:
    """Texts by key. Not thread-safe: its owner holds a lock, or replaces it as a whole."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._postings: dict[str, dict[str, None]] = {}
        self._vectors: dict[str, Vector] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, key: str, text: str) -> None:
        """Remember a text; an equal key is replaced."""
        self.remove(key)
        self._texts[key] = text
        for term in dict.fromkeys(terms(text)):
            self._postings.setdefault(term, {})[key] = None

    def remove(self, key: str) -> None:
        """Forget a text; one that is not there is forgotten already."""
        text = self._texts.pop(key, None)
        if text is None:
            return
        self._vectors.pop(key, None)
        for term in dict.fromkeys(terms(text)):
            holders = self._postings[term]
            del holders[key]
            if not holders:
                del self._postings[term]

    def forget_vectors(self) -> None:
        """Vectors of another encoder cannot be compared; they are made again when needed."""
        self._vectors.clear()

    def similar(self, text: str, threshold: float, vocabulary: Vocabulary) -> list[tuple[str, float]]:
        """The remembered keys whose texts resemble this one that much, most alike first, ties by key."""
        shared = self._sharing(text)
        if not shared:
            return []
        mine, asked = polarity(text), None
        found = []
        for key in shared:
            if polarity(self._texts[key]) != mine:
                continue
            if asked is None:
                asked = vector_of(vocabulary, text)
            vector = self._vectors.get(key)
            if vector is None:
                vector = self._vectors[key] = vector_of(vocabulary, self._texts[key])
            likeness = cosine(asked, vector)
            if likeness >= threshold:
                found.append((key, round(likeness, 6)))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def _sharing(self, text: str) -> list[str]:
        """The few keys that share most terms with the text."""
        lists = [held for term in dict.fromkeys(terms(text)) if (held := self._postings.get(term))]
        lists.sort(key=len)
        counts: dict[str, int] = {}
        read = 0
        for held in lists:
            if read and read + len(held) > _READ:
                for key in counts:
                    if key in held:
                        counts[key] += 1
                continue
            for key in list(held)[-_READ:]:
                counts[key] = counts.get(key, 0) + 1
            read += len(held)
        return sorted(counts, key=lambda key: (-counts[key], key))[:_COMPARED]
