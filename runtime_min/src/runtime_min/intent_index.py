"""Intent index: remembered intents become findable by resemblance, without a look at all of them.

An inverted index over their terms names a few that share the rarest ones; those are compared by vector, and by
polarity first. Vectors are made when first compared and kept with the intent.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from .lexicon import STOP, canonical
from .polarity import Polarity, polarity
from .similarity import Vector, cosine, vector_of

if TYPE_CHECKING:
    from .words import Vocabulary

_READ = 32
"""Postings that are read for one question; rarest terms first, latest texts first: a common word cannot flood it."""

_COMPARED = 4
_BEGINNING = 5


class IntentIndex:
    """Texts by key. Not thread-safe: its owner holds a lock, or replaces it as a whole."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._polarities: dict[str, Polarity] = {}
        self._postings: dict[str, dict[str, None]] = {}
        self._vectors: dict[str, Vector] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, key: str, text: str) -> None:
        """Remember a text; an equal key is replaced."""
        self.remove(key)
        self._texts[key] = text
        self._polarities[key] = polarity(text)
        for term in _terms(canonical(text)):
            self._postings.setdefault(term, {})[key] = None

    def remove(self, key: str) -> None:
        """Forget a text; one that is not there is forgotten already."""
        text = self._texts.pop(key, None)
        if text is None:
            return
        self._vectors.pop(key, None)
        del self._polarities[key]
        for term in _terms(canonical(text)):
            holders = self._postings[term]
            del holders[key]
            if not holders:
                del self._postings[term]

    def forget_vectors(self) -> None:
        """Vectors of another encoder cannot be compared; they are made again when needed."""
        self._vectors.clear()

    def similar(
        self, text: str, threshold: float, vocabulary: Vocabulary, known: str | None = None
    ) -> list[tuple[str, float]]:
        """The remembered keys whose texts resemble this one that much, most alike first, ties by key. `known` is the
        text's canonical form, when somebody has it already."""
        shared = self._sharing(canonical(text) if known is None else known)
        if not shared:
            return []
        mine, asked = polarity(text), None
        found = []
        for key in shared:
            if self._polarities[key] != mine:
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

    def _sharing(self, key: str) -> list[str]:
        """The few texts that share most terms with the canonical text, and at least two thirds of them."""
        mine = _terms(key)
        lists = [held for term in mine if (held := self._postings.get(term))]
        least = len(mine) * 2 / 3
        if len(lists) < least or not lists:
            return []
        lists.sort(key=len)
        counts: dict[str, int] = {}
        left = _READ
        for held in lists:
            if left > 0:
                for key in islice(reversed(held), left):
                    counts[key] = counts.get(key, 0) + 1
                left -= len(held)
            else:
                for key in counts:
                    if key in held:
                        counts[key] += 1
        most = [(-count, other) for other, count in counts.items() if count >= least]
        most.sort()
        return [other for _, other in most[:_COMPARED]]


def _terms(key: str) -> dict[str, None]:
    """What a canonical text is found by: beginnings of its words, pairs of characters where no blanks are written.

    Far cheaper than the lexicon's terms, and only the compiler's index needs to know what a word is.
    """
    found = [word[:_BEGINNING] for word in key.split() if word not in STOP]
    if not key.isascii():
        found += [word[at : at + 2] for word in key.split() if not word.isascii() for at in range(len(word) - 1)]
    return dict.fromkeys(found)
