"""Fast scoring has a slow twin: plain loops over the format's rows give the same numbers."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runtime_min import ToolRuntime
from runtime_min.format import IMPACT_UNIT
from runtime_min.lexicon import STOP, stem, words
from runtime_min.scoring import LEXICAL
from smallchatc.encoders.student import load_student


def _slow(runtime: ToolRuntime, intent: str) -> dict[int, float]:
    """Every tool's score, from the rows and the definition of a score alone."""
    vector = load_student("base").encode([intent])[0].astype(float).tolist()
    ids, mass = set(), 0
    for word in dict.fromkeys(words(intent)):
        if word in STOP:
            continue
        row = runtime.artifact.row("SELECT id, idf FROM term WHERE term = ?", stem(word))
        if row is None:
            mass += int(runtime.artifact.meta["unknown_idf"])
        elif row[0] not in ids:
            ids.add(row[0])
            mass += row[1]
    scores = {}
    for tool, scale, blob, terms in runtime.artifact.rows("SELECT * FROM profile"):
        count = len(terms) // 6
        values = struct.unpack(f"<{count}I{count}H", terms)
        lexical = sum(impact for term, impact in zip(values[:count], values[count:], strict=True) if term in ids)
        dense = math.fsum(a * b for a, b in zip(vector, struct.unpack("256b", blob), strict=True)) * scale
        scores[tool] = dense + (LEXICAL * lexical / (2.2 * mass) if mass else 0)
    return scores


@pytest.fixture(scope="module")
def runtime(artifact: Path) -> ToolRuntime:
    return ToolRuntime.open(artifact)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from("please create an issue for weather in paris send mail file zzqx 文件".split()), min_size=1, max_size=8, unique=True))
def test_scores_equal_the_slow_twin(artifact: Path, parts: list[str]) -> None:
    runtime = ToolRuntime.open(artifact)
    intent = " ".join(parts)
    slow = _slow(runtime, intent)
    resolution = runtime.resolve(intent, k=50)
    for candidate in resolution.candidates:
        assert candidate.score == pytest.approx(slow[runtime.catalogue.tool_id(candidate.tool)], abs=2e-6)


def test_candidates_hold_the_best_tool_of_a_full_scan(runtime: ToolRuntime) -> None:
    for intent in ("send an e-mail to the whole team", "what is the weather like in Oslo", "create a calendar event"):
        slow = _slow(runtime, intent)
        best = max(slow, key=lambda tool: (slow[tool], -tool))
        assert runtime.catalogue.tool_id(runtime.resolve(intent).candidates[0].tool) == best


def test_impacts_are_in_units_of_the_format(runtime: ToolRuntime) -> None:
    weight = runtime.artifact.row("SELECT max(idf) FROM term")
    assert weight is not None
    assert weight[0] / IMPACT_UNIT < math.log(1 + runtime.artifact.tools + 0.5) * 2
