"""Outcomes: cases become what came out of them, and what failed becomes a reason to read."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..describe import nearest_tools, shared_words, tool_paths
from .scorecard import DEPTH, Case, Outcome, rank

if TYPE_CHECKING:
    from runtime_min import Candidate, Resolution, ToolRuntime
    from runtime_min.resolver import Resolver


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A tool in the contest for an intent, and what spoke for it."""

    tool: str
    rank: int | None  # None: not among the first `DEPTH`
    score: float
    signals: Mapping[str, float]  # the parts of the score
    words: tuple[tuple[str, float], ...]  # that it shares with the intent, heaviest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A case that did not come out as its author wanted."""

    outcome: Outcome
    kind: str  # one of KINDS
    first: Contender | None
    wanted: Contender | None  # the best of the right tools
    missing: Mapping[str, tuple[str, ...]]  # wanted tools that the artifact does not hold, and the nearest it does

    @property
    def margin(self) -> float | None:
        """By how much the first choice's score is above the wanted tool's."""
        return self.first.score - self.wanted.score if self.first and self.wanted else None


STAGE = "resolve"

KINDS = {
    "wrong-tool": "another tool came first",
    "refused": "the right tool came first, but nothing was found to fit",
    "ambiguous": "the right tool came first, but could not be told from others",
    "false-tool": "nothing fits, but a tool was chosen",
    "no-such-tool": "the artifact does not hold the tool",
}


def run(
    runtime: ToolRuntime, cases: Sequence[Case], *, progress: Callable[[str, int, int], None] | None = None
) -> tuple[tuple[Outcome, ...], tuple[Failure, ...]]:
    """Resolve every case: what came out, and what failed."""
    known = frozenset(tool_paths(runtime.artifact))
    outcomes, failures = [], []
    for number, case in enumerate(cases, 1):
        resolution = ask(runtime, case, known)
        outcome = outcome_of(case, resolution)
        outcomes.append(outcome)
        if not outcome.passed:
            failures.append(_failure(runtime, outcome, resolution, known))
        if progress:
            progress(STAGE, number, len(cases))
    return tuple(outcomes), tuple(failures)


def ask(asked: ToolRuntime | Resolver, case: Case, known: Container[str]) -> Resolution:
    """What a case resolves to; a tool of its `among` that is not among those `known` cannot be chosen."""
    among = None if case.among is None else [tool for tool in case.among if tool in known]
    return asked.resolve(case.query, case.args, k=DEPTH, among=among)


def outcome_of(case: Case, resolution: Resolution) -> Outcome:
    """The plain values of a resolution that scoring needs."""
    return Outcome(
        case=case,
        ranked=tuple(candidate.tool for candidate in resolution.candidates),
        tool=resolution.tool,
        tier=str(resolution.tier),
        confidence=resolution.confidence,
        fit=resolution.fit,
    )


def _failure(runtime: ToolRuntime, outcome: Outcome, resolution: Resolution, known: frozenset[str]) -> Failure:
    """Why a case failed: the first choice beside the best right one."""
    case, candidates = outcome.case, resolution.candidates
    place = rank(outcome)
    best: Candidate | None
    right = [tool for tool in case.right if tool in known]
    if place is not None:
        best = candidates[place - 1]
    else:
        among = [tool for tool in right if case.among is None or tool in case.among]
        best = next(iter(runtime.resolve(case.query, case.args, k=1, among=among).candidates), None) if among else None
    if not case.gold:
        kind = "false-tool"
    elif not right:
        kind = "no-such-tool"
    elif not outcome.hit:
        kind = "wrong-tool"
    else:
        kind = "refused" if outcome.refused else "ambiguous"
    missing = [tool for tool in case.gold if tool not in known]
    return Failure(
        outcome=outcome,
        kind=kind,
        first=_contender(runtime, case, candidates[0], 1) if candidates else None,
        wanted=_contender(runtime, case, best, place) if best else None,
        missing={tool: tuple(nearest_tools(runtime.artifact, tool)) for tool in missing},
    )


def _contender(runtime: ToolRuntime, case: Case, candidate: Candidate, place: int | None) -> Contender:
    return Contender(
        tool=candidate.tool,
        rank=place,
        score=candidate.score,
        signals=dict(candidate.signals),
        words=tuple(shared_words(runtime.artifact, case.query, candidate.tool)),
    )


def contest_text(failure: Failure) -> str:
    """What decided, a line for the first choice and one for the tool that was wanted."""
    return "\n".join(_side(side) for side in (failure.first, failure.wanted) if side)


def verdict_text(failure: Failure) -> str:
    """What is wrong in one line."""
    outcome = failure.outcome
    wanted = ", ".join(outcome.case.gold) or "no tool"
    return f"{KINDS[failure.kind]}: wanted {wanted}, got {outcome.tool or 'no tool'} ({outcome.tier})"


def _side(side: Contender) -> str:
    parts = ", ".join(f"{name} {value:.3f}" for name, value in side.signals.items())
    words = ", ".join(f"{word} {weight:.2f}" for word, weight in side.words)
    return f"{side.tool}: score {side.score:.3f} ({parts}); shared words: {words or 'none'}"
