"""Scores: an intent's words against a few dozen tools, exactly.

A score is the cosine of intent and tool (dense) plus the share of the intent's weight in words that the
tool has (lexical, BM25F over its largest possible value). Work grows with the candidates, not with the
catalogue.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from .artifact import Artifact
from .errors import CorruptArtifact
from .format import DIMENSION
from .student import MAX_PIECES, lane_order
from .words import Word, term_key

LEXICAL = 0.5
"""Weight of the lexical part against the dense one; measured, docs/selection.md."""

_SATURATION = 2.2  # k1 + 1: the most a term's impact exceeds its idf
_CACHE = 8192  # profiles; about 3 kB each
_FLOATS = tuple(float(value if value < 128 else value - 256) for value in range(256))  # shared by all vectors


class Profile(NamedTuple):
    """What scoring needs of one tool, unpacked."""

    vector: tuple[float, ...]  # whole numbers, in lane order
    square: float  # of the vector's length
    total: float  # of its values
    scale: float  # that makes it a unit vector
    terms: str  # term ids as characters
    impacts: tuple[int, ...]


class Query(NamedTuple):
    """An intent, ready to be compared with tools."""

    lanes: tuple[int, ...]
    square: float  # of the lanes' length
    offset: int  # what each lane is too large by
    length: float  # of the intent's vector, 0 when no word is known
    terms: tuple[str, ...]
    mass: int  # sum of the terms' idf, the unknown ones' too


class Score(NamedTuple):
    """A tool's score and its parts; scores sort best first, ties by tool id."""

    below: float  # minus the score
    tool: int
    dense: float
    lexical: float

    @property
    def total(self) -> float:
        """The score, rounded to 1e-6 so that the last bits of a platform decide nothing."""
        return -self.below

    def signals(self) -> dict[str, float]:
        """The parts of the score, by name."""
        return {"dense": round(self.dense, 6), "lexical": round(self.lexical, 6)}


def query(words: Sequence[Word]) -> Query:
    """The query that some distinct words are."""
    total = scale = pieces = mass = 0
    terms: dict[str, None] = {}
    for word in words:
        pieces += word.pieces
        if pieces <= MAX_PIECES:
            total += word.lanes
            scale += word.scale
        for term in word.terms:
            if term.key not in terms:
                mass += term.idf
                if term.key:
                    terms[term.key] = None
    lanes = struct.unpack(f"<{DIMENSION}I", total.to_bytes(4 * DIMENSION, "little"))
    offset = 8 * scale
    norm = math.hypot(*lanes)
    square = norm * norm
    length = math.sqrt(max(square - 2 * offset * sum(lanes) + DIMENSION * offset * offset, 0.0))
    return Query(lanes, square, offset, length, tuple(terms), mass)


class Scorer:
    """Scores tools of one artifact; profiles are read when first needed and kept in a bounded cache."""

    def __init__(self, artifact: Artifact) -> None:
        self._artifact = artifact
        self._profiles: dict[int, Profile] = {}

    def score(self, asked: Query, tools: Iterable[int]) -> list[Score]:
        """The tools' scores, best first, ties by tool id."""
        profiles, dist, make = self._profiles, math.dist, Score._make
        lanes, square, offset = asked.lanes, asked.square, asked.offset
        half = 0.5 / asked.length if asked.length else 0.0
        share = LEXICAL / (_SATURATION * asked.mass) if asked.mass else 0.0
        scores = []
        for tool in tools:
            profile = profiles.get(tool) or self._read(tool)
            vector, own, total, scale, terms, impacts = profile
            apart = dist(lanes, vector)
            # |a|^2 + |b|^2 - |a-b|^2 = 2ab, and each lane of a is too large by offset.
            dense = (square + own - apart * apart - 2 * offset * total) * half * scale
            found = 0
            for term in asked.terms:
                at = terms.find(term)
                if at >= 0:
                    found += impacts[at]
            lexical = found * share
            scores.append(make((-round(dense + lexical, 6), tool, dense, lexical)))
        scores.sort()
        return scores

    def _read(self, tool: int) -> Profile:
        row = self._artifact.row("SELECT scale, vector, terms FROM profile WHERE tool = ?", tool)
        if row is None:
            raise CorruptArtifact(f"{self._artifact.path}: tool {tool} has no profile", hint="compile it again")
        scale, blob, packed = row
        vector = lane_order(itemgetter(*blob)(_FLOATS))
        count = len(packed) // 6
        values = struct.unpack(f"<{count}I{count}H", packed)
        profile = Profile(
            vector,
            sum(value * value for value in vector),
            sum(vector),
            scale,
            "".join(map(term_key, values[:count])),
            values[count:],
        )
        if len(self._profiles) >= _CACHE:
            self._profiles.clear()
        self._profiles[tool] = profile
        return profile
