"""Confidence and fit: probabilities that move the way they should."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_min import ToolRuntime
from runtime_min.confidence import Calibration, Cuts, of, of_rest
from runtime_min.proof import Tier
from runtime_min.scoring import Score

USUAL = Calibration()
TOTAL = st.floats(-1, 2)
LEAD = st.floats(0, 1)


def score(total: float, tool: int = 0, **parts: float) -> Score:
    given_parts: dict[str, Any] = {
        **dict.fromkeys(Score._fields, 0.0),
        "below": -round(total * 1e6),
        "tool": tool,
        **parts,
    }
    return Score(**given_parts)


def ranking(first: float, lead: float, **parts: float) -> list[Score]:
    """A first tool and one so much behind, equal in all but that."""
    return [score(first, 0, **parts), score(first - lead, 1, **parts)]


@given(st.lists(st.builds(score, TOTAL, st.integers(0, 9), dense=TOTAL, lexical=TOTAL), min_size=1, max_size=6))
def test_both_are_probabilities(scores: list[Score]) -> None:
    fit, sure = of(sorted(scores), USUAL)
    assert 0 <= fit <= 1
    assert 0 <= sure <= 1


@pytest.mark.parametrize("extreme", [-1e9, -1.0, 0.0, 1.0, 1e9])
def test_no_score_is_too_strange(extreme: float) -> None:
    for lead in (0.0, 1e9):
        fit, sure = of(ranking(extreme, lead, dense=extreme, lexical=-extreme), USUAL)
        assert 0 <= fit <= 1
        assert 0 <= sure <= 1


def test_nothing_found_is_sure_of_nothing() -> None:
    assert of([], USUAL) == (0.0, 0.0)


@given(TOTAL, TOTAL, LEAD)
def test_a_better_score_with_the_same_lead_fits_better_and_is_surer(one: float, other: float, lead: float) -> None:
    low, high = sorted((one, other))
    worse, better = of(ranking(low, lead), USUAL), of(ranking(high, lead), USUAL)
    assert better[0] >= worse[0]
    assert better[1] >= worse[1] - 1e-4  # the lead is a difference of two floats


@given(TOTAL, LEAD, LEAD)
def test_a_larger_lead_is_surer_and_fits_the_same(first: float, one: float, other: float) -> None:
    small, large = sorted((one, other))
    close, clear = of(ranking(first, small), USUAL), of(ranking(first, large), USUAL)
    assert clear[0] == close[0]
    assert clear[1] >= close[1]


def test_the_moves_are_more_than_rounding() -> None:
    assert of(ranking(0.9, 0.1), USUAL)[0] > of(ranking(0.3, 0.1), USUAL)[0] + 0.3
    assert of(ranking(0.6, 0.3), USUAL)[1] > of(ranking(0.6, 0.001), USUAL)[1] + 0.3


@given(TOTAL, LEAD, st.floats(0, 1), st.floats(0.01, 0.5))
def test_a_catalogue_in_which_talk_scores_high_believes_less(
    first: float, lead: float, mean: float, more: float
) -> None:
    quiet = Calibration(score=(mean, 0.1), dense=(mean, 0.1))
    noisy = Calibration(score=(mean + more, 0.1), dense=(mean + more, 0.1))
    scores = ranking(first, lead, dense=first)
    assert of(scores, noisy)[0] <= of(scores, quiet)[0]
    assert of(scores, noisy)[1] <= of(scores, quiet)[1]


def test_a_first_choice_of_meaning_and_letter_is_surer_than_a_compromise() -> None:
    agreed = [score(0.6, 0, dense=0.4, lexical=0.2), score(0.5, 1, dense=0.3, lexical=0.1)]
    compromise = [score(0.6, 0, dense=0.3, lexical=0.2), score(0.5, 1, dense=0.4, lexical=0.1)]
    assert of(agreed, USUAL)[1] > of(compromise, USUAL)[1]


@given(st.lists(TOTAL, min_size=2, max_size=6), st.floats(0, 1))
def test_what_the_first_leaves_is_shared_in_order(totals: list[float], first: float) -> None:
    scores = [score(total, tool) for tool, total in enumerate(sorted(totals, reverse=True))]
    rest = [of_rest(scores, rank, first) for rank in range(1, len(scores))]
    assert rest == sorted(rest, reverse=True)
    assert all(0 <= share <= 1 for share in rest)
    assert math.fsum(rest) <= 1 - first + 1e-3


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_surer_answer_is_of_no_lower_tier(one: float, other: float) -> None:
    order = [Tier.NONE, Tier.LOW, Tier.MEDIUM, Tier.HIGH, Tier.EXACT]
    low, high = sorted((one, other))
    assert order.index(Cuts().tier(high)) >= order.index(Cuts().tier(low))


def test_cuts_are_in() -> None:
    cuts = Cuts()
    assert cuts.tier(cuts.high) is Tier.HIGH
    assert cuts.tier(math.nextafter(cuts.high, 0)) is Tier.MEDIUM
    assert cuts.tier(cuts.medium) is Tier.MEDIUM
    assert cuts.tier(math.nextafter(cuts.medium, 0)) is Tier.LOW


def test_an_artifact_says_what_its_talk_scores_and_where_it_refuses(artifact: Path) -> None:
    opened = ToolRuntime.open(artifact).artifact
    measured, cuts = Calibration.of(opened), Cuts.of(opened)
    assert measured.score == tuple(json.loads(opened.meta["calibration"])["score"])
    assert cuts.fit == json.loads(opened.meta["cuts"])["fit"]
    assert 0 < cuts.fit < 1
    assert measured.score[1] > 0
    assert measured.dense[1] > 0


def test_a_refused_request_is_one_whose_fit_is_below_the_cut(artifact: Path) -> None:
    runtime = ToolRuntime.open(artifact)
    for text in ("why do cats purr", "what is the meaning of life", "send an email to the team", "asdf qwer"):
        answer = runtime.resolve(text)
        assert (answer.tier is Tier.NONE) == (answer.fit < runtime.snapshot.cuts.fit)
