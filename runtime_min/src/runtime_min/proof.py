"""What a resolution says: tier, candidates, and the proof of why.

A proof holds no clock and no identity of the process, so the same question to the same artifact gives
an equal proof, on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class Tier(StrEnum):
    """How sure a resolution is (CONCEPTS: Tiers), best first."""

    EXACT = "exact"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


class Candidate(NamedTuple):
    """A tool that may be meant. `signals` are the parts of `score`, by name."""

    tool: str  # "P/N"
    selector: str
    score: float
    confidence: float
    signals: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "signals": dict(self.signals)}


class Option(NamedTuple):
    """One choice of a refinement."""

    label: str
    selector: str
    tool: str
    confidence: float


class Refinement(NamedTuple):
    """The question to ask when nothing is sure, and the nearest options."""

    question: str
    options: tuple[Option, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"question": self.question, "options": [option._asdict() for option in self.options]}


class Step(NamedTuple):
    """One step of a resolution: its name, what went in, what came out, what was decided."""

    name: str
    detail: Mapping[str, Any]


class Proof(NamedTuple):
    """The trace of a resolution, serialisable, equal for equal questions."""

    artifact: str  # content digest
    encoder: str
    intent: str
    steps: tuple[Step, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "artifact": self.artifact,
            "encoder": self.encoder,
            "intent": self.intent,
            "steps": [{"step": step.name, **step.detail} for step in self.steps],
        }


class Resolution:
    """The answer to an intent.

    `tool` is the chosen tool as "P/N", None when nothing fits or several tools cannot be told apart;
    `confidence` the probability that the first candidate is right, `fit` that some tool of the artifact
    fits, `ambiguous` the tools that cannot be told apart here. Candidates are best first, also when the
    tier is NONE. What is rarely read (candidates, refinement, proof) is made when first read.
    """

    __slots__ = ("_explain", "ambiguous", "candidates", "confidence", "fit", "refinement", "tier", "tool")

    def __init__(
        self,
        *,
        tool: str | None,
        tier: Tier,
        confidence: float,
        fit: float,
        ambiguous: tuple[str, ...],
        candidates: tuple[Candidate, ...],
        refinement: Refinement | None,
        explain: Callable[[Resolution], Proof],
    ) -> None:
        self.tool = tool
        self.tier = tier
        self.confidence = confidence
        self.fit = fit
        self.ambiguous = ambiguous
        self.candidates = candidates
        self.refinement = refinement
        self._explain = explain

    @property
    def proof(self) -> Proof:
        """Why: every step with what went in, the scores, the thresholds and what was decided."""
        return self._explain(self)

    def to_dict(self) -> dict[str, Any]:
        """The document of `smallchatc resolve --json` (schemas/proof.schema.json)."""
        proof = self.proof
        return {
            "tool": self.tool,
            "tier": str(self.tier),
            "confidence": self.confidence,
            "fit": self.fit,
            "ambiguous": list(self.ambiguous),
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "refinement": self.refinement.to_dict() if self.refinement else None,
            "proof": proof.to_dict(),
            "artifact": proof.artifact,
        }
