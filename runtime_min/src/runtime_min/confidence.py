"""Confidence: a ranking becomes two probabilities and a tier.

`fit` asks whether any tool serves the request: how far the best score and the best cosine stand above what
generic talk reaches in this catalogue, which the compiler measured. `confidence` asks whether the first
choice is right: how far it is ahead, and whether meaning and letter both put it first. The few weights were
fitted once on labelled sets, each counted the same, and hold for every catalogue (docs/selection.md).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from operator import itemgetter

from .artifact import Artifact
from .named import NamedTuple
from .proof import Tier
from .scoring import Score

_FIT = (0.8276, 0.3978, -1.7159)  # of the score's z, of the cosine's z, constant
_SURE = (0.2582, 0.92, 0.3171, 1.6053)  # of the score's z, of ln(.01 + lead), of agreement, constant
_LEAD = 0.3  # of a tool that stands alone
_DENSE, _LEXICAL = itemgetter(Score._fields.index("dense")), itemgetter(Score._fields.index("lexical"))
_COVERAGE = (0.15, 0.1)  # mean and deviation of the share of an unread intent that some tool has by chance
_FAR = (-4.0, 8.0)  # z values beyond these say nothing more


class Calibration(NamedTuple):
    """Mean and deviation of the best score and the best cosine of generic talk, in one catalogue; and what is added to
    the logit of `confidence`, for who made its tools' vectors."""

    score: tuple[float, float] = (0.45, 0.12)
    dense: tuple[float, float] = (0.3, 0.09)
    sure: float = 0.0

    @classmethod
    def of(cls, artifact: Artifact) -> Calibration:
        """What the compiler measured."""
        stored = json.loads(artifact.meta.get("calibration", "{}"))
        spreads = {name: _measured(*stored[name]) for name in ("score", "dense") if name in stored}
        return cls(**spreads, sure=float(stored.get("sure", 0)))


class Cuts(NamedTuple):
    """Thresholds of one artifact; tier cuts are inclusive and apply to confidence.

    `exact` and `low` belong to the seeds' scale (`SEEDS`): by default only a literal name is EXACT, and only `fit`
    says NONE.
    """

    fit: float = 0.5
    high: float = 0.85
    medium: float = 0.75
    apart: float = 0.02
    exact: float = 2.0  # above any confidence
    low: float = 0.0

    @classmethod
    def of(cls, artifact: Artifact) -> Cuts:
        """The cuts an artifact stores, else the defaults."""
        stored = json.loads(artifact.meta.get("cuts", "{}"))
        return cls(**{name: float(value) for name, value in stored.items() if name in cls._fields})

    def tier(self, confidence: float) -> Tier:
        """The tier of a confidence."""
        if confidence >= self.high:
            return Tier.EXACT if confidence >= self.exact else Tier.HIGH
        if confidence >= self.medium:
            return Tier.MEDIUM
        return Tier.LOW if confidence >= self.low else Tier.NONE


SEEDS = Cuts(fit=0.0, exact=0.95, high=0.85, medium=0.75, low=0.6)
"""The four cuts of the seed documents on one number."""


def of(scores: Sequence[Score], calibration: Calibration, *, unread: float = 0.0) -> tuple[float, float]:
    """(fit, confidence) of a ranking, rounded to four decimals; (0, 0) of an empty one.

    `unread` is the largest lexical score there could be, given for an intent of which the encoder knows no word (a
    script of its own, a made-up name): then the first tool is judged by how much of the intent it has.
    """
    if not scores:
        return 0.0, 0.0
    first = scores[0]
    total, own_dense, own_lexical = first.total, first.dense, first.lexical
    lead = total - scores[1].total if len(scores) > 1 else _LEAD
    dense, lexical = max(map(_DENSE, scores)), max(map(_LEXICAL, scores))
    agreement = (own_dense >= dense) + (own_lexical >= lexical)
    if unread:
        high = near = _z(own_lexical / unread, _COVERAGE)
    else:
        high, near = _z(total, calibration.score), _z(dense, calibration.dense)
    by_score, by_cosine, constant = _FIT
    fit = by_score * high + by_cosine * near + constant
    by_score, by_lead, by_agreement, constant = _SURE
    sure = by_score * high + by_lead * math.log(0.01 + max(lead, 0.0)) + by_agreement * agreement + constant
    return _probability(fit), _probability(sure + calibration.sure)


def of_rest(scores: Sequence[Score], rank: int, first: float) -> float:
    """The confidence of a later candidate: what the first leaves, shared by closeness; never more than the first's."""
    rest = [math.exp(20 * (score.total - scores[0].total)) for score in scores[1:]]
    return round(min(first, (1 - first) * rest[rank - 1] / sum(rest)), 4)


def _measured(mean: float, deviation: float) -> tuple[float, float]:
    if not float(deviation) > 0:
        raise ValueError("a calibration without deviation")
    return float(mean), float(deviation)


def _z(value: float, measured: tuple[float, float]) -> float:
    mean, deviation = measured
    z = (value - mean) / deviation
    return z if _FAR[0] < z < _FAR[1] else min(max(z, _FAR[0]), _FAR[1])


def _probability(x: float) -> float:
    """The logistic function, in whole ten-thousandths."""
    return round(10_000 / (1 + math.exp(-x))) / 10_000
