"""Texts as bags of piece numbers with weights: what a sum of rows sees of them.

A piece that occurs n times weighs n ** COUNT_POWER, and the weights of a text add up to 1. The root
keeps a word that a long description repeats from deciding alone, and still counts it
(training/README.md has the figures); in a short request nearly every piece occurs once.
"""

import collections
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from runtime_min.lexicon import scan
from runtime_min.student import beginning_in, word_pieces

COUNT_POWER = 0.5
MOST_PIECES = 64  # of a training text
_CACHE = 50_000  # words


@dataclass(frozen=True, slots=True, kw_only=True)
class Bags:
    """Rows of a sparse matrix: bag i is ids[offsets[i]:offsets[i + 1]]."""

    ids: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float32]
    offsets: npt.NDArray[np.int64]

    def take(self, rows: npt.NDArray[np.int64]) -> "Bags":
        """The named bags, in that order."""
        lengths = self.offsets[rows + 1] - self.offsets[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return Bags(ids=self.ids[places], weights=self.weights[places], offsets=offsets)


def pack(texts: Iterable[str], index: Mapping[str, int]) -> Bags:
    """Cut the texts as the runtime does, count their pieces, drop what has no row."""
    cut = lru_cache(_CACHE)(lambda word: word_pieces(word, beginning_in(index)))
    ids: list[int] = []
    weights: list[float] = []
    offsets = [0]
    for text in texts:
        pieces = [piece for word in scan(text) for piece in cut(word)]
        counts = collections.Counter(pieces[:MOST_PIECES])
        bag = {index[piece]: n**COUNT_POWER for piece, n in counts.items()}
        total = sum(bag.values())
        ids += bag
        weights += [weight / total for weight in bag.values()]
        offsets.append(len(ids))
    return Bags(
        ids=np.array(ids, np.int64),
        weights=np.array(weights, np.float32),
        offsets=np.array(offsets, np.int64),
    )
