"""The runtime: an artifact that is asked for tools.

`ToolRuntime.resolve` is the hot path, top to bottom: literal name, words, candidates, scores, decision.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import arguments, candidates, confidence, scoring
from .artifact import Artifact, open_artifact
from .catalogue import Catalogue
from .explain import explain
from .lexicon import canonical, words
from .proof import Candidate, Option, Refinement, Resolution, Tier
from .scoring import Score
from .words import Vocabulary, Word

MAX_WORDS = 2000
"""Words of an intent that are read; a longer text is no intent, and its beginning says what it is about."""


class ToolRuntime:
    """Resolves intents against one artifact. Thread-safe; opening does no work beyond the header."""

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self.catalogue = Catalogue(artifact)
        self._vocabulary = Vocabulary(artifact)
        self._scorer = scoring.Scorer(artifact)
        self.cuts = confidence.Cuts.of(artifact)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> ToolRuntime:
        """The runtime of the artifact at `path`; raises an ArtifactError that says what is wrong with it."""
        return cls(open_artifact(path))

    def resolve(
        self,
        intent: str,
        args: Mapping[str, Any] | None = None,
        *,
        k: int = 5,
        among: Iterable[str] | None = None,
    ) -> Resolution:
        """The tool an intent means, `k` candidates, and how sure that is; never raises on any text.

        `args` are arguments that come with the intent: tools whose signatures cannot take them are left out.
        `among` limits the choice to these tools ("P/N"); an unknown one raises UnknownTool.
        """
        literal = self.catalogue.named(canonical(intent))
        found = [self._vocabulary.word(text) for text in dict.fromkeys(words(intent)[:MAX_WORDS])]
        asked = scoring.query(found)
        if among is None:
            pool = candidates.gather(found)
            pool += [tool for tool in literal if tool not in pool]
        else:
            pool = sorted({self.catalogue.tool_id(path) for path in among})
        if args:
            pool = [tool for tool in pool if any(arguments.takes(s, args) for s in self.catalogue.signatures(tool))]
        scores = self._scorer.score(asked, pool)
        return self._decide(intent, found, literal, scores, k)

    def _decide(
        self, intent: str, found: list[Word], literal: Mapping[int, str], scores: list[Score], k: int
    ) -> Resolution:
        """Order, numbers, tier."""
        meant = [score.tool for score in scores if score.tool in literal]
        if meant:
            scores = sorted(scores, key=lambda score: score.tool not in literal)
        fit, sure = confidence.of(scores)
        rivals = self._rivals(scores, meant)
        if len(meant) == 1:
            tier, fit, sure, rivals = Tier.EXACT, 1.0, 1.0, ()
        elif not scores or fit < self.cuts.fit:
            tier = Tier.NONE
        else:
            if rivals:
                sure = min(sure, 1 / len(rivals))
            tier = self.cuts.tier(sure)
        entry = self.catalogue.entry
        listed = tuple(
            Candidate(
                entry(score.tool).path,
                entry(score.tool).selector,
                score.total,
                sure if rank == 0 else confidence.of_rest(scores, rank, sure),
                {"dense": round(score.dense, 6), "lexical": round(score.lexical, 6)},
            )
            for rank, score in enumerate(scores[:k])
        )
        ambiguous = tuple(entry(tool).path for tool in rivals)
        chosen = None if tier is Tier.NONE or ambiguous else listed[0].tool if listed else None
        return Resolution(
            tool=chosen,
            tier=tier,
            confidence=sure,
            fit=fit,
            ambiguous=ambiguous,
            candidates=listed,
            refinement=None if chosen else _refine(listed, ambiguous),
            explain=lambda resolution: explain(self, intent, found, literal, scores, resolution),
        )

    def _rivals(self, scores: list[Score], meant: list[int]) -> tuple[int, ...]:
        """The tools that cannot be told from the first one for this intent; () when it stands alone."""
        if len(meant) > 1:
            return tuple(sorted(meant))
        if not scores:
            return ()
        first = scores[0]
        near = [
            score.tool
            for score in scores[1:8]
            if first.total - score.total < self.cuts.apart and self._look_alike(first.tool, score.tool)
        ]
        if not near or self.catalogue.entry(first.tool).preferred:
            return ()
        return tuple(sorted([first.tool, *near]))

    def _look_alike(self, first: int, second: int) -> bool:
        """Whether two tools have the same name, or vectors that the compiler found too close."""
        names = {self.catalogue.entry(tool).path.partition("/")[2] for tool in (first, second)}
        return len(names) == 1 or self.catalogue.close(first, second)


def _refine(listed: tuple[Candidate, ...], ambiguous: tuple[str, ...]) -> Refinement:
    if ambiguous:
        question = "These tools cannot be told apart for this request. Which one is meant?"
    elif listed:
        question = "No tool fits this request well. Is one of these meant?"
    else:
        question = "No tool has anything in common with this request. Can it be said in other words?"
    options = tuple(
        Option(candidate.tool, candidate.selector, candidate.tool, candidate.confidence) for candidate in listed
    )
    return Refinement(question, options)
