"""Explain: a decision's trace becomes a proof, step by step in the order in which they were taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .identity import IDF_UNIT
from .lexicon import canonical
from .proof import Proof, Step
from .values import KINDS

if TYPE_CHECKING:
    from .resolution import Resolution, Trace


def explain(trace: Trace, resolution: Resolution) -> Proof:
    """The proof of a resolution; holds no clock and nothing of the process."""
    return Proof(
        artifact=trace.artifact.digest,
        encoder=trace.encoder,
        intent=trace.intent,
        steps=(*_ask(trace), _name(trace), _words(trace), _score(trace, resolution), _decide(trace, resolution)),
    )


def _ask(trace: Trace) -> tuple[Step, ...]:
    return (Step("ask", trace.asked),) if trace.asked else ()


def _name(trace: Trace) -> Step:
    meant = {trace.catalogue.entry(tool).path: kind for tool, kind in trace.literal.items()}
    return Step("name", {"key": canonical(trace.intent), "tools": meant})


def _words(trace: Trace) -> Step:
    listed = [
        {
            "word": text,
            "pieces": word.pieces,
            "weight": round(sum(term.idf for term in word.terms) / IDF_UNIT, 3),
            "known": any(term.key for term in word.terms),
        }
        for text, word in trace.reading.words.items()
    ]
    kinds = [kind for index, kind in enumerate(KINDS) if trace.reading.kinds >> index & 1]
    return Step("words", {"words": listed, "kinds": kinds})


def _score(trace: Trace, resolution: Resolution) -> Step:
    listed = [
        {"tool": found.tool, "score": found.score, "signals": dict(found.signals)} for found in resolution.candidates
    ]
    return Step("score", {"scored": len(trace.scores), "candidates": listed})


def _decide(trace: Trace, resolution: Resolution) -> Step:
    return Step(
        "decide",
        {
            "fit": resolution.fit,
            "confidence": resolution.confidence,
            "cuts": trace.cuts._asdict(),
            "ambiguous": list(resolution.ambiguous),
            "tier": str(resolution.tier),
            "tool": resolution.tool,
        },
    )
