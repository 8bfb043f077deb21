"""Tier cuts (CONCEPTS: behaviour 2) and exact names (behaviour 14)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runtime_min import Tier, ToolRuntime
from runtime_min.confidence import SEEDS, Cuts

from .conftest import Recorder


@pytest.mark.parametrize(
    ("confidence", "tier"),
    [(1.0, "high"), (0.85, "high"), (0.849999, "medium"), (0.75, "medium"), (0.749999, "low"), (0.0, "low")],
)
def test_cuts_are_inclusive(confidence: float, tier: str) -> None:
    assert str(Cuts().tier(confidence)) == tier


@pytest.mark.parametrize(
    ("confidence", "tier"),
    [(0.95, "exact"), (0.949, "high"), (0.85, "high"), (0.75, "medium"), (0.6, "low"), (0.599, "none"), (0.0, "none")],
)
def test_the_seeds_scale_can_be_set(confidence: float, tier: str) -> None:
    assert str(SEEDS.tier(confidence)) == tier


def test_a_runtime_takes_cuts_of_its_own(artifact: Path) -> None:
    intent = "send an email to anna"
    found = ToolRuntime.open(artifact).resolve(intent)
    assert found.tier is Tier.HIGH
    strict = ToolRuntime.open(artifact, cuts=SEEDS._replace(exact=1.0, high=1.0, medium=1.0, low=1.0))
    refused = strict.resolve(intent)
    assert (refused.tier, refused.tool) == (Tier.NONE, None)
    assert refused.confidence == found.confidence
    bound = ToolRuntime.open(artifact, cuts=Cuts(high=found.confidence, medium=0.0))
    assert bound.resolve(intent).tier is Tier.HIGH


def test_defaults_cannot_be_mutated() -> None:
    with pytest.raises(AttributeError):
        Cuts().high = 0.1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        SEEDS.low = 0.1  # type: ignore[misc]


def test_an_exact_name_always_reaches_its_tool(runtime: ToolRuntime, recorder: Recorder) -> None:
    rows = runtime.artifact.rows("SELECT p.name, t.name FROM tool t JOIN provider p ON p.id = t.provider")
    paths = [f"{provider}/{name}" for provider, name in rows]
    assert len(set(paths)) == len(paths)
    for path in paths:
        assert asyncio.run(runtime.send(path)).tool == path
        assert asyncio.run(runtime.dispatch(path)).tool == path
    assert recorder.tools == [path for path in paths for _ in (0, 1)]


def test_an_alias_leads_to_its_tool_and_is_none_itself(runtime: ToolRuntime) -> None:
    (alias, tool), *_ = runtime.artifact.rows("SELECT key, tool FROM name WHERE kind = 'alias' ORDER BY key")
    path = runtime.catalogue.entry(tool).path
    assert runtime.resolve(alias).tool == path
    names = {row[0] for row in runtime.artifact.rows("SELECT name FROM tool")}
    assert alias not in names
    assert alias.replace(" ", "_") not in names
