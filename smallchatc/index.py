"""Index: what a resolution needs from the catalogue, computed once.

Turns an embedded catalog into the rows of `profile`, `piece` and `term`, and the facts that scoring reads.
"""

from __future__ import annotations

import json
import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from runtime_min import format as fmt

from .cache import Cache
from .encoders.student import Student
from .lexical import OWNER_SHARE, Lexicon, build_lexicon
from .model import EmbeddedCatalog, Tool
from .pieces import piece_rows, term_rows
from .signals import deletes, kind_weights, kinds_of, verb_of

if TYPE_CHECKING:
    import numpy as np

    Vectors = np.ndarray[Any, np.dtype[np.float32]]
    Quantised = tuple[np.ndarray[Any, np.dtype[np.int8]], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Rows by table, and meta rows."""

    tables: Mapping[str, tuple[fmt.Row, ...]]
    meta: Mapping[str, str]


def build_index(
    embedded: EmbeddedCatalog, student: Student, cache: Cache | None = None, only: Container[str] | None = None
) -> Index:
    """The index of a catalogue; intents will be read by `student`. With `only` it has no other pieces than those."""
    tools = embedded.catalog.tools
    lexicon = build_lexicon(tools, cache)
    vectors = quantise(embedded.vectors)
    kinds = [kinds_of(tool) for tool in tools]
    ranges = _ranges(tools)
    return Index(
        tables={
            "profile": tuple(
                fmt.Profile(
                    tool=number,
                    scale=scale,
                    vector=vector.tobytes(),
                    terms="".join(fmt.term_key(term) for term, _ in terms),
                    shares=bytes(share for _, share in terms),
                    verb=verb_of(tool),
                    deletes=int(deletes(tool)),
                    kinds=kinds[number],
                    priority=float(tool.hints.priority),
                )
                for number, (tool, (vector, scale), terms) in enumerate(
                    zip(tools, vectors, _terms(lexicon, ranges), strict=True)
                )
            ),
            "piece": tuple(piece_rows(student, lexicon, vectors, ranges, cache, only)),
            "term": tuple(term_rows(lexicon, ranges)),
        },
        meta={
            "kind_weights": json.dumps(kind_weights(kinds)),
            "tools": str(len(tools)),
            "unknown_idf": str(round(lexicon.idf(0) * fmt.IDF_UNIT)),
        },
    )


def quantise(vectors: Vectors) -> list[Quantised]:
    """Each unit vector as int8 and the scale that makes it a unit vector again."""
    import numpy as np

    out = []
    for vector in vectors.astype(np.float64):
        largest = float(np.abs(vector).max()) or 1.0
        whole = np.rint(vector / largest * 127).astype(np.int8)
        square = int((whole.astype(np.int64) ** 2).sum())
        out.append((whole, 1 / math.sqrt(square) if square else 0.0))
    return out


def _terms(lexicon: Lexicon, ranges: Mapping[str, tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Each tool's terms with what they count, of 255; its provider's words among them."""
    found: list[dict[int, int]] = [{} for _ in range(lexicon.tools)]
    for term, providers in enumerate(lexicon.owners):
        for provider in providers:
            for tool in range(*ranges[provider]):
                found[tool][term] = round(OWNER_SHARE * 255)
    for term, shares in enumerate(lexicon.shares):
        for tool, share in shares.items():
            found[tool][term] = min(255, max(1, round(share * 255)))
    return [sorted(terms.items()) for terms in found]


def _ranges(tools: tuple[Tool, ...]) -> dict[str, tuple[int, int]]:
    """Each provider's first tool id and end; catalog order keeps its tools together."""
    ranges: dict[str, tuple[int, int]] = {}
    for number, tool in enumerate(tools):
        ranges[tool.provider] = (ranges.get(tool.provider, (number, 0))[0], number + 1)
    return ranges
