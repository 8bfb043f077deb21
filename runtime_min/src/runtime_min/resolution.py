"""A resolution: the answer to one intent.

The decision is made at once; candidates, refinement and proof are put into words when first read, so
that a caller who only wants the tool pays for nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import confidence
from .named import TYPE_CHECKING, NamedTuple
from .proof import Candidate, Option, Proof, Refinement, Tier
from .scoring import Score

if TYPE_CHECKING:
    from typing import Any

    from .artifact import Artifact
    from .catalogue import Catalogue
    from .words import Reading


class Trace(NamedTuple):
    """What a decision was made of."""

    artifact: Artifact
    encoder: str  # who made the intent's vector
    catalogue: Catalogue
    cuts: confidence.Cuts
    intent: str
    reading: Reading
    literal: Mapping[int, str]  # tools that the whole intent names, and by which kind of name
    scores: Sequence[Score]  # best first
    rivals: tuple[int, ...]  # tools that cannot be told apart
    k: int
    asked: Mapping[str, Any]  # beside the intent: types of arguments, among, k; {} when nothing was


class Resolution:
    """`tool` is the chosen tool as "P/N", None when nothing fits or several tools cannot be told apart;
    `confidence` the probability that the first candidate is right, `fit` that some tool of the artifact fits."""

    __slots__ = ("_candidates", "_trace", "confidence", "fit", "tier", "tool")

    def __init__(self, trace: Trace, tool: str | None, tier: Tier, sure: float, fit: float) -> None:
        self.tool = tool
        self.tier = tier
        self.confidence = sure
        self.fit = fit
        self._trace = trace
        self._candidates: tuple[Candidate, ...] | None = None

    @property
    def ambiguous(self) -> tuple[str, ...]:
        """The tools that cannot be told apart for this intent; () when the first stands alone."""
        return tuple(self._trace.catalogue.entry(tool).path for tool in self._trace.rivals)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The first k tools, best first, also when the tier is NONE."""
        if self._candidates is None:
            trace = self._trace
            entries = [trace.catalogue.entry(score.tool) for score in trace.scores[: trace.k]]
            self._candidates = tuple(
                Candidate(
                    entry.path,
                    entry.selector,
                    score.total,
                    self.confidence if rank == 0 else confidence.of_rest(trace.scores, rank, self.confidence),
                    score.signals(),
                )
                for rank, (entry, score) in enumerate(zip(entries, trace.scores, strict=False))
            )
        return self._candidates

    @property
    def refinement(self) -> Refinement | None:
        """The question to ask, with options, when there is no tool to call."""
        if self.tool is not None:
            return None
        if self._trace.rivals:
            question = "These tools cannot be told apart for this request. Which one is meant?"
        elif self.candidates:
            question = "No tool fits this request well. Is one of these meant?"
        else:
            question = "No tool has anything in common with this request. Can it be said in other words?"
        return Refinement(
            question,
            tuple(Option(found.tool, found.selector, found.tool, found.confidence) for found in self.candidates),
        )

    @property
    def proof(self) -> Proof:
        """Why: every step with what went in, the scores, the thresholds and what was decided."""
        from .explain import explain

        return explain(self._trace, self)

    def to_dict(self) -> dict[str, Any]:
        """The document of `smallchatc resolve --json` (schemas/proof.schema.json)."""
        proof, refinement = self.proof, self.refinement
        return {
            "tool": self.tool,
            "tier": str(self.tier),
            "confidence": self.confidence,
            "fit": self.fit,
            "ambiguous": list(self.ambiguous),
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "refinement": refinement.to_dict() if refinement else None,
            "proof": proof.to_dict(),
            "artifact": proof.artifact,
        }
