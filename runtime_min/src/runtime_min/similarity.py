"""Similarity: two texts become the cosine of their student vectors.

The vector of a text is the sum of its words' (student.py); no tool is looked at.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .named import NamedTuple

if TYPE_CHECKING:
    from .words import Vocabulary


class Vector(NamedTuple):
    """A text's direction (`scoring.Query.lanes`); `length` is 0 when none of its words is known."""

    values: tuple[float, ...]
    length: float


def vector_of(vocabulary: Vocabulary, text: str) -> Vector:
    """The student vector of a text."""
    from .scoring import query

    asked = query(vocabulary.read(text))
    return Vector(asked.lanes, asked.length)


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two vectors, 0 when one of them has no direction."""
    if not one.length or not other.length:
        return 0.0
    apart = math.dist(one.values, other.values)
    dot = (one.length * one.length + other.length * other.length - apart * apart) / 2
    return max(-1.0, min(1.0, dot / (one.length * other.length)))
