"""Explain: a resolution's proof, re-derived from what it was made of when somebody asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .format import IMPACT_UNIT
from .lexicon import canonical, words
from .proof import Proof, Resolution, Step

if TYPE_CHECKING:
    from .runtime import ToolRuntime
    from .scoring import Score
    from .words import Word


def explain(
    runtime: ToolRuntime,
    intent: str,
    found: Sequence[Word],
    literal: Mapping[int, str],
    scores: Sequence[Score],
    resolution: Resolution,
) -> Proof:
    """The steps in the order in which they were taken."""
    path = {score.tool: runtime.catalogue.entry(score.tool).path for score in scores}
    listed = scores[: len(resolution.candidates)]
    return Proof(
        artifact=runtime.artifact.digest,
        encoder=runtime.artifact.encoder,
        intent=intent,
        steps=(
            Step(
                "name",
                {
                    "key": canonical(intent),
                    "tools": {path[tool]: kind for tool, kind in literal.items() if tool in path},
                },
            ),
            Step(
                "words",
                {
                    "words": [
                        {
                            "word": text,
                            "pieces": word.pieces,
                            "weight": round(word.idf / IMPACT_UNIT, 3),
                            "known": bool(word.term),
                        }
                        for text, word in zip(dict.fromkeys(words(intent)), found, strict=False)
                    ]
                },
            ),
            Step("candidates", {"scored": len(scores)}),
            Step(
                "score",
                {
                    "candidates": [
                        {
                            "tool": path[score.tool],
                            "score": score.total,
                            "dense": round(score.dense, 6),
                            "lexical": round(score.lexical, 6),
                        }
                        for score in listed
                    ]
                },
            ),
            Step(
                "decide",
                {
                    "fit": resolution.fit,
                    "confidence": resolution.confidence,
                    "cuts": runtime.cuts._asdict(),
                    "ambiguous": list(resolution.ambiguous),
                    "tier": str(resolution.tier),
                    "tool": resolution.tool,
                },
            ),
        ),
    )
