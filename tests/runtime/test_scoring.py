"""Fast scoring has a slow twin: plain loops over the format's rows give the same numbers."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime_min import ToolRuntime
from runtime_min.format import IDF_UNIT
from runtime_min.verbs import DELETE
from runtime_min.words import Reading
from smallchatc.encoders.student import load_student

SAID = (
    "please create an issue for weather in paris send mail file delete zzqx 文件 2024-01-05 https://a.example/x".split()
)


def _slow(runtime: ToolRuntime, intent: str) -> dict[int, float]:
    """Every tool's score, from the rows and docs/format.md alone."""
    resolver = runtime.snapshot.resolver
    reading: Reading = resolver.vocabulary.read(intent)
    rows = runtime.artifact.rows
    total = [0] * 256
    for word in reading.words.values():
        lanes = struct.unpack("<256I", word.lanes.to_bytes(1024, "little"))
        total = [a + b - 8 * word.scale for a, b in zip(total, lanes, strict=True)]
    # Lane order back to natural order: low nibbles of every fourth byte, then the high ones, and so on.
    natural = [0.0] * 256
    for place, value in enumerate(total):
        group, lane = divmod(place, 32)
        natural[4 * lane + group // 2 + 128 * (group % 2)] = value
    length = math.hypot(*natural) or 1.0
    terms = {}
    mass = 0
    for word in reading.words.values():
        for term in word.terms:
            if not term.key or term.key not in terms:
                mass += term.idf
                if term.key or term.near:
                    terms[term.key or "~" + term.near] = term
    weights = json.loads(runtime.artifact.meta["kind_weights"])
    scores = {}
    for tool, scale, blob, keys, shares, verb, deletes, kinds, priority in rows("SELECT * FROM profile"):
        share = dict(zip(keys, shares, strict=True))
        lexical = sum(
            term.idf / IDF_UNIT * max(share.get(term.key, 0) / 255, share.get(term.near, 0) / 255 * term.weight / 255)
            for term in terms.values()
        )
        score = math.fsum(a * b for a, b in zip(natural, struct.unpack("256b", blob), strict=True)) * scale / length
        score += 0.28 * lexical / math.sqrt(mass / IDF_UNIT) if mass else 0
        score += 0.04 * bool(verb & reading.verb) - 0.05 * bool(deletes and not reading.verbs & DELETE)
        score += sum(weight for bit, weight in enumerate(weights) if kinds & reading.kinds & (1 << bit))
        scores[tool] = score * priority
    return scores


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=8, unique=True))
def test_scores_equal_the_slow_twin(artifact: Path, parts: list[str]) -> None:
    runtime = ToolRuntime.open(artifact)
    intent = " ".join(parts)
    slow = _slow(runtime, intent)
    for candidate in runtime.resolve(intent, k=50).candidates:
        assert candidate.score == pytest.approx(slow[runtime.catalogue.tool_id(candidate.tool)], abs=2e-6)


@pytest.mark.parametrize(
    "intent", ["send an e-mail to the whole team", "what is the weather like in Oslo", "create a calendar event"]
)
def test_candidates_hold_the_best_tool_of_a_full_scan(artifact: Path, intent: str) -> None:
    runtime = ToolRuntime.open(artifact)
    slow = _slow(runtime, intent)
    best = max(slow, key=lambda tool: (slow[tool], -tool))
    assert runtime.catalogue.tool_id(runtime.resolve(intent).candidates[0].tool) == best


def test_signals_add_up_to_the_score(artifact: Path) -> None:
    for candidate in ToolRuntime.open(artifact).resolve("delete the report.pdf from 2024-01-05").candidates:
        assert sum(candidate.signals.values()) == pytest.approx(candidate.score, abs=5e-6)


def test_the_student_of_the_artifact_is_the_compilers(artifact: Path) -> None:
    assert ToolRuntime.open(artifact).artifact.encoder == str(load_student("base").id)
