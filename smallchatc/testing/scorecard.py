"""Scorecard: what was wanted and what was resolved become figures.

Plain values in, plain values out, nothing imported but the standard library: `smallchatc test` and the
measurements in bench/ score with the same functions. The first choice is right when it is any member of
`gold` or `equiv`; recall@k is the share of the wanted slots met by the first k choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DEPTH = 10
"""How many candidates are asked for: `mrr` looks no further."""

BINS = 10
"""Equal-width bins of the reliability table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled intent. `gold` empty: nothing fits."""

    query: str
    gold: tuple[str, ...]
    equiv: tuple[str, ...] = ()  # equally right
    slots: tuple[tuple[str, ...], ...] = ()  # several tools are wanted: the alternatives for each
    among: tuple[str, ...] | None = None  # rank only these
    args: Mapping[str, Any] | None = None
    id: str = ""
    file: str = ""
    line: int = 0

    @property
    def right(self) -> tuple[str, ...]:
        """Every tool that may come first."""
        return (*self.gold, *self.equiv)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a resolution said to a case; `ranked` is best first, also when the tier is none."""

    case: Case
    ranked: tuple[str, ...]
    tool: str | None  # what would be called: None also where the first choice cannot be told from others
    tier: str
    confidence: float
    fit: float

    @property
    def hit(self) -> bool:
        """The first choice is right (whatever the tier); never so when nothing fits."""
        return bool(self.ranked) and self.ranked[0] in self.case.right

    @property
    def refused(self) -> bool:
        return self.tier == "none"

    @property
    def passed(self) -> bool:
        """What a person would call right: the right tool, or none where nothing fits."""
        return self.tool in self.case.right if self.case.gold else self.tool is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """One row of a reliability table: resolutions with a confidence in [low, high)."""

    low: float
    high: float
    count: int
    confidence: float  # mean
    right: float  # share


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Does `confidence` mean what it says? `ece` is the expected calibration error."""

    ece: float | None
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TierRow:
    """How often a tier was given to answerable requests, how often rightly, and how often where nothing fits."""

    tier: str
    count: int
    right: float | None
    nothing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The figures of a set of outcomes; a share over no cases is None."""

    cases: int
    answerable: int
    passed: int
    recall1: float | None
    recall3: float | None
    recall5: float | None
    mrr: float | None
    auroc: float | None  # of `fit`, answerable against nothing fits
    false_tool: float | None  # share of requests that nothing fits which got a tool
    false_none: float | None  # share of answerable requests that were refused
    calibration: Calibration  # answerable requests
    calibration_all: Calibration  # with those that nothing fits, which no first choice can serve
    tiers: tuple[TierRow, ...]


TIERS = ("exact", "high", "medium", "low", "none")


def score(outcomes: Sequence[Outcome]) -> Scores:
    """All figures of one set."""
    answerable = [outcome for outcome in outcomes if outcome.case.gold]
    nothing = [outcome for outcome in outcomes if not outcome.case.gold]
    return Scores(
        cases=len(outcomes),
        answerable=len(answerable),
        passed=sum(outcome.passed for outcome in outcomes),
        recall1=mean([float(outcome.hit) for outcome in answerable]),
        recall3=mean([recall(outcome, 3) for outcome in answerable]),
        recall5=mean([recall(outcome, 5) for outcome in answerable]),
        mrr=mean([reciprocal_rank(outcome) for outcome in answerable]),
        auroc=auroc([outcome.fit for outcome in answerable], [outcome.fit for outcome in nothing]),
        false_tool=mean([float(not outcome.refused) for outcome in nothing]),
        false_none=mean([float(outcome.refused) for outcome in answerable]),
        calibration=calibration(answerable),
        calibration_all=calibration(outcomes),
        tiers=tuple(_tier_row(tier, answerable, nothing) for tier in TIERS),
    )


def slots_of(gold: Sequence[str], equiv: Sequence[str], *, every: bool) -> tuple[tuple[str, ...], ...]:
    """The wanted slots where none are written: one for each gold tool (`every`), else one that any of them fills."""
    if not gold:
        return ()
    return tuple((tool,) for tool in gold) if every else ((*gold, *equiv),)


def recall(outcome: Outcome, k: int) -> float:
    """The share of the wanted slots that the first k choices meet."""
    slots, first = outcome.case.slots, set(outcome.ranked[:k])
    return sum(not first.isdisjoint(slot) for slot in slots) / len(slots)


def rank(outcome: Outcome) -> int | None:
    """The place of the first right tool, from 1."""
    right = outcome.case.right
    return next((place for place, tool in enumerate(outcome.ranked, 1) if tool in right), None)


def reciprocal_rank(outcome: Outcome) -> float:
    place = rank(outcome)
    return 1 / place if place else 0.0


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The chance that a positive scores above a negative, ties counted half; by ranks, so n log n."""
    if not positive or not negative:
        return None
    rows = sorted([(value, 1) for value in positive] + [(value, 0) for value in negative])
    total, start = 0.0, 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end][0] == rows[start][0]:
            end += 1
        total += (start + 1 + end) / 2 * sum(label for _, label in rows[start:end])
        start = end
    count = len(positive)
    return (total - count * (count + 1) / 2) / (count * len(negative))


def calibration(outcomes: Sequence[Outcome]) -> Calibration:
    """The reliability table of `confidence` over equal-width bins, and its expected error."""
    rows: list[list[Outcome]] = [[] for _ in range(BINS)]
    for outcome in outcomes:
        rows[min(BINS - 1, max(0, int(outcome.confidence * BINS)))].append(outcome)
    bins = tuple(
        Bin(
            low=index / BINS,
            high=(index + 1) / BINS,
            count=len(row),
            confidence=sum(outcome.confidence for outcome in row) / len(row),
            right=sum(outcome.hit for outcome in row) / len(row),
        )
        for index, row in enumerate(rows)
        if row
    )
    error = sum(row.count * abs(row.confidence - row.right) for row in bins)
    return Calibration(ece=error / len(outcomes) if outcomes else None, bins=bins)


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _tier_row(tier: str, answerable: Sequence[Outcome], nothing: Sequence[Outcome]) -> TierRow:
    rows = [outcome for outcome in answerable if outcome.tier == tier]
    return TierRow(
        tier=tier,
        count=len(rows),
        right=mean([float(outcome.hit) for outcome in rows]),
        nothing=sum(outcome.tier == tier for outcome in nothing),
    )
