"""Settings of a compile: what the command line and the project file may change about an artifact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .parse import Project

OVERLOAD_THRESHOLD = 0.82
DEDUP_THRESHOLD = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything beyond the sources that an artifact depends on."""

    encoder: str = "auto"  # auto, teacher, base, small
    teacher_model: Path | None = None  # folder of weights; its digest, not its path, is recorded
    overload_threshold: float = OVERLOAD_THRESHOLD
    dedup_threshold: float = DEDUP_THRESHOLD


def settings_of(meta: Mapping[str, str], *, teacher_model: Path | None = None) -> Settings:
    """The settings that an artifact was made with, from its meta rows; another's weights are looked for as ever."""
    made_by = meta["tool_encoder"].partition("@")[0]
    return Settings(
        encoder=made_by if made_by in ("base", "small") else "auto",
        teacher_model=teacher_model,
        overload_threshold=float(meta["overload_threshold"]),
        dedup_threshold=float(meta["dedup_threshold"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was asked for by hand; None where nothing was said and the project file, else the default, decides."""

    encoder: str | None = None
    teacher_model: Path | None = None
    overload_threshold: float | None = None

    def settle(self, project: Project | None) -> Settings:
        """The settings: by hand before project file before default."""
        written = (project.encoder, project.overload_threshold, project.dedup_threshold) if project else (None,) * 3
        encoder, overload_threshold, dedup_threshold = written
        return Settings(
            encoder=self.encoder or encoder or "auto",
            teacher_model=self.teacher_model,
            overload_threshold=_first(self.overload_threshold, overload_threshold, OVERLOAD_THRESHOLD),
            dedup_threshold=_first(dedup_threshold, DEDUP_THRESHOLD),
        )


def _first(*values: float | None) -> float:
    return next(value for value in values if value is not None)
