"""Confidence: scores become two probabilities and a tier.

Rough in this version: the two logistic curves are fixed and know nothing of the catalogue.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import NamedTuple

from .artifact import Artifact
from .proof import Tier
from .scoring import Score


class Cuts(NamedTuple):
    """Thresholds of one artifact; tier cuts are inclusive and apply to confidence."""

    fit: float = 0.5
    high: float = 0.85
    medium: float = 0.75
    apart: float = 0.02

    @classmethod
    def of(cls, artifact: Artifact) -> Cuts:
        """The cuts an artifact stores, else the defaults."""
        stored = json.loads(artifact.meta.get("cuts", "{}"))
        return cls(**{name: float(value) for name, value in stored.items() if name in cls._fields})

    def tier(self, confidence: float) -> Tier:
        """HIGH, MEDIUM or LOW."""
        if confidence >= self.high:
            return Tier.HIGH
        return Tier.MEDIUM if confidence >= self.medium else Tier.LOW


def of(scores: Sequence[Score]) -> tuple[float, float]:
    """(fit, confidence) of a ranking."""
    if not scores:
        return 0.0, 0.0
    best = scores[0].total
    margin = best - scores[1].total if len(scores) > 1 else 0.2
    fit = _logistic(12 * (best - 0.45))
    return round(fit, 6), round(fit * _logistic(14 * margin + 3 * (best - 0.6)), 6)


def of_rest(scores: Sequence[Score], rank: int, first: float) -> float:
    """The confidence of a later candidate: what the first leaves, shared by closeness."""
    rest = [math.exp(20 * (score.total - scores[0].total)) for score in scores[1:]]
    return round((1 - first) * rest[rank - 1] / sum(rest), 6)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
