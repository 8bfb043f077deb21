"""Amended: a resolution becomes another one by what the runtime remembers and guards.

The artifact's own answer stays the beginning of the proof; each influence adds a step: a learned choice, a
correction, a pin. Nothing is done for an intent that none of them concerns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .proof import Candidate, Option, Proof, Refinement, Step, Tier
from .resolution import Resolution

if TYPE_CHECKING:
    from .learned import LearnedState
    from .observer import Observer
    from .pins import IntentPins
    from .semantic_map import Boost, Choice
    from .snapshot import Snapshot

_DEMOTED = 0.1
"""What is left of a tool's confidence for an intent that it was the wrong answer to."""


class Amended(Resolution):
    """A resolution whose outcome is not the artifact's alone; `base` is the artifact's answer, if it was asked."""

    __slots__ = ("_ambiguous", "_base", "_head", "_steps")

    def __init__(
        self,
        head: tuple[str, str, str],  # artifact digest, encoder, intent
        base: Resolution | None,
        *,
        tool: str | None,
        tier: Tier,
        confidence: float,
        fit: float,
        candidates: Sequence[Candidate],
        ambiguous: tuple[str, ...] = (),
        steps: Sequence[Step] = (),
    ) -> None:
        self.tool, self.tier, self.confidence, self.fit = tool, tier, confidence, fit
        self._head = head
        self._base = base
        self._candidates = tuple(candidates)
        self._ambiguous = ambiguous
        self._steps = (*steps, Step("decide", self._decision()))

    @property
    def ambiguous(self) -> tuple[str, ...]:
        """The tools that cannot be told apart for this intent; () when the first stands alone."""
        return self._ambiguous

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates, best first."""
        return self._candidates or ()

    @property
    def refinement(self) -> Refinement | None:
        """The question to ask, with options, when there is no tool to call."""
        return None if self.tool is not None else refinement(self.candidates, bool(self._ambiguous))

    @property
    def proof(self) -> Proof:
        """Why: the artifact's steps, then what amended its answer, then the decision."""
        before = self._base.proof.steps if self._base is not None else ()
        return Proof(*self._head, steps=(*before, *self._steps))

    def _decision(self) -> dict[str, Any]:
        return {
            "fit": self.fit,
            "confidence": self.confidence,
            "ambiguous": list(self._ambiguous),
            "tier": str(self.tier),
            "tool": self.tool,
        }


def refinement(candidates: Sequence[Candidate], ambiguous: bool) -> Refinement:
    """The question that goes with these candidates."""
    if ambiguous:
        question = "These tools cannot be told apart for this request. Which one is meant?"
    elif candidates:
        question = "No tool fits this request well. Is one of these meant?"
    else:
        question = "No tool has anything in common with this request. Can it be said in other words?"
    return Refinement(question, tuple(Option(c.tool, c.selector, c.tool, c.confidence) for c in candidates))


def literal(snapshot: Snapshot, intent: str, path: str, step: Step) -> Resolution:
    """The resolution of an intent that was told to mean exactly this tool."""
    selector = snapshot.proxy(path).selector
    return Amended(
        (snapshot.artifact.digest, snapshot.artifact.encoder, intent),
        None,
        tool=path,
        tier=Tier.EXACT,
        confidence=1.0,
        fit=1.0,
        candidates=[Candidate(path, selector, 1.0, 1.0, {})],
        steps=[step],
    )


def learned_answer(snapshot: Snapshot, intent: str, choice: Choice) -> Resolution:
    """What a choice made before says of the identical intent; nothing was searched."""
    return literal(
        snapshot,
        intent,
        choice.tool,
        Step("semantic_map", {"intent": choice.intent, "tool": choice.tool, "times": choice.times}),
    )


def amend(
    snapshot: Snapshot,
    intent: str,
    key: str,
    base: Resolution,
    learned: LearnedState | None,
    pins: IntentPins,
    among: Sequence[str] | None,
) -> Resolution:
    """The base resolution as learned choices, corrections and pins leave it; itself when none of them concerns it.
    `key` is the intent's canonical form."""
    steps: list[Step] = []
    boosts = learned.map.boosts(intent, snapshot.vocabulary, key) if learned and len(learned.map) else []
    boosts = [
        boost
        for boost in boosts
        if (among is None or boost.choice.tool in among)
        and snapshot.fingerprint(boost.choice.tool) == boost.choice.fingerprint
        and pins.admits(boost.choice.tool, intent, snapshot.similarity)
    ]
    observer = learned.observer if learned is not None and len(learned.observer) else None
    concerned = observer is not None and (base.tool is None or observer.concerns(base.tool))
    if not (boosts or concerned or pins):
        return base
    draft = _Draft(base, snapshot)
    if boosts:
        steps.append(draft.lift(boosts))
    if observer is not None:
        steps += draft.correct(intent, observer)
    if pins:
        steps += draft.guard(lambda tool: pins.admits(tool, intent, snapshot.similarity))
    if not steps:
        return base
    raised: Callable[[str, float], float] = observer.raised if observer is not None else (lambda tool, cut: cut)
    return draft.outcome((snapshot.artifact.digest, snapshot.artifact.encoder, intent), steps, raised)


