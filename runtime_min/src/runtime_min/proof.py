"""What a resolution is made of: tier, candidates, refinement, and the proof of why.

A proof holds no clock and no identity of the process, so the same question to the same artifact gives
an equal proof, on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from .named import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


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
