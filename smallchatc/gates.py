"""Gates: figures of a scorecard, or of an artifact, against the limits that a build sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .testing.scorecard import Scores

LIMITS = {
    "min-recall1": "recall@1",
    "min-recall3": "recall@3",
    "min-recall5": "recall@5",
    "min-mrr": "mrr",
    "min-auroc": "auroc",
    "max-false-tool": "false_tool",
    "max-false-none": "false_none",
    "max-ece": "ece",
}
"""Each gate of labelled intents and the figure that it watches."""

COVERAGE_LIMITS = {"min-coverage": "coverage"}
"""The same of the intents themselves: what they ask for, whatever comes out."""

MUTATION_LIMITS = {"min-mutation": "mutation"}
"""And what they notice."""

ARTIFACT_LIMITS = {"max-collisions": "collisions", "max-duplicates": "duplicates", "min-self": "self"}
"""The same of an artifact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One limit and how it came out."""

    name: str
    limit: float
    value: float | None  # None: there was nothing to measure it on
    ok: bool


def check(scores: Scores, limits: Mapping[str, float], *, of_all: bool = True) -> tuple[Gate, ...]:
    """The gates of a scorecard, in the order of LIMITS; of a part, a figure that none of its cases has is left out."""
    return judge(figures_of(scores), limits, LIMITS, of_all=of_all)


def judge(
    figures: Mapping[str, float | None], limits: Mapping[str, float], watched: Mapping[str, str], *, of_all: bool = True
) -> tuple[Gate, ...]:
    """The gates, in the order of `watched`; one that nothing could be measured for is shut, not open."""
    gates = []
    for name, figure in watched.items():
        if name in limits:
            value, limit = figures[figure], limits[name]
            if value is None and not of_all:  # the other parts have the cases that it is about
                continue
            ok = value is not None and (value >= limit if name.startswith("min-") else value <= limit)
            gates.append(Gate(name=name, limit=limit, value=value, ok=ok))
    return tuple(gates)


def figures_of(scores: Scores) -> dict[str, float | None]:
    """The figures by the names of `--json`."""
    return {
        "recall@1": scores.recall1,
        "recall@3": scores.recall3,
        "recall@5": scores.recall5,
        "mrr": scores.mrr,
        "auroc": scores.auroc,
        "false_tool": scores.false_tool,
        "false_none": scores.false_none,
        "ece": scores.calibration.ece,
    }
