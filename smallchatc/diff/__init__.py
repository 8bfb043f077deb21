"""Diff: two artifacts become the changes between them, each with what it may cost.

    artifacts -> sides -> renames -> changes of tools, schemas, links and settings -> selection impact -> Diff

One module per arrow; kinds.py is the one table of what a change is called and how bad it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime_min.artifact import Artifact

from ..testing.scorecard import Case
from .change import Change, in_order, worst
from .impact import selection_changes
from .kinds import BREAKING, KINDS, LEVELS, RISKY, SAFE
from .links import link_changes, setting_changes
from .renames import find_renames
from .side import read_side
from .tools import provider_changes, tool_changes

__all__ = ["BREAKING", "KINDS", "LEVELS", "RISKY", "SAFE", "Change", "Diff", "diff_artifacts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What differs, worst first, and between which digests."""

    old: str
    new: str
    changes: tuple[Change, ...]

    @property
    def level(self) -> str | None:
        """The worst level; None when nothing differs."""
        return worst(self.changes)

    def fails(self, on: str) -> bool:
        """Whether a gate of this name (any, risky, breaking, never) is closed to these changes."""
        if on == "never" or self.level is None:
            return False
        return on == "any" or LEVELS.index(self.level) >= LEVELS.index(on)


def diff_artifacts(old: Artifact, new: Artifact, *, cases: Sequence[Case] = (), impact: bool = True) -> Diff:
    """The changes from old to new. `cases` are requests to ask besides the tools' own; `impact` asks none at all."""
    if old.digest == new.digest:
        return Diff(old=old.digest, new=new.digest, changes=())
    before, after = read_side(old), read_side(new)
    renamed = find_renames(before, after)
    changes = [
        *provider_changes(before, after),
        *tool_changes(before, after, renamed),
        *link_changes(before, after, renamed),
        *setting_changes(before, after),
    ]
    if impact:
        changes += selection_changes(before, after, renamed, cases)
    return Diff(old=old.digest, new=new.digest, changes=in_order(changes))
