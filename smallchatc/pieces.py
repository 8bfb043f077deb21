"""Pieces: for every word of the token table, all that a resolution will want to know of it, as one row.

Its row of the table; its own term and the closest other term of the catalogue in meaning; and the tools
it speaks for most, by meaning and by letter together, in units of the final score.

All products are of whole numbers that float32 or float64 holds exactly, so that the rows do not depend on
the machine.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from runtime_min import format as fmt
from runtime_min.lexicon import STOP, stem
from runtime_min.scoring import LEXICAL

from .cache import Cache
from .encoders.student import Student
from .lexical import OWNER_SHARE, Lexicon
from .nearest import nearest_terms

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]

POINTS = 64
"""Tools a word points to, at most: with fewer the right one is missed in large catalogues (docs/selection.md)."""

_SHARE = 4  # and at most one in so many, but for 16
_LEAST = 16  # points that are worth keeping; stop words have none
_CROWD, _CROWDED = 16, 30  # and after so many tools: a word that speaks for many says little of the last ones

_FEW = 32
_MANY = 8 * POINTS  # tools that a word reaches, from which its points are cut before they are sorted

_TYPICAL_MASS = 3.5  # idf of a typical request, in multiples of an unknown word's
_CELLS = 1 << 21  # products in memory at a time: few enough for a processor's cache
_ROWS = 64  # but at least so many rows, since each block reads all tools once


def piece_rows(
    student: Student,
    lexicon: Lexicon,
    vectors: Sequence[tuple[Any, float]],
    ranges: Mapping[str, tuple[int, int]],
    cache: Cache | None = None,
    only: Container[str] | None = None,
) -> list[fmt.Piece]:
    """The rows of `piece`. `vectors` are the tools' (int8 values, scale), `ranges` the providers' (first tool, end).

    With `only` those rows alone, which are as they are among all.
    """
    import numpy as np

    names = sorted(student.pieces)
    order = np.array([student.pieces[name] for name in names])
    number = {term: index for index, term in enumerate(lexicon.terms)}
    kept = [index for index, name in enumerate(names) if only is None or name in only]
    asked = [index for index in kept if is_word(names[index])]
    own: list[int | None] = [None] * len(names)
    for index in asked:
        own[index] = number.get(stem(names[index]))
    near, weight = nearest_terms(student, lexicon, names, order, own, asked, cache=cache, of="\n".join(ranges))
    # What is nearest was found among all; from here on there is nothing but what is kept.
    if only is not None:
        names, order = [names[at] for at in kept], order[kept]
        own, near = [own[at] for at in kept], [near[at] for at in kept]
        weight = [weight[at] for at in kept]
    idfs = [
        lexicon.idf(_holders(lexicon, own[at], near[at], weight[at])) if is_word(name) else 0.0
        for at, name in enumerate(names)
    ]
    pointed = _speaks_for(student, lexicon, order, list(zip(own, near, weight, idfs, strict=True)), vectors, ranges)
    return [
        fmt.Piece(
            piece=name,
            row=fmt.pack_row(int(student.scales[order[at]]), student.nibbles[order[at]].tobytes()),
            points=points,
            term=_key(own[at]),
            idf=round(idfs[at] * fmt.IDF_UNIT),
            near=_key(near[at]),
            weight=weight[at],
            owners=fmt.pack_owners(_owner_points(lexicon, own[at], near[at], weight[at], idfs[at], ranges)),
            begins=int(_begins(name, lexicon.terms)),
        )
        for at, (name, points) in enumerate(zip(names, pointed, strict=True))
    ]


def term_rows(lexicon: Lexicon, ranges: Mapping[str, tuple[int, int]]) -> list[fmt.Term]:
    """The rows of `term`, for words that the token table does not have whole."""
    code = fmt.id_code(lexicon.tools)
    rows = []
    for index, term in enumerate(lexicon.terms):
        idf = lexicon.idf(lexicon.holders[index])
        unit = _lexical_points(lexicon, idf)
        kept = _kept(lexicon.tools)
        shares = _term_shares(lexicon, index, ranges, kept)
        best = sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:kept]
        points = [(tool, min(255, round(unit * share))) for tool, share in best]
        points = [point for point in points if point[1] >= _LEAST]
        owners = _owner_points(lexicon, index, None, 0, idf, ranges)
        rows.append(
            fmt.Term(
                term,
                _key(index),
                round(idf * fmt.IDF_UNIT),
                fmt.pack_points([tool for tool, _ in points], [amount for _, amount in points], code),
                fmt.pack_owners(owners),
            )
        )
    return rows


def _begins(word: str, terms: Sequence[str]) -> bool:
    """Whether a longer one of the sorted terms begins with the word."""
    after = bisect_right(terms, word)
    return after < len(terms) and terms[after].startswith(word)


def _key(term: int | None) -> str:
    return "" if term is None else fmt.term_key(term)


def _kept(tools: int) -> int:
    return min(POINTS, max(16, tools // _SHARE))


def is_word(piece: str) -> bool:
    """Whether a piece is a whole word that says something: no continuation, no stop word."""
    return not piece.startswith(("##", "<")) and piece not in STOP and piece[0].isalnum()


def _speaks_for(
    student: Student,
    lexicon: Lexicon,
    order: Ints,
    said: Sequence[tuple[int | None, int | None, int, float]],
    vectors: Sequence[tuple[Any, float]],
    ranges: Mapping[str, tuple[int, int]],
) -> Iterator[bytes]:
    """The tools and points of each piece, best first and packed: meaning and letter added up for every tool.

    `said` is of each piece its own term, the near one, how much that counts, and its idf.
    """
    import numpy as np

    if not vectors:
        yield from (b"" for _ in order)
        return
    matrix = np.stack([vector for vector, _ in vectors]).astype(np.float32)
    scale = np.array([factor for _, factor in vectors], dtype=np.float64)
    # The mean tool, at a length that keeps products with it exact in float64; of a few tools it says little.
    summed = (matrix.astype(np.float64) * (scale * (1 << 20))[:, None]).sum(axis=0)
    mean = np.rint(summed / (len(vectors) + _FEW))
    keep = min(_kept(len(vectors)), len(vectors))
    code = fmt.id_code(lexicon.tools)
    letters = _Letters(lexicon, ranges, keep)
    step = max(_ROWS, _CELLS // len(vectors))
    for start in range(0, len(order), step):
        part = order[start : start + step]
        rows = student.rows(part)
        meaning = (rows.astype(np.float32) @ matrix.T).astype(np.float64)
        meaning *= scale
        meaning -= ((rows.astype(np.float64) @ mean) / (1 << 20))[:, None]
        meaning *= (student.scales[part].astype(np.float64) / (student.typical * fmt.POINT))[:, None]
        letters.add(meaning, said[start : start + step])
        for tools, amounts in _best(meaning, keep):
            yield fmt.pack_points(tools, amounts, code)


class _Letters:
    """What terms count for each tool, as arrays that are made once a term."""

    def __init__(self, lexicon: Lexicon, ranges: Mapping[str, tuple[int, int]], kept: int) -> None:
        self._lexicon, self._ranges, self._kept = lexicon, ranges, kept
        self._known: dict[int, tuple[Ints, Floats]] = {}

    def add(self, points: Floats, said: Sequence[tuple[int | None, int | None, int, float]]) -> None:
        """Add to each word's points its own term's, or the near one's times its weight where that is more."""
        import numpy as np

        unit = np.array([_lexical_points(self._lexicon, idf) for *_, idf in said])
        flat, level = points.reshape(-1), np.zeros(points.size)
        own = self._places([(row, own, 255) for row, (own, _, _, _) in enumerate(said) if own is not None])
        near = self._places([(row, near, weight) for row, (_, near, weight, _) in enumerate(said) if near is not None])
        level[own[0]] = own[1]
        level[near[0]] = np.maximum(level[near[0]], near[1])
        for place in (own[0], near[0]):
            flat[place] += unit[place // self._lexicon.tools] * level[place]
            level[place] = 0.0

    def _places(self, asked: Sequence[tuple[int, int, int]]) -> tuple[Ints, Floats]:
        """Where (row, term, weight) count, in the flattened points, and how much."""
        import numpy as np

        if not asked:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        found = [self._shares(term) for _, term, _ in asked]
        lengths = [len(tools) for tools, _ in found]
        rows = np.repeat([row for row, _, _ in asked], lengths)
        weights = np.repeat([weight for *_, weight in asked], lengths)
        shares = np.concatenate([shares for _, shares in found])
        places = rows * self._lexicon.tools + np.concatenate([tools for tools, _ in found])
        return places, np.where(weights == 255, shares, shares * weights / 255)

    def _shares(self, term: int) -> tuple[Ints, Floats]:
        import numpy as np

        found = self._known.get(term)
        if found is None:
            shares = _term_shares(self._lexicon, term, self._ranges, self._kept)
            found = self._known[term] = (
                np.fromiter(shares.keys(), dtype=np.int64, count=len(shares)),
                np.fromiter(shares.values(), dtype=np.float64, count=len(shares)),
            )
        return found


def _term_shares(lexicon: Lexicon, term: int, ranges: Mapping[str, tuple[int, int]], kept: int) -> dict[int, float]:
    """A term's shares, those of the small providers that it names among them."""
    found: dict[int, float] = {}
    for provider in lexicon.owners[term]:
        first, end = ranges[provider]
        if end - first <= kept:
            found |= dict.fromkeys(range(first, end), OWNER_SHARE)
    found.update(lexicon.shares[term])
    return found


def _holders(lexicon: Lexicon, own: int | None, near: int | None, weight: int) -> float:
    """How many tools have a word, those that only have its near term by its weight."""
    found = lexicon.holders[own] if own is not None else 0.0
    if near is not None:
        both = len(lexicon.shares[own].keys() & lexicon.shares[near].keys()) if own is not None else 0
        found += max(lexicon.holders[near] - both, 0.0) * weight / 255
    return min(found, lexicon.tools)


def _owner_points(
    lexicon: Lexicon, own: int | None, near: int | None, weight: int, idf: float, ranges: Mapping[str, tuple[int, int]]
) -> list[tuple[int, int, int]]:
    """The providers that a word names and whose tools are too many to point to each."""
    named = lexicon.owners[own] if own is not None else ()
    close = lexicon.owners[near] if near is not None else ()
    if not named and not close:
        return []
    level = dict.fromkeys(named, 1.0)
    for provider in close:
        level.setdefault(provider, weight / 255)
    unit = _lexical_points(lexicon, idf) * OWNER_SHARE
    kept = _kept(lexicon.tools)
    return [
        (*ranges[provider], min(255, round(unit * share)))
        for provider, share in sorted(level.items())
        if ranges[provider][1] - ranges[provider][0] > kept
    ]


def _lexical_points(lexicon: Lexicon, idf: float) -> float:
    """Points of a term that a tool has with share 1, in a request of typical weight."""
    return LEXICAL * idf / math.sqrt(_TYPICAL_MASS * lexicon.idf(0)) / fmt.POINT


def _best(points: Floats, keep: int) -> Iterator[tuple[list[int], list[int]]]:
    """Of each row the `keep` tools with the most points, and those; ties by tool, and none that is not worth it."""
    import numpy as np

    reached = points >= _LEAST - 0.5  # most are far below; what rounds to _LEAST is in
    for row in np.flatnonzero(reached.sum(axis=1) > _MANY):
        # What is sorted below is bounded: nothing more than a point below the last that is kept.
        last = np.partition(points[row, reached[row]], -keep)[-keep]
        reached[row] &= points[row] >= last - 1
    rows, tools = np.nonzero(reached)
    amounts = np.minimum(np.rint(points[rows, tools]), 255).astype(np.int64)
    order = np.lexsort((tools, -amounts, rows))
    rows, tools, amounts = rows[order], tools[order], amounts[order]
    place = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = (place < keep) & ((place < _CROWD) | (amounts >= _CROWDED))
    rows, tools, amounts = rows[kept], tools[kept], amounts[kept]
    ends = np.searchsorted(rows, np.arange(len(points) + 1)).tolist()
    named, given = tools.tolist(), amounts.tolist()
    for start, end in pairwise(ends):
        yield named[start:end], given[start:end]
