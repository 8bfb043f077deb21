"""Neighbours: unit vectors become the pairs that are close, block by block and never as an n x n matrix.

Every sum is of whole numbers that float32 or float64 holds exactly, so the pairs and their similarities depend
neither on the block size nor on the number of threads nor on the machine's instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]
    Pairs = tuple[Ints, Ints, Floats]  # first, second, similarity

COARSE = 4000.0
"""Length of the rows that are multiplied first: no partial sum of a product exceeds 2**24, all are exact in float32."""

FINE = float(1 << 20)
"""Length of the rows that a similarity is computed from: products stay below 2**53, exact in float64."""

SLACK = 0.005  # rounding to COARSE costs a similarity less, in up to 400 dimensions
_CELLS = 1 << 22  # similarities in memory at a time
_GATHER = 1 << 14  # pairs whose rows are gathered at a time


def coarse_pairs(vectors: np.ndarray[Any, Any], *, floor: float) -> Iterator[Pairs]:
    """All ordered pairs (i, j), i != j, whose similarity may reach `floor`, in blocks of consecutive i.

    Their similarity is good to `SLACK`; `similarities` gives it to six decimals.
    """
    import numpy as np

    rows = np.rint(unit_rows(vectors) * COARSE).astype(np.float32)
    limit = np.float32((floor - SLACK) * COARSE * COARSE)
    height = max(1, _CELLS // max(1, len(rows)))
    for start in range(0, len(rows), height):
        products = rows[start : start + height] @ rows.T
        first, second = np.nonzero(products >= limit)
        found = products[first, second].astype(np.float64) / (COARSE * COARSE)
        first = first + start
        other = first != second
        yield first[other], second[other], found[other]


def similarities(vectors: np.ndarray[Any, Any], first: Ints, second: Ints) -> Floats:
    """The cosine of each pair of rows, to six decimals; a zero vector is like nothing, itself included."""
    import numpy as np

    out = np.zeros(len(first), dtype=np.float64)
    for start in range(0, len(first), _GATHER):
        part = slice(start, start + _GATHER)
        left, right = (np.rint(unit_rows(vectors[index[part]]) * FINE) for index in (first, second))
        out[part] = np.einsum("ij,ij->i", left, right) / (FINE * FINE)
    return np.asarray(np.round(np.clip(out, -1.0, 1.0), 6), dtype=np.float64)


def unit_rows(vectors: np.ndarray[Any, Any]) -> Floats:
    """The rows at length one, zero rows as they are."""
    import numpy as np

    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float64)
