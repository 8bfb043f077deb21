"""Calibrate: what generic talk scores in a catalogue, so that its own requests can be told from it.

The runtime's own functions are asked, over the rows of an image, so that what is measured is what will run.
Nothing but the catalogue is needed: no labels of the user's, no model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from importlib import resources
from statistics import fmean, pstdev

from runtime_min import candidates, confidence, scoring
from runtime_min import format as fmt
from runtime_min.artifact import Artifact
from runtime_min.scoring import Score
from runtime_min.words import Vocabulary

from .memory import open_rows
from .model import Tool

_REFUSED = 0.67
"""Share of generic talk that the stored threshold refuses; more refuses requests that tools do serve."""
_FEW = 12
"""A catalogue of so many tools is believed half: of fewer, generic talk has little to hit, and what it scores there
says less than what it usually scores in a small catalogue (the three figures below)."""
_USUAL = confidence.Calibration(score=(0.2, 0.12), dense=(0.16, 0.09))
_USUAL_FIT = 0.19
STUDENT, TEACHER = -0.06, 0.03
"""What is added to the logit of `confidence`, by who made the tools' vectors: fitted on all labelled sets together."""
_SAMPLE = 200  # tools whose own words are asked for
_BINS = 10


def calibrate(
    rows: Mapping[str, tuple[fmt.Row, ...]], meta: Mapping[str, str], tools: Sequence[Tool], *, sure: float = STUDENT
) -> dict[str, str]:
    """The meta rows `calibration`, `cuts` and `reliability` for the index rows and meta rows of an image."""
    with closing(open_rows(rows, meta)) as artifact:
        asked = _Asked(artifact)
        talk = (resources.files("smallchatc") / "data" / "generic.txt").read_text("utf-8").splitlines()
        rankings = [asked.ranking(text) for text in talk]
        share = len(tools) / (len(tools) + _FEW)
        measured = confidence.Calibration(
            score=_spread([ranking[0].total if ranking else 0.0 for ranking in rankings], _USUAL.score, share),
            dense=_spread(
                [max((score.dense for score in ranking), default=0.0) for ranking in rankings], _USUAL.dense, share
            ),
            sure=sure,
        )
        fits = sorted(confidence.of(ranking, measured)[0] for ranking in rankings)
        threshold = share * fits[min(int(_REFUSED * len(fits)), len(fits) - 1)] + (1 - share) * _USUAL_FIT
        return {
            "calibration": json.dumps(measured._asdict()),
            "cuts": json.dumps({"fit": round(threshold, 4)}),
            "reliability": json.dumps(_reliability(asked, measured, tools)),
        }


class _Asked:
    """The scoring of one image."""

    def __init__(self, artifact: Artifact) -> None:
        self._tools = artifact.tools
        self._vocabulary = Vocabulary(artifact)
        self._scorer = scoring.Scorer(artifact)

    def ranking(self, text: str) -> list[Score]:
        reading = self._vocabulary.read(text)
        return self._scorer.score(scoring.query(reading), candidates.gather(reading.words.values(), self._tools))


def _reliability(asked: _Asked, measured: confidence.Calibration, tools: Sequence[Tool]) -> list[list[float]]:
    """How often a tool is found by its own description: [confidence from, asked, mean confidence, share right].

    Every other word of the description and no name, so that it is a paraphrase of a kind; an even sample.
    """
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    step = max(1, len(tools) // _SAMPLE)
    for number in range(0, len(tools), step):
        text = " ".join(tools[number].description.split()[:24:2])
        ranking = asked.ranking(text)
        if len(text) < 20 or not ranking:
            continue
        _, sure = confidence.of(ranking, measured)
        bins[min(int(sure * _BINS), _BINS - 1)].append((sure, ranking[0].tool == number))
    return [
        [low / _BINS, len(row), round(fmean(sure for sure, _ in row), 4), round(fmean(right for _, right in row), 4)]
        for low, row in enumerate(bins)
        if row
    ]


def _spread(values: Sequence[float], usual: tuple[float, float], share: float) -> tuple[float, float]:
    """Mean and deviation, those of a small catalogue drawn to the usual ones."""
    found = (fmean(values), pstdev(values))
    mean, deviation = (share * mine + (1 - share) * theirs for mine, theirs in zip(found, usual, strict=True))
    return round(mean, 4), round(deviation, 4)
