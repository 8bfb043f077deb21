"""Verification: before a MEDIUM choice runs, it is looked at a second time, by other means than it was found by.

Three questions: does anything answer for the tool, do the arguments fit, and do the letters of the intent (runs of
four, no vectors, no word weights) point to this tool's name and description rather than to another candidate's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .lexicon import STOP, words
from .proof import Step

if TYPE_CHECKING:
    from .errors import Violation
    from .proxy import ToolProxy

_RUN = 4
LEAST = 0.1
"""Agreement below which there is none. With it, and as much as any other candidate's, four of five MEDIUM choices
run on the labelled sets, and 87 of 100 of those are right (docs/selection.md)."""

_LONGEST = 2000


def verify(
    intent: str,
    tool: ToolProxy,
    others: Sequence[ToolProxy],
    *,
    bound: bool,
    violations: Sequence[Violation],
) -> tuple[bool, Step]:
    """Whether a tool may run for this intent, and the step that says why."""
    agreement = _agreement(intent, tool)
    best = max((_agreement(intent, other) for other in others), default=0.0)
    agrees = agreement > LEAST and agreement >= best
    passed = bound and not violations and agrees
    return passed, Step(
        "verify",
        {
            "tool": tool.path,
            "responds": bound,
            "violations": [str(violation) for violation in violations],
            "agreement": round(agreement, 4),
            "best_other": round(best, 4),
            "passed": passed,
        },
    )


def _agreement(intent: str, tool: ToolProxy) -> float:
    """The share of the intent's runs of letters that the tool's name and description have; the name counts twice."""
    asked = _runs(intent[:_LONGEST])
    if not asked:
        return 0.0
    name = _runs(tool.path)
    text = _runs(f"{_title(tool.definition)} {tool.description[:_LONGEST]}")
    return (2 * len(asked & name) + len(asked & text)) / (3 * len(asked))


def _title(definition: Mapping[str, Any]) -> str:
    title = definition.get("title")
    return title if isinstance(title, str) else ""


def _runs(text: str) -> frozenset[str]:
    spoken = " ".join(f" {word} " for word in words(text) if word not in STOP)
    spoken = re.sub(r"\s+", " ", spoken)
    return frozenset(spoken[i : i + _RUN] for i in range(max(len(spoken) - _RUN + 1, 0)))
