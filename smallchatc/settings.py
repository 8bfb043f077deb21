"""Settings of a compile: what the command line and the project file may change about an artifact."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

OVERLOAD_THRESHOLD = 0.82
DEDUP_THRESHOLD = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything beyond the sources that an artifact depends on."""

    encoder: str = "auto"  # auto, teacher, base, small
    teacher_model: Path | None = None  # folder of weights; its digest, not its path, is recorded
    overload_threshold: float = OVERLOAD_THRESHOLD
    dedup_threshold: float = DEDUP_THRESHOLD
