"""The resolver: an intent becomes the tool that one artifact means by it.

`Resolver.resolve` top to bottom: literal name, words, candidates, scores, decision. What a runtime adds to it
(cache, learned choices, pins) is asking.py's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from . import arguments, candidates, confidence, scoring
from .artifact import UNREADABLE, Artifact
from .catalogue import Catalogue
from .lexicon import canonical
from .named import TYPE_CHECKING
from .proof import Tier
from .resolution import Resolution, Trace
from .scoring import Query, Score
from .words import Vocabulary

if TYPE_CHECKING:
    from typing import Any

    from .encoder import Encoder

DEFAULT_K = 5
CLIENTS_PREFIX = "mcp__"
"""How clients of MCP servers begin a tool's name: mcp__SERVER__TOOL."""


class Resolver:
    """Resolves intents against one artifact. Thread-safe; making one does no work."""

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self.catalogue = Catalogue(artifact)
        try:
            self.cuts = confidence.Cuts.of(artifact)
            self._calibration = confidence.Calibration.of(artifact)
            self._longest_name = int(artifact.meta["longest_name"]) + 2  # a sign is a word of an intent, not of a name
            self.vocabulary = Vocabulary(artifact)
            self._scorer = scoring.Scorer(artifact)
        except UNREADABLE as err:
            raise artifact.corrupt(f"the meta rows: {err}") from err
        self.encoder: Encoder | None = None  # the host's, in the student's place
        self.added: tuple[int, ...] = ()  # tools of an overlay (overlay.py): candidates always

    def resolve(
        self,
        intent: str,
        args: Mapping[str, Any] | None = None,
        *,
        k: int = DEFAULT_K,
        among: Iterable[str] | None = None,
    ) -> Resolution:
        """The tool an intent means, `k` candidates, and how sure that is; never raises on any text.

        `args` are arguments that come with the intent: a tool that cannot take them is left out, one that asks for
        exactly them is a better one.
        `among` limits the choice to these tools ("P/N"); an unknown one raises UnknownTool.
        """
        among = among if among is None else tuple(among)
        reading = self.vocabulary.read(intent)
        # No name has so many words: then it is not looked for.
        literal = self._literal(intent) if reading.spoken <= self._longest_name else {}
        if among is None:
            pool = candidates.gather(reading.words.values(), self.artifact.tools)
            pool += self.added
            if literal:
                pool += [tool for tool in literal if tool not in pool]
        else:
            pool = sorted({self.catalogue.tool_id(path) for path in among})
        asked = scoring.query(reading)
        if self.encoder is not None:
            from .encoder import vector_of

            asked = scoring.aimed(asked, vector_of(self.encoder, intent))
        if args:
            worth = {tool: arguments.welcome(self.catalogue.signatures(tool), args) for tool in pool}
            pool = [tool for tool in pool if worth[tool] is not None]
            scores = sorted(score.plus(worth[score.tool] or 0.0) for score in self._scorer.score(asked, pool))
        else:
            scores = self._scorer.score(asked, pool)
        meant = {tool: literal[tool] for tool in literal if tool in pool} if literal else literal
        if meant:
            scores.sort(key=lambda score: score.tool not in meant)  # stable: literal ones first
        rivals = self._rivals(scores, meant)
        tier, sure, fit = self._decide(asked, scores, meant, rivals)
        chosen = self.catalogue.entry(scores[0].tool).path if tier is not Tier.NONE and not rivals else None
        beside = _beside(args, k, among)
        encoder = self.artifact.encoder if self.encoder is None else str(self.encoder.id)
        trace = Trace(
            self.artifact, encoder, self.catalogue, self.cuts, intent, reading, meant, scores, rivals, k, beside
        )
        return Resolution(trace, chosen, tier, sure, fit)

    def _literal(self, intent: str) -> Mapping[int, str]:
        """The tools that the intent names, with the kind of name; also as clients write the names of servers' tools."""
        named = self.catalogue.named(canonical(intent))
        if not named and intent.startswith(CLIENTS_PREFIX):
            named = self.catalogue.named(canonical(intent.removeprefix(CLIENTS_PREFIX)))
        return named

    def _decide(
        self, asked: Query, scores: list[Score], meant: Mapping[int, str], rivals: tuple[int, ...]
    ) -> tuple[Tier, float, float]:
        """Tier, confidence and fit of a ranking."""
        if len(meant) == 1:
            return Tier.EXACT, 1.0, 1.0
        fit, sure = confidence.of(scores, self._calibration, unread=0.0 if asked.length else asked.most)
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


def _beside(args: Mapping[str, Any] | None, k: int, among: Iterable[str] | None) -> Mapping[str, Any]:
    """What was asked beside the intent, without the arguments' values; {} when nothing was."""
    asked: dict[str, Any] = {}
    if args:
        asked["args"] = {str(name): arguments.type_code(args[name]) for name in sorted(args, key=str)}
    if among is not None:
        asked["among"] = sorted(among)
    if k != DEFAULT_K:
        asked["k"] = k
    return asked
