"""Tested: cases, gates and a baseline become yes or no, and which failures nobody holds against the run.

Without a gate every case must pass. Gates on results and a baseline decide in its place; a gate on the tests
themselves (their coverage) is asked for besides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..describe import tool_paths
from ..gates import COVERAGE_LIMITS, LIMITS, Gate, check, judge
from .baseline import Baseline, Comparison, compare
from .coverage import Coverage, coverage_of
from .outcomes import Failure, run
from .scorecard import Case, Outcome, Scores, score
from .shards import WHOLE, Shard, dealt

if TYPE_CHECKING:
    from runtime_min import ToolRuntime

HELD = "the gates hold"
KNOWN = "wrong in the baseline too"
NEW = "not in the baseline yet"


def judge_cases(
    runtime: ToolRuntime,
    cases: tuple[Case, ...],
    *,
    limits: Mapping[str, float],
    baseline: Baseline | None = None,
    shard: Shard = WHOLE,
    progress: Callable[[str, int, int], None] | None = None,
) -> Tested:
    """Resolve the cases of a shard and judge what came out."""
    outcomes, failures = run(runtime, dealt(cases, shard), progress=progress)
    scores = score(outcomes)
    coverage = coverage_of(cases, tool_paths(runtime.artifact))
    files = tuple(dict.fromkeys(case.file for case in cases))
    return Tested(
        scores=scores,
        outcomes=outcomes,
        failures=failures,
        coverage=coverage,
        gates=(
            *check(scores, limits, of_all=shard.count == 1),
            *judge({"coverage": coverage.share}, limits, COVERAGE_LIMITS),
        ),
        gated=not limits.keys().isdisjoint(LIMITS),
        comparison=compare(baseline, outcomes, files=files, shard=shard) if baseline else None,
        shard=shard,
        all_cases=len(cases),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """A run of tests and all that was made of it."""

    scores: Scores
    outcomes: tuple[Outcome, ...]
    failures: tuple[Failure, ...]
    coverage: Coverage  # of all cases, those of other shards among them
    gates: tuple[Gate, ...] = ()
    gated: bool = False  # some gate on results was asked for, though none of these cases may be about it
    comparison: Comparison | None = None
    shard: Shard = WHOLE
    all_cases: int  # of all shards

    @property
    def passed(self) -> bool:
        """The answer."""
        return all(gate.ok for gate in self.gates) and len(self.forgiven) == len(self.failures)

    @property
    def forgiven(self) -> Mapping[int, str]:
        """Failures (by their place) that the run does not fail for, with why."""
        decided = [gate for gate in self.gates if gate.name in LIMITS]
        if not all(gate.ok for gate in decided) or not (self.gated or self.comparison):
            return {}
        if self.comparison is None:
            return dict.fromkeys(range(len(self.failures)), HELD)
        regressed = {id(each.outcome) for each in self.comparison.regressed}
        new = {id(outcome) for outcome in self.comparison.new}
        return {
            place: NEW if id(failure.outcome) in new else KNOWN
            for place, failure in enumerate(self.failures)
            if id(failure.outcome) not in regressed
        }
