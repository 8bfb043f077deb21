"""Index: what a resolution needs from the catalogue, computed once: vectors, piece impacts, postings.

Turns an embedded catalog into the rows of `profile`, `piece` and `term`. All sums are of integers small
enough for float32 or float64 to hold exactly, so the rows do not depend on the machine.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from runtime_min import format as fmt
from runtime_min.lexicon import terms

from .encoders.student import Student
from .model import EmbeddedCatalog, Tool

if TYPE_CHECKING:
    import numpy as np

    Ints = np.ndarray[Any, np.dtype[np.int8]]

IMPACTS = 16
"""Tools a piece points to; enough to find the right tool as often as a scan would (docs/selection.md)."""

LEADERS = 64
"""Tools a term points to; what else has the term is scored when something else finds it."""

FIELDS = (("name", 3.0), ("provider", 1.0), ("description", 1.0), ("argument", 0.5), ("argument text", 0.3))
"""Field weights of BM25F (Robertson, Zaragoza and Taylor 2004), with the two constants below."""
K1, B = 1.2, 0.5

_CELLS = 1 << 24  # dot products in memory at a time


def build_index(embedded: EmbeddedCatalog, student: Student) -> Mapping[str, tuple[fmt.Row, ...]]:
    """The rows of `profile`, `piece` and `term`."""
    vectors = quantise(embedded.vectors)
    rows, terms = term_rows(embedded.catalog.tools)
    return {
        "profile": tuple(
            fmt.Profile(tool, scale, vector.tobytes(), packed)
            for tool, ((vector, scale), packed) in enumerate(zip(vectors, terms, strict=True))
        ),
        "piece": tuple(piece_rows(student, vectors)),
        "term": tuple(rows),
    }


def quantise(vectors: np.ndarray[Any, np.dtype[np.float32]]) -> list[tuple[Ints, float]]:
    """Each unit vector as int8 and the scale that makes it a unit vector again."""
    import numpy as np

    out = []
    for vector in vectors.astype(np.float64):
        largest = float(np.abs(vector).max()) or 1.0
        whole = np.rint(vector / largest * 127).astype(np.int8)
        square = int((whole.astype(np.int64) ** 2).sum())
        out.append((whole, 1 / math.sqrt(square) if square else 0.0))
    return out


def piece_rows(student: Student, vectors: list[tuple[Ints, float]]) -> list[fmt.Piece]:
    """Every piece of the student with its row and the tools that it speaks for most.

    An impact is the piece's dot product with a tool in excess of the one ranked next after the last kept
    (in excess of the mean when every tool is kept), one byte on a scale common to the artifact.
    """
    import numpy as np

    count, code = len(vectors), fmt.id_code(len(vectors))
    keep = min(IMPACTS, count)
    names = sorted(student.pieces)
    order = np.array([student.pieces[name] for name in names])
    scales = student.scales[order].astype(np.float64)
    tools = np.zeros((len(names), keep), dtype=np.int64)
    excess = np.zeros((len(names), keep), dtype=np.float64)
    if keep:
        matrix = np.stack([vector for vector, _ in vectors]).astype(np.float32)
        lengths = np.array([scale for _, scale in vectors], dtype=np.float32)
        chunk = max(64, _CELLS // count)
        for start in range(0, len(names), chunk):
            rows = student.rows(order[start : start + chunk].tolist()).astype(np.float32)
            dots = (rows @ matrix.T) * lengths  # whole numbers below 2**24 times one factor: exact in any order
            best = _best(dots, keep)
            top = np.take_along_axis(dots, best, axis=1).astype(np.float64)
            floor = top[:, -1:] if count > keep else dots.mean(axis=1, keepdims=True, dtype=np.float64)
            tools[start : start + chunk] = best
            excess[start : start + chunk] = np.maximum(top - floor, 0) * scales[start : start + chunk, None]
    unit = float(np.quantile(excess.max(axis=1), 0.999)) / 255 if keep else 0.0
    impacts = np.clip(np.rint(excess / (unit or 1.0)), 0, 255).astype(np.int64)
    return [
        fmt.Piece(
            name,
            fmt.pack_piece(
                int(student.scales[order[row]]),
                student.nibbles[order[row]].tobytes(),
                [(int(tool), int(impact)) for tool, impact in zip(tools[row], impacts[row], strict=True) if impact],
                code,
            ),
        )
        for row, name in enumerate(names)
    ]


def _best(dots: np.ndarray[Any, np.dtype[np.float32]], keep: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Columns of the `keep` largest values of each row, best first, ties by column."""
    import numpy as np

    if dots.shape[1] > 4 * keep:
        part = np.sort(np.argpartition(-dots, keep - 1, axis=1)[:, :keep], axis=1)
    else:
        part = np.broadcast_to(np.arange(dots.shape[1]), dots.shape)
    order = np.argsort(-np.take_along_axis(dots, part, axis=1), axis=1, kind="stable")[:, :keep]
    return np.take_along_axis(part, order, axis=1)


def term_rows(tools: tuple[Tool, ...]) -> tuple[list[fmt.Term], list[bytes]]:
    """BM25F of the catalogue, both ways: the rows of `term` with their leading tools, and each tool's packed terms."""
    frequencies = [_field_counts(tool) for tool in tools]
    lengths = [sum(counts.values()) for counts in frequencies]
    average = sum(lengths) / max(len(lengths), 1) or 1.0
    postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for tool, counts in enumerate(frequencies):
        for term, count in counts.items():
            saturated = count * (K1 + 1) / (count + K1 * (1 - B + B * lengths[tool] / average))
            postings[term].append((tool, saturated))
    code = fmt.id_code(len(tools))
    rows: list[fmt.Term] = []
    profiles: list[list[tuple[int, int]]] = [[] for _ in tools]
    for term_id, term in enumerate(sorted(postings)):
        weight = idf(len(postings[term]), len(tools))
        impacts = [(tool, min(round(weight * value * fmt.IMPACT_UNIT), 0xFFFF)) for tool, value in postings[term]]
        for tool, impact in impacts:
            profiles[tool].append((term_id, impact))
        leaders = sorted(impacts, key=lambda posting: (-posting[1], posting[0]))[:LEADERS]
        rows.append(fmt.Term(term, term_id, round(weight * fmt.IMPACT_UNIT), fmt.pack_leaders(leaders, code)))
    return rows, [fmt.pack_terms(profile) for profile in profiles]


def idf(holders: int, tools: int) -> float:
    """The weight in nats of a term that `holders` of `tools` tools have; holders 0 is an unknown term's."""
    return math.log(1 + (tools - holders + 0.5) / (holders + 0.5))


def _field_counts(tool: Tool) -> Counter[str]:
    counts: Counter[str] = Counter()
    named = " ".join([tool.name, tool.hints.selector or "", *tool.hints.aliases])
    texts = {
        "name": [named],
        "provider": [tool.provider],
        "description": [tool.description[:600], tool.title],
        "argument": [arg.name for arg in tool.args],
        "argument text": [arg.description[:100] for arg in tool.args],
    }
    for field, weight in FIELDS:
        for term in terms(" ".join(texts[field])):
            counts[term] += weight  # type: ignore[assignment]
    return counts
