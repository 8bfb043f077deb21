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
from .lexicon import canonical, scan
from .proof import Tier
from .resolution import Resolution, Trace
from .scoring import Score
from .words import Vocabulary

MAX_WORDS = 2000
"""Words of an intent that are read; a longer text is no intent, and its beginning says what it is about."""


class ToolRuntime:
    """Resolves intents against one artifact. Thread-safe; opening does no work beyond the header."""

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self.catalogue = Catalogue(artifact)
        self.cuts = confidence.Cuts.of(artifact)
        self._vocabulary = Vocabulary(artifact)
        self._scorer = scoring.Scorer(artifact)

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
        found = {text: self._vocabulary.word(text) for text in scan(intent)[:MAX_WORDS]}
        known = list(found.values())
        if among is None:
            pool = candidates.gather(known)
            pool += [tool for tool in literal if tool not in pool]
        else:
            pool = sorted({self.catalogue.tool_id(path) for path in among})
        if args:
            pool = [tool for tool in pool if any(arguments.takes(s, args) for s in self.catalogue.signatures(tool))]
        scores = self._scorer.score(scoring.query(known), pool)
        meant = {tool: literal[tool] for tool in literal if tool in pool} if literal else literal
        if meant:
            scores.sort(key=lambda score: score.tool not in meant)  # stable: literal ones first
        rivals = self._rivals(scores, meant)
        tier, sure, fit = self._decide(scores, meant, rivals)
        chosen = self.catalogue.entry(scores[0].tool).path if tier is not Tier.NONE and not rivals else None
        trace = Trace(self.artifact, self.catalogue, self.cuts, intent, found, meant, scores, rivals, k)
        return Resolution(trace, chosen, tier, sure, fit)

    def _decide(
        self, scores: list[Score], meant: Mapping[int, str], rivals: tuple[int, ...]
    ) -> tuple[Tier, float, float]:
        """Tier, confidence and fit of a ranking."""
        if len(meant) == 1:
            return Tier.EXACT, 1.0, 1.0
        fit, sure = confidence.of(scores)
        if not scores or (fit < self.cuts.fit and not meant):
            return Tier.NONE, sure, fit
        if rivals:
            sure = min(sure, 1 / len(rivals))
        return self.cuts.tier(sure), sure, fit

    def _rivals(self, scores: list[Score], meant: Mapping[int, str]) -> tuple[int, ...]:
        """The tools that cannot be told from the first one for this intent; () when it stands alone."""
        if meant:
            return tuple(sorted(meant)) if len(meant) > 1 else ()
        first = scores[0] if scores else None
        if first is None or len(scores) == 1 or first.total - scores[1].total >= self.cuts.apart:
            return ()
        near = [score.tool for score in scores[1:8] if first.total - score.total < self.cuts.apart]
        near = [tool for tool in near if self.catalogue.look_alike(first.tool, tool)]
        if not near or self.catalogue.entry(first.tool).preferred:
            return ()
        return tuple(sorted([first.tool, *near]))
