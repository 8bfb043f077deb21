"""Nearest: for every word of the token table, the closest other term of the catalogue in meaning.

All products are of whole numbers that float32 holds exactly. What was found for nearly the same terms is taken over:
a term that is new is compared with every word, and a word whose nearest term is gone is compared with every term.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from runtime_min.lexicon import STOP
from runtime_min.student import beginning_in, word_pieces

from .build import build_digest
from .cache import Cache, cache_key
from .encoders.student import Student
from .lexical import Lexicon

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]

NEAR = 0.4
"""Cosine from which another term counts as close in meaning; it counts (cosine - NEAR) / (1 - NEAR)."""

_WHOLE = 4000.0  # length at which products of rows are exact in float32
_CELLS = 1 << 21  # products in memory at a time: few enough for a processor's cache
_OTHERS = 4  # one term in so many may have changed for the rest to be taken over


class _Found(NamedTuple):
    """Of each word, the column of the nearest term, their product, and the column of its own term (-1: none)."""

    column: Ints
    product: Floats
    own: Ints


def nearest_terms(
    student: Student,
    lexicon: Lexicon,
    names: Sequence[str],
    order: Ints,
    own: Sequence[int | None],
    asked: Sequence[int],
    *,
    cache: Cache | None = None,
    of: str = "",
) -> tuple[list[int | None], list[int]]:
    """Of each name that is `asked` the closest term but its own, and how much that counts, of 255; None: none is close.

    `of` says what kind of catalogue this is, so that the cache keeps what was found last for each.
    """
    import numpy as np

    near: list[int | None] = [None] * len(names)
    weight = [0] * len(names)
    table = student.rows(order).astype(np.float64) * student.scales[order].astype(np.float64)[:, None]
    mean = np.rint(table.sum(axis=0) / max(len(table), 1))
    spoken, terms = _terms(lexicon, names, table, mean)
    if not spoken or not asked:
        return near, weight
    column = {term: index for index, term in enumerate(spoken)}
    mine = np.array([column.get(-1 if own[at] is None else own[at] or 0, -1) for at in asked], dtype=np.int64)
    rows = _whole_rows(table[np.asarray(asked)] - mean)
    words = [lexicon.spoken[index] for index in spoken]
    key = cache_key("nearest", build_digest(), student.id.fingerprint, of)
    found = _taken_over(cache.recall([key]).get(key) if cache else None, words, rows, terms, mine)
    if found is None:
        found = _compared(rows, terms, mine)
    if cache:
        cache.keep("nearest", {key: _packed(words, found)})
    for at, best, product in zip(asked, found.column.tolist(), found.product.tolist(), strict=True):
        level = round((product / (_WHOLE * _WHOLE) - NEAR) / (1 - NEAR) * 255)
        if level > 0:
            near[at], weight[at] = spoken[best], min(level, 255)
    return near, weight


def _terms(lexicon: Lexicon, names: Sequence[str], table: Floats, mean: Floats) -> tuple[list[int], Any]:
    """The terms that have a meaning of their own, and their rows."""
    import numpy as np

    place = {name: index for index, name in enumerate(names)}
    beginning = beginning_in(place)
    spoken, rows = [], []
    for index, word in enumerate(lexicon.spoken):
        if word in STOP or len(word) < 2 or word.isdigit():
            continue
        found = [place[piece] for piece in word_pieces(word, beginning)]
        if 0 < len(found) <= 2:
            spoken.append(index)
            rows.append(table[found].sum(axis=0) / len(found) - mean)
    return spoken, _whole_rows(np.stack(rows)) if rows else None


def _compared(rows: Any, terms: Any, own: Ints) -> _Found:
    """Every word with every term; of equals the first."""
    import numpy as np

    column, product = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows))
    step = max(64, _CELLS // len(terms))
    for start in range(0, len(rows), step):
        products = rows[start : start + step] @ terms.T
        mine = own[start : start + step]
        has = np.flatnonzero(mine >= 0)
        products[has, mine[has]] = -1.0
        best = products.argmax(axis=1)
        column[start : start + step] = best
        product[start : start + step] = products[np.arange(len(best)), best]
    return _Found(column, product, own)


def _taken_over(kept: bytes | None, words: Sequence[str], rows: Any, terms: Any, own: Ints) -> _Found | None:
    """What was found last, brought up to date; None where too much is another."""
    import numpy as np

    if kept is None:
        return None
    former, last = _unpacked(kept)
    position: Mapping[str, int] = {word: index for index, word in enumerate(words)}
    known = set(former)
    new = np.array([index for index, word in enumerate(words) if word not in known], dtype=np.int64)
    gone = sum(word not in position for word in former)
    if len(last.column) != len(rows) or (len(new) + gone) * _OTHERS > len(words):
        return None
    moved = np.array([*(position.get(word, -1) for word in former), -1], dtype=np.int64)
    column, product = moved[last.column], last.product.copy()
    again = np.flatnonzero((column < 0) | (moved[last.own] != own))
    if len(new):
        # Columns stand in the order of terms, then as now, so of equals the first is still the first.
        where = np.full(len(words), -1, dtype=np.int64)
        where[new] = np.arange(len(new))
        only = _compared(rows, terms[new], np.where(own >= 0, where[own], -1))
        candidate = new[only.column]
        better = (only.product > product) | ((only.product == product) & (candidate < column))
        column, product = np.where(better, candidate, column), np.where(better, only.product, product)
    if len(again):
        afresh = _compared(rows[again], terms, own[again])
        column[again], product[again] = afresh.column, afresh.product
    return _Found(column, product, own)


def _packed(words: Sequence[str], found: _Found) -> bytes:
    import numpy as np

    head = json.dumps(words).encode()
    numbers = np.stack([found.column, found.product.astype(np.int64), found.own]).astype("<i4")
    return b"%d\n%b%b" % (len(head), head, numbers.tobytes())


def _unpacked(kept: bytes) -> tuple[list[str], _Found]:
    import numpy as np

    length, _, rest = kept.partition(b"\n")
    numbers = np.frombuffer(rest[int(length) :], dtype="<i4").reshape(3, -1).astype(np.int64)
    return json.loads(rest[: int(length)]), _Found(numbers[0], numbers[1].astype(np.float64), numbers[2])


def _whole_rows(rows: Floats) -> Any:
    import numpy as np

    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return np.rint(rows / np.maximum(lengths, 1e-9) * _WHOLE).astype(np.float32)