class _Draft:
    """A resolution on its way to another."""

    def __init__(self, base: Resolution, snapshot: Snapshot) -> None:
        self.base = base
        self.snapshot = snapshot
        self.fit = base.fit
        self.ambiguous = base.ambiguous
        self.candidates = list(base.candidates)

    def lift(self, boosts: Sequence[Boost]) -> Step:
        """Lend candidates the confidence that remembered intents speak for."""
        lifted = []
        for boost in boosts:
            at = next((i for i, found in enumerate(self.candidates) if found.tool == boost.choice.tool), None)
            if at is None:
                at = len(self.candidates)
                self.candidates.append(Candidate(boost.choice.tool, boost.choice.selector, 0.0, 0.0, {}))
            found = self.candidates[at]
            confidence = round(found.confidence + (1 - found.confidence) * boost.strength, 6)
            self.candidates[at] = found._replace(confidence=confidence)
            self.fit = round(max(self.fit, self.fit + (1 - self.fit) * boost.strength), 6)
            lifted.append(
                {
                    "intent": boost.choice.intent,
                    "tool": boost.choice.tool,
                    "similarity": boost.similarity,
                    "times": boost.choice.times,
                    "from": found.confidence,
                    "to": confidence,
                }
            )
        self._sort()
        if self.candidates[0].tool in {boost.choice.tool for boost in boosts}:
            self.ambiguous = ()
        return Step("semantic_map", {"boosts": lifted})

    def correct(self, intent: str, observer: Observer) -> list[Step]:
        """Take confidence from tools that were the wrong answer to this intent or one like it."""
        held = []
        for at, found in enumerate(self.candidates):
            against = observer.against(intent, found.tool, self.snapshot.vocabulary)
            if against is not None:
                self.candidates[at] = found._replace(confidence=round(found.confidence * _DEMOTED, 6))
                self.ambiguous = tuple(tool for tool in self.ambiguous if tool != found.tool)
                held.append({"intent": against[0].intent, "tool": found.tool, "similarity": against[1]})
        if held:
            self._sort()
        cut = self.snapshot.cuts.high
        first = self.candidates[0].tool if self.candidates else ""
        raised = observer.raised(first, cut)
        steps = [Step("observer", {"against": held})] if held else []
        if raised != cut:
            steps.append(Step("observer", {"tool": first, "cut": cut, "raised": raised}))
        return steps

    def guard(self, admits: Callable[[str], bool]) -> list[Step]:
        """Leave out tools whose pin this intent does not open."""
        refused = [found.tool for found in self.candidates if not admits(found.tool)]
        if not refused:
            return []
        self.candidates = [found for found in self.candidates if found.tool not in refused]
        self.ambiguous = tuple(tool for tool in self.ambiguous if tool not in refused)
        return [Step("pin", {"refused": refused})]

    def outcome(
        self, head: tuple[str, str, str], steps: Sequence[Step], raised: Callable[[str, float], float]
    ) -> Resolution:
        """Tier and tool of what is left."""
        first = self.candidates[0] if self.candidates else None
        cuts, same = self.snapshot.cuts, first is not None and first.tool == self.base.tool
        ambiguous = self.ambiguous if len(self.ambiguous) > 1 else ()
        if first is None or (self.fit < cuts.fit and self.base.tier is not Tier.EXACT):
            tier = Tier.NONE
        elif self.base.tier is Tier.EXACT and same:
            tier = Tier.EXACT
        elif first.confidence >= raised(first.tool, cuts.high):
            tier = Tier.HIGH
        else:
            tier = Tier.MEDIUM if first.confidence >= raised(first.tool, cuts.medium) else Tier.LOW
        return Amended(
            head,
            self.base,
            tool=first.tool if first is not None and tier is not Tier.NONE and not ambiguous else None,
            tier=tier,
            confidence=first.confidence if first is not None else 0.0,
            fit=self.fit,
            candidates=self.candidates,
            ambiguous=ambiguous,
            steps=steps,
        )

    def _sort(self) -> None:
        self.candidates.sort(key=lambda found: -found.confidence)
