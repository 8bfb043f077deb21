"""The figures of labelled sets, by hand on sets small enough to check by eye."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smallchatc.gates import check
from smallchatc.testing.scorecard import Case, Outcome, auroc, calibration, recall, score, slots_of


def outcome(
    *ranked: str,
    gold: tuple[str, ...] = ("p/a",),
    equiv: tuple[str, ...] = (),
    slots: tuple[tuple[str, ...], ...] = (),
    every: bool = False,
    tier: str = "high",
    confidence: float = 0.9,
    fit: float = 0.9,
) -> Outcome:
    case = Case(query="?", gold=gold, equiv=equiv, slots=slots or slots_of(gold, equiv, every=every))
    tool = ranked[0] if ranked and tier != "none" else None
    return Outcome(case=case, ranked=ranked, tool=tool, tier=tier, confidence=confidence, fit=fit)


def test_the_first_choice_is_right_when_it_is_gold_or_equally_right() -> None:
    told = score([outcome("p/a"), outcome("p/b", equiv=("p/b",)), outcome("p/c")])
    assert told.recall1 == pytest.approx(2 / 3)


def test_an_equally_right_tool_fills_the_one_slot() -> None:
    assert recall(outcome("p/x", "p/b", equiv=("p/b",)), 5) == 1
    assert recall(outcome("p/x", "p/b", equiv=("p/b",)), 1) == 0


def test_recall_is_the_share_of_wanted_tools_where_all_are_wanted() -> None:
    both = outcome("p/a", "p/x", "p/y", "p/b", gold=("p/a", "p/b"), every=True)
    assert (recall(both, 3), recall(both, 5)) == (0.5, 1)


def test_recall_counts_a_slot_once_whichever_alternative_fills_it() -> None:
    told = outcome("p/a", "p/b", slots=(("p/a", "p/b"), ("p/c",)))
    assert recall(told, 5) == 0.5


def test_a_refusal_of_an_answerable_request_keeps_its_recall_and_fails() -> None:
    told = score([outcome("p/a", tier="none")])
    assert (told.recall1, told.false_none, told.passed) == (1, 1, 0)


def test_requests_that_nothing_fits_count_in_abstention_alone() -> None:
    told = score([outcome("p/a"), outcome("p/a", gold=(), tier="none", fit=0.1), outcome("p/a", gold=(), fit=0.8)])
    assert (told.recall1, told.false_tool, told.passed, told.answerable) == (1, 0.5, 2, 1)
    assert told.auroc == 1


def test_a_share_over_no_cases_is_none() -> None:
    told = score([])
    assert (told.recall1, told.auroc, told.false_tool, told.calibration.ece) == (None, None, None, None)


def test_calibration_error_is_the_gap_weighted_by_cases() -> None:
    rows = [outcome("p/a", confidence=0.95)] * 3 + [outcome("p/b", confidence=0.95)] + [outcome("p/b", confidence=0.25)]
    assert calibration(rows).ece == pytest.approx((4 * 0.2 + 1 * 0.25) / 5)
    assert [row.count for row in calibration(rows).bins] == [1, 4]


def test_confidence_of_one_lies_in_the_last_bin() -> None:
    assert calibration([outcome("p/a", confidence=1.0)]).bins[0].low == 0.9


@given(
    st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12),
    st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12),
)
def test_auroc_equals_the_count_over_all_pairs(positive: list[float], negative: list[float]) -> None:
    pairs = [1.0 if p > n else 0.5 if p == n else 0.0 for p in positive for n in negative]
    assert auroc(positive, negative) == pytest.approx(sum(pairs) / len(pairs))


def test_a_gate_that_nothing_was_measured_for_is_shut() -> None:
    [gate] = check(score([outcome("p/a")]), {"min-auroc": 0.5})
    assert (gate.value, gate.ok) == (None, False)


def test_limits_are_inclusive() -> None:
    gates = check(score([outcome("p/a"), outcome("p/b")]), {"min-recall1": 0.5, "max-false-none": 0.0})
    assert [gate.ok for gate in gates] == [True, True]
